# SPDX-License-Identifier: Apache-2.0
"""Compares Tile-1 and Interpolate with OpenVINO's CPU plugin on random cases.

Tesela's result must always equal the oracle's. OpenVINO's must too, unless the case belongs to a class in
docs/differences.md; it may then differ, but only as the class describes. TESELA_CASES sets the number of cases."""

from __future__ import annotations

import collections
import dataclasses
import os
import random

import library
import numpy as np
import openvino_oracle as oracle
import openvino_peer as peer
import pytest
from openvino_cases import TYPES, interpolate_case, numpy_type, tile_case
from openvino_classes import CLASSES
from openvino_oracle import InterpolateCase, TileCase

KNOWN = {"the same", "refused by Tesela", *CLASSES}
MANY = "TESELA_CASES" in os.environ
TILES = 1000 if MANY else 60
INTERPOLATIONS = 2000 if MANY else 120

# Relative to a range of values of about 1; OpenVINO computes all of them in float.
TOLERANCE = {"f32": 2e-5, "f64": 2e-5, "f16": 2e-3, "bf16": 1.6e-2}


def tile_by_tesela(case: TileCase) -> np.ndarray:
    repeats = np.array(case.repeats, numpy_type(case.repeats_type))
    inputs = [(case.x, TYPES[case.type]), (repeats, TYPES[case.repeats_type])]
    return library.Plan(library.Op("Tile", 1, {}, domain="openvino"), inputs).run(case.x)


def interpolate_by_tesela(case: InterpolateCase) -> np.ndarray:
    by_scales = case.scales is not None
    sizes = (np.array([1] * len(case.axes) if by_scales else case.sizes, np.int64), "int64")
    scales = (np.array(case.scales if by_scales else [1] * len(case.axes), np.float32), "float")
    axes = (np.array(case.axes, np.int64), "int64")
    if case.version == 1:
        attributes = {"mode": case.mode, "axes": case.axes, "align_corners": int(case.align_corners),
                      "antialias": int(case.antialias)}
        controls = [sizes]
    else:
        attributes = {"mode": case.mode, "shape_calculation_mode": "scales" if by_scales else "sizes",
                      "coordinate_transformation_mode": case.coordinates, "nearest_mode": case.nearest,
                      "antialias": int(case.antialias), "cube_coeff": float(case.cube)}
        controls = [sizes, scales, axes] if case.version == 4 else [scales if by_scales else sizes, axes]
    op = library.Op("Interpolate", case.version, attributes, domain="openvino")
    return library.Plan(op, [(case.x, TYPES[case.type]), *controls]).run(case.x)


def narrows_and_grows(case: InterpolateCase) -> bool:
    """Antialias in mode linear where one axis grows and another shrinks, which Tesela does not support."""
    mode, _, _ = oracle.as_version_4(case)
    pairs = [(case.x.shape[axis], oracle.extents(case)[axis]) for axis in case.axes]
    return (mode == "linear" and case.antialias and any(m > n for n, m in pairs)
            and any(m < n for n, m in pairs))


def distance(got: np.ndarray, expected: np.ndarray) -> float:
    """The largest difference, with values clamped to the range of the element type."""
    if got.size == 0:
        return 0.0
    if np.issubdtype(got.dtype, np.integer):
        limits = np.iinfo(got.dtype)
        expected = np.clip(expected, limits.min, limits.max)
    difference = np.abs(got.astype(np.float64) - expected)
    return float("inf") if np.isnan(difference).any() else float(difference.max())


def is_close(got, case: InterpolateCase, expected: np.ndarray, units: float = 0.5) -> bool:
    """units: for integers, how far from the unrounded number."""
    if isinstance(got, str) or got.shape != expected.shape:
        return False
    return distance(got, expected) <= TOLERANCE.get(case.type, units + 1e-3)


# ---- The classes of OpenVINO's differences ------------------------------------------------------------------------

WIDE = ("i64", "u64", "u32", "f64")


def is_nan_quieted(case: TileCase, theirs: np.ndarray, expected: np.ndarray) -> bool:
    if not case.type.startswith(("f", "bf")) or theirs.shape != expected.shape or theirs.dtype != expected.dtype:
        return False
    both = np.isnan(theirs.astype(np.float32)) & np.isnan(expected.astype(np.float32))
    integers = f"u{theirs.dtype.itemsize}"
    return bool(np.all(both | (theirs.view(integers) == expected.view(integers))))


def class_of_tile(case: TileCase, theirs, expected: np.ndarray) -> str | None:
    if case.type in ("u2", "f4e2m1"):
        return "Types of 2 and 4 bits"
    if not case.repeats or case.x.ndim == 0:
        return "Scalars and empty repeats"
    many = expected.ndim >= 4 and sum(times > 1 for times in case.repeats) >= 3
    if isinstance(theirs, str):
        if many and theirs.startswith(peer.CRASHED):
            return "Three or more repeats"
        return "Unsupported types" if "unsupported reorder case" in theirs and case.type == "f8e8m0" else None
    if case.type in WIDE:
        return "Wide types are narrowed"
    if many:
        return "Three or more repeats"
    if is_nan_quieted(case, theirs, expected):
        return "NaNs are quieted"
    return None


def class_of_interpolate(case: InterpolateCase, theirs, expected: np.ndarray) -> str | None:
    mode, _, _ = oracle.as_version_4(case)
    if isinstance(theirs, str):
        return None
    if case.version == 1 and case.axes != sorted(case.axes):
        # With sizes in the order of the sorted axes, the result is correct.
        ordered = dataclasses.replace(case, axes=sorted(case.axes))
        return "Axes of version 1 are sorted" if class_or_right(ordered, theirs) else None
    if mode == "cubic" and case.x.ndim == 3:
        return "Cubic on three axes"
    if mode == "linear" and case.antialias:
        return "antialias is ignored in mode linear"
    if mode == "bicubic_pillow" and case.cube != -0.5:
        fixed = dataclasses.replace(case, cube=-0.5)
        return "The coefficient of bicubic_pillow" if class_or_right(fixed, theirs) else None
    if case.type in ("u8", "i8", "i32") and theirs.shape == expected.shape:
        limits = np.iinfo(numpy_type(case.type))
        if mode.endswith("_pillow"):
            expected = oracle.interpolate(case, lambda y: np.clip(np.rint(y), limits.min, limits.max))
        if distance(theirs, expected) <= 2 + 1e-3:
            return "Integers are rounded differently"
    if mode == "nearest" and theirs.shape == expected.shape:
        return "Positions in float32"
    return None


def class_or_right(case: InterpolateCase, theirs) -> bool:
    expected = oracle.interpolate(case)
    return is_close(theirs, case, expected) or class_of_interpolate(case, theirs, expected) is not None


def brief(case, theirs, expected: np.ndarray) -> str:
    """A difference without a class, in one line."""
    facts = dataclasses.asdict(case) | {"x": case.x.shape}
    if isinstance(theirs, str):
        return f"{facts}: {theirs[-200:]}"
    if theirs.shape != expected.shape:
        return f"{facts}: shape {theirs.shape} and not {expected.shape}"
    return f"{facts}: {np.abs(theirs.astype(np.float64) - expected.astype(np.float64)).max()}"


# ---- Comparisons ---------------------------------------------------------------------------------------------------


def report(counts: collections.Counter, total: int) -> None:
    lines = [f"{count:5d}  {name}" for name, count in counts.most_common()]
    print("\n".join([f"{total} cases beside OpenVINO:", *lines]))


# A process is restarted after each crash of OpenVINO.
@pytest.mark.timeout(2400)
def test_random_tiles():
    rng = random.Random(7)
    cases = [tile_case(rng) for _ in range(TILES)]
    counts: collections.Counter = collections.Counter()
    for case, theirs in zip(cases, peer.run_all(cases)):
        expected = oracle.tile(case.x, case.repeats)
        ours = tile_by_tesela(case)
        assert ours.shape == expected.shape and ours.tobytes() == expected.tobytes(), case
        same = not isinstance(theirs, str) and theirs.shape == expected.shape and theirs.tobytes() == expected.tobytes()
        name = "the same" if same else class_of_tile(case, theirs, expected)
        counts[name or brief(case, theirs, expected)] += 1
    report(counts, len(cases))
    assert set(counts) <= KNOWN
    assert counts["the same"] > len(cases) / 2


def test_random_interpolations():
    rng = random.Random(8)
    cases = [interpolate_case(rng) for _ in range(INTERPOLATIONS)]
    counts: collections.Counter = collections.Counter()
    for case, theirs in zip(cases, peer.run_all(cases)):
        if narrows_and_grows(case):
            with pytest.raises(library.TeselaError, match="'antialias' is 1 in mode linear where axis"):
                interpolate_by_tesela(case)
            counts["refused by Tesela"] += 1
            continue
        expected = oracle.interpolate(case)
        assert is_close(interpolate_by_tesela(case), case, expected), case
        same = is_close(theirs, case, expected)
        name = "the same" if same else class_of_interpolate(case, theirs, expected)
        counts[name or brief(case, theirs, expected)] += 1
    report(counts, len(cases))
    assert set(counts) <= KNOWN
    assert counts["the same"] > len(cases) / 2
