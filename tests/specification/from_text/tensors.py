# SPDX-License-Identifier: Apache-2.0
"""Tensors, their element types, and how elements are read and written (docs/specification/common.md)."""

import base64
import dataclasses
import math

import numpy as np

LARGEST = 2**63 - 1  # COM-SIZE-1
LIMIT = 2**24  # COM-SIZE-2: this implementation's own limit on elements

FLOAT8 = ["float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz"]
INTEGERS = {f"{sign}int{bits}": bits for bits in (8, 16, 32, 64) for sign in ("", "u")}
BITS = {
    "float": 32, "double": 64, "float16": 16, "bfloat16": 16, "bool": 8, "complex64": 64, "complex128": 128,
    "float8e8m0": 8, "float4e2m1": 4, "int4": 4, "uint4": 4, "int2": 2, "uint2": 2, "string": 128,
    **INTEGERS, **dict.fromkeys(FLOAT8, 8),
}  # fmt: skip


class Refused(Exception):
    """The call must fail."""


def require(condition: bool, message: str) -> None:
    if not condition:
        raise Refused(message)


@dataclasses.dataclass
class Tensor:
    """codes: a flat array with one entry for each element: its bits, or the bytes of a string."""

    type: str
    shape: tuple[int, ...]
    codes: np.ndarray

    @property
    def rank(self) -> int:
        return len(self.shape)

    def grid(self) -> np.ndarray:
        return self.codes.reshape(self.shape)


def code_dtype(name: str) -> np.dtype:
    if name == "string":
        return np.dtype(object)
    return np.dtype(f"V{BITS[name] // 8}" if BITS[name] > 64 else f"<u{max(BITS[name] // 8, 1)}")


def count_elements(name: str, shape: list[int]) -> int:
    """COM-SIZE-1 and COM-SIZE-2."""
    require(all(0 <= extent <= LARGEST for extent in shape), "extent out of range")
    if 0 in shape:
        return 0
    count = math.prod(shape)
    require(count <= LARGEST and -(-count * BITS[name] // 8) <= LARGEST, "too many elements or bytes")
    require(count <= LIMIT, "more elements than this implementation takes")
    return count


def unpack(name: str, count: int, data: bytes) -> np.ndarray:
    """COM-TYPE-1 and COM-TYPE-2: one code for each element."""
    if BITS[name] >= 8:
        return np.frombuffer(data, code_dtype(name), count)
    each = 8 // BITS[name]
    shifts = np.arange(each, dtype=np.uint8) * BITS[name]
    return (np.frombuffer(data, np.uint8)[:, None] >> shifts & (2 ** BITS[name] - 1)).reshape(-1)[:count]


def from_json(entry: list) -> Tensor:
    """A tensor as docs/specification/README.md describes it."""
    name, shape, elements = entry
    count = count_elements(name, shape)
    if name == "int64":
        codes = np.array(elements, np.int64).view("<u8")
    elif name == "string":
        codes = np.empty(count, object)
        codes[:] = [base64.b64decode(text) for text in elements]
    else:
        codes = unpack(name, count, base64.b64decode(elements))
    return Tensor(name, tuple(shape), codes)


def integers(tensor: Tensor) -> list[int]:
    """The elements of an integer tensor."""
    if BITS[tensor.type] >= 8:
        return [int(value) for value in tensor.codes.view(tensor.type)]
    half, signed = 2 ** (BITS[tensor.type] - 1), tensor.type.startswith("i")
    return [int(code) - (2 * half if signed and code >= half else 0) for code in tensor.codes]


def parts_of(name: str) -> int:
    return 2 if name.startswith("complex") else 1


def read(tensor: Tensor, dtype: type) -> np.ndarray:
    """COM-READ-1: the numbers in the compute type, with a leading axis for the parts of a number."""
    codes, name = tensor.codes, tensor.type
    if name == "bool":
        values = codes != 0
    elif name == "bfloat16":
        values = (codes.astype(np.uint32) << 16).view(np.float32)
    elif name.startswith("complex"):
        values = codes.view(np.float32 if name == "complex64" else np.float64).reshape(-1, 2).T
    else:
        values = codes.view({"float16": np.float16, "float": np.float32, "double": np.float64}.get(name, name))
    return values.astype(dtype).reshape(parts_of(name), *tensor.shape)


def write(values: np.ndarray, name: str) -> Tensor:
    """COM-OUT-1 to COM-OUT-4: values with a leading axis for parts, rounded once to the type."""
    shape = values.shape[1:]
    values = values.reshape(len(values), -1).astype(np.float64)
    if name.startswith("complex"):
        part = np.float32 if name == "complex64" else np.float64
        codes = np.ascontiguousarray(values.T.astype(part)).reshape(-1).view(code_dtype(name))
        return Tensor(name, shape, codes)
    return Tensor(name, shape, write_parts(values[0], name).view(code_dtype(name)))


def write_parts(values: np.ndarray, name: str) -> np.ndarray:
    if name == "bool":
        return (values > 0.5).astype(np.uint8)
    if name in INTEGERS:
        return saturate(np.rint(values), np.dtype(name))
    if name == "double":
        return values
    if name == "float":
        return values.astype(np.float32)
    mantissa, least = (10, -14) if name == "float16" else (7, -126)
    rounded = round_to(values, mantissa, least)
    if name == "float16":
        return rounded.astype(np.float16)
    return (rounded.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)


def saturate(values: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """COM-OUT-1. float(largest) of 64 bits is 2^63 or 2^64, which saturates like everything above it."""
    least, largest = np.iinfo(dtype).min, np.iinfo(dtype).max
    result = np.zeros(values.shape, dtype)
    inside = (values > float(least)) & (values < float(largest))
    result[inside] = values[inside].astype(dtype)
    result[values <= float(least)] = least
    result[values >= float(largest)] = largest
    return result


def round_to(values: np.ndarray, mantissa: int, least: int) -> np.ndarray:
    """COM-FLOAT-2: the nearest multiples of the unit in the last place; `least` is the smallest exponent."""
    exponents = np.maximum(np.frexp(values)[1] - 1, least)
    units = np.ldexp(1.0, exponents - mantissa)
    return np.where(np.isfinite(values), np.rint(values / units) * units, values)
