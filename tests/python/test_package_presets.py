# SPDX-License-Identifier: Apache-2.0
"""Compares presets with recorded results of their libraries; tests/live compares with the libraries themselves."""

import pickle

import dask.array
import numpy as np
import preset_inputs as inputs
import preset_peers as peers
import pytest
import tesela
from PIL import Image

MEASURED = peers.read_measured()


@pytest.mark.parametrize("row", peers.rows())
def test_recorded_results_are_equal_as_documented(row):
    measured = MEASURED[row]
    with np.load(peers.vectors_of(row)) as recorded:
        assert str(recorded["version"]) == measured["version"]
        for index in range(1, peers.RECORDED_CASES + 1):
            x, sizes = peers.random_case(row, index)
            assert tuple(recorded[f"sizes{index}"]) == sizes
            result = peers.by_tesela(row.partition(" ")[0], x, sizes)
            difference = np.abs(result.astype(np.float64) - recorded[f"y{index}"])
            assert difference.max() <= measured["largest"] * 1.05


def test_the_documented_tables_are_the_measured_ones():
    text = peers.DOCUMENT.read_text()
    assert peers.table() in text and peers.table_apart() in text and inputs.table() in text
    assert set(inputs.read_measured()) == set(inputs.rows())
    assert set(MEASURED) == set(peers.rows())
    assert all(measured["cases"] >= 500 for measured in MEASURED.values())


def test_preset_equals_its_attributes():
    x = np.random.default_rng(0).random((1, 2, 9, 8), dtype=np.float32)
    spelled = tesela.resize(x, sizes=(4, 5), axes=(2, 3), **tesela.presets.attributes("pytorch:bicubic-antialias"))
    assert np.array_equal(tesela.resize(x, sizes=(4, 5), like="pytorch:bicubic-antialias"), spelled)
    assert tesela.resize(x[0], scales=(2.0, 0.5), like="opencv:linear").shape == (4, 4, 8)
    assert tesela.resize(x, sizes=(4, 5), like="tensorflow:bilinear").shape == (1, 4, 5, 8)


def test_contradictions_are_refused():
    x = np.zeros((4, 4), np.float32)
    with pytest.raises(ValueError, match="sets 'mode'"):
        tesela.resize(x, sizes=(2, 2), like="opencv:linear", mode="cubic")
    with pytest.raises(ValueError, match="sets 'coordinates'"):
        tesela.plan("resize", x, sizes=(2, 2), like="opencv:nearest", coordinates="float32")
    with pytest.raises(ValueError, match="sets 'order'"):
        tesela.plan("resize", x.astype("u1"), sizes=(2, 2), like="pillow:bicubic", order="first_axis_first")
    with pytest.raises(ValueError, match="opencv:linear"):
        tesela.resize(x, sizes=(2, 2), like="opencv:lanczos")
    with pytest.raises(ValueError, match="pytorch"):
        tesela.resize(x, sizes=(2, 2), like="matlab:imresize")


@pytest.mark.parametrize("row", inputs.rows())
def test_recorded_results_of_other_inputs_are_equal_as_documented(row):
    measured = inputs.read_measured()[row]
    with np.load(inputs.vectors_of(row.partition(":")[0])) as arrays:
        for index in range(1, inputs.RECORDED_CASES + 1):
            x, parameters = inputs.random_case(row, index)
            apart = inputs.difference(row, inputs.by_tesela(row, x, parameters), inputs.recorded(row, index, arrays))
            assert apart.max() <= measured["largest"] * 1.05


@pytest.mark.parametrize("library", inputs.EXTENT_CASES)
def test_extents_from_scales_and_integers_match_the_library(library):
    with np.load(inputs.EXTENTS) as arrays:
        recorded = arrays[library]
    assert len(recorded) == inputs.EXTENT_CASES[library]
    for index, extents in enumerate(recorded):
        assert inputs.extents_by_tesela(library, *inputs.extent_case(library, index)) == tuple(extents), index


def test_calls_use_the_librarys_extents_and_positions():
    x = np.random.default_rng(0).random((1, 2, 48, 64), dtype=np.float32)
    assert tesela.resize(x, scales=0.7, like="pytorch:bicubic").shape == (1, 2, 33, 44)
    sizes = tesela.presets.sizes("pytorch:bicubic", x.shape, scales=0.7)
    recomputed = tesela.resize(x, sizes=sizes, like="pytorch:bicubic")  # recompute_scale_factor=True
    assert sizes == (33, 44) and not np.array_equal(recomputed, tesela.resize(x, scales=0.7, like="pytorch:bicubic"))
    assert tesela.resize(x, 20, like="pytorch:nearest").shape == (1, 2, 20, 20)
    assert tesela.resize(x, 20, like="torchvision:nearest").shape == (1, 2, 20, 26)
    assert tesela.resize(x, [20], like="torchvision:nearest").shape == (1, 2, 20, 26)
    assert tesela.presets.sizes("torchvision:nearest", x.shape, 20, max_size=23) == (17, 23)
    assert tesela.presets.sizes("torchvision:nearest", x.shape, max_size=23) == (17, 23)
    assert tesela.resize(x[0, 0], scales=(0.51, 1.5), like="opencv:linear").shape == (24, 96)
    plan = tesela.plan("resize", (10, 10), "uint8", scales=(1.05, 2.04), like="pytorch:nearest")
    assert plan.parameters["position_scales"] == "1.0,2.0" and plan.parameters["sizes"] == (10, 20)
    large = tesela.plan("resize", (100, 100), "uint8", scales=(1.005, 2.004), like="pytorch:nearest")
    assert large.parameters["position_scales"] == "1.005,2.004" and large.output_shape == (100, 200)


PHOTO = np.random.default_rng(1).integers(0, 256, (12, 16, 3), np.uint8)


@pytest.mark.parametrize("call", [
    lambda x: tesela.resize(x, sizes=(6, 8), axes=np.array([0, 1]), like="pillow:bicubic"),
    lambda x: tesela.resize(x, sizes=(8, 6), axes=(1, 0), like="pillow:bicubic"),
    lambda x: tesela.resize(x, sizes=(6, 8, 3), like="pillow:bicubic"),
    lambda x: tesela.resize(tesela.resize(x, sizes=(8,), axes=1, like="pillow:bicubic"), sizes=(6,), axes=0, like="pillow:bicubic"),
    lambda x: np.stack([tesela.resize(x[:, :, c], sizes=(6, 8), like="pillow:bicubic") for c in range(3)], axis=2),
    lambda x: tesela.resize(x[None], sizes=(6, 8), axes=(1, -2), like="pillow:bicubic")[0],
])
def test_every_pillow_call_spelling_gives_the_same_result(call):
    assert np.array_equal(call(PHOTO), tesela.resize(PHOTO, sizes=(6, 8), like="pillow:bicubic"))
    assert tesela.resize(PHOTO[0, :, 0], sizes=(8,), like="pillow:bilinear").shape == (8,)


@pytest.mark.parametrize("x, parameters, error, text", [
    (PHOTO, dict(like="pillow:bicubic"), ValueError, "neither 'scales' nor 'sizes'"),
    (PHOTO, dict(sizes=6, like="pillow:bicubic"), tesela.UnsupportedError, "does not support a single integer; expected sizes="),
    (PHOTO, dict(scales=0.5, like="pillow:bicubic"), tesela.UnsupportedError, "does not support scales; expected sizes="),
    (PHOTO, dict(scales=(2.0, 2.0), like="torchvision:bilinear"), tesela.UnsupportedError, "does not support scales"),
    (PHOTO, dict(scales=(2.0, 2.0), like="tensorflow:bilinear"), tesela.UnsupportedError, "does not support scales"),
    (PHOTO, dict(scales=(2.0, 2.0), like="jax:linear"), tesela.UnsupportedError, "does not support scales"),
    (PHOTO, dict(sizes=(6, 8, 2), like="opencv:linear"), tesela.UnsupportedError, "resizes at most 2 axes; 3 would change"),
    (PHOTO, dict(sizes=(6, 8), axes=(0, 7), like="opencv:linear"), ValueError, "expected axes of the 3 of x"),
    (PHOTO, dict(sizes=[[6, 8]], like="opencv:linear"), ValueError, "sizes has 2 axes"),
    (PHOTO, dict(sizes=(0, 8), like="opencv:linear"), ValueError, "does not support empty images"),
    (PHOTO, dict(scales=(0.01, 1.0), like="opencv:linear"), ValueError, "makes extent 12 0"),
    (PHOTO, dict(scales=(1e99, 1.0), like="pytorch:nearest"), ValueError, "below 2\\^40"),
    (PHOTO, dict(scales=float("nan"), like="pytorch:nearest"), ValueError, "the entry nan"),
    (PHOTO[None], dict(sizes=(6, 8), like="pillow:bicubic"), ValueError, "at most 3 axes and x has 4; expected `axes`"),
    (PHOTO[:, :, :1], dict(sizes=(6, 8), like="opencv:linear"), ValueError, "pass x"),
    (PHOTO > 9, dict(sizes=(6, 8), like="pillow:bicubic"), TypeError, "mode 1 by nearest"),
    (PHOTO.astype("u2"), dict(sizes=(6, 8), like="pillow:bicubic"), TypeError, "overflows in mode I;16"),
    (PHOTO.astype("i1"), dict(sizes=(6, 8), like="pillow:bilinear"), TypeError, "reads int8 as if it were uint8"),
    (PHOTO.astype("i8"), dict(sizes=(6, 8), like="opencv:nearest"), TypeError, "cv2.resize reads int64 as int32"),
    (PHOTO.astype("i4"), dict(sizes=(6, 8), like="opencv:linear"), TypeError, "cv2.resize does not support int32"),
    (PHOTO.astype("i2"), dict(sizes=(6, 8), like="torchvision:bilinear"), TypeError, "computes int16 in float32"),
    (PHOTO.astype("i4"), dict(sizes=(6, 8), like="pytorch:nearest"), TypeError, "does not support int32.*expected float32, float64"),
    (PHOTO.astype("f8"), dict(sizes=(6, 8), like="jax:linear"), TypeError, "pass x.astype"),
    (PHOTO.astype("f4"), dict(sizes=(6, 1), axes=(0, 1), like="pytorch:bilinear-antialias"), ValueError, "repeats the first row"),
    (PHOTO, dict(sizes=8, axes=0, like="torchvision:bilinear"), ValueError, "a single integer needs 2 axes"),
    (PHOTO, dict(sizes=(6, 8), like="pytorch:bilinear", antialias=True), ValueError, "cannot be combined with antialias"),
    (PHOTO, dict(sizes=(6, 8), like="torchvision:bilinear", keep_aspect_ratio_policy="not_larger"), ValueError, "cannot be combined with"),
    (PHOTO, dict(scales=(0.5, 0.5), like="opencv:linear", extents="host"), ValueError, "cannot be combined with"),
])
def test_unsupported_preset_arguments_are_rejected_with_a_reason(x, parameters, error, text):
    with pytest.raises(error, match=rf"(preset '{parameters['like']}'|Resize-\d+).*{text}") as caught:
        tesela.resize(x, **parameters)
    assert isinstance(caught.value, tesela.Error) and len(str(caught.value)) <= 300


@pytest.mark.parametrize("name, shape, sizes, order", [
    ("pillow-12:bicubic", (300, 2), (20, 5), "first_axis_first"),
    ("pillow-12:bicubic", (200, 2), (20, 5), "last_axis_first"),
    ("pillow-12:bicubic", (300, 2), (300, 5), "last_axis_first"),
    ("pillow-12:bicubic", (30, 40), (10, 50), "last_axis_first"),
    ("pillow-11:bicubic", (300, 2), (20, 5), "last_axis_first"),
    ("pillow:bicubic", (30, 40), (10, 50), "first_axis_first"),
    ("pillow:bicubic", (30, 40), (10, 20), "last_axis_first"),
])
def test_pillow_pass_order_depends_on_the_shape(name, shape, sizes, order):
    assert tesela.plan("resize", shape, "uint8", sizes=sizes, like=name).parameters["order"] == order


def test_results_have_the_dtype_of_the_library():
    x = PHOTO[:, :, 0]
    assert tesela.resize(x, (6, 8), like="tensorflow:bilinear").dtype == np.float32
    assert tesela.resize(x, (6, 8), like="tensorflow:nearest").dtype == np.uint8
    assert tesela.resize(x, (6, 8), like="jax:cubic").dtype == np.float32
    assert tesela.resize(x, (6, 8), like="skimage:linear").dtype == np.float64
    assert tesela.resize(x.astype(">i2"), (6, 8), like="pillow:bilinear").dtype == np.int32
    plan = tesela.plan("resize", x, sizes=(6, 8), like="jax:linear")
    assert (plan.dtype, plan.output_dtype) == (np.uint8, np.float32) and plan.parameters["result"] == "float32"
    out = np.empty((6, 8), np.float32)
    assert tesela.resize(x, (6, 8), like="jax:linear", out=out) is out and np.array_equal(out, plan(x))
    with pytest.raises(TypeError, match="out holds uint8; expected float32"):
        tesela.resize(x, (6, 8), like="jax:linear", out=np.empty((6, 8), np.uint8))
    assert dict(tesela.presets.fields("jax:linear", "uint8")) == {"result": "float32"}
    lazy = tesela.resize(dask.array.from_array(x, chunks=(5, 7)), sizes=(6, 8), like="jax:linear")
    assert lazy.dtype == np.float32 and np.array_equal(lazy.compute(scheduler="sync"), plan(x))


def test_presets_premultiply_alpha():
    x = np.zeros((4, 4, 4), np.uint8)
    x[:, :2] = (200, 100, 50, 255)  # opaque next to transparent black
    assert tesela.resize(x, (4, 2), like="pillow:bilinear")[0, 0, 0] > 195
    assert tesela.resize(x.astype("f4"), (4, 2), like="pillow:bilinear")[0, 0, 0] < 190
    assert np.array_equal(tesela.resize(x, (4, 4), like="pillow:bilinear"), x)
    plan = tesela.plan("resize", (9, 8, 2), "uint8", sizes=(5, 6), like="pillow:bicubic")
    assert plan.parameters["alpha"] == "premultiplied"
    y = np.random.default_rng(2).integers(0, 256, (9, 8, 2), np.uint8)
    whole = plan(y)
    assert np.array_equal(pickle.loads(pickle.dumps(plan))(y), whole)
    lo, shape = plan.input_region((1, 2, 0), (3, 2, 2))
    box = y[tuple(slice(a, a + n) for a, n in zip(lo, shape))]
    assert np.array_equal(plan.run_region(box, lo, (1, 2, 0), (3, 2, 2)), whole[1:4, 2:4])
    with pytest.raises(ValueError, match="channels 0 to 1; expected all"):
        plan.run_region(y[:, :, :1], (0, 0, 0), (1, 2, 0), (3, 2, 1))
    lazy = tesela.resize(dask.array.from_array(y, chunks=(4, 3, 1)), sizes=(5, 6), like="pillow:bicubic")
    assert np.array_equal(lazy.compute(scheduler="sync"), whole)


def test_fields_of_conversion_are_checked():
    for fields, error, text in [
        (dict(result="uint8"), ValueError, "'result' is 'uint8'; expected one of float32"),
        (dict(alpha="straight"), ValueError, "'alpha' is 'straight'; expected none, premultiplied"),
        (dict(alpha="premultiplied", result="float32"), TypeError, "'alpha' is for uint8"),
    ]:
        with pytest.raises(error, match=text):
            tesela.plan("resize", (6, 8, 4), "uint8", sizes=(3, 4), axes=(0, 1), mode="linear", **fields)
    with pytest.raises(TypeError, match="real numbers; x holds complex64"):
        tesela.plan("resize", (6, 8), "complex64", sizes=(3, 4), mode="linear", result="float32")


@pytest.mark.parametrize("mode", ["L", "LA", "La", "RGB", "RGBA", "RGBa", "RGBX", "CMYK", "YCbCr", "HSV", "F"])
@pytest.mark.parametrize("sizes", [(7, 9), (24, 5), (12, 16)])
def test_pillow_images_match_pillow_resize(mode, sizes):
    rng = np.random.default_rng(sum(mode.encode()))
    base = Image.fromarray(rng.integers(0, 256, (12, 16, 4), np.uint8), "RGBA")
    image = base.convert("LA").convert(mode) if mode == "La" else base.convert("RGB").convert(mode) if mode in (
        "CMYK", "YCbCr", "HSV", "RGBX", "F") else base.convert(mode)
    result = tesela.resize(image, sizes, like="pillow:bicubic")
    expected = image.resize(sizes[::-1], Image.Resampling.BICUBIC)
    assert (result.mode, result.size) == (expected.mode, expected.size)
    assert np.allclose(np.asarray(result), np.asarray(expected), rtol=1e-5, atol=0 if mode != "F" else 1e-4)


def test_images_take_one_integer_and_scales_of_their_sides():
    image = Image.fromarray(PHOTO)
    assert tesela.resize(image, 6, like="torchvision:bilinear").size == (8, 6)
    assert tesela.resize(image, scales=0.5, like="opencv:linear").size == (8, 6)
    with pytest.raises(TypeError, match="mode P, which cannot be interpolated"):
        tesela.resize(image.convert("P"), (6, 8), like="pillow:bicubic")
