# SPDX-License-Identifier: Apache-2.0
"""The rows of the library's table equal onnx's schemas, except for the differences listed here."""

from __future__ import annotations

import ctypes as c
import json
import sys

import library
import pytest

GOLDEN = library.ROOT / "tests" / "conformance" / "golden"
FLOATS = ["double", "float", "float16"]

# (operator, version, path): why the library's table says something else there. Each entry is one
# value in onnx's row and one in ours; a difference that no longer exists is an error too.
DIFFERENCES = {
    # Version 1 gives tiles and axis the type T, and then a constraint T1 = int64 "for tiles and
    # axis" that no port uses. Both readings are accepted.
    ("Tile", 1, "inputs/tiles/types"): (FLOATS, [*FLOATS, "int64"]),
    ("Tile", 1, "inputs/axis/types"): (FLOATS, [*FLOATS, "int64"]),
}

# onnx has the allowed strings in its texts only; these are read from there (attributes `mode`,
# `coordinate_transformation_mode`, `nearest_mode`, `keep_aspect_ratio_policy`).
HALF_PIXELS = ["half_pixel", "pytorch_half_pixel"]
POSITIONS = sorted([*HALF_PIXELS, "align_corners", "asymmetric", "tf_crop_and_resize"])
THREE_MODES = ["cubic", "linear", "nearest"]
ROUNDINGS = ["ceil", "floor", "round_prefer_ceil", "round_prefer_floor"]
RESIZE = {"mode": THREE_MODES, "nearest_mode": ROUNDINGS}
POLICY = {"keep_aspect_ratio_policy": ["not_larger", "not_smaller", "stretch"]}
ALLOWED = {
    ("Resize", 10): {"mode": ["linear", "nearest"]},
    ("Resize", 11): RESIZE
    | {"coordinate_transformation_mode": sorted([*POSITIONS, "tf_half_pixel_for_nn"])},
    ("Resize", 13): RESIZE | {"coordinate_transformation_mode": POSITIONS},
    ("Resize", 18): RESIZE | POLICY | {"coordinate_transformation_mode": POSITIONS},
    ("Resize", 19): RESIZE
    | POLICY
    | {"coordinate_transformation_mode": sorted([*POSITIONS, "half_pixel_symmetric"])},
    ("Upsample", 1): {"mode": ["bilinear", "nearest"]},
    ("Upsample", 7): {"mode": ["linear", "nearest"]},
    ("Upsample", 9): {"mode": ["linear", "nearest"]},
    ("Upsample", 10): {"mode": ["linear", "nearest"]},
}


def golden() -> dict:
    return json.loads((GOLDEN / "onnx_schemas.json").read_text())


def ours() -> dict:
    json_format = 1
    blob = c.c_void_p()
    library.call("tesela_ops", json_format, c.byref(blob))
    data = library.LIBRARY.tesela_blob_data
    data.restype = c.c_char_p
    text = data(blob).decode()
    library.LIBRARY.tesela_blob_destroy(blob)
    document = json.loads(text)
    document["operators"] = [row for row in document["operators"] if row["domain"] == ""]
    return document


def by_row(document: dict) -> dict:
    return {(row["operator"], row["since_version"]): row for row in document["operators"]}


def flat(row: dict) -> dict:
    """A row as one entry for each fact: {"inputs/X/optional": False, ...}."""
    facts = {}
    for kind in ("inputs", "outputs"):
        facts[kind] = [port["name"] for port in row[kind]]
        for port in row[kind]:
            for fact in ("type", "optional"):
                facts[f"{kind}/{port['name']}/{fact}"] = port[fact]
            facts[f"{kind}/{port['name']}/types"] = sorted(port["types"])
    facts["attributes"] = sorted(attribute["name"] for attribute in row["attributes"])
    for attribute in row["attributes"]:
        for fact in ("type", "required", "default"):
            facts[f"attributes/{attribute['name']}/{fact}"] = attribute.get(fact)
    return facts


ROWS = sorted(by_row(golden()))


def test_golden_matches_installed_onnx():
    sys.path.insert(0, str(GOLDEN))
    try:
        import dump_onnx_schemas
    finally:
        sys.path.remove(str(GOLDEN))
    assert json.loads(json.dumps(dump_onnx_schemas.dump())) == golden()


def test_rows_are_the_same():
    assert sorted(by_row(ours())) == ROWS
    assert len(ROWS) == 3 + 6 + 5 + 4
    assert ours()["newest_opset"] == golden()["newest_opset"]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}-{row[1]}")
def test_row(row):
    theirs, mine = flat(by_row(golden())[row]), flat(by_row(ours())[row])
    for path, (expected, instead) in DIFFERENCES.items():
        if path[:2] == row:
            assert theirs[path[2]] == expected and mine[path[2]] == instead
            mine[path[2]] = expected
    assert mine == theirs


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}-{row[1]}")
def test_deprecation(row):
    mine = by_row(ours())[row]
    assert by_row(golden())[row]["deprecated"] == ("deprecated_for" in mine)
    if row == ("Upsample", 10):
        assert mine["deprecated_for"] == "Resize"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}-{row[1]}")
def test_withdrawn_strings(row):
    """tf2onnx writes tf_half_pixel_for_nn at every opset, so later versions take what 11 had."""
    found = {a["name"]: a["withdrawn"] for a in by_row(ours())[row]["attributes"] if "withdrawn" in a}
    is_later = row[0] == "Resize" and row[1] > 11
    assert found == ({"coordinate_transformation_mode": ["tf_half_pixel_for_nn"]} if is_later else {})


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}-{row[1]}")
def test_allowed_strings(row):
    found = {
        attribute["name"]: sorted(attribute["allowed"])
        for attribute in by_row(ours())[row]["attributes"]
        if "allowed" in attribute
    }
    assert found == ALLOWED.get(row, {})
    strings = {a["name"] for a in by_row(golden())[row]["attributes"] if a["type"] == "STRING"}
    assert strings == set(found)
