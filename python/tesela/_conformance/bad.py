# SPDX-License-Identifier: Apache-2.0
"""Bad inputs, which must be refused: what the standard calls an error, or allows no meaning."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from .._compare.nodes import Node, Slot
from .case import Call, Feature
from .drafts import Random, chance, fill, floats, image, pick, resize, sizes_of, tile, version, words

NAN, INF = float("nan"), float("inf")


def _tile(rng: Random) -> Call:
    x = floats(rng, (2, 3, 2))
    repeats, note = pick(rng, (
        ([1, -1, 2], "A repeat is negative."), ([1, 2, -(2**63)], "A repeat is negative."),
        ([2, 2], "There are fewer repeats than axes."), ([1, 2, 2, 1], "There are more repeats than axes."),
        ([1, 1, 2**62], "The extent does not fit 64 bits."), ([2**40, 2**40, 1], "The elements do not fit 64 bits."),
        (np.array([[1, 2, 2]], np.int64), "repeats is not a list."), (np.array([1, 2, 2], np.int32), "repeats is not int64."),
        (np.array([1, 2, 2], np.float32), "repeats is not int64.")))
    return Call(tile(pick(rng, (6, 13)), x, repeats, chance(rng, 0.5)), note)


def _tile_inputs(rng: Random) -> Call:
    whole = tile(13, floats(rng, (2, 3)), [1, 2])
    data, repeats = whole.inputs
    assert repeats is not None
    inputs, note = pick(rng, (((data,), "repeats is missing."), ((data, repeats, repeats._replace(port="other")), "There is one input too many.")))
    return Call(replace(whole, inputs=inputs), note)


def _fill(rng: Random) -> Call:
    value = np.array([1], np.float32)
    shape, note = pick(rng, (
        ([2, -10], "An extent is negative."), ([-1, -1], "Extents are negative, and their product is not."),
        ([2**40, 2**40], "The elements do not fit 64 bits."), (np.array(3, np.int64), "The shape is not a list."),
        (np.array([[2, 3]], np.int64), "The shape is not a list."), (np.array([2, 3], np.int32), "The shape is not int64."),
        (np.array([2, 3], np.float32), "The shape is not int64.")))
    return Call(fill(pick(rng, (9, 20, 25)), shape, value, chance(rng, 0.5)), note)


def _fill_value(rng: Random) -> Call:
    opset, value, note = pick(rng, (
        (9, np.zeros(0, np.float32), "value has no element."), (20, np.array([1, 2], np.float32), "value has two elements."),
        (25, np.zeros(0, np.int64), "value has no element."), (25, np.array([1, 2, 3], np.int64), "value has three elements."),
        (9, np.array([1], np.complex64), "value is complex."), (25, words(rng, (1,)), "value is a string."),
        (9, 1.0, "value is not a tensor."), (25, 7, "value is not a tensor.")))
    made = fill(opset, [2, 3], None)
    return Call(made.with_attributes(value=value), note)


def _scales(rng: Random) -> Call:
    x = floats(rng, image(rng, 2, 5))
    bad, note = pick(rng, ((0.0, "A scale is 0."), (-2.0, "A scale is negative."), (NAN, "A scale is NaN."), (INF, "A scale is infinite."),
                           (-INF, "A scale is negative."), (1e30, "The extent does not fit 64 bits.")))
    scales = [1.0, 1.0, 2.0, bad] if chance(rng, 0.5) else [1.0, 1.0, bad, 2.0]
    opset = pick(rng, (10, 11, 13, 18, 19))
    return Call(resize(opset, x, mode=pick(rng, ("nearest", "linear")), scales=scales, run_time=opset > 12 and chance(rng, 0.5)), note)


def _sizes(rng: Random) -> Call:
    x = floats(rng, image(rng, 2, 5))
    n, c, h, w = x.shape
    sizes, note = pick(rng, (([n, c, -1, w], "A size is negative."), ([n, c, h, -(2**63)], "A size is negative."),
                             ([n, c, 2**40, 2**40], "The elements do not fit 64 bits.")))
    return Call(resize(version(rng), x, mode=pick(rng, ("nearest", "linear")), sizes=sizes), note)


def _empty_growth(rng: Random) -> Call:
    x = floats(rng, (1, 1, 0, 3))
    return Call(resize(version(rng), x, mode=pick(rng, ("nearest", "linear")), sizes=[1, 1, 2, 3]), "An empty axis would grow.")


def _counts(rng: Random) -> Call:
    x = floats(rng, image(rng, 2, 5))
    sizes, scales = sizes_of(rng, x.shape), [1.0, 1.0, 2.0, 2.0]
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"sizes": sizes[2:]}, "There are two sizes for four axes."), ({"sizes": [*sizes, 1]}, "There are five sizes for four axes."),
        ({"scales": scales[2:]}, "There are two scales for four axes."), ({"scales": [*scales, 1.0]}, "There are five scales for four axes."),
        ({"sizes": sizes, "scales": scales}, "There are sizes and scales."), ({}, "There are neither sizes nor scales."),
        ({"sizes": np.array([sizes])}, "sizes is not a list."), ({"scales": np.array([scales], np.float32)}, "scales is not a list."))
    given, note = pick(rng, wrong)
    return Call(resize(pick(rng, (11, 13, 19)), x, mode=pick(rng, ("nearest", "linear")), **given), note)


def _roi(rng: Random) -> Call:
    x = floats(rng, image(rng, 2, 5))
    roi, note = pick(rng, (([0.0, 0.0, 1.0, 1.0], "The roi has 4 entries for four axes, not 8."),
                           ([0.0] * 4 + [1.0] * 5, "The roi has 9 entries for four axes, not 8.")))
    return Call(resize(version(rng), x, mode="linear", coordinate_transformation_mode="tf_crop_and_resize", roi=roi, sizes=sizes_of(rng, x.shape)),
                note)


def _roi_values(rng: Random) -> Call:
    x = floats(rng, image(rng, 2, 5))
    roi, note = pick(rng, (([0, 0, NAN, 0, 1, 1, 1, 1], "The roi has a NaN."), ([0, 0, 0, 0, 1, 1, INF, 1], "The roi has an infinity.")))
    return Call(resize(version(rng), x, mode="linear", coordinate_transformation_mode="tf_crop_and_resize", roi=roi, sizes=sizes_of(rng, x.shape)),
                note)


def _axes(rng: Random) -> Call:
    x = floats(rng, image(rng, 2, 5))
    axes, count, note = pick(rng, (([4], 1, "There is no axis 4."), ([-5], 1, "There is no axis -5."), ([2, 2], 2, "An axis is listed twice."),
                                   ([3, -1], 2, "An axis is listed twice, once from the end."), ([2, 3], 4, "There are four sizes for two axes."),
                                   ([2, 3], 1, "There is one size for two axes.")))
    return Call(resize(version(rng, 18), x, mode=pick(rng, ("nearest", "linear")), axes=axes, sizes=[3] * count), note)


def _policy(rng: Random) -> Call:
    x = floats(rng, image(rng, 2, 5))
    return Call(resize(version(rng, 18), x, mode="linear", scales=[1.0, 1.0, 2.0, 2.0],
                       keep_aspect_ratio_policy=pick(rng, ("not_larger", "not_smaller"))), "A policy other than stretch has no meaning for scales.")


def _attributes(rng: Random) -> Call:
    x = floats(rng, image(rng, 2, 5))
    values: tuple[tuple[str, Any], ...] = (
        ("mode", "bilinear"), ("mode", "LINEAR"), ("mode", ""), ("nearest_mode", "round"), ("nearest_mode", "simple"),
        ("coordinate_transformation_mode", "halfpixel"), ("coordinate_transformation_mode", "half_pixel_centers"),
        ("keep_aspect_ratio_policy", "crop"), ("mode", 1), ("cubic_coeff_a", "a"))
    name, value = pick(rng, values)
    return Call(resize(version(rng, 18), x, sizes=sizes_of(rng, x.shape), **{name: value}), f"{name} is {value!r}.")


def _unknown_attributes(rng: Random) -> Call:
    x = floats(rng, image(rng, 2, 5))
    rows: tuple[tuple[int, str, Any], ...] = (
        (11, "antialias", 1), (13, "antialias", 1), (13, "axes", [2, 3]), (13, "keep_aspect_ratio_policy", "stretch"),
        (10, "coordinate_transformation_mode", "half_pixel"), (19, "align_corners", 1), (19, "size", 4))
    opset, name, value = pick(rng, rows)
    scales = [1.0, 1.0, 2.0, 2.0][-2 if name == "axes" else -4 :]
    return Call(resize(opset, x, mode="linear", scales=scales, **{name: value}), f"Version {opset} has no attribute {name}.")


def _modes_of_versions(rng: Random) -> Call:
    x = floats(rng, image(rng, 2, 5))
    symmetric = {"coordinate_transformation_mode": "half_pixel_symmetric"}
    opset, given = pick(rng, ((10, {"mode": "cubic"}), (11, symmetric), (13, symmetric), (18, symmetric)))
    call = resize(opset, x, scales=[1.0, 1.0, 2.0, 2.0], **({"mode": "linear"} | given))  # type: ignore[arg-type]
    return Call(call, f"Version {opset} has no {', '.join(given.values())}.")


def _antialias_nearest(rng: Random) -> Call:
    x = floats(rng, image(rng, 2, 5))
    return Call(resize(version(rng, 18), x, mode="nearest", antialias=1, sizes=sizes_of(rng, x.shape)), "antialias has no meaning for nearest.")


def _types(rng: Random) -> Call:
    x = floats(rng, image(rng, 2, 5))
    scales, sizes = [1.0, 1.0, 2.0, 2.0], sizes_of(rng, x.shape)
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"scales": np.array(scales, np.float64)}, "scales is double."), ({"sizes": np.array(sizes, np.int32)}, "sizes is int32."),
        ({"sizes": np.array(sizes, np.float32)}, "sizes is float."), ({"scales": np.array(scales, np.int64)}, "scales is int64."))
    given, note = pick(rng, wrong)
    return Call(resize(pick(rng, (13, 18, 19)), x, mode=pick(rng, ("nearest", "linear")), **given), note)


def _strings(rng: Random) -> Call:
    x = words(rng, image(rng, 2, 5))
    return Call(resize(version(rng), x, mode=pick(rng, ("linear", "cubic")), sizes=sizes_of(rng, x.shape)), "Strings cannot be interpolated.")


def _upsample(rng: Random) -> Call:
    x = floats(rng, image(rng, 2, 5))
    scales, mode, note = pick(rng, (([1.0, 1.0, 0.5, 2.0], "nearest", "A scale is below 1."), ([1.0, 2.0, 2.0], "linear", "There are three scales."),
                                    ([1.0, 1.0, 2.0, 2.0], "cubic", "Upsample has no cubic."), ([1.0, 1.0, NAN, 2.0], "nearest", "A scale is NaN.")))
    made = Node("Upsample", 9, "", {"mode": mode}, (Slot("X", x, False), Slot("scales", np.array(scales, np.float32), True)))
    return Call(made, note)


def _bad(name: str, area: str, rule: str, draw: Any) -> Feature:
    return Feature(f"bad-{name}", area, rule, draw, refused=True)


FEATURES = (
    _bad("repeats", "Tile", "repeats is a list of int64 of 0 or more, one for each axis, and the output can be addressed.", _tile),
    _bad("tile-inputs", "Tile", "Tile has two inputs.", _tile_inputs),
    _bad("shape", "ConstantOfShape", "The shape is a list of int64 of 0 or more, and the output can be addressed.", _fill),
    _bad("value", "ConstantOfShape", "value is a tensor of one element of an allowed type.", _fill_value),
    _bad("scales", "Resize", "Scales are finite and above 0, and the extents they make can be addressed.", _scales),
    _bad("sizes", "Resize", "Sizes are 0 or more, and can be addressed.", _sizes),
    _bad("growth", "Resize", "An axis without elements cannot grow.", _empty_growth),
    _bad("counts", "Resize", "There are sizes or scales, a list with one entry for each axis.", _counts),
    _bad("roi", "Resize", "The roi has two entries for each axis.", _roi),
    _bad("roi-values", "Resize", "The roi is finite.", _roi_values),
    _bad("axes", "Resize", "axes lists axes of the tensor, each once, and sizes or scales have an entry for each.", _axes),
    _bad("policy", "Resize", "keep_aspect_ratio_policy is for sizes.", _policy),
    _bad("attribute-values", "Resize", "Attributes have a value of their list and kind.", _attributes),
    _bad("attribute-names", "Resize", "A node has only the attributes of its version.", _unknown_attributes),
    _bad("modes", "Resize", "A version has only the modes that it lists.", _modes_of_versions),
    _bad("antialias-nearest", "Resize", "antialias is for linear and cubic.", _antialias_nearest),
    _bad("input-types", "Resize", "scales is float, sizes is int64.", _types),
    _bad("strings", "Resize", "linear and cubic are for numbers.", _strings),
    _bad("upsample", "Upsample", "Upsample has scales of 1 and more, one for each axis, and the modes nearest and linear.", _upsample),
)
