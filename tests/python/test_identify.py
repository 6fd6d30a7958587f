# SPDX-License-Identifier: Apache-2.0
"""tesela.identify: settings are named, and what cannot be told apart is."""

import json
import pathlib
import re
import signal
import threading
import time

import identify_draws as draws
import jsonschema
import numpy as np
import pytest
import tesela

ROOT = pathlib.Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs" / "schemas" / "identify.json").read_text())
SLICE = 30
RNG = np.random.default_rng(0)
BYTES = RNG.integers(0, 256, (40, 50, 3), dtype=np.uint8)
FLOATS = RNG.random((40, 50), dtype=np.float32)


def identified(x, y, **options):
    """The result, whose JSON follows the schema."""
    found = tesela.identify(x, y, **options)
    jsonschema.validate(json.loads(json.dumps(found.as_dict(), allow_nan=False)), SCHEMA)
    assert str(found)
    return found


def test_draws_are_named():
    result = draws.sweep(range(SLICE))
    assert result["named"] >= 0.97 and not result["wrong"], result
    assert result["attributes median"] <= 5 and result["groups median"] <= 3, result


@pytest.mark.parametrize("attributes", [
    {"mode": "linear"},
    {"mode": "linear", "coordinate_transformation_mode": "align_corners"},
    {"mode": "linear", "antialias": 1, "exclude_outside": 1},
    {"mode": "cubic", "coordinate_transformation_mode": "asymmetric", "cubic_coeff_a": -0.5},
    {"mode": "nearest", "coordinate_transformation_mode": "tf_half_pixel_for_nn", "nearest_mode": "ceil"},
])
def test_the_first_setting_is_the_simplest(attributes):
    found = identified(BYTES, tesela.resize(BYTES, sizes=(23, 61), axes=(0, 1), **attributes))
    assert found.verdict == "equal" and found.settings[0].attributes == attributes


@pytest.mark.parametrize("name", ["pillow:bicubic", "pytorch:bilinear-antialias", "opencv:linear-exact", "torchvision:bicubic"])
def test_presets_of_bytes_are_named(name):
    x = BYTES[..., 0]
    found = identified(x, tesela.resize(x, sizes=(23, 31), like=name))
    assert found.verdict == "equal" and found.settings[0].preset and name in found.presets


def test_a_coefficient_is_solved_for():
    for x, a in ((BYTES, -0.63), (FLOATS, -0.4321), (FLOATS.astype(np.float16), -0.3)):
        y = tesela.resize(x, sizes=(23, 61), axes=(0, 1), mode="cubic", cubic_coeff_a=a)
        assert identified(x, y).settings[0].attributes["cubic_coeff_a"] == a


@pytest.mark.parametrize("scales", [(1.3, 1.3), (0.7, 0.45), (2.3, 1.0)])
def test_scales_with_few_decimals_are_found(scales):
    y = tesela.resize(FLOATS, scales=scales, mode="linear")
    setting = identified(FLOATS, y).settings[0]
    assert setting.extents == "scales" and np.array_equal(draws.computed(setting, FLOATS), y)


@pytest.mark.parametrize("seed", [
    51,  # scales of few outputs, to which a resize with a reversed axis is nearer than one by sizes
    69,  # a scale whose extent is rounded down
    132,  # a coefficient with weights of fixed point
    273,  # a scale by which y is near to a resize by sizes
])
def test_hard_draws_are_named(seed):
    hidden = draws.draw(seed)
    assert draws.is_named(tesela.identify(hidden.x, hidden.output()), hidden)


@pytest.mark.parametrize("after, words", [
    (lambda y: y.astype(np.float32) / 255, "converted to float32 and divided by 255"),
    (lambda y: y.transpose(2, 0, 1), None),
    (lambda y: y.transpose(2, 0, 1)[None], None),
    (lambda y: y[:, :, ::-1], None),
])
def test_conversions_and_orders_of_axes_are_named(after, words):
    y = after(tesela.resize(BYTES, sizes=(23, 31), axes=(0, 1), like="pillow:bilinear"))
    found = identified(BYTES, y)
    assert found.settings[0].preset == "pillow:bilinear" and found.settings[0].after == words
    assert (found.arrangement is None) == (words is not None)
    assert np.array_equal(draws.computed(found.settings[0], BYTES), y)


def test_roundings_are_named():
    exact = tesela.resize(BYTES.astype(np.float32), sizes=(23, 31), axes=(0, 1), mode="linear")
    assert identified(BYTES, np.trunc(exact).astype(np.uint8)).settings[0].after == "cut to uint8"


def test_floats_within_rounding_are_near():
    y = tesela.resize(FLOATS, sizes=(23, 61), mode="linear")
    apart = (y * np.float32(1 + 2e-7)).astype(np.float32)
    found = identified(FLOATS, apart)
    assert found.verdict == "near" and found.settings[0].attributes == {"mode": "linear"}
    assert 0 < found.groups[0].differ and found.groups[0].largest <= found.tolerance


def test_rows_and_columns_are_not_exchanged():
    """A few outputs of noise, which fit the exchanged axes by chance."""
    x = np.random.default_rng(9).random((1, 2, 17, 36), dtype=np.float32)
    y = tesela.resize(x, sizes=(3, 5), axes=(2, 3), mode="linear", coordinate_transformation_mode="align_corners")
    found = identified(x, y * np.float32(1 + 1e-7))
    assert found.verdict == "near" and found.arrangement is None
    assert found.settings[0].attributes == {"mode": "linear", "coordinate_transformation_mode": "align_corners"}


def test_a_filter_that_resize_lacks_is_none():
    averaged = BYTES[:, :, 0].reshape(20, 2, 25, 2).max(axis=(1, 3))
    found = identified(np.ascontiguousarray(BYTES[:, :, 0]), averaged)
    assert found.verdict == "none" and len(found.groups) == 1 and found.groups[0].differ > 0
    assert "no known setting of Resize or Tile gives this output" in str(found)


def test_tile_and_copies():
    assert identified(FLOATS, np.tile(FLOATS, (2, 1))).settings[0].operator == "tile"
    assert identified(FLOATS, FLOATS).verdict == "equal"
    words = np.array([["a", "b", "c"]])
    found = identified(words, tesela.resize(words, sizes=(1, 7)))
    assert found.settings[0].attributes["mode"] == "nearest"


def test_the_question_tells_settings_apart():
    found = identified(BYTES, tesela.resize(BYTES, sizes=(20, 31), axes=(0, 1), mode="nearest"))
    question = found.question
    x = eval(question.make, {"numpy": np})
    assert x.shape == question.shape and x.dtype == question.dtype
    given = {tesela.resize(x, axes=question.axes, mode="nearest", coordinate_transformation_mode=mode, **question.extents)
             [question.position].item() for mode in ("half_pixel", "half_pixel_symmetric")}
    assert len(given) == 2 and given <= {answer.value for answer in question.answers}


def test_functions():
    def resized(x, sizes):
        return tesela.resize(x, sizes=sizes, mode="cubic", coordinate_transformation_mode="pytorch_half_pixel", antialias=1)

    found = tesela.identify(resized)
    jsonschema.validate(found.as_dict(), SCHEMA)
    assert found.settings[0].attributes == {"mode": "cubic", "coordinate_transformation_mode": "pytorch_half_pixel", "antialias": 1}
    assert all("half_pixel" == s.attributes["coordinate_transformation_mode"].removeprefix("pytorch_") for s in found.settings)
    found = tesela.identify(lambda x: tesela.resize(x, sizes=(3, 9, 11), like="torchvision:bilinear"), shape=(3, 20, 30), dtype="uint8")
    assert "torchvision:bilinear" in found.presets


def test_bad_arguments():
    for x, y, options, error, message in (
        (3, None, {}, tesela.ArgumentError, "expected both arrays, or a function"),
        (np.zeros((0, 3)), np.zeros((2, 3)), {}, tesela.ShapeError, "x has the shape (0, 3)"),
        (FLOATS, FLOATS, {"shape": (3,)}, tesela.UsageError, "y is given"),
        (lambda x: x[0], None, {"shape": (7, 8)}, tesela.RankError, "the function gives 1 axes for 2"),
        (lambda x: x, None, {"dtype": "string"}, tesela.ElementTypeError, "expected a dtype of numbers"),
    ):
        with pytest.raises(error, match=re.escape(message)):
            tesela.identify(x, y, **options)
    assert identified(FLOATS, FLOATS[0]).verdict == "none"


def test_a_large_image_takes_seconds_and_can_be_interrupted():
    x = np.resize(draws.photo(), (3000, 4000, 3))
    y = tesela.resize(x, sizes=(224, 224), axes=(0, 1), like="pillow:bicubic")
    start = time.process_time()
    found = identified(x, y)
    assert "pillow:bicubic" in found.presets and time.process_time() - start < 5
    timer = threading.Timer(0.2, lambda: signal.pthread_kill(threading.main_thread().ident, signal.SIGINT))
    timer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        for _ in range(100):
            tesela.identify(x, y)
    assert time.monotonic() - start < 20
    timer.join()


def test_progress_grows_to_one():
    seen = []
    identified(FLOATS, tesela.resize(FLOATS, sizes=(20, 31), mode="linear"), progress=seen.append)
    assert seen == sorted(seen) and seen[-1] == 1 and len(seen) > 3
    shown = []
    report = tesela._identify._growing(shown.append)
    for done in (0.2, 0.1, 0.4):  # a second arrangement begins anew
        report(done)
    assert shown == [0.2, 0.2, 0.4]
