# SPDX-License-Identifier: Apache-2.0
"""Features of element types: which values sums are rounded to, and what copies keep."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

from .._compare.nodes import Node
from .case import Call, Feature
from .drafts import Random, chance, ends, floats, image, pick, resize, sizes_of, smaller_size, upsample, version, words

_INTEGERS = ("uint8", "int8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
_TYPES = (*_INTEGERS, "bool", "float16", "float32", "float64", "complex64", "complex128", "string", "bfloat16")
_MODES = ("linear", "cubic")
_FEW = 100  # the size of integers of sums that float32 computes well


def plain(rng: Random, name: str, shape: Any) -> np.ndarray:
    """Values of a type."""
    if name == "string":
        return words(rng, shape)
    dtype = np.dtype(ml_dtypes.bfloat16) if name == "bfloat16" else np.dtype(name)
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(bool)
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return rng.integers(max(limits.min, -_FEW), min(limits.max, _FEW), shape, dtype=np.int64).astype(dtype)
    return floats(rng, shape, dtype)


def _copies(rng: Random) -> Node:
    name = pick(rng, _TYPES)
    x = plain(rng, name, image(rng, 2, 8))
    if name != "bfloat16" and chance(rng, 0.2):
        return upsample(pick(rng, (7, 9)), x, [1.0, 1.0, 2.0, 3.0], "nearest")
    return resize(version(rng, 13), x, mode="nearest", **ends(rng, x.shape))


def _integers(rng: Random) -> Node:
    x = plain(rng, pick(rng, _INTEGERS), image(rng, 2, 4))
    return resize(version(rng), x, mode=pick(rng, _MODES), sizes=sizes_of(rng, x.shape))


def _half_to_even(rng: Random) -> Call:
    """Halves that every format holds: growing by 2 asymmetrically, of even and odd neighbours."""
    dtype = np.dtype(pick(rng, _INTEGERS))
    low = 0 if dtype.kind == "u" else -30
    x = rng.integers(low, 30, (1, 1, pick(rng, (1, 2)), int(rng.integers(2, 8)))).astype(dtype)
    scales = [1.0, 1.0, 1.0, 2.0]
    return Call(resize(version(rng), x, mode="linear", coordinate_transformation_mode="asymmetric", scales=scales),
                "Every second output is the mean of two integers.")


def _saturation(rng: Random) -> Call:
    """Steps from one end of the type to the other, beyond which cubic overshoots."""
    dtype = np.dtype(pick(rng, ("uint8", "int8", "uint16", "int16")))
    limits = np.iinfo(dtype)
    x = rng.choice(np.array([limits.min, limits.max], dtype), (1, 1, int(rng.integers(3, 8)), int(rng.integers(3, 8))))
    return Call(resize(version(rng), x, mode="cubic", scales=[1.0, 1.0, 2.0, 2.0]), "Sums exceed the range of the type.")


def _wide_copies(rng: Random) -> Node:
    """Integers that double does not hold."""
    dtype = np.dtype(pick(rng, ("int64", "uint64")))
    limits = np.iinfo(dtype)
    pool = np.array([limits.min, limits.min + 1, limits.max, limits.max - 1, 2**53 + 1, 2**62 + 1, 7], dtype)
    x = rng.choice(pool, image(rng, 2, 6))
    return resize(version(rng), x, mode="nearest", **ends(rng, x.shape))


def _wide_sums(rng: Random) -> Call:
    """Constant tensors of the largest integer: a sum of INT64_MAX must not become INT64_MIN."""
    dtype = np.dtype(pick(rng, ("int64", "uint64", "int32", "uint32")))
    limits = np.iinfo(dtype)
    x = np.full(image(rng, 2, 6), pick(rng, (limits.max, limits.min)), dtype)
    return Call(resize(version(rng), x, mode="linear", scales=[1.0, 1.0, 2.0, 2.0]), "The output is the extreme of the type.")


def _of_type(*names: str) -> Any:
    def draw(rng: Random) -> Node:
        x = plain(rng, pick(rng, names), image(rng))
        return resize(version(rng, 13), x, mode=pick(rng, _MODES), **ends(rng, x.shape))
    return draw


def _float16_overflow(rng: Random) -> Call:
    x = rng.choice(np.array([0, 65504, -65504], np.float16), (1, 1, 1, int(rng.integers(4, 9))))
    x[0, 0, 0, 1:3] = 65504
    x[0, 0, 0, 0] = x[0, 0, 0, 3] = 0
    return Call(resize(version(rng), x, mode="cubic", scales=[1.0, 1.0, 1.0, 2.0]), "Sums exceed the largest float16.")


def _strings(rng: Random) -> Node:
    x = words(rng, image(rng, 1, 6))
    return resize(version(rng), x, mode="nearest", **ends(rng, x.shape))


def _zero_weights(rng: Random) -> Call:
    """NaN and infinities beside inputs that are hit exactly."""
    x = floats(rng, (1, 1, 1, int(rng.integers(3, 9))))
    odd = pick(rng, (np.nan, np.inf, -np.inf))
    place = int(rng.integers(x.shape[3]))
    x[..., place] = odd
    mode, how = pick(rng, _MODES), int(rng.integers(3))
    if how == 0:
        call = resize(version(rng), x, mode=mode, coordinate_transformation_mode="asymmetric", scales=[1, 1, 1, 2])
    elif how == 1:
        call = resize(version(rng), x, mode=mode, coordinate_transformation_mode="align_corners", sizes=[1, 1, 1, 2 * x.shape[3] - 1])
    else:
        call = resize(version(rng), x, mode=mode, coordinate_transformation_mode="half_pixel", scales=[1, 1, 1, 3])
    return Call(call, f"Input {place} is {odd}; outputs that land on its neighbours exactly have no part of it.")


def _nonfinite(rng: Random) -> Node:
    x = floats(rng, image(rng, 2, 8))
    x[rng.random(x.shape) < 0.1] = pick(rng, (np.nan, np.inf, -np.inf))
    return resize(version(rng), x, mode="nearest", **ends(rng, x.shape))


def _bits(rng: Random) -> Node:
    dtype = np.dtype(pick(rng, ("float32", "float16", "float64")))
    tiny = np.finfo(dtype).smallest_subnormal
    x = rng.choice(np.array([0.0, -0.0, tiny, -tiny, 1.0, -1.0], dtype), image(rng, 2, 8))
    return resize(version(rng), x, mode="nearest", **ends(rng, x.shape))


def _antialias_integers(rng: Random) -> Node:
    x = plain(rng, pick(rng, ("uint8", "int8", "int32")), image(rng, 4, 8))
    sizes = [*x.shape[:2], *(smaller_size(rng, extent) for extent in x.shape[2:])]
    return resize(version(rng, 18), x, mode=pick(rng, _MODES), antialias=1, sizes=sizes)


_ROUND = "Sums are rounded to an integer once, at the end, halves to even, and values beyond the type become its ends."

FEATURES = (
    Feature("types-nearest", "Resize", "nearest copies elements of every type.", _copies),
    Feature("integers", "Resize", _ROUND, _integers),
    Feature("integers-half-to-even", "Resize", _ROUND, _half_to_even, fair=False),
    Feature("integers-saturate", "Resize", _ROUND, _saturation),
    Feature("integers-antialias", "Resize", _ROUND, _antialias_integers),
    Feature("wide-integers-nearest", "Resize", "nearest copies 64-bit integers that double does not hold.", _wide_copies),
    Feature("wide-integers-linear", "Resize", _ROUND + " That holds at the ends of 64-bit types, too.", _wide_sums, fair=False),
    Feature("float16", "Resize", "Half-precision floats are interpolated.", _of_type("float16")),
    Feature("float16-overflow", "Resize", "Sums beyond the largest float16 are infinite, as in a cast.", _float16_overflow),
    Feature("bfloat16", "Resize", "bfloat16 is interpolated.", _of_type("bfloat16")),
    Feature("double", "Resize", "double is interpolated.", _of_type("float64")),
    Feature("bool", "Resize", "Booleans are interpolated as 0 and 1; above a half is true.", _of_type("bool")),
    Feature("complex", "Resize", "Real and imaginary parts are interpolated by themselves.", _of_type("complex64", "complex128")),
    Feature("strings", "Resize", "nearest copies strings.", _strings),
    Feature("zero-weights", "Resize", "An input of weight zero has no part in an output, even if it is NaN or infinite.", _zero_weights,
            fair=False),
    Feature("nonfinite-nearest", "Resize", "nearest copies NaN and infinities, and nothing beside them becomes NaN.", _nonfinite),
    Feature("copied-bits", "Resize", "nearest keeps -0.0 and denormal numbers.", _bits, bits=True),
)
