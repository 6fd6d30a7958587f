# SPDX-License-Identifier: Apache-2.0
"""A box of the output, computed from the input box that the plan returns, equals that part of the
whole output in every bit; the whole output does not depend on threads and strides.

TESELA_CASES sets the number of random cases.
"""

from __future__ import annotations

import ctypes as c
import math
import os
from dataclasses import dataclass
from fractions import Fraction

import emulation
import emulation_axis
import library
import numpy as np
import oracle
import pytest
import random_cases
from case import NUMPY_TYPES, FillCase, ResizeCase, TileCase, is_widened, resolve

CASES = int(os.environ.get("TESELA_CASES", 1500))
CHUNK = 100
BACKENDS = (0, 1)
each_backend = pytest.mark.parametrize("backend", BACKENDS, ids=["auto", "reference"])
STRING = np.dtype([("ptr", np.uint64), ("length", np.uint64)])
# Fills outputs before a run, to detect elements that are not written.
UNTOUCHED = 0xA5


def starts(count: int) -> range:
    return range(0, count, CHUNK)


# --- Cases of the operators that move ------------------------------------------------------------


def tile_case(rng: np.random.Generator) -> TileCase:
    rank = int(rng.integers(0, 5))
    version = int(rng.choice([1, 6, 13, 13])) if rank else 13
    types = random_cases.TILE_TYPES[version]
    dtype = str(rng.choice(types))
    shape = [int(n) for n in rng.choice([0, 1, 1, 2, 3, 4, 5, 7], rank, p=[0.02] + [0.14] * 7)]
    x = random_cases.values(rng, dtype, shape)
    repeats = [int(n) for n in rng.choice([0, 1, 1, 2, 3, 5, 9], rank, p=[0.04] + [0.16] * 6)]
    if version != 1:
        return TileCase(x, dtype, version, repeats)
    axis = int(rng.integers(-rank, rank))
    return TileCase(x, dtype, version, tiles=repeats[axis], axis=axis)


def fill_case(rng: np.random.Generator) -> FillCase:
    version = int(rng.choice([9, 20, 21, 23, 24, 25, 25, 25]))
    added = random_cases.FILL_ADDITIONS
    dtype = str(rng.choice([name for v in added if v <= version for name in added[v]]))
    bits = library.LIBRARY.tesela_dtype_bits(library.dtype_code(dtype))
    if dtype == "bool":
        value = rng.integers(0, 2, 1).astype(np.bool_)
    elif bits < 8:
        value = rng.integers(0, 1 << bits, 1).astype(np.uint8).view(NUMPY_TYPES[dtype])
    else:
        value = np.frombuffer(rng.bytes(bits // 8), dtype=NUMPY_TYPES[dtype])
    shape = [int(n) for n in rng.choice([0, 1, 2, 3, 5, 8, 13], int(rng.integers(0, 5)))]
    return FillCase(shape, value, dtype, version)


def drawn(kind: str, seed: int):
    """(case, whole result) of a seed."""
    rng = np.random.default_rng([seed, 77])
    if kind == "resize":
        case = random_cases.case(40_000_000 + seed)
        return case, emulation.emulate(case)
    if kind == "tile":
        case = tile_case(rng)
        return case, oracle.tile(case)
    case = fill_case(rng)
    return case, oracle.fill(case)


def told(kind: str, seed: int, case) -> str:
    return f"{kind} seed {seed}: {case.word() if isinstance(case, ResizeCase) else case}"


# --- Boxes ---------------------------------------------------------------------------------------


@dataclass
class Box:
    lo: tuple[int, ...]
    n: tuple[int, ...]

    def slices(self) -> tuple:
        """An index; the Ellipsis keeps arrays of rank 0 as arrays."""
        return (*[slice(a, a + n) for a, n in zip(self.lo, self.n)], Ellipsis)


def boxes(rng: np.random.Generator, shape: tuple[int, ...]) -> list[Box]:
    """A partition of the output, a few overlapping boxes, a single element and an empty box, shuffled."""
    cuts = []
    for extent in shape:
        inner = rng.integers(0, extent + 1, int(rng.integers(0, 3)))
        cuts.append(sorted({0, extent, *map(int, inner)}))
    ranges = [list(zip(points[:-1], points[1:])) or [(0, 0)] for points in cuts]
    found = []
    for index in np.ndindex(*[len(entry) for entry in ranges]):
        pairs = [ranges[d][k] for d, k in enumerate(index)]
        found.append(Box(tuple(a for a, _ in pairs), tuple(b - a for a, b in pairs)))
    for _ in range(4):
        lo = [int(rng.integers(0, extent + 1)) for extent in shape]
        n = [int(rng.integers(0, extent - a + 1)) for a, extent in zip(lo, shape)]
        found.append(Box(tuple(lo), tuple(n)))
    if 0 not in shape:
        lo = tuple(int(rng.integers(0, extent)) for extent in shape)
        found.append(Box(lo, (1,) * len(shape)))
    order = rng.permutation(len(found))
    return [found[k] for k in order]


def same(expected: np.ndarray, found: np.ndarray) -> bool:
    """Equal in every bit that is an element's."""
    if expected.dtype.itemsize == 1 and expected.dtype.kind == "V":  # ml_dtypes of 2 and 4 bits
        name = next(key for key, value in NUMPY_TYPES.items() if value == expected.dtype)
        bits = library.PACKED_BITS.get(name)
        if bits:
            return expected.shape == found.shape and np.array_equal(
                library.pack(expected, bits), library.pack(found, bits)
            )
    return emulation.same_bits(expected, found)


def poisoned(x: np.ndarray, box: Box) -> np.ndarray:
    """The box of x, surrounded by elements that must not be read: NaN, or the largest numbers."""
    shell = np.full(x.nbytes, 0xFF, dtype=np.uint8).view(x.dtype).reshape(x.shape)
    if x.dtype.kind in "iu":
        shell[...] = np.iinfo(x.dtype).max
    shell[box.slices()] = x[box.slices()]
    return shell[box.slices()]


@each_backend
@pytest.mark.parametrize("kind", ["resize", "tile", "fill"])
@pytest.mark.parametrize("start", starts(CASES))
def test_boxes_from_their_regions_are_the_whole(kind, start, backend):
    for seed in range(start, min(start + CHUNK, CASES)):
        case, whole = drawn(kind, seed)
        plan = library.plan(case)
        x = getattr(case, "x", None)
        rng = np.random.default_rng([seed, 78])
        for box in boxes(rng, whole.shape):
            x_lo, x_n = plan.input_region(box.lo, box.n)
            region = Box(x_lo, x_n)
            assert all(
                0 <= a and 0 <= n and a + n <= extent
                for a, n, extent in zip(x_lo, x_n, plan.input_shape)
            )
            expected = whole[box.slices()]
            cut = None if x is None else x[region.slices()].copy()
            threads = 1 + seed % 3
            found = plan.run_region(cut, x_lo, box.lo, box.n, threads, backend)
            assert same(expected, found), f"{told(kind, seed, case)} {box}"
            if x is None or case.dtype == "string" or 0 in box.n:
                continue
            inside = poisoned(x, region)
            found = run_strided(plan, inside, case.dtype, box, x_lo, backend)
            assert same(expected, found), f"poisoned: {told(kind, seed, case)} {box}"


def run_strided(plan, x, dtype, box, x_lo, backend) -> np.ndarray:
    """run_region with x as it lies in memory."""
    out = np.full(math.prod(box.n) * NUMPY_TYPES[dtype].itemsize, UNTOUCHED, dtype=np.uint8)
    out = out.view(NUMPY_TYPES[dtype]).reshape(box.n)
    source, _a = tensor_of(x, dtype)
    target, _b = tensor_of(out, dtype)
    run(plan, source, target, backend, box, x_lo)
    return out


def test_a_box_outside_the_output_is_refused():
    plan = library.plan(TileCase(np.zeros((2, 3), dtype=np.float32), repeats=[2, 2]))
    for lo, n in [
        ((-1, 0), (1, 1)),
        ((0, 0), (5, 1)),
        ((4, 0), (1, 1)),
        ((0, 6), (1, 1)),
        ((0, 0), (1, -1)),
        ((2**62, 0), (2**62, 1)),
        ((2**63 - 1, 0), (1, 1)),
    ]:
        with pytest.raises(library.TeselaError, match="output box begins at") as caught:
            plan.input_region(lo, n)
        assert caught.value.kind == "shape"


def test_too_small_input_box_is_rejected():
    case = ResizeCase(np.arange(20, dtype=np.float32), mode="linear", sizes=[40])
    plan = library.plan(case)
    x_lo, x_n = plan.input_region([10], [8])
    assert x_n[0] < 20
    for lo, n in [(x_lo[0] + 1, x_n[0] - 1), (x_lo[0], x_n[0] - 1), (0, 0), (19, 1)]:
        with pytest.raises(library.TeselaError, match="the output box needs") as caught:
            plan.run_region(case.x[lo : lo + n].copy(), [lo], [10], [8])
        assert caught.value.kind == "shape"
    for lo, n in [(-1, 21), (0, 21), (15, 6)]:
        with pytest.raises(library.TeselaError, match="input box begins at") as caught:
            plan.run_region(np.zeros(n, dtype=np.float32), [lo], [10], [8])
        assert caught.value.kind == "shape"
    # A larger one does.
    expected = plan.run(case.x)[10:18]
    for lo, n in [(0, 20), (x_lo[0] - 1, x_n[0] + 2)]:
        found = plan.run_region(case.x[lo : lo + n].copy(), [lo], [10], [8])
        assert found.tobytes() == expected.tobytes()


# --- Regions are no larger than the taps need ----------------------------------------------------


class TableView(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("outputs", c.c_int64),
        ("taps", c.c_int64),
        ("first", c.POINTER(c.c_int64)),
        ("count", c.POINTER(c.c_int32)),
        ("weights", c.POINTER(c.c_double)),
    ]


def axis_table(plan: library.Plan, axis: int, lo: int, n: int) -> tuple:
    """first: [n], count: [n], weights: [n, taps] or None."""
    handle = c.c_void_p()
    library.call(
        "tesela_plan_axis_table",
        plan.handle,
        c.c_int32(axis),
        c.c_int64(lo),
        c.c_int64(n),
        c.byref(handle),
    )
    view = TableView(struct_size=c.sizeof(TableView))
    library.LIBRARY.tesela_axis_table_get(handle, c.byref(view))
    assert view.outputs == n
    first, count = list(view.first[:n]), list(view.count[:n])
    weights = None
    if view.weights:
        flat = np.array(view.weights[: n * view.taps])
        weights = flat.reshape(n, view.taps)
    library.LIBRARY.tesela_axis_table_destroy(handle)
    return first, count, weights


def clamp(j: int, n: int) -> int:
    return min(max(j, 0), n - 1)


def needed(case: ResizeCase, axis, lo: int, n: int) -> tuple[int, int]:
    """First and last input that the filter reaches for outputs [lo, lo + n) of an axis.

    Positions are monotonic, so only the ends of the range matter.
    """
    reach = []
    for i in {lo, lo + n - 1}:
        if axis.is_exact:
            x = Fraction(*emulation_axis.exact_position(case, axis, i))
        else:
            x = emulation_axis.double_position(case, axis, i)
            if emulation_axis.is_outside(case, axis, i):
                x = 0.0 if not x > 0 else float(axis.n - 1)
                reach += [int(x), int(x)]
                continue
        support = 1 if case.filter == "linear" else 2
        if is_widened(case, axis):
            radius = support / Fraction(axis.scale)
            x = Fraction(x)
            spare = 0 if axis.is_exact else 1  # the test on doubles may decide otherwise
            first = math.floor(x - radius) + 1 - spare
            last = math.ceil(x + radius) - 1 + spare
        else:
            first, last = math.floor(x) - support + 1, math.floor(x) + support
        reach += [clamp(first, axis.n), clamp(last, axis.n)]
    return min(reach), max(reach)


@pytest.mark.parametrize("start", starts(CASES))
def test_resize_regions_are_tight(start):
    for seed in range(start, min(start + CHUNK, CASES)):
        case = random_cases.case(41_000_000 + seed)
        axes = resolve(case)
        if any(axis.m == 0 for axis in axes):
            continue
        plan = library.plan(case)
        rng = np.random.default_rng([seed, 79])
        lo = [int(rng.integers(0, axis.m)) for axis in axes]
        n = [int(rng.integers(1, min(axis.m - a, 12) + 1)) for a, axis in zip(lo, axes)]
        x_lo, x_n = plan.input_region(lo, n)
        for d, axis in enumerate(axes):
            where = f"seed {seed} axis {d} [{lo[d]}, +{n[d]}): {case.word()}"
            first, count, weights = axis_table(plan, d, lo[d], n[d])
            used = [(f, f + k) for f, k in zip(first, count) if k > 0]
            if axis.is_identity:
                assert (x_lo[d], x_n[d]) == (lo[d], n[d]), where
                continue
            # The region holds what the table uses ...
            assert all(x_lo[d] <= a and b <= x_lo[d] + x_n[d] for a, b in used), where
            # ... and of the rest no more than where the filter reaches.
            if case.filter == "nearest":
                is_inside = len(used) == n[d]
                low, high = min(first), max(first)
                if is_inside:
                    assert (x_lo[d], x_n[d]) == (low, high - low + 1), where
                assert weights is None
                continue
            low, high = needed(case, axis, lo[d], n[d])
            assert low <= x_lo[d] and x_lo[d] + x_n[d] - 1 <= high, where


@pytest.mark.parametrize("mode, reach", [("linear", 2), ("cubic", 4)])
@pytest.mark.parametrize("given", [{"scales": [2.5]}, {"sizes": [250]}])
def test_interior_output_needs_only_its_taps(mode, reach, given):
    x = np.arange(100, dtype=np.float32)
    case = ResizeCase(x, mode=mode, **given)
    plan = library.plan(case)
    for i in range(10, 240):
        (x_lo,), (x_n,) = plan.input_region([i], [1])
        first, count, _ = axis_table(plan, 0, i, 1)
        assert x_lo <= first[0] and first[0] + count[0] <= x_lo + x_n
        assert x_n <= reach
        assert count[0] == reach or x_n in (1, reach)  # at an exact hit one tap is left


@pytest.mark.parametrize("start", starts(CASES))
def test_tile_regions_are_bounding_boxes(start):
    for seed in range(start, min(start + CHUNK, CASES)):
        rng = np.random.default_rng([seed, 80])
        case = tile_case(rng)
        plan = library.plan(case)
        if 0 in plan.shape:
            continue
        lo = [int(rng.integers(0, m)) for m in plan.shape]
        n = [int(rng.integers(1, m - a + 1)) for a, m in zip(lo, plan.shape)]
        x_lo, x_n = plan.input_region(lo, n)
        for d, extent in enumerate(case.x.shape):
            sources = [j % extent for j in range(lo[d], lo[d] + n[d])]
            low, high = min(sources), max(sources)
            assert (x_lo[d], x_n[d]) == (low, high - low + 1), f"seed {seed}: {case}"
            first, count, weights = axis_table(plan, d, lo[d], n[d])
            assert first == sources and set(count) == {1} and weights is None


def test_empty_boxes_need_nothing():
    for case in (
        ResizeCase(np.zeros((4, 4), dtype=np.float32), mode="linear", sizes=[8, 8]),
        TileCase(np.zeros((4, 4), dtype=np.float32), repeats=[2, 2]),
    ):
        plan = library.plan(case)
        for lo, n in [((0, 0), (0, 8)), ((8, 0), (0, 0)), ((3, 8), (5, 0))]:
            assert plan.input_region(lo, n) == ((0, 0), (0, 0))
            nothing = np.zeros((0, 0), dtype=np.float32)
            assert plan.run_region(nothing, (0, 0), lo, n).shape == n


# --- Threads -------------------------------------------------------------------------------------

LARGE = [
    ResizeCase(np.zeros(0), "float", mode="linear", sizes=[3, 301, 203]),
    ResizeCase(np.zeros(0), "float", mode="cubic", sizes=[3, 61, 517], antialias=1),
    ResizeCase(np.zeros(0), "uint8", mode="linear", sizes=[3, 301, 203]),
    ResizeCase(np.zeros(0), "uint8", mode="cubic", sizes=[3, 197, 84], antialias=1),
    ResizeCase(np.zeros(0), "float16", mode="linear", scales=[1.0, 2.5, 2.5]),
    ResizeCase(np.zeros(0), "double", mode="cubic", scales=[2.0, 0.5, 1.75], exclude_outside=1),
    ResizeCase(np.zeros(0), "complex64", mode="linear", sizes=[5, 301, 99]),
    ResizeCase(np.zeros(0), "int64", mode="cubic", sizes=[3, 301, 203]),
    ResizeCase(np.zeros(0), "bool", mode="linear", sizes=[3, 301, 203]),
    ResizeCase(np.zeros(0), "uint16", mode="nearest", sizes=[3, 301, 203]),
    ResizeCase(np.zeros(0), "string", mode="nearest", sizes=[3, 61, 203]),
    ResizeCase(
        np.zeros(0),
        "float",
        mode="linear",
        sizes=[3, 301, 203],
        coordinate_transformation_mode="tf_crop_and_resize",
        roi=np.array([0, 0.1, -0.2, 1, 1.3, 0.9]),
        extrapolation_value=7.0,
    ),
    TileCase(np.zeros(0), "float", repeats=[2, 2, 3]),
    TileCase(np.zeros(0), "string", repeats=[1, 1, 2]),
    FillCase([7, 211, 103], np.array([1.5], dtype=np.float32)),
    FillCase([7, 211, 103], np.array([3], dtype=NUMPY_TYPES["uint4"]), "uint4"),
]


def large_id(case) -> str:
    return f"{type(case).__name__}-{case.dtype}-{getattr(case, 'mode', '')}"


@each_backend
@pytest.mark.parametrize("case", LARGE, ids=large_id)
def test_threads_are_bit_identical(case, backend):
    rng = np.random.default_rng(5)
    if not isinstance(case, FillCase):
        case.x = random_cases.values(rng, case.dtype, [3, 120, 101])
    plan = library.plan(case)
    x = getattr(case, "x", None)
    first = plan.run(x, threads=1, backend=1)
    assert first.size > 2**15
    for threads in (1, 2, 4, 0):
        assert same(first, plan.run(x, threads=threads, backend=backend)), threads
    # Boxes of a large output, divided differently from its tasks.
    for box in boxes(rng, first.shape)[:6]:
        x_lo, x_n = plan.input_region(box.lo, box.n)
        cut = None if x is None else x[Box(x_lo, x_n).slices()].copy()
        found = plan.run_region(cut, x_lo, box.lo, box.n, threads=4, backend=backend)
        assert same(first[box.slices()], found), box


# --- Strides -------------------------------------------------------------------------------------


def tensor_of(array: np.ndarray, dtype: str) -> tuple:
    """An array with its strides as a tesela_tensor, and the objects it points to."""
    extents, strides = library.int64s(array.shape), library.int64s(array.strides)
    code = library.dtype_code(dtype)
    return library.Tensor(array.ctypes.data, code, array.ndim, extents, strides, 0), (
        array,
        extents,
        strides,
    )


def run(plan, x, y, backend: int, box: Box | None = None, x_lo=None) -> None:
    options = library.RunOptions(
        struct_size=c.sizeof(library.RunOptions), threads=2, backend=backend
    )
    source = None if x is None else c.byref(x)
    if box is None:
        library.call("tesela_plan_run", plan.handle, source, c.byref(y), c.byref(options))
    else:
        library.call(
            "tesela_plan_run_region",
            plan.handle,
            source,
            library.int64s(x_lo),
            c.byref(y),
            library.int64s(box.lo),
            c.byref(options),
        )


def dense_copy(array: np.ndarray) -> np.ndarray:
    """Like np.ascontiguousarray, which however converts rank 0 to rank 1."""
    return np.array(array, order="C")


def references(x: np.ndarray) -> tuple:
    """A string array as an array of tesela_string, and the objects they point to."""
    buffers = [c.create_string_buffer(item, max(len(item), 1)) for item in x.reshape(-1)]
    refs = np.zeros(x.size, dtype=STRING)
    for k, item in enumerate(x.reshape(-1)):
        refs[k] = (c.addressof(buffers[k]), len(item))
    return refs.reshape(x.shape), buffers


def laid_out(rng: np.random.Generator, array: np.ndarray) -> np.ndarray:
    """The same elements with other strides: permuted, reversed, spread; or broadcast (stride 0)."""
    rank = array.ndim
    order = [int(d) for d in rng.permutation(rank)]
    steps = [int(step) for step in rng.choice([1, 1, -1, 2, -3], rank)]
    base = np.zeros([array.shape[d] * abs(steps[d]) for d in order], dtype=array.dtype)
    view = base[(*[slice(None, None, steps[d]) for d in order], Ellipsis)]
    view = np.transpose(view, np.argsort(order)) if rank else view
    assert view.shape == array.shape
    view[...] = array
    for d in range(rank):
        if array.shape[d] > 0 and rng.random() < 0.15:
            first = view[(slice(None),) * d + (slice(0, 1),)]
            view = np.broadcast_to(first, view.shape)
    return view


def gapped(rng: np.random.Generator, shape: tuple[int, ...], dtype: np.dtype) -> tuple:
    """(a view of this shape, the bytes around it): spread, permuted and reversed."""
    rank = len(shape)
    order = [int(d) for d in rng.permutation(rank)]
    steps = [int(step) for step in rng.choice([1, 2, -1, -2, 3], rank)]
    extents = [shape[d] * abs(steps[d]) + int(rng.integers(0, 3)) for d in order]
    raw = np.full(math.prod(extents) * dtype.itemsize, UNTOUCHED, dtype=np.uint8)
    base = raw.view(dtype).reshape(extents)
    slices = []
    for d in order:
        step = steps[d]
        slices.append(
            slice(0, shape[d] * step, step)
            if step > 0
            else slice(shape[d] * -step - 1 if shape[d] else 0, None, step)
        )
    view = base[(*slices, Ellipsis)]
    view = view[(*[slice(0, shape[d]) for d in order], Ellipsis)]
    view = np.transpose(view, np.argsort(order)) if rank else view
    assert view.shape == shape
    return view, raw


@each_backend
@pytest.mark.parametrize("kind", ["resize", "tile", "fill"])
@pytest.mark.parametrize("start", starts(CASES))
def test_strides_are_bit_identical_and_gaps_are_kept(kind, start, backend):
    for seed in range(start, min(start + CHUNK, CASES)):
        rng = np.random.default_rng([seed, 81])
        case, _ = drawn(kind, seed)
        if case.dtype in library.PACKED_BITS:
            continue
        x, keep, numpy_type = None, None, NUMPY_TYPES[case.dtype]
        if kind != "fill":
            x = case.x
            if case.dtype == "string":
                x, keep = references(case.x)
            x = laid_out(rng, x)
            if case.dtype != "string":
                case.x = x.copy()
        if case.dtype == "string":
            numpy_type = STRING
        plan = library.plan(case)
        dense = np.zeros(plan.shape, dtype=numpy_type)
        source = None if x is None else tensor_of(dense_copy(x), case.dtype)
        target = tensor_of(dense, case.dtype)
        run(plan, source and source[0], target[0], 1)

        view, raw = gapped(rng, plan.shape, numpy_type)
        before = raw.copy()
        source = None if x is None else tensor_of(x, case.dtype)
        target = tensor_of(view, case.dtype)
        run(plan, source and source[0], target[0], backend)
        where = f"{told(kind, seed, case)} {view.strides}"
        assert view.tobytes() == dense.tobytes() or same_floats(dense, view), where
        # With these elements restored, all bytes must be unchanged.
        view[...] = (
            np.full(view.size * view.itemsize, UNTOUCHED, dtype=np.uint8)
            .view(numpy_type)
            .reshape(view.shape)
        )
        assert raw.tobytes() == before.tobytes(), where
        del keep


def same_floats(a: np.ndarray, b: np.ndarray) -> bool:
    return a.dtype != STRING and emulation.same_bits(a, dense_copy(b))


@pytest.mark.parametrize("dtype", sorted(library.PACKED_BITS))
def test_packed_outputs_keep_surrounding_bits(dtype):
    bits = library.PACKED_BITS[dtype]
    rng = np.random.default_rng(6)
    for _ in range(60):
        value = rng.integers(0, 1 << bits, 1).astype(np.uint8)
        shape = [int(n) for n in rng.integers(1, 6, int(rng.integers(0, 4)))]
        plan = library.plan(FillCase(shape, value.view(NUMPY_TYPES[dtype]), dtype))
        count = math.prod(shape)
        skipped = int(rng.integers(0, 9))
        raw = np.frombuffer(rng.bytes(-(-(count + skipped) * bits // 8) + 2), dtype=np.uint8)
        fields = np.arange(raw.size * 8 // bits)
        lanes = np.arange(8 // bits) * bits
        expected = ((raw[:, None] >> lanes) & ((1 << bits) - 1)).reshape(-1)
        expected[(fields >= skipped) & (fields < skipped + count)] = value[0]
        for backend in BACKENDS:
            data = raw.copy()
            extents = library.int64s(shape)
            target = library.Tensor(
                data.ctypes.data,
                library.dtype_code(dtype),
                len(shape),
                extents,
                None,
                skipped * bits,
            )
            run(plan, None, target, backend)
            found = ((data[:, None] >> lanes) & ((1 << bits) - 1)).reshape(-1)
            np.testing.assert_array_equal(found, expected)


@each_backend
def test_strided_parts_of_regions(backend):
    """Both: a box from a strided box of the input, into a strided box."""
    for seed in range(200):
        rng = np.random.default_rng([seed, 82])
        case = random_cases.case(42_000_000 + seed)
        if case.dtype == "string":
            continue
        whole = emulation.emulate(case)
        plan = library.plan(case)
        for box in boxes(rng, whole.shape)[:2]:
            x_lo, x_n = plan.input_region(box.lo, box.n)
            order = [int(d) for d in rng.permutation(case.x.ndim)]
            cut = case.x[Box(x_lo, x_n).slices()]
            cut = np.transpose(dense_copy(np.transpose(cut, order)), np.argsort(order))
            view, raw = gapped(rng, box.n, whole.dtype)
            source, _a = tensor_of(cut, case.dtype)
            target, _b = tensor_of(view, case.dtype)
            run(plan, source, target, backend, box, x_lo)
            assert same(whole[box.slices()], dense_copy(view)), f"seed {seed} {box}"
