# SPDX-License-Identifier: Apache-2.0
"""Pillow images: arrays [height, width] of pixels; results are images of the same mode."""

import numpy as np
import pytest
import tesela
from PIL import Image


def picture(mode):
    """10 wide and 8 high."""
    rng = np.random.default_rng(5)
    if mode in ("I;16", "I;16B"):
        return Image.frombytes(mode, (10, 8), rng.bytes(160))
    colours = Image.fromarray(rng.integers(0, 256, (8, 10, 4), np.uint8))
    if mode in ("La", "PA", "LA"):
        colours = colours.convert("LA")
    elif mode not in ("RGBA", "RGBa"):
        colours = colours.convert("RGB")
    return colours.convert(mode)


MODES = ["1", "L", "P", "RGB", "RGBA", "LA", "PA", "CMYK", "YCbCr", "LAB", "HSV", "I", "F", "I;16", "I;16B", "RGBX", "La", "RGBa"]


@pytest.mark.parametrize("mode", MODES)
def test_pixels_are_moved_in_every_mode(mode):
    image = picture(mode)
    image.info["note"] = "kept"
    tiled = tesela.tile(image, (2, 3))
    assert tiled.mode == mode and tiled.size == (30, 16) and tiled.info == image.info
    assert np.array_equal(np.asarray(tiled)[8:, 20:], np.asarray(image))
    assert tiled.getpalette() == image.getpalette()
    twice = tesela.resize(image, sizes=(16, 20))
    assert twice.mode == mode and np.array_equal(np.asarray(twice)[::2, ::2], np.asarray(image))
    plan = tesela.plan("resize", image, scales=(2, 2))
    assert np.array_equal(np.asarray(plan(image)), np.asarray(twice)) and plan(image).mode == mode


@pytest.mark.parametrize("mode", ["L", "RGB", "RGBA", "LA", "F"])
def test_pillow_preset_equals_pillow(mode):
    image = picture(mode)
    ours = tesela.resize(image, sizes=(5, 6), like="pillow:bicubic")
    theirs = image.resize((6, 5), Image.Resampling.BICUBIC)
    assert ours.mode == mode
    plan = tesela.plan("resize", image, sizes=(5, 6), like="pillow:bicubic")
    assert np.array_equal(np.asarray(plan(image)), np.asarray(ours))
    assert np.abs(np.asarray(ours).astype(float) - np.asarray(theirs)).max() <= (1e-3 if mode == "F" else 0)


def test_colours_are_weighted_by_alpha():
    image = Image.new("RGBA", (2, 1))
    image.putpixel((0, 0), (255, 0, 0, 255))  # next to a transparent green pixel
    image.putpixel((1, 0), (0, 255, 0, 0))
    plan = tesela.plan("resize", image, sizes=(1, 1), mode="linear", antialias=True)
    for small in (tesela.resize(image, sizes=(1, 1), mode="linear", antialias=True), plan(image)):
        assert small.getpixel((0, 0)) == (255, 0, 0, 128)
    same = tesela.resize(image, sizes=(1, 2), mode="linear")
    assert same.getpixel((0, 0)) == (255, 0, 0, 255) and same.getpixel((1, 0)) == (0, 255, 0, 0)


def test_presets_of_other_libraries_accept_images():
    image = picture("RGBA")
    assert np.array_equal(np.asarray(tesela.resize(image, sizes=(5, 6), like="opencv:linear-exact")),
                          tesela.resize(np.asarray(image), sizes=(5, 6), like="opencv:linear-exact"))
    floats = tesela.resize(image, sizes=(5, 6), like="tensorflow:bilinear")  # it gives float32, for which there is no mode of four bands
    assert type(floats) is np.ndarray and floats.dtype == np.float32 and floats.shape == (5, 6, 4)


@pytest.mark.parametrize("mode", ["1", "P", "PA"])
def test_modes_without_colours_are_not_interpolated(mode):
    with pytest.raises(tesela.ElementTypeError, match=rf"mode {mode}, which cannot be interpolated; pass x.convert\("):
        tesela.resize(picture(mode), sizes=(5, 6), mode="linear")


def test_axes_and_outputs():
    image = picture("RGB")
    assert tesela.resize(image, sizes=(20,), axes=(1,)).size == (20, 8)
    assert tesela.resize(image, sizes=(16, 20, 3)).size == (20, 16)
    assert tesela.tile(image, (2, 2), dialect="openvino").size == (20, 16)
    assert type(tesela.tile(image, (1, 1, 2))) is np.ndarray  # no mode has six bands
    out = np.zeros((4, 5, 3), np.uint8)
    assert tesela.resize(image, sizes=(4, 5), out=out) is out and out.any()
    with pytest.raises(tesela.UsageError, match="PIL image, which cannot be written"):
        tesela.resize(image, sizes=(8, 10), out=image)
