# SPDX-License-Identifier: Apache-2.0
"""Every cell of the standard gives the correct result or error, and nothing else is accepted.

A cell is an (operator, version, element type, mode). Everything outside the tables is rejected: every
other element type, and every attribute of a newer version or of no version.
"""

from __future__ import annotations

import re

import emulation
import library
import numpy as np
import oracle
import oracle_check
import pytest
import random_cases
from case import ATTRIBUTES, NUMPY_TYPES, FillCase, ResizeCase, TileCase
from library import TeselaError
from test_schema_golden import ALLOWED, by_row, golden

CELLS = list(random_cases.all_cells())
ROWS = sorted({(cell.op, cell.since_version) for cell in CELLS})
TYPES = {
    row: {cell.dtype for cell in CELLS if (cell.op, cell.since_version) == row} for row in ROWS
}
RESIZE_ATTRIBUTES = {name: (getattr(ResizeCase, name), first) for name, (_, first) in ATTRIBUTES.items()}
RESIZE_ATTRIBUTES |= {"mode": ("nearest", 10), "axes": ([0, 1, 2, 3], 18)}
UPSAMPLE_ATTRIBUTES = {
    1: {"height_scale": 2.0, "width_scale": 2.0, "mode": "nearest"},
    7: {"scales": np.array([1, 1, 2, 2], dtype=np.float32), "mode": "nearest"},
    9: {"mode": "nearest"},
}
VALUE = (np.zeros(1, dtype=np.float32), "float")


def name(cell: random_cases.Cell) -> str:
    mode = f"-{cell.mode}" if cell.mode else ""
    return f"{cell.op}-{cell.since_version}-{cell.dtype}{mode}"


@pytest.mark.parametrize("cell", CELLS, ids=name)
def test_cell(cell):
    if cell.is_refused:
        with pytest.raises(TeselaError) as caught:
            library.run(cell.case)
        assert caught.value.kind == "type"
        assert re.fullmatch(
            rf"{cell.op}-{cell.since_version}: input 'X' has type string in mode '{cell.mode}'; "
            "expected mode nearest, the only one for strings",
            str(caught.value),
        )
        return
    for backend in (0, 1):
        found = library.run(cell.case, backend=backend)
        if isinstance(cell.case, ResizeCase):
            expected = emulation.emulate(cell.case)
            assert not oracle_check.check(cell.case, found)
        elif isinstance(cell.case, TileCase):
            expected = oracle.tile(cell.case)
            assert oracle_check.element_bytes(found) == oracle_check.element_bytes(expected)
        else:
            assert isinstance(cell.case, FillCase)
            expected = oracle.fill(cell.case)
            bits = library.PACKED_BITS.get(cell.dtype)
            if bits:  # only these bits of a byte are the element's
                assert found.shape == expected.shape and found.dtype == expected.dtype
                assert library.pack(found, bits).tobytes() == library.pack(expected, bits).tobytes()
                continue
        assert emulation.same_bits(expected, found)


def test_every_cell_exists():
    """Every type of every row of onnx's own table in every mode, and no other."""
    rows = {row: facts for row, facts in by_row(golden()).items() if not facts["deprecated"]}
    assert sorted(rows) == ROWS
    for row, facts in rows.items():
        modes = ALLOWED.get(row, {}).get("mode", [None])
        expected = {(dtype, mode) for dtype in facts["outputs"][0]["types"] for mode in modes}
        assert {(cell.dtype, cell.mode) for cell in CELLS if (cell.op, cell.since_version) == row} == expected
    strings = [cell for cell in CELLS if cell.dtype == "string" and cell.mode not in (None, "nearest")]
    assert [cell for cell in CELLS if cell.is_refused] == strings


def plan(op: str, version: int, dtype: str, attributes: dict | None = None) -> library.Plan:
    """A plan of the row that is valid except for the arguments."""
    given = dict(UPSAMPLE_ATTRIBUTES[version]) if op == "Upsample" else {}
    given |= attributes or {}
    x = np.zeros([1, 1, 2, 2], dtype=NUMPY_TYPES[dtype])
    if dtype == "string":
        x.fill(b"")
    scales = (np.array([1, 1, 2, 2], dtype=np.float32), "float")
    integers = (np.array([1, 1, 2, 2], dtype=np.int64), "int64")
    if op == "ConstantOfShape":
        inputs = [integers]
        if attributes is None:
            given["value"] = (x.reshape(-1)[:1], dtype)
    elif op == "Tile":
        one = (np.ones(1, dtype=np.float32), "float")
        inputs = [(x, dtype), one, one] if version == 1 else [(x, dtype), integers]
    elif op == "Upsample":
        inputs = [(x, dtype)] if version < 9 else [(x, dtype), scales]
    elif version == 10:
        inputs = [(x, dtype), scales]
    else:
        roi = (np.zeros(0, dtype=np.float32), "float")
        inputs = [(x, dtype), roi, scales]
    return library.Plan(library.Op(op, version, given, node="n"), inputs)


OUTSIDE = [(*row, dtype) for row in ROWS for dtype in NUMPY_TYPES if dtype not in TYPES[row]]


@pytest.mark.parametrize("op, version, dtype", OUTSIDE)
def test_type_outside_the_list_is_refused(op, version, dtype):
    with pytest.raises(TeselaError) as caught:
        plan(op, version, dtype)
    assert caught.value.kind == "type"
    thing = "attribute 'value'" if op == "ConstantOfShape" else f"input '{input_name(op)}'"
    head = f"{op}-{version} node 'n': {thing} has type {dtype}; expected one of "
    text = str(caught.value)
    assert text.startswith(head) and len(text) <= 300
    listed = text[len(head) :].split(", ")
    assert sorted(listed) == sorted(TYPES[op, version])


def input_name(op: str) -> str:
    return "input" if op == "Tile" else "X"


@pytest.mark.parametrize("op, version", ROWS)
def test_accepted_types_match_the_cells(op, version):
    for dtype in TYPES[op, version]:
        plan(op, version, dtype)


def strangers() -> list:
    """(operator, version, attribute, value) that the row does not have."""
    found = []
    for op, version in ROWS:
        candidates = {"no_such_attribute": 1, "Mode": "nearest", "": 0}
        candidates |= {key: value for key, (value, _) in RESIZE_ATTRIBUTES.items()}
        candidates |= UPSAMPLE_ATTRIBUTES[1] | UPSAMPLE_ATTRIBUTES[7]
        candidates |= {"value": VALUE, "tiles": 1, "repeats": [1], "axis": 0, "sizes": [1]}
        known = set()
        if op == "Resize":
            known = {key for key, (_, since) in RESIZE_ATTRIBUTES.items() if since <= version}
        elif op == "Upsample":
            known = set(UPSAMPLE_ATTRIBUTES[version])
        elif op == "ConstantOfShape":
            known = {"value"}
        found += [(op, version, key, candidates[key]) for key in candidates if key not in known]
    return found


@pytest.mark.parametrize(
    "op, version, attribute, value",
    [pytest.param(*s, id=f"{s[0]}-{s[1]}-{s[2] or 'unnamed'}") for s in strangers()],
)
def test_unknown_attribute_is_refused(op, version, attribute, value):
    dtype = "float"
    with pytest.raises(TeselaError) as caught:
        plan(op, version, dtype, {attribute: value})
    assert caught.value.kind == "attribute"
    text = str(caught.value)
    assert text.startswith(
        f"{op}-{version} node 'n': attribute '{attribute}' is unknown in this version; "
        "its attributes are: "
    )
    assert len(text) <= 300


@pytest.mark.parametrize("op, version", ROWS)
def test_every_attribute_of_the_row_is_accepted(op, version):
    if op == "Resize":
        own = {key: value for key, (value, since) in RESIZE_ATTRIBUTES.items() if since <= version}
        plan(op, version, "float", own)
    elif op == "ConstantOfShape":
        plan(op, version, "float", {"value": VALUE})
    else:
        plan(op, version, "float", {})
