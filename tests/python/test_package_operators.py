# SPDX-License-Identifier: Apache-2.0
"""tesela.resize, tile and constant_of_shape: every dtype, layout, out=, errors, threads."""

import threading

import ml_dtypes
import numpy as np
import pytest
import tesela

STANDARD = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32",
            "float64", "complex64", "complex128", ml_dtypes.bfloat16]
TEXTS = ["U5", "S5", "O", np.dtypes.StringDType()]
SMALL = [ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e4m3fnuz, ml_dtypes.float8_e5m2, ml_dtypes.float8_e5m2fnuz,
         ml_dtypes.float8_e8m0fnu, ml_dtypes.float4_e2m1fn, ml_dtypes.int4, ml_dtypes.uint4, ml_dtypes.int2,
         ml_dtypes.uint2]
FILLED = [d for d in STANDARD if "complex" not in np.dtype(d).name] + SMALL


def values(dtype, shape=(3, 4)):
    numbers = np.arange(int(np.prod(shape))).reshape(shape)
    if np.dtype(dtype).kind in "USTO":
        return np.array([f"<{n}>" for n in numbers.ravel()], dtype=dtype).reshape(shape)
    return (numbers % 3 == 1).astype(dtype) if np.dtype(dtype).kind == "b" else numbers.astype(dtype)


def same(a, b):
    """Equal in dtype, shape and every bit (strings: in every character)."""
    assert a.dtype == b.dtype and a.shape == b.shape
    if a.dtype.kind in "USTO":
        return a.tolist() == b.tolist()
    return np.ascontiguousarray(a).tobytes() == np.ascontiguousarray(b).tobytes()


def big_endian(dtype):
    return np.dtype(dtype).newbyteorder(">")


SWAPPED = [big_endian(d) for d in STANDARD[:-1] if np.dtype(d).itemsize > 1]


@pytest.mark.parametrize("dtype", STANDARD + TEXTS + SWAPPED, ids=str)
def test_tile_repeats_every_dtype(dtype):
    x = values(dtype)
    assert same(tesela.tile(x, (2, 3)), np.tile(x, (2, 3)))


@pytest.mark.parametrize("dtype", STANDARD + TEXTS + SMALL, ids=str)
def test_openvino_tile_moves_every_dtype_and_extends_ranks(dtype):
    x = values(dtype)
    assert same(tesela.tile(x, (2, 1, 3), dialect="openvino"), np.tile(x, (2, 1, 3)))
    assert same(tesela.tile(x, (2,), dialect="openvino"), np.tile(x, (2,)))
    assert tesela.tile(x, (-1, 2), dialect="openvino").shape == (0, 8)


@pytest.mark.parametrize("dtype", STANDARD + TEXTS + SWAPPED, ids=str)
def test_nearest_moves_every_dtype(dtype):
    x = values(dtype)
    assert same(tesela.resize(x, sizes=(6, 8)), x.repeat(2, axis=0).repeat(2, axis=1))


@pytest.mark.parametrize("mode", ["linear", "cubic"])
@pytest.mark.parametrize("dtype", [d for d in STANDARD if np.dtype(d).kind != "b"] + SWAPPED, ids=str)
def test_interpolation_computes_every_dtype(dtype, mode):
    x = values(dtype)
    exact = tesela.resize(values("complex128" if np.dtype(dtype).kind == "c" else "float64"), sizes=(6, 9), mode=mode)
    result = tesela.resize(x, sizes=(6, 9), mode=mode)
    assert result.dtype == x.dtype
    if np.dtype(dtype).kind in "iu":
        limits = np.iinfo(dtype)
        expected = np.clip(np.rint(exact), limits.min, limits.max)
        near_tie = np.abs(np.abs(exact - np.floor(exact)) - 0.5) < 1e-5
        assert np.all((result == expected) | near_tie)
    else:
        step = {"bfloat16": 2.0**-7, "float16": 2.0**-9}.get(np.dtype(dtype).name, 1e-5)
        assert np.allclose(result.astype(exact.dtype), exact, rtol=step, atol=step)


@pytest.mark.parametrize("dtype", FILLED, ids=str)
def test_constant_of_shape_fills_every_dtype(dtype):
    value = np.array([1], dtype=dtype)
    assert same(tesela.constant_of_shape((2, 3), value), np.full((2, 3), value[0], dtype=dtype))


@pytest.mark.parametrize("dtype", [ml_dtypes.int4, ml_dtypes.uint4, ml_dtypes.int2, ml_dtypes.uint2])
def test_packed_values_come_back_exactly(dtype):
    info = ml_dtypes.iinfo(dtype)
    for number in range(info.min, info.max + 1):
        value = np.array(number, dtype=dtype)
        assert same(tesela.constant_of_shape((5,), value), np.full((5,), value, dtype=dtype))


def test_constant_of_shape_without_value_is_float32_zeros_and_keeps_bits():
    assert same(tesela.constant_of_shape((2, 2)), np.zeros((2, 2), np.float32))
    assert np.signbit(tesela.constant_of_shape((3,), np.float32(-0.0))).all()
    assert tesela.constant_of_shape(()).shape == ()
    assert tesela.constant_of_shape((2, 0, 3)).shape == (2, 0, 3)
    assert tesela.constant_of_shape((3,), np.array(5, ">i4")).tolist() == [5, 5, 5]


LAYOUTS = {
    "reversed": lambda x: x[::-1, ::-1],
    "strided": lambda x: x[::2, 1::2],
    "transposed": lambda x: x.T,
    "fortran": np.asfortranarray,
    "broadcast": lambda x: np.broadcast_to(x[0], (5, x.shape[1])),
    "offset": lambda x: x[1:, 2:],
    "unaligned": lambda x: np.frombuffer(b"_" + x.tobytes(), x.dtype, x.size, offset=1).reshape(x.shape),
}


@pytest.mark.parametrize("layout, dtype", [
    (layout, dtype) for layout in LAYOUTS
    for dtype in ["float32", "uint8", "complex128", ml_dtypes.bfloat16, ">i4", "O"]
    if (layout, dtype) != ("unaligned", "O")  # references to objects are always aligned
], ids=str)
def test_memory_layout_does_not_affect_results(layout, dtype):
    x = LAYOUTS[layout](values(dtype, (6, 8)))
    x.flags.writeable = False
    modes = ["nearest"] if dtype == "O" else ["nearest", "linear", "cubic"]
    for mode in modes:
        assert same(tesela.resize(x, sizes=(5, 7), mode=mode), tesela.resize(x.copy("C"), sizes=(5, 7), mode=mode))
    assert same(tesela.tile(x, (1, 2)), np.tile(x, (1, 2)))


def test_scalars_and_empty_arrays():
    assert tesela.resize(5.0, sizes=()).shape == () and tesela.resize(5.0, sizes=()) == 5.0
    assert tesela.tile(np.float32(3), ()).dtype == np.float32
    assert tesela.resize(np.zeros((0, 3)), scales=(2.0, 2.0)).shape == (0, 6)
    assert tesela.resize(np.zeros((2, 3)), sizes=(0, 4)).shape == (0, 4)
    assert tesela.tile([[1, 2]], (0, 2)).shape == (0, 4)
    assert tesela.tile([1, 2], [2]).tolist() == [1, 2, 1, 2]


@pytest.mark.parametrize("dtype", ["float32", ">f8", ml_dtypes.bfloat16, "O"], ids=str)
def test_out_receives_the_result(dtype):
    x = values(dtype)
    expected = tesela.resize(x, sizes=(6, 8))
    for out in (np.empty((6, 8), dtype), np.empty((8, 6), dtype).T, np.empty((12, 16), dtype)[::-2, ::2]):
        assert tesela.resize(x, sizes=(6, 8), out=out) is out
        assert same(out, expected)


def test_out_is_checked():
    x = values("float32")
    frozen = np.empty((6, 8), np.float32)
    frozen.flags.writeable = False
    shared = np.lib.stride_tricks.as_strided(np.empty(8, np.float32), (6, 8), (0, 4), writeable=True)
    big = np.empty((6, 8), np.float32)
    for out, error in [(np.empty((6, 7), np.float32), ValueError), (np.empty((6, 8)), TypeError), ([], TypeError),
                       (frozen, ValueError), (shared, ValueError)]:
        with pytest.raises(error) as caught:
            tesela.resize(x, sizes=(6, 8), out=out)
        assert isinstance(caught.value, tesela.Error)
    with pytest.raises(ValueError, match="overlap"):
        tesela.resize(big[:3, :4], sizes=(6, 8), out=big)
    both = np.arange(16.0, dtype=np.float32)
    tesela.tile(both[::2], (1,), out=both[1::2])
    assert both[1::2].tolist() == both[::2].tolist()


@pytest.mark.parametrize("call, error, base, text", [
    (lambda x: tesela.resize(x, sizes=(4,)), tesela.CountError, ValueError, r"Resize-\d+: input 'sizes'"),
    (lambda x: tesela.resize(x), tesela.CountError, ValueError, r"Resize-\d+: "),
    (lambda x: tesela.resize(x, sizes=(4, 4), scales=(1.0, 1.0)), tesela.CountError, ValueError, r"Resize-\d+: "),
    (lambda x: tesela.resize(x, sizes=(4, 4), mode="bilinear"), tesela.AttributeValueError, ValueError, "bilinear"),
    (lambda x: tesela.resize(x, sizes=(4, 4), opset=99), tesela.UnsupportedError, ValueError, "99"),
    (lambda x: tesela.resize(x, sizes=("a", 4)), tesela.ElementTypeError, TypeError, "sizes"),
    (lambda x: tesela.resize(x, sizes=(4.5, 4)), tesela.ElementTypeError, TypeError, "sizes"),
    (lambda x: tesela.resize(x.astype("M8[s]"), sizes=(4, 4)), tesela.ElementTypeError, TypeError, "datetime64"),
    (lambda x: tesela.resize(x.astype(ml_dtypes.int4), sizes=(4, 4)), tesela.ElementTypeError, TypeError, "int4"),
    (lambda x: tesela.resize(x.astype("U"), sizes=(4, 4), mode="linear"), tesela.ElementTypeError, TypeError, "string"),
    (lambda x: tesela.tile(x, (2,)), tesela.Error, ValueError, "Tile-13"),
    (lambda x: tesela.tile(x, (2, -1)), tesela.InvalidValueError, ValueError, "-1"),
    (lambda x: tesela.tile(x, (2, 1), dialect="caffe"), tesela.InvalidValueError, ValueError, "caffe"),
    (lambda x: tesela.constant_of_shape((2, -1)), tesela.Error, ValueError, "-1"),
    (lambda x: tesela.constant_of_shape((2,), "text"), tesela.ElementTypeError, TypeError, "strings"),
    (lambda x: tesela.load("/no/such/model.onnx"), tesela.IoError, OSError, "model.onnx"),
])
def test_errors_derive_from_builtin_exceptions(call, error, base, text):
    with pytest.raises(error, match=text.replace("-19", ".?1[0-9]")) as caught:
        call(values("float64"))
    assert isinstance(caught.value, base) and isinstance(caught.value, tesela.Error)


def test_versions_are_followed():
    x = np.array([1, 2, 3, 4], np.float32)
    assert tesela.resize(x, scales=(0.6,), opset=10).tolist() == [1, 3]
    assert tesela.resize(x, scales=(2.0,), mode="linear", opset=10)[1] == 1.5
    assert tesela.resize(x, scales=(2.0,), mode="linear", opset=11)[1] == 1.25
    assert tesela.resize(x, sizes=(8,), mode="linear", opset=13)[1] == 1.25


def test_every_parameter_arrives():
    x = np.array([10, 20, 30, 40], np.float32)
    assert tesela.resize(x, sizes=(3,), mode="linear", antialias=True).tolist() == pytest.approx([12.727273, 25, 37.272727])
    assert tesela.resize(x, sizes=(3,), mode="linear", antialias=1, exclude_outside=True).tolist() == [13, 25, 37]
    assert tesela.resize(x, sizes=(8,), mode="cubic", cubic_coeff_a=-0.5)[0] != tesela.resize(x, sizes=(8,), mode="cubic")[0]
    crop = tesela.resize(x, sizes=(5,), roi=(-0.5, 1.5), coordinate_transformation_mode="tf_crop_and_resize",
                         extrapolation_value=-1)
    assert crop.tolist() == [-1, 10, 20, 40, -1]
    assert tesela.resize(np.zeros((100, 50)), sizes=(29, 50), keep_aspect_ratio_policy="not_larger").shape == (29, 15)
    assert tesela.resize(np.zeros((2, 3, 4)), sizes=(8, 9), axes=(-1, 0)).shape == (9, 3, 8)
    assert tesela.resize(x, sizes=(2,), nearest_mode="ceil", coordinate_transformation_mode="asymmetric").tolist() == [10, 30]


def test_sizes_may_be_lists_arrays_or_tuples():
    x = values("float32")
    for sizes in [(6, 8), [6, 8], np.array([6, 8]), np.array([6, 8], np.uint8), (6.0, 8.0)]:
        assert tesela.resize(x, sizes=sizes).shape == (6, 8)


@pytest.mark.parametrize("call", [
    lambda x: tesela.resize(x, (5, 7), axes=(0, 1), mode="linear", antialias=True),
    lambda x: tesela.resize(x, scales=(0.5, 2.0), like="opencv:linear", num_threads=1),
    lambda x: tesela.tile(x, (2, 3), opset=13),
])
def test_repeated_call_reuses_its_plan(call, monkeypatch):
    x = np.random.default_rng(2).random((6, 8), dtype=np.float32)
    first = call(x)
    monkeypatch.setattr(tesela._operators, "_run_planned", None)  # the code path that makes a plan
    assert same(call(x[::-1][::-1]), first)
    with pytest.raises(TypeError, match="NoneType"):
        call(x[1:])
    with pytest.raises(TypeError, match="NoneType"):
        call(x.astype("f8"))


def test_cached_calls_still_check_num_threads():
    x = np.zeros((3, 4), np.float32)
    tesela.resize(x, (6, 8))
    with pytest.raises(ValueError, match="threads is -1"):
        tesela.resize(x, (6, 8), num_threads=-1)
    with pytest.raises(TypeError, match="num_threads"):
        tesela.resize(x, (6, 8), num_threads="two")


def test_cache_survives_keys_whose_comparison_clears_it():
    class Sizes(tuple):
        def __eq__(self, other):
            tesela.plan_cache.clear()
            return tuple(self) == tuple(other)

        __hash__ = tuple.__hash__

    x = np.zeros((3, 4), np.float32)
    for _ in range(3):
        assert tesela.resize(x, Sizes((6, 8))).shape == (6, 8)


def test_plans_are_kept_and_bounded():
    tesela.plan_cache.clear()
    for n in range(1, 400):
        tesela.resize(np.zeros(3), sizes=(n,))
    assert len(tesela.plan_cache) == tesela.plan_cache.maxsize
    tesela.plan_cache.maxsize = 10
    assert len(tesela.plan_cache) == 10
    tesela.plan_cache.maxsize = 256
    tesela.plan_cache.clear()
    assert len(tesela.plan_cache) == 0
    cache = tesela.PlanCache(0)
    cache.add(tesela.plan("tile", (3,), repeats=(2,)), np.dtype("f4"), (3,), "tile", (2,))
    assert len(cache) == 0 and cache.find(np.dtype("f4"), (3,), "tile", (2,)) is None


def test_resize_releases_the_gil():
    """The lock is released: a thread counts while another resizes."""
    x = np.zeros((2000, 3000), np.float32)
    running, counted = threading.Event(), [0]

    def work():
        running.set()
        tesela.resize(x, sizes=(3000, 4000), mode="cubic", num_threads=1)
        running.clear()

    thread = threading.Thread(target=work)
    thread.start()
    running.wait()
    while running.is_set():
        counted[0] += 1
    thread.join()
    assert counted[0] > 100


def test_threads_do_not_change_bits():
    x = np.random.default_rng(0).random((300, 400), dtype=np.float32)
    one = tesela.resize(x, sizes=(500, 350), mode="cubic", antialias=True, num_threads=1)
    results = []
    threads = [threading.Thread(target=lambda: results.append(
        tesela.resize(x, sizes=(500, 350), mode="cubic", antialias=True))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4 and all(same(result, one) for result in results)
