# SPDX-License-Identifier: Apache-2.0
"""Passes of plans: sums that are carried over random boxes of the input equal whole runs in every bit, in bounded memory.

TESELA_CASES sets the number of random cases.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest
import tesela

CASES = int(os.environ.get("TESELA_CASES", 200))
DTYPES = [np.uint8, np.int8, np.uint16, np.int16, np.int32, np.int64, np.uint32, np.uint64, np.bool_, np.float16, ml_dtypes.bfloat16,
          np.float32, np.float64, np.complex64, np.complex128, np.dtype(">f4"), np.dtype(">i2")]


def numbers(rng: np.random.Generator, shape, dtype) -> np.ndarray:
    dtype = np.dtype(dtype)
    if dtype.kind in "biu":
        x = rng.integers(0, 1 << 62, shape).astype(dtype)
    else:
        x = (rng.standard_normal(shape) * 100).astype(dtype)
        if dtype.kind == "c":
            x = x + (1j * rng.standard_normal(shape)).astype(dtype)
        if x.size and rng.random() < 0.3:
            x.reshape(-1)[rng.integers(0, x.size, 3)] = [np.nan, np.inf, -0.0]
    return x.astype(dtype)


def same(a: np.ndarray, b: np.ndarray) -> bool:
    """Equal bits, or NaN on both sides."""
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    a, b = np.ascontiguousarray(a), np.ascontiguousarray(b)
    if a.tobytes() == b.tobytes():
        return True
    if a.dtype.kind == "c":
        return same(a.real, b.real) and same(a.imag, b.imag)
    nan = np.isnan(a) & np.isnan(b)
    return a.dtype.kind not in "biu" and a[~nan].tobytes() == b[~nan].tobytes()


def draw(rng: np.random.Generator) -> tuple[tuple[int, ...], np.dtype, dict]:
    """A call of resize by linear or cubic."""
    rank = int(rng.integers(1, 5))
    shape = tuple(int(n) for n in rng.integers(1, [0, 300, 40, 16, 9][rank], rank))
    sizes = [int(n) if rng.random() < 0.7 else shape[d] for d, n in enumerate(rng.integers(1, [0, 60, 30, 20, 10][rank], rank))]
    call = {"sizes": sizes, "mode": str(rng.choice(["linear", "cubic"])), "antialias": bool(rng.random() < 0.6),
            "exclude_outside": bool(rng.random() < 0.2)}
    call["coordinate_transformation_mode"] = mode = str(rng.choice(
        ["half_pixel", "align_corners", "asymmetric", "pytorch_half_pixel", "half_pixel_symmetric", "tf_crop_and_resize"]))
    if mode == "tf_crop_and_resize":
        start, end = rng.uniform(-0.2, 0.6, rank), rng.uniform(0.3, 1.3, rank)
        call["roi"] = [*start, *end]
        call["extrapolation_value"] = 5.0
    elif rng.random() < 0.2:
        call["keep_aspect_ratio_policy"] = str(rng.choice(["not_larger", "not_smaller"]))
    elif rng.random() < 0.3:
        call["scales"] = [m / n for m, n in zip(call.pop("sizes"), shape)]
    return shape, np.dtype(DTYPES[rng.integers(len(DTYPES))]), call


def cuts(rng: np.random.Generator, extent: int) -> list[tuple[int, int]]:
    count = int(rng.integers(0, min(extent, 5)))
    inner = set(rng.integers(1, extent, count).tolist()) if extent > 1 else set()
    ends = [0, *sorted(inner), extent]
    return list(zip(ends, ends[1:]))


def boxes(rng: np.random.Generator, shape, axis: int) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """A random partition into (lo, end), in a random order that ascends along the axis."""
    parts: list = [((), ())]
    for extent in shape:
        parts = [((*lo, a), (*end, b)) for lo, end in parts for a, b in cuts(rng, extent)]
    order = rng.permutation(len(parts))
    return sorted((parts[k] for k in order), key=lambda part: part[0][axis])


def part_of(x: np.ndarray, lo, end) -> np.ndarray:
    return x[tuple(slice(a, b) for a, b in zip(lo, end))]


def reader(x: np.ndarray):
    return lambda lo, shape: part_of(x, lo, np.add(lo, shape))


def by_parts(plan: tesela.Plan, x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    for step in plan.passes:
        assert x.shape == step.input_shape and x.dtype == step.input_dtype
        y = np.empty(step.output_shape, step.output_dtype)
        for lo, end in boxes(rng, step.output_shape, 0):
            accumulator = step.partial(lo, np.subtract(end, lo))
            for x_lo, x_end in boxes(rng, x.shape, step.axis):
                step.add(accumulator, lo, part_of(x, x_lo, x_end), x_lo, num_threads=1)
            part_of(y, lo, end)[...] = step.finish(accumulator, lo, num_threads=1)
        x = y
    return x


def test_random_partitions_equal_the_whole():
    passes = 0
    for seed in range(CASES):
        rng = np.random.default_rng([seed, 19])
        shape, dtype, call = draw(rng)
        plan = tesela.plan("resize", shape, dtype, **call)
        x = numbers(rng, shape, dtype)
        if plan.passes and 0 not in plan.output_shape:
            passes += len(plan.passes)
            assert same(by_parts(plan, x, rng), plan(x)), f"seed {seed}: {plan!r}"
        chunks = rng.integers(1, 20, len(shape)).tolist()
        lo = [int(rng.integers(0, n + 1)) for n in plan.output_shape]
        size = [int(rng.integers(0, n - a + 1)) for n, a in zip(plan.output_shape, lo)]
        expected = part_of(plan(x), lo, np.add(lo, size))
        assert same(plan.accumulate(reader(x), chunks, lo, size, num_threads=1), expected), f"seed {seed}: {plan!r} {chunks}"
    assert passes > CASES / 2


@pytest.mark.parametrize("call", [
    {"like": "pytorch:bilinear-antialias"}, {"like": "opencv:linear"}, {"like": "pillow:bicubic"},
    {"mode": "linear", "antialias": True, "result": "float32"}])
def test_presets_and_fields_equal_the_whole(call):
    rng = np.random.default_rng(4)
    plan = tesela.plan("resize", (90, 70, 3), "uint8", sizes=(31, 45), axes=(0, 1), **call)
    x = numbers(rng, (90, 70, 3), np.uint8)
    assert len(plan.passes) == 2
    assert same(by_parts(plan, x, rng), plan(x))


def test_more_than_1024_taps_are_summed_in_doubles():
    plan = tesela.plan("resize", (5000, 3), "float32", sizes=(2, 3), mode="linear", antialias=True)
    (step,) = plan.passes
    assert (step.accumulator_dtype, step.window) == (np.float64, 5000)
    rng = np.random.default_rng(1)
    x = numbers(rng, (5000, 3), np.float32)
    assert same(by_parts(plan, x, rng), plan(x))


def test_a_pass_says_what_it_reads_and_writes():
    plan = tesela.plan("resize", (80, 60, 3), "uint8", sizes=(8, 90), axes=(0, 1), mode="linear", antialias=True)
    first, second = plan.passes
    assert (first.axis, first.input_shape, first.output_shape) == (0, (80, 60, 3), (8, 60, 3))
    assert (first.input_dtype, first.accumulator_dtype, first.output_dtype) == (np.uint8, np.float32, np.float32)
    assert (second.axis, second.input_shape, second.output_shape) == (1, (8, 60, 3), (8, 90, 3))
    assert (second.input_dtype, second.output_dtype) == (np.float32, np.uint8)
    assert first.input_region((2, 5, 0), (1, 4, 3)) == ((15, 5, 0), (20, 4, 3))  # 10 * (2 + 1/2) - 1/2 and 10 either side
    copy = pickle.loads(pickle.dumps(second))
    assert (copy.axis, copy.output_shape) == (1, (8, 90, 3))
    assert repr(copy) == repr(second) and repr(second).endswith(".passes[1]")


def test_sums_begin_as_negative_zero():
    plan = tesela.plan("resize", (8,), "complex64", sizes=(3,), mode="linear", antialias=True)
    sums = plan.passes[0].partial((0,), (3,)).view(np.float32)
    assert np.all(sums == 0) and np.all(np.signbit(sums))


def test_plans_that_copy_have_no_passes():
    for plan in (tesela.plan("resize", (4, 4), sizes=(8, 8)), tesela.plan("tile", (4, 4), repeats=(2, 1)),
                 tesela.plan("constant_of_shape", (3,)), tesela.plan("resize", (4, 4), sizes=(4, 4), mode="linear")):
        assert plan.passes == ()
    x = np.arange(48, dtype=np.float32).reshape(6, 8)
    plan = tesela.plan("resize", (6, 8), sizes=(3, 5))
    assert same(plan.accumulate(reader(x), (2, 2), num_threads=1), plan(x))


@pytest.fixture(name="step")
def make_step() -> tesela.Pass:
    return tesela.plan("resize", (20, 6), "uint8", sizes=(4, 6), mode="linear", antialias=True).passes[0]


@pytest.mark.parametrize(("change", "kind", "text"), [
    (lambda s, a, x: s.add(a, (0, 0), x.astype(np.float32), (0, 0)), tesela.ElementTypeError, "x has dtype float32; the pass reads uint8"),
    (lambda s, a, x: s.add(a.astype(np.float64), (0, 0), x, (0, 0)), tesela.ElementTypeError,
     "the accumulator is float64; expected a NumPy array of float32, as partial returns"),
    (lambda s, a, x: s.add([1.0], (0, 0), x, (0, 0)), tesela.ElementTypeError, "the accumulator is [1.0]; expected a NumPy array"),
    (lambda s, a, x: s.add(a, (0,), x, (0, 0)), tesela.RankError, "2 entries, one for each axis"),
    (lambda s, a, x: s.add(a, (0, 0), x, (1, 0)), tesela.ShapeError, "the input box begins at 1 with extent 20 on axis 0"),
    (lambda s, a, x: s.add(a, (1, 0), x, (0, 0)), tesela.ShapeError, "the accumulator's box begins at 1 with extent 4 on axis 0"),
    (lambda s, a, x: s.add(a[:, 0], (0, 0), x, (0, 0)), tesela.RankError, "the accumulator has rank 1; expected 2"),
    (lambda s, a, x: s.finish(a, (0, 1)), tesela.ShapeError, "the accumulator's box begins at 1"),
    (lambda s, a, x: s.partial((0, 0), (5, 6)), tesela.ShapeError, "the output box begins at 0 with extent 5 on axis 0"),
    (lambda s, a, x: s.partial((0, 0), (-1, 6)), tesela.ShapeError, "extents of at least 0"),
    (lambda s, a, x: s.add(a, (0, 0), x, (0, 0), num_threads=-1), tesela.InvalidValueError, "num_threads"),
])
def test_bad_arguments_have_one_sentence(step, change, kind, text):
    with pytest.raises(kind) as caught:
        change(step, step.partial((0, 0), (4, 6)), np.zeros((20, 6), np.uint8))
    assert text in str(caught.value)


def test_what_has_no_carried_sums_says_so():
    with pytest.raises(tesela.UnsupportedError, match="follows the rules of onnxruntime, whose sums cannot be carried from box to box"):
        tesela.plan("resize", (9, 9), sizes=(4, 4), mode="linear", rules="onnxruntime").passes  # noqa: B018
    rgba = tesela.plan("resize", (9, 9, 4), "uint8", sizes=(4, 4), axes=(0, 1), mode="linear", alpha="premultiplied")
    with pytest.raises(tesela.UnsupportedError, match="plan field 'alpha' is 'premultiplied'"):
        rgba.passes  # noqa: B018


def test_accumulate_checks_what_it_reads():
    plan = tesela.plan("resize", (20, 6), "uint8", sizes=(4, 6), mode="linear")
    with pytest.raises(tesela.ShapeError, match=r"returned a part of shape \(1, 1\); expected"):
        plan.accumulate(lambda lo, shape: np.zeros((1, 1), np.uint8), (5, 5))
    with pytest.raises(tesela.InvalidValueError, match="chunks"):
        plan.accumulate(lambda lo, shape: None, (0, 5))
    with pytest.raises(tesela.ArgumentError, match="no input"):
        tesela.plan("constant_of_shape", (3,)).accumulate(lambda lo, shape: None, (1,))


# An array that is a function of its indices, of 400 MB: nobody holds it.
_BOUNDED = """
import resource, sys
import numpy as np
import tesela

plan = tesela.plan("resize", (20_000, 20_000), "uint8", sizes=(100, 100), mode="linear", antialias=True)
largest = 0

def read(lo, shape):
    global largest
    largest = max(largest, shape[0] * shape[1])
    rows, columns = (np.arange(a, a + n, dtype=np.uint32) for a, n in zip(lo, shape))
    return (rows[:, None] * 7 + columns * 13 >> 3).astype(np.uint8)

plan.accumulate(read, (500, 500), (0, 0), (1, 1), num_threads=1)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
y = plan.accumulate(read, (500, 500), (0, 0), (20, 100), num_threads=1)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024, largest, int(y.astype(int).sum()))
"""


def test_memory_is_that_of_a_part_and_the_sums():
    ran = subprocess.run([sys.executable, "-c", _BOUNDED], capture_output=True, text=True, timeout=600)
    assert ran.returncode == 0, ran.stderr
    grown, largest, total = (int(word) for word in ran.stdout.split())
    assert largest == 500 * 500
    assert total > 0
    # Of the 81 MB that are read: a part of 250 KB with what makes it, sums of 20 x 500 and 20 x 100.
    assert grown < 8 << 20
