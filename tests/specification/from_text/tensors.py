# SPDX-License-Identifier: Apache-2.0
"""Element types, tensors, and how their elements are read and rounded (docs/specification/common.md)."""

import base64
import math
from dataclasses import dataclass

import numpy as np

LARGEST = 2**63 - 1  # COM-SIZE-1
OWN_LIMIT = 2**24  # COM-SIZE-2: elements of a tensor

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
BITS = {
    "float": 32, "double": 64, "float16": 16, "bfloat16": 16, "float8e4m3fn": 8, "float8e4m3fnuz": 8, "float8e5m2": 8,
    "float8e5m2fnuz": 8, "float8e8m0": 8, "float4e2m1": 4, "int4": 4, "int2": 2, "uint4": 4, "uint2": 2, "bool": 8,
    "complex64": 64, "complex128": 128, "string": 128, **{name: int(name.partition("int")[2]) for name in INTEGERS},
}  # fmt: skip
NUMPY = {name: name for name in INTEGERS} | {
    "float": "float32", "double": "float64", "float16": "float16", "complex64": "float32", "complex128": "float64",
}  # fmt: skip
EXPONENT_MANTISSA_BIAS = {"float16": (5, 10, 15), "bfloat16": (8, 7, 127)}  # COM-FLOAT-1


class Refused(Exception):
    """The call must fail; the message is the rule."""


def require(condition: object, rule: str) -> None:
    if not condition:
        raise Refused(rule)


@dataclass
class Tensor:
    """codes: the bits of each element (of a string its bytes), row-major."""

    dtype: str
    shape: tuple[int, ...]
    codes: np.ndarray

    @property
    def count(self) -> int:
        return math.prod(self.shape)


def dtype_of_codes(dtype: str) -> np.dtype:
    special = {"string": "O", "complex64": "V8", "complex128": "V16"}
    return np.dtype(special.get(dtype) or f"<u{max(BITS[dtype], 8) // 8}")


def check_size(dtype: str, shape: list[int] | tuple[int, ...]) -> None:
    """COM-SIZE-1 and COM-SIZE-2."""
    require(all(0 <= extent <= LARGEST for extent in shape), "COM-SIZE-1")
    if 0 not in shape:
        count = math.prod(shape)
        require(count <= LARGEST and -(-count * BITS[dtype] // 8) <= LARGEST, "COM-SIZE-1")
        require(count <= OWN_LIMIT, "COM-SIZE-2")


def from_json(entry: list) -> Tensor:
    """A tensor as the vectors' file has it."""
    dtype, shape, elements = entry
    count = math.prod(shape)
    if dtype == "int64":
        codes = np.array(elements, np.int64).view(np.uint64)
    elif dtype == "string":
        codes = np.empty(count, object)
        codes[:] = [base64.b64decode(text) for text in elements]
    else:
        codes = np.frombuffer(base64.b64decode(elements), np.uint8)
        if BITS[dtype] < 8:  # COM-TYPE-2
            shifts = np.arange(0, 8, BITS[dtype], np.uint8)
            codes = (codes[:, None] >> shifts & (2 ** BITS[dtype] - 1)).reshape(-1)[:count]
        codes = codes.view(dtype_of_codes(dtype))
    return Tensor(dtype, tuple(shape), codes)


def integers(tensor: Tensor) -> list[int]:
    """Of a tensor of an integer type of any width."""
    bits, codes = BITS[tensor.dtype], [int(code) for code in tensor.codes]
    return codes if tensor.dtype.startswith("u") else [code - (code >> (bits - 1) << bits) for code in codes]


def read(tensor: Tensor, compute: type) -> np.ndarray:
    """COM-READ-1. Complex numbers get a last axis for their two parts."""
    if tensor.dtype == "bool":
        return (tensor.codes != 0).astype(compute)
    if tensor.dtype == "bfloat16":
        return (tensor.codes.astype(np.uint32) << 16).view(np.float32).astype(compute)
    values = tensor.codes.view(NUMPY[tensor.dtype]).astype(compute)
    return values.reshape(-1, 2) if tensor.dtype.startswith("complex") else values


def rounded(values: np.ndarray, dtype: str) -> np.ndarray:
    """The codes of computed numbers (COM-OUT-1 to COM-OUT-3); of complex ones the last axis has the parts."""
    values = values.astype(np.float64)
    if dtype == "bool":
        return (values > 0.5).astype(np.uint8)
    if dtype in EXPONENT_MANTISSA_BIAS:
        return rounded_to_16_bits(values, *EXPONENT_MANTISSA_BIAS[dtype])
    if dtype in INTEGERS:
        return rounded_to_integers(values, np.dtype(dtype)).view(dtype_of_codes(dtype))
    return np.ascontiguousarray(values.astype(NUMPY[dtype])).reshape(-1).view(dtype_of_codes(dtype))


def rounded_to_integers(values: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """COM-OUT-1. 2^63 - 1 and 2^64 - 1 are no doubles: the bound is the next integer, which is one."""
    least, largest = np.iinfo(dtype).min, np.iinfo(dtype).max
    whole = np.rint(values)
    below, above = whole < float(least), whole >= float(int(largest) + 1)
    result = np.where(below | above | np.isnan(whole), 0, whole).astype(dtype)
    result[below] = least
    result[above] = largest
    return result


def rounded_to_16_bits(values: np.ndarray, exponent_bits: int, mantissa_bits: int, bias: int) -> np.ndarray:
    """COM-FLOAT-2. A code counts units of the last place from 0, so that a carry into the exponent is right."""
    infinity = (2**exponent_bits - 1) << mantissa_bits
    finite = np.isfinite(values)
    magnitudes = np.where(finite, np.abs(values), 0)
    exponents = np.where(magnitudes > 0, np.frexp(magnitudes)[1] - 1, 1 - bias)
    exponents = np.maximum(exponents, 1 - bias)
    units = np.rint(np.ldexp(magnitudes, mantissa_bits - exponents))
    codes = np.minimum((exponents + bias - 1) * 2.0**mantissa_bits + units, infinity)
    quiet = infinity + 2 ** (mantissa_bits - 1)  # COM-OUT-4
    codes = np.where(finite, codes, np.where(np.isnan(values), quiet, infinity))
    return codes.astype(np.uint16) | np.signbit(values).astype(np.uint16) << 15
