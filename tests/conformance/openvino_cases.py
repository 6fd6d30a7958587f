# SPDX-License-Identifier: Apache-2.0
"""Random cases of OpenVINO's operators: Tile-1 and Interpolate-1, -4 and -11."""

from __future__ import annotations

import random

import numpy as np
from case import NUMPY_TYPES
from openvino_oracle import InterpolateCase, TileCase

# OpenVINO's name of a type -> ours.
TYPES = {"f32": "float", "f16": "float16", "bf16": "bfloat16", "f64": "double", "i8": "int8", "u8": "uint8",
         "i16": "int16", "u16": "uint16", "i32": "int32", "u32": "uint32", "i64": "int64", "u64": "uint64",
         "boolean": "bool", "f8e4m3": "float8e4m3fn", "f8e5m2": "float8e5m2", "f8e8m0": "float8e8m0",
         "u4": "uint4", "i4": "int4", "u2": "uint2", "f4e2m1": "float4e2m1"}
INTEGERS = ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"]
INTERPOLATED = ["f32"] * 6 + ["f16", "bf16", "u8", "i8", "i32", "f64"]
PACKED_BITS = {"u4": 4, "i4": 4, "u2": 2, "f4e2m1": 4}


def numpy_type(name: str) -> np.dtype:
    return np.dtype(NUMPY_TYPES[TYPES[name]])


def random_elements(rng: random.Random, name: str, shape: tuple[int, ...]) -> np.ndarray:
    """Random bits; for booleans and packed types, valid ones."""
    count = int(np.prod(shape))
    raw = np.frombuffer(rng.randbytes(count * numpy_type(name).itemsize), np.uint8)
    if name == "boolean":
        raw = raw & 1
    if name in PACKED_BITS:
        bits = PACKED_BITS[name]
        raw = raw & ((1 << bits) - 1)
        if name == "i4":
            raw = np.where(raw >> 3, raw | 0xF0, raw).astype(np.uint8)
    return raw.copy().view(numpy_type(name)).reshape(shape)


def tile_case(rng: random.Random) -> TileCase:
    rank = rng.randint(1, 6) if rng.random() < 0.95 else 0
    length = rng.choice([rank, rank, rank, rng.randint(1, 6)])
    shape = tuple(rng.choice([1, 1, 2, 3, 5]) for _ in range(rank))
    repeats = [rng.choice([1, 1, 1, 2, 2, 3]) for _ in range(length)]
    if length and rng.random() < 0.05:
        repeats[rng.randrange(length)] = 0
    name = rng.choice(list(TYPES))
    return TileCase(random_elements(rng, name, shape), repeats, rng.choice(INTEGERS), rng.random() < 0.5, name)


def interpolate_case(rng: random.Random) -> InterpolateCase:
    version = rng.choice([1, 4, 4, 11, 11])
    name = rng.choice(INTERPOLATED)
    modes = {1: ["nearest", "linear", "cubic"], 4: ["nearest", "linear", "linear_onnx", "cubic"],
             11: ["nearest", "linear", "linear_onnx", "cubic", "bilinear_pillow", "bicubic_pillow"]}
    mode = rng.choice(modes[version])
    rank = rng.choice([4, 4, 4, 5, 3, 2])
    if mode.endswith("_pillow"):
        rank = 4
    elif mode == "cubic":
        rank = min(rank, 4)
    spatial = {2: [0, 1], 3: [1, 2] if mode in ("nearest", "linear") else [0, 1, 2], 4: [2, 3], 5: [2, 3, 4]}[rank]
    axes = list(spatial)
    if rng.random() < 0.2:
        rng.shuffle(axes)
    shape = tuple(rng.randint(1, 9) if axis in axes else rng.randint(1, 3) for axis in range(rank))
    by_scales = version > 1 and rng.random() < 0.5
    targets = [rng.randint(1, 14) for _ in axes]
    scales = [float(np.float32(rng.choice([0.5, 0.6, 0.7, 1.0, 1.5, 2.0, 3.0, 1.3, rng.uniform(0.3, 3.0)])))
              for _ in axes]
    while by_scales and min(int(np.float32(shape[a]) * np.float32(s)) for a, s in zip(axes, scales)) == 0:
        scales = [min(s * 2, 4.0) for s in scales]
    integer = np.issubdtype(numpy_type(name), np.integer)
    low = np.iinfo(numpy_type(name)).min if integer and name != "i32" else -100
    high = np.iinfo(numpy_type(name)).max if integer and name != "i32" else 100
    seed = np.random.default_rng(rng.getrandbits(32))
    x = (seed.integers(low, high + 1, shape) if integer else seed.uniform(-1, 1, shape)).astype(numpy_type(name))
    return InterpolateCase(
        version, x, name, mode, axes, None if by_scales else targets, scales if by_scales else None,
        rng.choice(["half_pixel", "pytorch_half_pixel", "asymmetric", "tf_half_pixel_for_nn", "align_corners"]),
        rng.choice(["round_prefer_floor", "round_prefer_ceil", "floor", "ceil", "simple"]),
        rng.random() < 0.4, rng.choice([-0.75, -0.5]), rng.random() < 0.5)
