# SPDX-License-Identifier: Apache-2.0
"""Tesela inside ONNX Runtime: every cell that ONNX Runtime supports is equal to the library in every bit."""

from __future__ import annotations

import functools
import os
from dataclasses import replace

import emulation
import library
import numpy as np
import onnxruntime
import pytest
import random_cases
from case import ResizeCase, TileCase
from onnxruntime_sessions import is_carried, run, session_of, with_constants
from test_cells import name
from test_peers import Node, fill, model, node_of, resize, tile

CELLS = [
    cell
    for cell in random_cases.all_cells()
    if not cell.is_refused and is_carried(cell.dtype, cell.since_version)
]
CASES = int(os.environ.get("TESELA_CASES", 300))


def node_of_any(case) -> Node:
    if isinstance(case, ResizeCase):
        node = node_of(case)
        if case.since_version == 1:
            node.attributes |= {"height_scale": float(case.scales[2]), "width_scale": float(case.scales[3])}
        if case.op == "Resize" and case.since_version > 10:  # -0.0 equals the default but is a different value
            node.attributes["extrapolation_value"] = case.extrapolation_value
        return node
    if isinstance(case, TileCase) and case.since_version == 1:
        counts = [(np.array([count]).astype(case.x.dtype), case.dtype) for count in (case.tiles, case.axis)]
        return Node("Tile", 1, [(case.x, case.dtype), *counts])
    if isinstance(case, TileCase):
        repeats = (np.array(case.repeats, np.int64), "int64")
        return Node("Tile", case.since_version, [(case.x, case.dtype), repeats])
    attributes = {} if case.value is None else {"value": (case.value, case.dtype)}
    return Node("ConstantOfShape", case.since_version, [(np.array(case.shape, np.int64), "int64")], attributes)


def named_inputs(node: Node) -> dict:
    return {f"i{k}": entry for k, entry in enumerate(node.inputs) if entry is not None}


def dtype_of(node: Node) -> str:
    """Of the output."""
    return node.attributes["value"][1] if "value" in node.attributes else node.inputs[0][1]


def check(case, constants: bool, make_session=session_of) -> None:
    """Runs a case in ONNX Runtime, with all inputs at run time or all but the first as initializers."""
    node = node_of_any(case)
    inputs = named_inputs(node)
    held = {k: entry for k, entry in inputs.items() if k != "i0"} if constants else {}
    given = {k: entry for k, entry in inputs.items() if k not in held}
    session = make_session(with_constants(model(node), held))
    found = run(session, given, case.dtype)
    expected = library.run(case)
    bits = library.PACKED_BITS.get(case.dtype)
    if bits:
        assert found.shape == expected.shape
        assert library.pack(found, bits).tobytes() == library.pack(expected, bits).tobytes()
    else:
        assert emulation.same_bits(expected, found)


@pytest.mark.parametrize("constants", [False, True], ids=["given", "held"])
@pytest.mark.parametrize("cell", CELLS, ids=name)
def test_cell(cell, constants):
    check(cell.case, constants)


def is_runnable(case: ResizeCase) -> bool:
    """ONNX Runtime's own shape inference rejects a Resize without axes, scales and sizes."""
    return is_carried(case.dtype, case.since_version) and bool(case.scales or case.sizes)


@pytest.mark.parametrize("seed", range(CASES))
def test_random_case(seed):
    seeds = range(seed, seed + 10**9, 10**6)
    case = next(filter(is_runnable, map(random_cases.case, seeds)))
    check(replace(case, extents="host"), constants=seed % 2 == 1)


@pytest.mark.parametrize("seed", range(CASES // 10))
def test_random_case_with_the_extents_of_the_standard(seed):
    seeds = range(7 + seed, seed + 10**9, 10**6)
    case = next(case for case in map(random_cases.case, seeds) if is_runnable(case) and case.scales)
    session = functools.partial(session_of, provider_options={"extents": "standard"})
    check(replace(case, extents="standard"), seed % 2 == 1, session)


# --- What ONNX Runtime refuses -------------------------------------------------------------------

PIXELS = np.arange(12).reshape(1, 1, 3, 4)
TWICE = [1, 1, 2, 2]
FILL_OPSETS = {dtype: version for version, added in random_cases.FILL_ADDITIONS.items() for dtype in added}
REFUSED = {
    "Tile, bfloat16": tile(PIXELS, TWICE, "bfloat16"),
    **{f"ConstantOfShape, {dtype}": fill([3, 3], dtype, opset=FILL_OPSETS[dtype]) for dtype in (
        "float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz", "float8e8m0", "float4e2m1", "int4", "uint4",
        "int2", "uint2")},
    **{f"Resize nearest, {dtype}": resize(PIXELS, TWICE, dtype=dtype) for dtype in (
        "uint16", "uint32", "uint64", "int16", "int64", "bfloat16", "double", "bool")},
    "Resize nearest, string": Node("Resize", 19, [
        (np.array([[b"a", b"b"]], dtype=object), "string"), None, (np.float32([2, 2]), "float")]),
    "Resize linear, double": resize(PIXELS, TWICE, dtype="double", mode="linear"),
    "Resize linear, bfloat16": resize(PIXELS, TWICE, dtype="bfloat16", mode="linear", antialias=1),
    "Resize cubic, uint8": resize(PIXELS, TWICE, dtype="uint8", mode="cubic"),
    "Resize linear, rank 1": resize([1, 2, 3], [2], mode="linear"),
    "Resize linear, three axes of 4": resize(PIXELS, [1, 2, 2, 2], mode="linear"),
    "Resize cubic, rank 3": resize(PIXELS[0], [1, 2, 2], mode="cubic"),
    "Resize linear, exclude_outside": resize(PIXELS, TWICE, mode="linear", exclude_outside=1),
    "Upsample-9 nearest, double": Node("Upsample", 9, [
        (PIXELS.astype(np.float64), "double"), (np.float32(TWICE), "float")], {"mode": "nearest"}),
}


REFUSED = {
    text: node for text, node in REFUSED.items() if is_carried(dtype_of(node), node.opset)
}


def refusal(node: Node) -> str:
    """The error of ONNX Runtime alone for a node."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    inputs, dtype = named_inputs(node), dtype_of(node)
    with pytest.raises(Exception) as caught:
        run(onnxruntime.InferenceSession(model(node).SerializeToString(), options, enable_fallback=0), inputs, dtype)
    return str(caught.value)


def run_refused(node: Node) -> None:
    """With the provider, the result is equal to the library's in every bit."""
    dtype = dtype_of(node)
    found = run(session_of(model(node)), named_inputs(node), dtype)
    plan = library.Plan(library.Op(node.op, node.opset, node.attributes), node.inputs)
    expected = plan.run(None if node.op == "ConstantOfShape" else node.inputs[0][0])
    assert found.shape == expected.shape and found.tolist() == expected.tolist()


@pytest.mark.parametrize("name_of_node", REFUSED)
def test_cases_that_onnx_runtime_rejects_run(name_of_node):
    node = REFUSED[name_of_node]
    assert "ONNXRuntimeError" in refusal(node)
    run_refused(node)
