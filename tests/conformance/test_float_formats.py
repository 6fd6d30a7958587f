# SPDX-License-Identifier: Apache-2.0
"""Conversions of every small format, reading each code and writing numbers, compared with ml_dtypes.

ml_dtypes and numpy convert binary32 to the formats of 16 bits and less with one rounding, so they
are the reference for every binary32 input. They may convert doubles through binary32, which rounds
twice. Doubles are therefore compared with `exact_codes`, which uses the midpoints between
neighbouring codes and is itself compared with ml_dtypes on binary32 inputs. Integers are rounded
half to even and saturated, unlike in numpy's casts; np.rint and np.clip are the reference.
"""

from __future__ import annotations

import ctypes as c

import library
import ml_dtypes
import numpy as np
import pytest
from case import NUMPY_TYPES

FLOATS = [name for name, dtype in NUMPY_TYPES.items() if "float" in name and dtype.itemsize <= 2]
PACKED = {"uint4": 4, "int4": 4, "uint2": 2, "int2": 2, "float4e2m1": 4}
INTEGERS = "int8 int16 int32 uint8 uint16 uint32 int4 uint4 int2 uint2".split()


def bits_of(dtype: str) -> int:
    return library.LIBRARY.tesela_dtype_bits(library.dtype_code(dtype))


def view(data: np.ndarray, dtype: str, count: int, bit_offset: int = 0) -> tuple:
    """A tesela_tensor of `count` elements in raw bytes, and the objects it points to."""
    extents = library.int64s([count])
    code = library.dtype_code(dtype)
    tensor = library.Tensor(data.ctypes.data, code, 1, extents, None, bit_offset)
    return tensor, (data, extents)


def to_doubles(data: np.ndarray, dtype: str, count: int, bit_offset: int = 0) -> np.ndarray:
    """data: the raw bytes of `count` elements, 2 and 4 bits packed."""
    tensor, _keep = view(data, dtype, count, bit_offset)
    values = np.full(count * (2 if dtype.startswith("complex") else 1), 123.0)
    library.call("tesela_tensor_to_doubles", c.byref(tensor), c.c_void_p(values.ctypes.data))
    return values


def from_doubles(values: np.ndarray, dtype: str) -> np.ndarray:
    """The codes that the values are converted to, one number for each."""
    values = np.ascontiguousarray(values, dtype=np.float64)
    bits = bits_of(dtype)
    data = np.full(-(-values.size * bits // 8), 0xFF, dtype=np.uint8)
    tensor, _keep = view(data, dtype, values.size)
    pointer = c.c_void_p(values.ctypes.data)
    library.call("tesela_tensor_from_doubles", pointer, c.c_size_t(values.size), c.byref(tensor))
    if bits >= 8:
        return data.view(f"u{bits // 8}")
    per_byte = 8 // bits
    codes = (data[:, None] >> (np.arange(per_byte) * bits)) & ((1 << bits) - 1)
    return codes.reshape(-1)[: values.size].astype(np.uint8)


def all_codes(dtype: str) -> np.ndarray:
    bits = bits_of(dtype)
    return np.arange(1 << bits, dtype=np.uint8 if bits <= 8 else np.uint16)


def decoded(codes: np.ndarray, dtype: str) -> np.ndarray:
    """The values of codes, by ml_dtypes (numpy)."""
    if dtype in ("int4", "int2"):  # kept sign-extended there
        bits = bits_of(dtype)
        codes = np.where(codes >> (bits - 1), codes | (0xFF << bits) & 0xFF, codes)
        codes = codes.astype(np.uint8)
    return codes.view(NUMPY_TYPES[dtype]).astype(np.float64)


def encoded(values: np.ndarray, dtype: str) -> np.ndarray:
    """The codes of binary32 values, by ml_dtypes (numpy)."""
    assert values.dtype == np.float32
    with np.errstate(all="ignore"):
        codes = values.astype(NUMPY_TYPES[dtype])
    return codes.view(np.uint16 if bits_of(dtype) == 16 else np.uint8)


# --- Reading -------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [*FLOATS, "uint4", "int4", "uint2", "int2", "int8", "uint8"])
def test_every_code_reads_as_in_ml_dtypes(dtype):
    codes = all_codes(dtype)
    data = library.pack(codes, PACKED[dtype]) if dtype in PACKED else codes.view(np.uint8)
    found, expected = to_doubles(data, dtype, codes.size), decoded(codes, dtype)
    both_nan = np.isnan(found) & np.isnan(expected)
    same = found.view(np.uint64) == expected.view(np.uint64)  # the sign of zero counts
    wrong = np.flatnonzero(~(same | both_nan))
    assert not wrong.size, [(hex(codes[k]), found[k], expected[k]) for k in wrong[:5]]


@pytest.mark.parametrize("dtype", PACKED)
def test_packed_codes_may_begin_anywhere(dtype):
    bits = PACKED[dtype]
    codes = all_codes(dtype)
    data = library.pack(codes, bits)
    expected = decoded(codes, dtype)
    for skipped in range(codes.size):
        found = to_doubles(data, dtype, codes.size - skipped, skipped * bits)
        np.testing.assert_array_equal(found, expected[skipped:])


def test_bool_reads_as_zero_or_one():
    data = np.array([0, 1, 2, 255], dtype=np.uint8)
    np.testing.assert_array_equal(to_doubles(data, "bool", 4), [0, 1, 1, 1])


@pytest.mark.parametrize("dtype", ["int16", "uint16", "int32", "uint32", "int64", "uint64"])
def test_integers_read_as_the_nearest_double(dtype):
    numpy_type = NUMPY_TYPES[dtype]
    limits = np.iinfo(numpy_type)
    pool = [limits.min, limits.min + 1, 0, 1, limits.max - 1, limits.max]
    if limits.bits == 64:
        pool += [2**53 - 1, 2**53, 2**53 + 1, 2**53 + 3, 2**62 + 2**8, 2**62 + 2**9 + 1]
    array = np.array(pool, dtype=numpy_type)
    found = to_doubles(array.view(np.uint8), dtype, array.size)
    assert found.tolist() == [float(number) for number in pool]


@pytest.mark.parametrize("dtype", ["float", "double", "complex64", "complex128"])
def test_wide_floats_read_and_write_as_in_numpy(dtype):
    rng = np.random.default_rng(11)
    part = np.float32 if dtype in ("float", "complex64") else np.float64
    array = np.frombuffer(rng.bytes(4000 * part().itemsize), dtype=part)
    parts = 2 if dtype.startswith("complex") else 1
    found = to_doubles(array.view(np.uint8), dtype, array.size // parts)
    np.testing.assert_array_equal(found, array.astype(np.float64))
    numbers = anything(rng, 4000)
    count = numbers.size // parts
    data = np.zeros(numbers.size * part().itemsize, dtype=np.uint8)
    tensor, _keep = view(data, dtype, count)
    pointer = c.c_void_p(numbers.ctypes.data)
    library.call("tesela_tensor_from_doubles", pointer, c.c_size_t(numbers.size), c.byref(tensor))
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(data.view(part), numbers.astype(part))


# --- Writing -------------------------------------------------------------------------------------


def exact_codes(values: np.ndarray, dtype: str) -> np.ndarray:
    """The codes of doubles, each rounded once; NaN and overflow follow ml_dtypes.

    Positive codes ascend in value, so the nearest one is found among the midpoints, which are
    doubles for every format of at most 16 bits. A tie takes the even code; float8e8m0 takes the
    one above, and has no midpoint between its two smallest numbers: ml_dtypes rounds up there.
    """
    bits = bits_of(dtype)
    is_signed = dtype != "float8e8m0"
    codes = all_codes(dtype)
    numbers = decoded(codes, dtype)
    ladder = numbers[np.isfinite(numbers) & ~np.signbit(numbers)]
    assert np.array_equal(ladder, np.sort(ladder)) and ladder[0] == numbers[0]
    # One more step above the largest: values from the midpoint below it on overflow.
    step = ladder[-1] - ladder[-2] if is_signed else ladder[-1]
    rungs = np.append(ladder, ladder[-1] + step)
    middles = rungs[:-1] + np.diff(rungs) / 2
    if not is_signed:
        middles[0] = np.nextafter(ladder[0], 1)
    with np.errstate(invalid="ignore"):
        sizes = np.abs(values)
    below = np.searchsorted(middles, sizes, side="left")
    above = np.searchsorted(middles, sizes, side="right")
    nearest = np.where(is_signed & (below % 2 == 0), below, above)
    overflows = nearest >= ladder.size
    sign = np.signbit(values).astype(np.int64) << (bits - 1) if is_signed else 0
    result = (np.minimum(nearest, ladder.size - 1) | sign).astype(codes.dtype)
    if is_signed and np.isnan(numbers[1 << (bits - 1)]):  # where -0 would be, there is one zero
        result[nearest == 0] = 0
    huge = np.where(np.isnan(values), values, np.copysign(np.inf, values))
    special = np.isnan(values) | overflows
    if not is_signed:
        special |= ~(values > 0)
    with np.errstate(invalid="ignore"):
        result[special] = encoded(huge[special].astype(np.float32), dtype)
    return result


def anything(rng: np.random.Generator, count: int) -> np.ndarray:
    """Doubles of every size, and special ones."""
    raw = np.frombuffer(rng.bytes(8 * count), dtype=np.float64)
    some = rng.normal(size=count) * 2.0 ** rng.integers(-160, 160, count)
    near = rng.normal(size=count) * 2.0 ** rng.integers(-12, 12, count)
    special = rng.choice([0.0, -0.0, np.inf, -np.inf, np.nan, -np.nan, 5e-324, 1e308], count)
    kinds = rng.choice(4, count, p=[0.2, 0.4, 0.38, 0.02])
    return np.choose(kinds, [raw, some, near, special])


def around_ties(dtype: str) -> np.ndarray:
    """The midpoints between neighbouring codes, and doubles just beside them."""
    numbers = np.unique(decoded(all_codes(dtype), dtype))
    numbers = numbers[np.isfinite(numbers)]
    middles = numbers[:-1] + np.diff(numbers) / 2
    beyond = numbers[-1] + (numbers[-1] - numbers[-2]) / 2
    middles = np.concatenate([middles, [beyond, -beyond, 2 * numbers[-1], -2 * numbers[-1]]])
    return np.concatenate(
        [
            middles,
            np.nextafter(middles, np.inf),
            np.nextafter(middles, -np.inf),
            middles * (1 + 2.0**-30),
            middles * (1 - 2.0**-30),
            numbers,
        ]
    )


def without_payload(codes: np.ndarray, dtype: str) -> np.ndarray:
    """The codes, with all NaNs of one sign the same."""
    if dtype not in FLOATS:
        return codes
    is_nan = np.isnan(decoded(codes, dtype))
    canonical = encoded(np.array([np.nan, -np.nan], dtype=np.float32), dtype)
    is_negative = (codes >> (bits_of(dtype) - 1)).astype(bool)
    return np.where(is_nan, np.where(is_negative, canonical[1], canonical[0]), codes)


def assert_same_codes(values: np.ndarray, dtype: str, expected: np.ndarray) -> None:
    """Equal codes, except for NaN payloads, which numpy keeps but the library does not guarantee."""
    found = from_doubles(values, dtype)
    wrong = np.flatnonzero(without_payload(found, dtype) != without_payload(expected, dtype))
    assert not wrong.size, f"{wrong.size} of {values.size}: " + ", ".join(
        f"{float(values[k]).hex()} -> {found[k]:#x}, not {expected[k]:#x}" for k in wrong[:5]
    )


@pytest.mark.parametrize("dtype", FLOATS)
def test_float16_and_bfloat16_inputs_write_as_in_ml_dtypes(dtype):
    for source in ("float16", "bfloat16"):
        codes = np.arange(65536, dtype=np.uint16)
        with np.errstate(all="ignore"):
            values = codes.view(NUMPY_TYPES[source]).astype(np.float32)
        assert_same_codes(values.astype(np.float64), dtype, encoded(values, dtype))


@pytest.mark.parametrize("dtype", FLOATS)
def test_random_binary32_write_as_in_ml_dtypes(dtype):
    rng = np.random.default_rng(7)
    with np.errstate(all="ignore"):
        values = np.concatenate(
            [
                np.frombuffer(rng.bytes(4 * 30_000), dtype=np.float32),
                anything(rng, 70_000).astype(np.float32),
                around_ties(dtype).astype(np.float32),
            ]
        )
        wide = values.astype(np.float64)
    expected = encoded(values, dtype)
    # exact_codes agrees with ml_dtypes where ml_dtypes is known to be correct.
    exact = without_payload(exact_codes(wide, dtype), dtype)
    np.testing.assert_array_equal(exact, without_payload(expected, dtype))
    assert_same_codes(wide, dtype, expected)


@pytest.mark.parametrize("dtype", FLOATS)
def test_random_doubles_are_rounded_once(dtype):
    values = np.concatenate([anything(np.random.default_rng(8), 100_000), around_ties(dtype)])
    assert_same_codes(values, dtype, exact_codes(values, dtype))


def test_double_near_a_tie_is_rounded_once():
    # Through binary32 this would become the tie 1 + 2^-8, and then 1.
    above = np.array([1 + 2.0**-8 + 2.0**-40])
    assert from_doubles(above, "bfloat16").view(ml_dtypes.bfloat16)[0] == 1 + 2.0**-7
    above = np.array([1 + 2.0**-11 + 2.0**-40])
    assert from_doubles(above, "float16").view(np.float16)[0] == 1 + 2.0**-10


@pytest.mark.parametrize("dtype", FLOATS)
def test_every_code_survives_reading_and_writing(dtype):
    codes = all_codes(dtype)
    numbers = decoded(codes, dtype)
    finite = ~np.isnan(numbers)
    assert_same_codes(numbers[finite], dtype, codes[finite])


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integers_are_rounded_half_to_even_and_saturated(dtype):
    bits = bits_of(dtype)
    low, high = (0, 2**bits - 1) if dtype[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    rng = np.random.default_rng(9)
    values = np.concatenate(
        [
            anything(rng, 100_000),
            rng.integers(2 * low - 3, 2 * high + 3, 20_000) / 2,
            np.add.outer([low, high], [-1.0, -0.5, 0.0, 0.5, 1.0]),
        ],
        axis=None,
    )
    expected = np.clip(np.rint(np.where(np.isnan(values), 0.0, values)), low, high)
    expected = expected.astype(np.int64) & ((1 << bits) - 1)
    assert_same_codes(values, dtype, expected.astype(f"u{max(bits, 8) // 8}"))


@pytest.mark.parametrize("dtype", ["int64", "uint64"])
def test_64_bit_integers_are_rounded_and_saturated(dtype):
    limits = np.iinfo(NUMPY_TYPES[dtype])
    values = np.concatenate(
        [
            anything(np.random.default_rng(10), 20_000),
            [
                2.0**63,
                2.0**64,
                -(2.0**63),
                2.0**63 - 1024,
                2.0**64 - 2048,
                0.5,
                1.5,
                2.5,
                -0.5,
                -1.5,
            ],
            [4503599627370495.5, 4503599627370496.5, 2.0**53 + 2],
        ]
    )
    expected = []
    for value in values.tolist():
        if value != value:
            expected.append(0)
        elif abs(value) == float("inf"):
            expected.append(limits.max if value > 0 else limits.min)
        else:
            expected.append(min(max(round(value), limits.min), limits.max))
    found = from_doubles(values, dtype).view(NUMPY_TYPES[dtype])
    assert found.tolist() == expected


def test_bool_is_true_above_one_half():
    values = np.array([0.5, np.nextafter(0.5, 1), 1, -1, np.inf, -np.inf, np.nan, 0.25])
    assert from_doubles(values, "bool").tolist() == [0, 1, 1, 0, 1, 0, 0, 0]


# --- Strides and refusals ------------------------------------------------------------------------


def test_strided_tensors_are_read_and_written_in_row_major_order():
    array = np.arange(24, dtype=np.float32).reshape(4, 6)[::-2, 1::3]
    expected = array.astype(np.float64).reshape(-1)
    tensor = library.View(array, "float", strided=True)
    found = np.zeros(4)
    library.call("tesela_tensor_to_doubles", c.byref(tensor.tensor), c.c_void_p(found.ctypes.data))
    np.testing.assert_array_equal(found, expected)
    base = np.full((4, 6), -1, dtype=np.float32)
    target = library.View(base[::-2, 1::3], "float", strided=True)
    numbers = np.array([1.0, 2.0, 3.0, 4.0])
    pointer = c.c_void_p(numbers.ctypes.data)
    library.call("tesela_tensor_from_doubles", pointer, c.c_size_t(4), c.byref(target.tensor))
    np.testing.assert_array_equal(base[::-2, 1::3].reshape(-1), numbers)
    assert (base == -1).sum() == 20


def test_writing_packed_elements_keeps_neighbours():
    data = np.full(3, 0xFF, dtype=np.uint8)
    tensor, _keep = view(data, "uint4", 3, bit_offset=4)
    numbers = np.array([1.0, 2.0, 3.0])
    pointer = c.c_void_p(numbers.ctypes.data)
    library.call("tesela_tensor_from_doubles", pointer, c.c_size_t(3), c.byref(tensor))
    assert data.tolist() == [0x1F, 0x32, 0xFF]


def test_refusals():
    data = np.zeros(64, dtype=np.uint8)
    tensor, _keep = view(data, "string", 1)
    numbers = np.zeros(4)
    pointer = c.c_void_p(numbers.ctypes.data)
    with pytest.raises(library.TeselaError, match="string; expected numbers") as caught:
        library.call("tesela_tensor_to_doubles", c.byref(tensor), pointer)
    assert caught.value.kind == "type"
    tensor, _keep = view(data, "complex64", 3)
    with pytest.raises(library.TeselaError, match="4 numbers .* expected 6") as caught:
        library.call("tesela_tensor_from_doubles", pointer, c.c_size_t(4), c.byref(tensor))
    assert caught.value.kind == "count"
