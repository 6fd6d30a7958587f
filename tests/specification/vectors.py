# SPDX-License-Identifier: Apache-2.0
"""The vectors of the specification: reads tests/specification/vectors.json and runs its calls.

docs/specification/README.md describes the format. A call's inputs and attributes are numpy arrays and plain values.
"""

from __future__ import annotations

import base64
import json
import pathlib
import sys

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent
FILE = FOLDER / "vectors.json"
sys.path.append(str(FOLDER.parent / "conformance"))

import library
from case import NUMPY_TYPES
from emulation import same_bits

AUTO, REFERENCE = 0, 1
NAMES = {numpy_type: name for name, numpy_type in NUMPY_TYPES.items()}
SPECIAL_FLOATS = {"NaN": np.nan, "Infinity": np.inf, "-Infinity": -np.inf}


# --- Calls -------------------------------------------------------------------------------------------


def plan(op: str, version: int, inputs: list, domain: str = "", **attributes) -> library.Plan:
    """Of one version of an operator. inputs: arrays in the operator's order, None for an omitted one.

    attributes: plain values; `value` and lists of floats are arrays. Errors: library.TeselaError.
    """
    given = [None if array is None else (np.asarray(array), NAMES[np.asarray(array).dtype]) for array in inputs]
    if isinstance(attributes.get("value"), np.ndarray):
        attributes["value"] = (attributes["value"], NAMES[attributes["value"].dtype])
    return library.Plan(library.Op(op, version, attributes, domain=domain), given)


def call(op: str, version: int, inputs: list, domain: str = "", backend: int = AUTO, **attributes) -> np.ndarray:
    """The output of one version of an operator."""
    x = None if op == "ConstantOfShape" else np.asarray(inputs[0])
    return plan(op, version, inputs, domain, **attributes).run(x, backend=backend)


def run(vector: dict, backend: int = AUTO) -> np.ndarray:
    """The output of a vector's call."""
    inputs = [None if entry is None else array_of(entry) for entry in vector["inputs"]]
    attributes = {name: attribute_of(name, value) for name, value in vector.get("attributes", {}).items()}
    return call(vector["op"], vector["version"], inputs, vector.get("domain", ""), backend, **attributes)


def fault(vector: dict, backend: int = AUTO) -> str:
    """What is wrong with the library's answer to a vector; empty if nothing is."""
    try:
        found = run(vector, backend)
    except library.TeselaError as error:
        wanted = vector.get("refused", "a result")
        return "" if error.kind == wanted else f"refused ({error.kind}: {error}); expected {wanted}"
    if "refused" in vector:
        return f"gave {found!r}; expected a refusal ({vector['refused']})"
    expected = array_of(vector["output"])
    return "" if equal(expected, found, vector.get("nan", False)) else f"gave {found!r}; expected {expected!r}"


def equal(expected: np.ndarray, found: np.ndarray, any_nan: bool) -> bool:
    if any_nan:
        return same_bits(expected, found)
    return [*tensor_of(expected)] == [*tensor_of(found)]


# --- Format ------------------------------------------------------------------------------------------


def tensor_of(array: np.ndarray) -> list:
    """A tensor in the file: type, shape, elements."""
    dtype = NAMES[array.dtype]
    if dtype == "string":
        return [dtype, list(array.shape), [base64.b64encode(text).decode() for text in array.reshape(-1)]]
    if dtype == "int64":
        return [dtype, list(array.shape), array.reshape(-1).tolist()]
    dense = np.ascontiguousarray(array).reshape(array.shape)
    packed = library.pack(dense, library.PACKED_BITS[dtype]) if dtype in library.PACKED_BITS else dense
    return [dtype, list(array.shape), base64.b64encode(packed.tobytes()).decode()]


def array_of(tensor: list) -> np.ndarray:
    dtype, shape, elements = tensor
    if dtype == "string":
        array = np.empty(len(elements), dtype=object)
        array[:] = [base64.b64decode(text) for text in elements]
        return array.reshape(shape)
    if dtype == "int64":
        return np.array(elements, dtype=np.int64).reshape(shape)
    raw = np.frombuffer(base64.b64decode(elements), np.uint8).copy()
    if dtype in library.PACKED_BITS:
        return library.unpack(raw, dtype, shape)
    return raw.view(NUMPY_TYPES[dtype]).reshape(shape)


def attribute_of(name: str, value):
    """An attribute as `call` takes it."""
    if name == "value":
        return array_of(value)
    if name == "scales":
        return np.array(value, dtype=np.float32)
    return SPECIAL_FLOATS.get(value, value) if isinstance(value, str) else value


def attribute_in_file(name: str, value):
    if name == "value":
        return tensor_of(value)
    if name == "scales":
        return value.tolist()
    if isinstance(value, float) and not np.isfinite(value):
        return "NaN" if np.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


def read() -> list[dict]:
    file = json.loads(FILE.read_text())
    assert file["format"] == 1
    return file["vectors"]


def text_of(vectors: list[dict]) -> str:
    """The file's text: a line for each vector."""
    lines = [json.dumps(vector, separators=(",", ":")) for vector in vectors]
    return '{"format":1,"vectors":[\n' + ",\n".join(lines) + "\n]}\n"
