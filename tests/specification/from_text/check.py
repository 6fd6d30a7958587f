# SPDX-License-Identifier: Apache-2.0
"""Runs the vectors: `python -m from_text.check` in tests/specification/ prints those whose results differ.

docs/specification/README.md describes their file.
"""

import json
import pathlib
import sys

import numpy as np

from . import Refused, Tensor, call, from_json
from .tensors import read

FILE = pathlib.Path(__file__).resolve().parents[1] / "vectors.json"


def vectors() -> list[dict]:
    file = json.loads(FILE.read_text())
    assert file["format"] == 1
    return file["vectors"]


def fault(vector: dict) -> str:
    """What is wrong with the answer to a vector; empty if nothing is."""
    attributes = {name: from_json(value) if name == "value" else value for name, value in vector.get("attributes", {}).items()}
    inputs = [None if entry is None else from_json(entry) for entry in vector["inputs"]]
    try:
        found = call(vector.get("domain", ""), vector["op"], vector["version"], attributes, inputs)
    except Refused as reason:
        return "" if "refused" in vector else f"refused: {reason}"
    if "refused" in vector:
        return "not refused"
    return "" if same(from_json(vector["output"]), found, vector.get("nan", False)) else f"gave {found}"


def same(expected: Tensor, found: Tensor, any_nan: bool) -> bool:
    """Equal in every bit; any_nan: all NaNs are equal."""
    if (expected.dtype, expected.shape) != (found.dtype, found.shape):
        return False
    if not any_nan:
        return expected.codes.tolist() == found.codes.tolist()
    numbers, others = read(expected, np.float64), read(found, np.float64)
    equal = (numbers == others) & (np.signbit(numbers) == np.signbit(others))
    return bool(np.all(equal | (np.isnan(numbers) & np.isnan(others))))


if __name__ == "__main__":
    faults = [(number, reason) for number, vector in enumerate(vectors()) if (reason := fault(vector))]
    for number, reason in faults:
        print(f"vector {number}: {reason}")
    sys.exit(bool(faults))
