# SPDX-License-Identifier: Apache-2.0
"""Operator calls as plain data, and the numbers that follow from their attributes.

A case contains the arguments of one Resize, Upsample, Tile or ConstantOfShape call. `resolve` converts
the attributes of a Resize or Upsample case to one `Axis` of numbers per dimension, without versions,
names and defaults. Weights and rounding are not defined here.
"""

from __future__ import annotations

import base64
import json
import math
import zlib
from dataclasses import dataclass, fields
from fractions import Fraction

import ml_dtypes
import numpy as np

# ONNX type name -> numpy type. Strings are object arrays of bytes.
NUMPY_TYPES = {
    "bool": np.dtype(np.bool_),
    "complex64": np.dtype(np.complex64),
    "complex128": np.dtype(np.complex128),
    "double": np.dtype(np.float64),
    "float": np.dtype(np.float32),
    "float16": np.dtype(np.float16),
    "bfloat16": np.dtype(ml_dtypes.bfloat16),
    "int8": np.dtype(np.int8),
    "int16": np.dtype(np.int16),
    "int32": np.dtype(np.int32),
    "int64": np.dtype(np.int64),
    "string": np.dtype(object),
    "uint8": np.dtype(np.uint8),
    "uint16": np.dtype(np.uint16),
    "uint32": np.dtype(np.uint32),
    "uint64": np.dtype(np.uint64),
    # Only ConstantOfShape supports these.
    "float8e4m3fn": np.dtype(ml_dtypes.float8_e4m3fn),
    "float8e4m3fnuz": np.dtype(ml_dtypes.float8_e4m3fnuz),
    "float8e5m2": np.dtype(ml_dtypes.float8_e5m2),
    "float8e5m2fnuz": np.dtype(ml_dtypes.float8_e5m2fnuz),
    "float8e8m0": np.dtype(ml_dtypes.float8_e8m0fnu),
    "float4e2m1": np.dtype(ml_dtypes.float4_e2m1fn),
    "int4": np.dtype(ml_dtypes.int4),
    "uint4": np.dtype(ml_dtypes.uint4),
    "int2": np.dtype(ml_dtypes.int2),
    "uint2": np.dtype(ml_dtypes.uint2),
}

# Types whose passes run in binary64; every other computed type uses binary32.
DOUBLE_TYPES = {"int32", "uint32", "int64", "uint64", "double", "complex128"}

# A plan with a window above this many taps runs in binary64 whatever its type.
MAX_FLOAT_TAPS = 1024


@dataclass
class ResizeCase:
    """One Resize or Upsample call.

    x: any rank, of NUMPY_TYPES[dtype]. scales: one float per listed axis, each a binary32 value.
    sizes: one int per listed axis. roi: [2 * listed axes], all starts, then all ends; float16, 32
    or 64. axes: the listed axes in their own order, None for all.
    Attributes that the version does not have keep their defaults. Upsample-1 has rank 4 and
    scales = [1, 1, height_scale, width_scale]. cubic_coeff_a and extrapolation_value are binary32.
    extents: the plan field of that name, standard or host.
    """

    x: np.ndarray
    dtype: str = "float"
    op: str = "Resize"
    since_version: int = 19
    mode: str = "nearest"
    scales: list[float] | None = None
    sizes: list[int] | None = None
    roi: np.ndarray | None = None
    axes: list[int] | None = None
    coordinate_transformation_mode: str = "half_pixel"
    nearest_mode: str = "round_prefer_floor"
    antialias: int = 0
    exclude_outside: int = 0
    cubic_coeff_a: float = -0.75
    extrapolation_value: float = 0.0
    keep_aspect_ratio_policy: str = "stretch"
    extents: str = "standard"

    @property
    def is_simple(self) -> bool:
        """Upsample and Resize-10: always asymmetric positions and `simple` rounding."""
        return self.op == "Upsample" or self.since_version == 10

    @property
    def coordinates(self) -> str:
        return "asymmetric" if self.is_simple else self.coordinate_transformation_mode

    @property
    def rounding(self) -> str:
        return "simple" if self.is_simple else self.nearest_mode

    @property
    def filter(self) -> str:
        """nearest, linear or cubic; Upsample-1 calls linear bilinear."""
        return "linear" if self.mode == "bilinear" else self.mode

    @property
    def crops(self) -> bool:
        return self.coordinates == "tf_crop_and_resize"

    def listed_axes(self) -> list[int]:
        """The axes of scales, sizes and roi, in their order, counted from 0."""
        rank = self.x.ndim
        if self.axes is None:
            return list(range(rank))
        return [axis + rank if axis < 0 else axis for axis in self.axes]

    def to_json(self) -> str:
        record = {field.name: getattr(self, field.name) for field in fields(self)}
        record["x"] = {"shape": list(self.x.shape), "data": _array_text(self.x)}
        if self.roi is not None:
            record["roi"] = {"type": self.roi.dtype.name, "data": _array_text(self.roi)}
        for name in ("cubic_coeff_a", "extrapolation_value"):
            record[name] = float(record[name]).hex()
        if self.scales is not None:
            record["scales"] = [float(scale).hex() for scale in self.scales]
        return json.dumps(record, sort_keys=True)

    @staticmethod
    def from_json(text: str) -> ResizeCase:
        record = json.loads(text)
        x = record["x"]
        record["x"] = _array_from_text(x["data"], NUMPY_TYPES[record["dtype"]], x["shape"])
        if record["roi"] is not None:
            roi = record["roi"]
            record["roi"] = _array_from_text(roi["data"], np.dtype(roi["type"]), [-1])
        for name in ("cubic_coeff_a", "extrapolation_value"):
            record[name] = float.fromhex(record[name])
        if record["scales"] is not None:
            record["scales"] = [float.fromhex(scale) for scale in record["scales"]]
        return ResizeCase(**record)

    def word(self) -> str:
        """One line that `from_word` converts back to this case."""
        parts = [f"{self.op}-{self.since_version}", self.mode, self.dtype]
        parts.append("x=" + "x".join(map(str, self.x.shape)) + ":" + _array_text(self.x))
        if self.scales is not None:
            parts.append("scales=" + ",".join(str(np.float32(scale)) for scale in self.scales))
        if self.sizes is not None:
            parts.append("sizes=" + ",".join(map(str, self.sizes)))
        if self.axes is not None:
            parts.append("axes=" + ",".join(map(str, self.axes)))
        if self.roi is not None:
            entries = ",".join(str(entry) for entry in self.roi)
            parts.append(f"roi={self.roi.dtype.name}:{entries}")
        for name, kind in _PLAIN_ATTRIBUTES.items():
            value = getattr(self, name)
            # Compared as text, to distinguish -0.0 from 0.0.
            if str(value) != str(getattr(ResizeCase, name)):
                parts.append(f"{name}={np.float32(value) if kind is float else value}")
        return " ".join(parts)

    @staticmethod
    def from_word(word: str) -> ResizeCase:
        head, mode, dtype, *parts = word.split(" ")
        op, version = head.split("-")
        record = {"op": op, "since_version": int(version), "mode": mode, "dtype": dtype}
        for part in parts:
            name, _, text = part.partition("=")
            if name == "x":
                shape, _, data = text.partition(":")
                record["x"] = _array_from_text(data, NUMPY_TYPES[dtype], _entries(shape, "x", int))
            elif name == "roi":
                kind, _, entries = text.partition(":")
                record["roi"] = np.array(_entries(entries, ",", np.dtype(kind).type), dtype=kind)
            elif name == "scales":
                record["scales"] = [float(np.float32(scale)) for scale in _entries(text, ",", str)]
            elif name in ("sizes", "axes"):
                record[name] = _entries(text, ",", int)
            elif _PLAIN_ATTRIBUTES[name] is float:
                record[name] = float(np.float32(text))
            else:
                record[name] = _PLAIN_ATTRIBUTES[name](text)
        return ResizeCase(**record)


# Attributes of Resize with one value, which are fields of ResizeCase: their types and the first versions that have them.
ATTRIBUTES = {
    "coordinate_transformation_mode": (str, 11),
    "nearest_mode": (str, 11),
    "cubic_coeff_a": (float, 11),
    "exclude_outside": (int, 11),
    "extrapolation_value": (float, 11),
    "antialias": (int, 18),
    "keep_aspect_ratio_policy": (str, 18),
}
_PLAIN_ATTRIBUTES = {name: kind for name, (kind, _) in ATTRIBUTES.items()} | {"extents": str}


@dataclass
class TileCase:
    """One Tile call. Tile-1 has its two tensors in `tiles` and `axis` instead of `repeats`."""

    x: np.ndarray
    dtype: str = "float"
    since_version: int = 13
    repeats: list[int] | None = None
    tiles: int | None = None
    axis: int | None = None


@dataclass
class FillCase:
    """One ConstantOfShape call. value: [1], of NUMPY_TYPES[dtype]; None for binary32 zero."""

    shape: list[int]
    value: np.ndarray | None = None
    dtype: str = "float"
    since_version: int = 25


@dataclass(frozen=True)
class Axis:
    """One dimension of a resize, in numbers.

    n, m: input and output extent. scale: the s of the position formulas. length: their L.
    is_exact: positions are exact rationals, and scale and length are Fractions; otherwise
    positions are doubles. Under tf_crop_and_resize with sizes the positions are doubles while
    scale stays a Fraction, because whether it is below 1 is an exact question.
    start, end: the roi. is_identity: output equals input along this axis; it makes no pass.
    """

    n: int
    m: int
    scale: Fraction | float
    length: Fraction | float
    is_exact: bool
    start: float
    end: float
    is_identity: bool


def resolve(case: ResizeCase) -> list[Axis]:
    """The axes of a valid case, one per dimension of x."""
    listed = case.listed_axes()
    roi = {}
    if case.crops and case.roi is not None and case.roi.size > 0:
        starts, ends = case.roi[: len(listed)], case.roi[len(listed) :]
        roi = {d: (float(a), float(b)) for d, a, b in zip(listed, starts, ends)}
    scales = dict(zip(listed, case.scales or []))
    sizes = dict(zip(listed, case.sizes or []))
    ratio = _policy_scale(case, sizes)
    axes = []
    for d, n in enumerate(case.x.shape):
        n = int(n)
        if d in scales:
            m, scale, length = _extent_from_scale(n, float(scales[d]), case.extents)
        elif d not in sizes or n == 0:
            m, scale, length = n, Fraction(1), Fraction(n)
        elif ratio is None:
            m, scale, length = sizes[d], Fraction(sizes[d], n), Fraction(sizes[d])
        else:
            # round_half_up, on the exact value
            m, scale, length = math.floor(ratio * n + Fraction(1, 2)), ratio, ratio * n
        start, end = roi.get(d, (0.0, 1.0))
        axes.append(
            Axis(
                n=n,
                m=m,
                scale=scale,
                length=length,
                is_exact=d not in scales and not case.crops,
                start=start,
                end=end,
                is_identity=scale == 1 and m == n and (start, end) == (0.0, 1.0),
            )
        )
    return axes


def _extent_from_scale(n: int, scale: float, extents: str) -> tuple[int, float, float]:
    # The product is the double product, and the scale is never recomputed from m. A host rounds the product
    # to binary32 before it counts the outputs, and nothing else.
    length = float(n) * scale
    product = length if extents == "standard" else np.float32(n) * np.float32(scale)
    return math.floor(product), scale, length


def _policy_scale(case: ResizeCase, sizes: dict[int, int]) -> Fraction | None:
    """The one scale of keep_aspect_ratio_policy; None under stretch."""
    if case.keep_aspect_ratio_policy == "stretch":
        return None
    # An empty axis has no quotient and is ignored.
    votes = [Fraction(size, int(case.x.shape[d])) for d, size in sizes.items() if case.x.shape[d]]
    if not votes:
        return Fraction(1)
    return min(votes) if case.keep_aspect_ratio_policy == "not_larger" else max(votes)


def is_widened(case: ResizeCase, axis: Axis) -> bool:
    """Whether antialias stretches the filter along this axis; at scale >= 1 it changes nothing."""
    return bool(case.antialias) and axis.scale < 1


def window(case: ResizeCase, axis: Axis) -> int:
    """The number of taps of one output along this axis, before any is folded or dropped."""
    support = 1 if case.filter == "linear" else 2
    if not is_widened(case, axis):
        return 2 * support
    return 2 * math.ceil(support / Fraction(axis.scale))


def compute_type(case: ResizeCase, axes: list[Axis]) -> np.dtype:
    """The type that weights, products and sums of a linear or cubic case are rounded to."""
    windows = [window(case, axis) for axis in axes if not axis.is_identity]
    if case.dtype in DOUBLE_TYPES or max(windows, default=0) > MAX_FLOAT_TAPS:
        return np.dtype(np.float64)
    return np.dtype(np.float32)


def _array_text(array: np.ndarray) -> str:
    """The elements, little-endian: hexadecimal digits, or `~` and base64 of zlib where shorter."""
    if array.dtype == object:
        data = json.dumps([item.hex() for item in array.reshape(-1)]).encode()
    else:
        data = array.tobytes()
    packed = "~" + base64.b64encode(zlib.compress(data, 9)).decode()
    return min(data.hex(), packed, key=len)


def _array_from_text(text: str, dtype: np.dtype, shape: list[int]) -> np.ndarray:
    data = zlib.decompress(base64.b64decode(text[1:])) if text[:1] == "~" else bytes.fromhex(text)
    if dtype != object:
        return np.frombuffer(data, dtype=dtype).reshape(shape).copy()
    items = [bytes.fromhex(item) for item in json.loads(data)]
    array = np.empty(len(items), dtype=object)
    array[:] = items
    return array.reshape(shape)


def _entries(text: str, separator: str, kind: type) -> list:
    return [kind(entry) for entry in text.split(separator)] if text else []
