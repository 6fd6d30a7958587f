# SPDX-License-Identifier: Apache-2.0
"""Properties of every input, tested with hypothesis."""

import os

import numpy as np
import tesela
from hypothesis import given, settings, strategies as st
from hypothesis.extra import numpy as arrays

settings.register_profile("tesela", max_examples=min(int(os.environ.get("TESELA_CASES", 60)), 2000), deadline=None)
settings.load_profile("tesela")

FLOATS = arrays.arrays(np.float32, arrays.array_shapes(min_dims=1, max_dims=3, max_side=9),
                       elements=st.floats(-100, 100, width=32))
ANY = arrays.arrays(st.sampled_from([np.uint8, np.int64, np.float16, np.bool_, np.complex64, "U2"]),
                    arrays.array_shapes(min_dims=0, max_dims=4, max_side=5))
MODES = st.sampled_from(["nearest", "linear", "cubic"])


def sizes_for(data, x, top=12):
    return tuple(data.draw(st.integers(1, top)) for _ in x.shape)


def bits(x):
    return x.dtype, x.shape, np.ascontiguousarray(x).tobytes()


@given(ANY)
def test_same_size_is_bit_identical(x):
    assert bits(tesela.resize(x, sizes=x.shape)) == bits(x)


@given(FLOATS, MODES, st.data())
def test_axes_one_after_another_are_close_to_all_at_once(x, mode, data):
    sizes = sizes_for(data, x)
    whole = tesela.resize(x.astype(np.float64), sizes=sizes, mode=mode)
    step = x.astype(np.float64)
    for axis, size in enumerate(sizes):
        step = tesela.resize(step, sizes=(size,), axes=(axis,), mode=mode)
    assert np.allclose(step, whole, atol=1e-9)


@given(FLOATS, MODES, st.data())
def test_permuted_axes_give_the_permuted_result(x, mode, data):
    sizes = sizes_for(data, x)
    order = data.draw(st.permutations(range(x.ndim)))
    a = tesela.resize(x.transpose(order).astype(np.float64), sizes=[sizes[axis] for axis in order], mode=mode)
    b = tesela.resize(x.astype(np.float64), sizes=sizes, mode=mode).transpose(order)
    assert np.allclose(a, b, atol=1e-9)


@given(FLOATS, MODES, st.booleans(), st.data())
def test_constants_stay_constant(x, mode, outside, data):
    x = np.full_like(x, 3)
    antialias = mode != "nearest" and data.draw(st.booleans())
    y = tesela.resize(x, sizes=sizes_for(data, x), mode=mode, antialias=antialias, exclude_outside=outside)
    assert np.allclose(y, 3, rtol=1e-5)


@given(FLOATS, st.data())
def test_a_flipped_input_gives_the_flipped_result(x, data):
    sizes = sizes_for(data, x)
    wide = x.astype(np.float64)
    flip = (slice(None, None, -1),) * x.ndim
    for options in (dict(mode="linear"), dict(mode="cubic"), dict(mode="linear", antialias=1)):
        assert np.allclose(tesela.resize(wide[flip], sizes=sizes, **options),
                           tesela.resize(wide, sizes=sizes, **options)[flip], atol=1e-9)


@given(ANY, st.data())
def test_tiles_multiply(x, data):
    first = [data.draw(st.integers(0, 3)) for _ in x.shape]
    second = [data.draw(st.integers(0, 3)) for _ in x.shape]
    product = [a * b for a, b in zip(first, second)]
    assert bits(tesela.tile(tesela.tile(x, first), second)) == bits(tesela.tile(x, product))
    assert bits(tesela.tile(x, product)) == bits(np.tile(x, product) if x.ndim else x)


@given(FLOATS, MODES, st.data())
def test_a_region_is_a_piece_of_the_whole(x, mode, data):
    sizes = sizes_for(data, x)
    plan = tesela.plan("resize", x, sizes=sizes, mode=mode)
    lo = [data.draw(st.integers(0, size - 1)) for size in sizes]
    shape = [data.draw(st.integers(1, size - start)) for size, start in zip(sizes, lo)]
    x_lo, x_shape = plan.input_region(lo, shape)
    box = x[tuple(slice(start, start + extent) for start, extent in zip(x_lo, x_shape))]
    piece = plan(x)[tuple(slice(start, start + extent) for start, extent in zip(lo, shape))]
    assert bits(plan.run_region(box, x_lo, lo, shape)) == bits(piece)


@given(arrays.arrays(np.uint8, arrays.array_shapes(max_dims=3, max_side=6)), MODES, st.data())
def test_bytes_are_the_rounded_floats(x, mode, data):
    sizes = sizes_for(data, x)
    exact = tesela.resize(x.astype(np.float64), sizes=sizes, mode=mode)
    difference = np.abs(tesela.resize(x, sizes=sizes, mode=mode) - np.clip(exact, 0, 255))
    assert np.all(difference <= 0.5 + 1e-3)


@given(st.lists(st.integers(0, 5), max_size=4), st.sampled_from([np.int8, np.float32, np.float64, np.uint64]), st.integers(0, 99))
def test_constant_of_shape_is_full(shape, dtype, number):
    assert bits(tesela.constant_of_shape(shape, dtype(number))) == bits(np.full(shape, number, dtype))
