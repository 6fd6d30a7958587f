# SPDX-License-Identifier: Apache-2.0
"""The verbs for single operators: resize, tile, fill."""

import ml_dtypes
import numpy as np
import onnx
import pytest
from cli_program import BAD, LIMIT, UNSUPPORTED, USAGE, fail, save_npy, save_pb, succeed, tesela, tile_model
from onnx import TensorProto, helper, numpy_helper


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out.npy"


def loaded(path):
    return np.load(path)


# ---- resize ---------------------------------------------------------------------------------------------------------


def resized(tmp_path, x, *words):
    source, target = save_npy(tmp_path / "in.npy", np.asarray(x)), tmp_path / "out.npy"
    succeed("resize", source, target, *words)
    return np.load(target)


ONE_TO_FOUR = np.array([10, 20, 30, 40], dtype=np.float32)


@pytest.mark.parametrize("words, expected", [
    # Vectors from the project's specification, computed with onnx's reference implementation.
    (["--scales", "2", "--mode", "linear"], [10, 12.5, 17.5, 22.5, 27.5, 32.5, 37.5, 40]),
    (["--scales", "0.6", "--mode", "linear"], [13.3333, 30]),
    (["--scales", "0.6", "--mode", "linear", "--coordinate-transformation-mode", "align_corners"], [10, 31.42857]),
    (["--scales", "0.6", "--mode", "linear", "--coordinate-transformation-mode", "half_pixel_symmetric"],
     [16.6667, 33.3333]),
    (["--scales", "0.6", "--mode", "linear", "--opset", "10"], [10, 26.6667]),
    (["--scales", "2", "--mode", "cubic"],
     [8.945312, 11.914062, 16.679688, 22.96875, 27.03125, 33.320312, 38.085938, 41.054688]),
    (["--sizes", "3", "--mode", "linear", "--antialias", "1"], [12.727273, 25, 37.272727]),
    (["--sizes", "3", "--mode", "linear", "--antialias", "true", "--exclude-outside", "1"], [13, 25, 37]),
    (["--sizes", "3", "--mode", "cubic", "--antialias", "1"], [11.550018, 25, 38.449982]),
    (["--sizes", "4", "--roi", "1,0", "--coordinate-transformation-mode", "tf_crop_and_resize"], [40, 30, 20, 10]),
    (["--sizes", "5", "--roi", "-0.5,1.5", "--coordinate-transformation-mode", "tf_crop_and_resize",
      "--extrapolation-value", "-7.5"], [-7.5, 10, 20, 40, -7.5]),
    (["--scales", "2", "--nearest-mode", "ceil"], [10, 20, 20, 30, 30, 40, 40, 40]),
    (["--scales", "2", "--axes", "-1"], [10, 10, 20, 20, 30, 30, 40, 40]),
])
def test_resize_of_four_numbers(tmp_path, words, expected):
    np.testing.assert_allclose(resized(tmp_path, ONE_TO_FOUR, *words), expected, rtol=2e-5)


def test_resize_by_the_rules_of_a_library(tmp_path):
    x = np.array([[0, 7]], np.uint8)
    words = ("--sizes", "1,4", "--mode", "linear")
    assert resized(tmp_path, x, *words).tolist() == [[0, 2, 5, 7]]
    assert resized(tmp_path, x, *words, "--rules", "onnxruntime").tolist() == [[0, 1, 5, 7]]
    message = fail(BAD, "resize", tmp_path / "in.npy", tmp_path / "other.npy", *words, "--rules", "numpy")
    assert "plan field 'rules' is 'numpy'; expected one of onnxruntime," in message


@pytest.mark.parametrize("opset", [11, 13, 18, 19])
def test_resize_in_each_version_with_sizes(tmp_path, opset):
    y = resized(tmp_path, ONE_TO_FOUR.reshape(2, 2), "--sizes", "2,4", "--mode", "linear", "--opset", opset)
    np.testing.assert_allclose(y, [[10, 12.5, 17.5, 20], [30, 32.5, 37.5, 40]])


def test_resize_with_a_policy(tmp_path):
    x = np.zeros((1, 1, 3, 7), dtype=np.float32)
    y = resized(tmp_path, x, "--axes", "2,3", "--sizes", "6,7", "--keep-aspect-ratio-policy", "not_smaller")
    assert y.shape == (1, 1, 6, 14)


def test_resize_of_a_scalar_with_empty_lists(tmp_path):
    for words in (["--scales", ""], ["--scales="], ["--sizes", ""]):
        assert resized(tmp_path, np.float32(2.5), *words) == np.float32(2.5)


def test_resize_reports_operator_errors(tmp_path, out):
    x = save_npy(tmp_path / "x.npy", ONE_TO_FOUR)
    assert "bilinear" in fail(BAD, "resize", x, out, "--sizes", "2", "--mode", "bilinear")
    assert "Resize-" in fail(BAD, "resize", x, out, "--sizes", "2,2")
    fail(BAD, "resize", x, out, "--sizes", "2", "--antialias", "1")
    fail(BAD, "resize", x, out, "--sizes", "2", "--axes", "1")
    fail(BAD, "resize", x, out, "--scales", "2", "--mode", "cubic", "--opset", "10")
    assert "'sizes'; Resize has it since version 11" in fail(BAD, "resize", x, out, "--sizes", "2", "--opset", "10")
    fail(UNSUPPORTED, "resize", x, out, "--sizes", "2", "--opset", "9")
    fail(UNSUPPORTED, "resize", x, out, "--sizes", "2", "--opset", "1000")
    assert not out.exists()


def test_resize_of_strings(tmp_path):
    words = numpy_helper.from_array(np.array(["a", "bc"], dtype=object))
    succeed("resize", save_pb(tmp_path / "x.pb", words), tmp_path / "y.pb", "--scales", "2")
    y = onnx.load_tensor(tmp_path / "y.pb")
    assert list(y.string_data) == [b"a", b"a", b"bc", b"bc"]
    fail(BAD, "resize", tmp_path / "x.pb", tmp_path / "z.pb", "--scales", "2", "--mode", "linear")


# ---- images ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def image(tmp_path):
    """A PNG of 2 x 3 pixels, written by fill and checked by its signature."""
    path = tmp_path / "image.png"
    succeed("fill", path, "--shape", "2,3,3", "--dtype", "uint8", "--value", "200")
    assert path.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    return path


@pytest.mark.parametrize("opset", [10, 11, 13, 18, 19])
def test_two_scales_of_an_image_mean_height_and_width(tmp_path, image, out, opset):
    succeed("resize", image, out, "--scales", "2,3", "--opset", opset)
    y = loaded(out)
    assert y.shape == (4, 9, 3) and y.dtype == np.uint8 and (y == 200).all()


@pytest.mark.parametrize("opset", [11, 13, 18, 19])
def test_two_sizes_of_an_image_with_a_region(image, out, opset):
    succeed("resize", image, out, "--sizes", "5,7", "--roi", "0,0,0.5,0.5", "--opset", opset,
            "--coordinate-transformation-mode", "tf_crop_and_resize", "--mode", "linear")
    y = loaded(out)
    assert y.shape == (5, 7, 3) and (y == 200).all()


def test_explicit_axes_of_an_image_are_used(image, out):
    succeed("resize", image, out, "--sizes", "5", "--axes", "1")
    assert loaded(out).shape == (2, 5, 3)
    succeed("resize", image, out, "--sizes", "5,6,3")
    assert loaded(out).shape == (5, 6, 3)


def test_image_to_image(tmp_path, image, out):
    succeed("resize", image, tmp_path / "y.JPG", "--sizes", "8,8", "--mode", "linear", "--antialias", "1")
    assert (tmp_path / "y.JPG").read_bytes().startswith(b"\xff\xd8\xff")
    succeed("resize", tmp_path / "y.JPG", out, "--sizes", "4,4")
    y = loaded(out)
    assert y.shape == (4, 4, 3) and abs(int(y[0, 0, 0]) - 200) <= 2
    # An image is recognised by its first bytes, whatever its name.
    image.rename(tmp_path / "renamed.bin")
    succeed("resize", tmp_path / "renamed.bin", out, "--sizes", "4,4")


def test_images_of_floats_are_refused(tmp_path):
    x = save_npy(tmp_path / "x.npy", np.zeros((2, 2, 3), dtype=np.float32))
    # Before any work: no output line shows that a node ran.
    assert "uint8" in fail(UNSUPPORTED, "resize", x, tmp_path / "y.png", "--sizes", "4,4,3")
    model = tile_model(tmp_path / "m.onnx", [1, 1, 1], shape=[None] * 3)
    assert "uint8" in fail(UNSUPPORTED, "run", model, "-i", x, "-o", tmp_path / "y.png")
    assert not (tmp_path / "y.png").exists()


# ---- tile -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.bool_, np.int8, np.uint64, np.float16, np.float64, np.complex64, np.complex128])
def test_tile_moves_bits(tmp_path, out, dtype):
    bits = np.random.default_rng(3).integers(0, 2, (2, 3 * np.dtype(dtype).itemsize), dtype=np.uint8)
    x = bits.view(dtype)
    succeed("tile", save_npy(tmp_path / "x.npy", x), out, "--repeats", "3,2")
    assert loaded(out).tobytes() == np.tile(x, (3, 2)).tobytes() and loaded(out).dtype == x.dtype


def test_tile_of_types_that_npy_cannot_name(tmp_path):
    x = np.array([1, 2, 3], dtype=ml_dtypes.bfloat16)
    source = save_npy(tmp_path / "x.npy", x.view(np.uint16))
    succeed("tile", source, tmp_path / "y.pb", "--repeats", "2", "--dtype", "bfloat16")
    y = onnx.load_tensor(tmp_path / "y.pb")
    assert y.data_type == TensorProto.BFLOAT16 and list(y.dims) == [6]
    np.testing.assert_array_equal(numpy_helper.to_array(y).astype(np.float32), [1, 2, 3, 1, 2, 3])


def test_tile_edges(tmp_path, out):
    x = save_npy(tmp_path / "x.npy", np.ones((2, 3), dtype=np.int32))
    succeed("tile", x, out, "--repeats", "0,2")
    assert loaded(out).shape == (0, 6)
    scalar = save_npy(tmp_path / "scalar.npy", np.float32(7))
    succeed("tile", scalar, out, "--repeats", "")
    assert loaded(out) == np.float32(7)
    fail(BAD, "tile", x, out, "--repeats", "2")
    fail(BAD, "tile", x, out, "--repeats", "4611686018427387904,4")
    fail(USAGE, "tile", x, out, "--repeats", "-1,2")


def test_tile_before_opset_6_takes_one_axis(tmp_path, out):
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    source = save_npy(tmp_path / "x.npy", x)
    for repeats in ("1,3", "2,1", "1,1"):
        succeed("tile", source, out, "--repeats", repeats, "--opset", "5")
        np.testing.assert_array_equal(loaded(out), np.tile(x, [int(n) for n in repeats.split(",")]))
    fail(USAGE, "tile", source, out, "--repeats", "2,2", "--opset", "5")
    fail(BAD, "tile", source, out, "--repeats", "2", "--opset", "5")


def test_tile_over_the_limit(tmp_path, out):
    x = save_npy(tmp_path / "x.npy", np.ones(1000, dtype=np.uint8))
    succeed("tile", x, out, "--repeats", "10", "--max-output", "10000")
    out.unlink()
    assert "9999" in fail(LIMIT, "tile", x, out, "--repeats", "10", "--max-output", "9999")
    fail(LIMIT, "tile", x, out, "--repeats", "10000000")  # 10 GB, over the default of 4 GiB
    assert not out.exists()


@pytest.mark.parametrize("extension", ["npz", "pb"])
def test_entries_and_names(tmp_path, out, extension):
    source = tmp_path / f"x.{extension}"
    if extension == "npz":
        np.savez(source, first=np.arange(2), second=np.arange(3))
        fail(BAD, "tile", source, out, "--repeats", "2")
        fail(BAD, "tile", source, out, "--repeats", "2", "--entry", "third")
        succeed("tile", source, out, "--repeats", "2", "--entry", "second")
    else:
        save_pb(source, np.arange(3), "second")
        succeed("tile", source, out, "--repeats", "2")
    np.testing.assert_array_equal(loaded(out), [0, 1, 2, 0, 1, 2])
    if extension == "pb":
        succeed("tile", source, tmp_path / "y.pb", "--repeats", "1")
        assert onnx.load_tensor(tmp_path / "y.pb").name == "second"


# ---- fill -----------------------------------------------------------------------------------------------------------


def test_fill_without_a_value_is_float_zeros(out):
    succeed("fill", out, "--shape", "2,3")
    y = loaded(out)
    assert y.dtype == np.float32 and y.shape == (2, 3) and y.tobytes() == bytes(24)


@pytest.mark.parametrize("shape, expected", [("", ()), ("0", (0,)), ("2,0,3", (2, 0, 3)), ("1", (1,))])
def test_fill_shapes(out, shape, expected):
    succeed("fill", out, f"--shape={shape}", "--value", "2.5")
    assert loaded(out).shape == expected and (loaded(out) == 2.5).all()


@pytest.mark.parametrize("dtype, value, expected", [
    ("int64", "9223372036854775807", np.int64(2**63 - 1)),
    ("int64", "-9223372036854775808", np.int64(-(2**63))),
    ("int64", "9007199254740993", np.int64(2**53 + 1)),
    ("uint64", "18446744073709551615", np.uint64(2**64 - 1)),
    ("uint64", "18446744073709551613", np.uint64(2**64 - 3)),
    ("int32", "-2147483648", np.int32(-(2**31))),
    ("uint32", "4294967295", np.uint32(2**32 - 1)),
    ("int8", "-128", np.int8(-128)),
    ("uint8", "+255", np.uint8(255)),
    ("bool", "true", np.bool_(True)),
    ("bool", "0", np.bool_(False)),
    ("float", "16777217.00000000001", np.float32(16777218)),  # as a double it would round to a tie, then down
    ("float", "3.4028235e38", np.finfo(np.float32).max),
    ("float", "-0", np.float32(-0.0)),
    ("float", "0x1.8p-3", np.float32(0.1875)),
    ("float", "inf", np.float32(np.inf)),
    ("float", "-inf", np.float32(-np.inf)),
    ("double", "0.1", np.float64(0.1)),
    ("double", "-0x1p-1022", np.float64(-(2.0**-1022))),
    ("float16", "65504", np.float16(65504)),
    ("float16", "0.1", np.float16(0.1)),
    ("float16", "-inf", np.float16(-np.inf)),
])
def test_fill_values(out, dtype, value, expected):
    succeed("fill", out, "--shape", "3", "--dtype", dtype, "--value", value)
    y = loaded(out)
    assert y.tobytes() == np.full(3, expected).tobytes() and y.dtype == expected.dtype


def test_fill_with_nan(out):
    succeed("fill", out, "--shape", "2", "--value", "nan")
    assert np.isnan(loaded(out)).all()


@pytest.mark.parametrize("dtype, value, low, high", [
    ("int8", "128", "-128", "127"),
    ("int8", "-129", "-128", "127"),
    ("uint8", "-1", "0", "255"),
    ("uint16", "65536", "0", "65535"),
    ("int64", "9223372036854775808", "-9223372036854775808", "9223372036854775807"),
    ("uint64", "18446744073709551616", "0", "18446744073709551615"),
    ("uint64", "-1", "0", "18446744073709551615"),
    ("int4", "8", "-8", "7"),
    ("uint4", "16", "0", "15"),
    ("int2", "-3", "-2", "1"),
    ("uint2", "4", "0", "3"),
    ("float", "1e39", "-3.4028235e+38", "3.4028235e+38"),
    ("float16", "65505", "-65504", "65504"),
    ("float16", "-1e10", "-65504", "65504"),
    ("bfloat16", "3.4e38", "-3.3895314e+38", "3.3895314e+38"),
    ("float8e4m3fn", "449", "-448", "448"),
    ("float8e4m3fn", "inf", "-448", "448"),
    ("float8e4m3fnuz", "241", "-240", "240"),
    ("float8e5m2", "57345", "-57344", "57344"),
    ("float8e5m2fnuz", "-inf", "-57344", "57344"),
    ("float4e2m1", "7", "-6", "6"),
    ("float4e2m1", "nan", "-6", "6"),
    ("float8e8m0", "0", "5.877472e-39", "1.7014118e+38"),
    ("float8e8m0", "-1", "5.877472e-39", "1.7014118e+38"),
])
def test_fill_values_outside_a_range_name_it(tmp_path, dtype, value, low, high):
    message = fail(USAGE, "fill", tmp_path / "y.pb", "--shape", "2", "--dtype", dtype, f"--value={value}")
    assert f"[{low}, {high}]" in message and dtype in message


@pytest.mark.parametrize("dtype, value", [("int32", "1.0"), ("int32", "1e2"), ("uint8", "nan"), ("bool", "2"),
                                          ("float", "1,5"), ("float", ""), ("float", "1e"), ("double", "1e999"),
                                          ("int64", "0x10"), ("int64", "--1"), ("float", "-+1"), ("float", "- 1")])
def test_invalid_fill_values(out, dtype, value):
    assert "--value" in fail(USAGE, "fill", out, "--shape", "2", "--dtype", dtype, f"--value={value}")


@pytest.mark.parametrize("name", ["BFLOAT16", "FLOAT8E4M3FN", "FLOAT8E4M3FNUZ", "FLOAT8E5M2", "FLOAT8E5M2FNUZ",
                                  "FLOAT8E8M0", "FLOAT4E2M1", "INT4", "UINT4", "INT2", "UINT2"])
def test_fill_of_narrow_types_equals_onnx(tmp_path, name):
    succeed("fill", tmp_path / "y.pb", "--shape", "5", "--dtype", name.lower(), "--value", "1")
    y = onnx.load_tensor(tmp_path / "y.pb")
    expected = helper.make_tensor("", getattr(TensorProto, name), [5], [1] * 5)
    assert y.data_type == expected.data_type
    assert numpy_helper.to_array(y).tobytes() == numpy_helper.to_array(expected).tobytes()


def test_fill_refuses_types_by_version(tmp_path, out):
    fail(BAD, "fill", tmp_path / "y.pb", "--shape", "2", "--dtype", "bfloat16", "--opset", "9")
    fail(BAD, "fill", tmp_path / "y.pb", "--shape", "2", "--dtype", "complex64", "--value", "1+2j")
    fail(BAD, "fill", tmp_path / "y.pb", "--shape", "2", "--dtype", "string", "--value", "a")
    fail(UNSUPPORTED, "fill", out, "--shape", "2", "--opset", "8")
    succeed("fill", tmp_path / "y.pb", "--shape", "2", "--dtype", "bfloat16", "--opset", "20")


def test_fill_over_the_limit_and_past_any_size(out):
    fail(LIMIT, "fill", out, "--shape", "1073741825")  # 4 GiB and 4 bytes
    fail(BAD, "fill", out, "--shape", "4611686018427387904,4")
    assert not out.exists()
    assert tesela("fill", out, "--shape", "0,4611686018427387904,4").returncode == 0
