# SPDX-License-Identifier: Apache-2.0
"""Calls that must be refused, with the kind of error that Tesela gives."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

import numpy as np
from calls import Call, resize, upsample
from draws import floats, ints
from vectors import NUMPY_TYPES

X = floats([1, 2, 3, 4])
GRID = np.zeros((2, 3), np.int8)
IMAGE = np.zeros((1, 1, 2, 2), np.float32)
STRINGS = np.array([b"a", b"b"], dtype=object)
CROP = dict(coordinate_transformation_mode="tf_crop_and_resize")
NAN = math.nan


def refused(rng: random.Random) -> Iterator[Call]:
    yield from _moves()
    yield from _requests()
    yield from _attributes()
    yield from _openvino()


def _moves() -> Iterator[Call]:
    for kind, repeats in (("value", ints([-1, 2])), ("value", ints([0, -1])), ("count", ints([2])), ("count", ints([1, 1, 1])),
                          ("rank", ints([[1, 2]])), ("type", floats([1, 2])), ("shape", ints([2**62, 2])), ("shape", ints([0, 2**62]))):
        yield Call("Tile", 13, [GRID, repeats], refused=kind)
    yield Call("Tile", 13, [floats(1), ints([2])], refused="count")
    yield Call("Tile", 13, [X], refused="count")
    yield Call("Tile", 6, [X, floats([2]), floats([0])], refused="count")
    yield Call("Tile", 13, [X, ints([2]), ints([0])], refused="count")
    yield Call("Tile", 13, [X, ints([2]), None], refused="count")
    for kind, tiles, axis in (("value", [-1], [0]), ("value", [1.5], [0]), ("value", [NAN], [0]), ("value", [2], [1]),
                              ("value", [2], [-2]), ("value", [2, 2], [0]), ("value", [2], [math.inf])):
        yield Call("Tile", 1, [X, floats(tiles), floats(axis)], refused=kind)
    for x, tiles in ((X, floats([[2]])), (X, floats([])), (floats(5), floats([2])), (X[:0], np.array(2.0**53))):
        yield Call("Tile", 1, [x, tiles, floats([0])], refused="value")
    for kind, shape in (("shape", ints([-1])), ("shape", ints([0, -1])), ("rank", ints([[2]])), ("rank", ints(3)),
                        ("type", floats([2])), ("shape", ints([2**32, 2**32]))):
        yield Call("ConstantOfShape", 25, [shape], refused=kind)
    yield Call("ConstantOfShape", 9, [ints([2])], {"value": np.zeros(2, np.int8)}, refused="attribute")
    yield Call("ConstantOfShape", 9, [ints([2])], {"value": np.zeros(0, np.int8)}, refused="attribute")
    yield Call("ConstantOfShape", 25, [ints([2])], {"value": np.zeros(1, np.complex64)}, refused="type")
    yield Call("ConstantOfShape", 25, [ints([2])], {"value": STRINGS[:1]}, refused="type")
    for version, dtype in ((9, "bfloat16"), (9, "float8e5m2"), (20, "int4"), (21, "float4e2m1"), (23, "float8e8m0"), (24, "uint2")):
        yield Call("ConstantOfShape", version, [ints([2])], {"value": np.zeros(1, NUMPY_TYPES[dtype])}, refused="type")


def _requests() -> Iterator[Call]:
    for scale, kind in ((0.0, "value"), (-1.0, "value"), (NAN, "value"), (math.inf, "value"), (-0.0, "value"), (3e38, "shape")):
        yield resize(19, X, [scale], refused=kind)
        yield resize(10, X, [scale], refused=kind)
    yield resize(19, np.zeros((0, 3), np.int8), [1, 1e30], refused="shape")
    yield resize(19, X, sizes=[-1], refused="value")
    yield resize(19, X, [2, 2], refused="count")
    yield resize(13, X, sizes=[2, 2], refused="count")
    yield resize(19, X, [2], sizes=[8], refused="count")
    yield resize(11, X, [2], sizes=[8], refused="count")
    yield resize(13, X, refused="count")
    yield resize(13, X, [], refused="count")
    yield Call("Resize", 11, [X, floats([]), floats([])], refused="count")
    yield Call("Resize", 11, [X, floats([2])], refused="count")
    yield Call("Resize", 10, [X, floats([]), floats([2])], refused="count")
    yield Call("Resize", 13, [X, None, np.array([2.0])], refused="type")
    yield Call("Resize", 13, [X, None, None, np.array([8], np.int32)], refused="type")
    yield Call("Resize", 13, [X, ints([0, 1]), floats([2])], refused="type")
    yield Call("Resize", 13, [X, None, floats([[2]])], refused="rank")
    yield Call("Resize", 13, [X, None, None, ints(8)], refused="rank")
    for axes, kind in (([1], "value"), ([-2], "value"), ([0, 0], "value"), ([0, -1], "value")):
        yield resize(19, X, [2] * len(axes), axes=axes, refused=kind)
    yield resize(18, np.zeros((0, 2), np.float32), sizes=[1, 2], refused="shape")
    yield resize(18, np.zeros((0, 2), np.float32), sizes=[1, 2], keep_aspect_ratio_policy="not_larger", refused="shape")
    for roi, kind in (([0.0, NAN], "value"), ([-math.inf, 1.0], "value"), ([0.0], "count"), ([0.0, 0.0, 1.0, 1.0], "count")):
        yield resize(19, X, [2], roi=roi, refused=kind, **CROP)
    yield resize(13, X, [2], roi=np.array([[0, 1]], np.float32), refused="rank", **CROP)
    yield resize(19, floats(5), [], roi=[0.0, 1.0], refused="count", **CROP)
    yield resize(19, STRINGS, sizes=[3], roi=[-0.5, 1.0], refused="type", **CROP)
    yield from (resize(19, STRINGS, [1], mode=mode, refused="type") for mode in ("linear", "cubic"))


def _attributes() -> Iterator[Call]:
    for version, attributes in ((19, dict(mode="bilinear")), (19, dict(mode="Linear")), (10, dict(mode="cubic")),
                                (19, dict(nearest_mode="simple")), (19, dict(mode="linear", nearest_mode="round")),
                                (19, dict(coordinate_transformation_mode="half pixel")),
                                (18, dict(coordinate_transformation_mode="half_pixel_symmetric")),
                                (11, dict(coordinate_transformation_mode="half_pixel_symmetric")),
                                (19, dict(keep_aspect_ratio_policy="none")), (18, dict(keep_aspect_ratio_policy="not_larger")),
                                (19, dict(antialias=1)), (19, dict(mode="linear", antialias=2)), (13, dict(exclude_outside=-1)),
                                (13, dict(mode="linear", antialias=1)), (11, dict(axes=[0])), (13, dict(keep_aspect_ratio_policy="stretch")),
                                (10, dict(coordinate_transformation_mode="asymmetric")), (10, dict(nearest_mode="floor"))):
        yield resize(version, X, [2], refused="attribute", **attributes)
    for kind in (dict(mode=1), dict(exclude_outside="1"), dict(axes=0), dict(antialias=[0]), dict(cubic_coeff_a="half"),
                 dict(cubic_coeff_a=1), dict(exclude_outside=1.0)):
        yield resize(19, X, [2], refused="type", **kind)
    for a in (NAN, math.inf, -math.inf):
        yield resize(19, X, [2], mode="cubic", cubic_coeff_a=a, refused="value")
    yield upsample(9, X, [0.5], refused="value")
    yield upsample(7, X, [0.99], refused="value")
    yield upsample(1, IMAGE, [1, 1, 0.5, 2], refused="value")
    yield upsample(1, IMAGE, [1, 1, 2, 2], mode="linear", refused="attribute")
    yield upsample(9, X, [2], mode="bilinear", refused="attribute")
    yield upsample(9, X, [2], mode="cubic", refused="attribute")
    yield upsample(7, X, [2, 2], refused="count")
    yield upsample(9, X, [2, 2], refused="count")
    yield upsample(1, GRID.astype(np.float32), [1, 1, 2, 2], refused="rank")
    yield from (Call("Upsample", opset, [X, floats([2])], refused="unsupported") for opset in (10, 13))
    two = ints([2])
    for op, opset, inputs in (("Resize", 9, [X, floats([2])]), ("Resize", 29, [X, None, floats([2])]), ("Resize", 1, [X, floats([2])]),
                              ("Tile", -1, [X, two]), ("ConstantOfShape", 8, [two])):
        yield Call(op, opset, inputs, refused="unsupported")
    yield Call("ConstantOfShape", 19, [two], {"value": np.zeros(1, NUMPY_TYPES["bfloat16"])}, refused="type")
    yield Call("Upsample", 1, [IMAGE], {"height_scale": 2.0}, refused="attribute")
    yield Call("Upsample", 7, [X], refused="attribute")


def _openvino() -> Iterator[Call]:
    for kind, repeats in (("value", ints([-1])), ("rank", ints([[1]])), ("type", floats([1])), ("shape", ints([2**62]))):
        yield Call("Tile", 1, [X, repeats], domain="openvino", refused=kind)
    yield Call("Tile", 1, [X[:0], np.array([2**63], np.uint64)], domain="openvino", refused="value")
    yield Call("Tile", 1, [X, np.array([-1]).astype(NUMPY_TYPES["int4"])], domain="openvino", refused="value")
    yield Call("Tile", 1, [X.astype(np.complex64), ints([2])], domain="openvino", refused="type")
    yield Call("Tile", 18, [X, ints([2])], domain="openvino", refused="unsupported")
    image = np.zeros((1, 1, 4, 4), np.float32)
    for kind, sizes, axes, more in (("count", [2], [2, 3], {}), ("value", [2, -1], [2, 3], {}), ("value", [2, 2], [2, 4], {}),
                                    ("value", [2, 2], [-1, 2], {}), ("value", [2, 2], [2, 2], {}),
                                    ("unsupported", [2, 8], [2, 3], {"mode": "linear", "antialias": 1}),
                                    ("unsupported", [2], [3], {"mode": "bilinear_pillow"}),
                                    ("unsupported", [0, 8], [2, 3], {"mode": "linear", "antialias": 1}),
                                    ("unsupported", [2], [3], {"pads_begin": [0, 0, 1, 0]}),
                                    ("unsupported", [2], [3], {"pads_end": [1]}),
                                    ("rank", [[2]], [3], {}), ("rank", [2], 3, {}), ("count", [2], [], {}),
                                    ("attribute", [2], [3], {"mode": "area"}), ("attribute", [2], [3], {"nearest_mode": "round"}),
                                    ("attribute", [2], [3], {"coordinate_transformation_mode": "half_pixel_symmetric"}),
                                    ("value", [2], [3], {"cube_coeff": NAN})):
        attributes = {"mode": "cubic", "shape_calculation_mode": "sizes"} | more
        yield Call("Interpolate", 11, [image, ints(sizes), ints(axes)], attributes, "openvino", kind)
    yield Call("Interpolate", 1, [image, ints([2])], {"mode": "area", "axes": [3]}, "openvino", "unsupported")
    for axes in ([-1], [4], [3, 3]):
        yield Call("Interpolate", 1, [image, ints([2] * len(axes))], {"mode": "nearest", "axes": axes}, "openvino", "value")
    for axes, kind in (([2], "count"), (3, "type")):
        yield Call("Interpolate", 1, [image, ints([2, 2])], {"mode": "nearest", "axes": axes}, "openvino", kind)
    yield Call("Interpolate", 1, [image, floats([2])], {"mode": "nearest", "axes": [3]}, "openvino", "type")
    attributes = {"mode": "nearest", "shape_calculation_mode": "sizes"}
    yield Call("Interpolate", 11, [image[..., :0], np.array([1, 1, 4, 2**63], np.uint64)], attributes, "openvino", "value")
    yield Call("Interpolate", 1, [np.zeros((1,) * 6, np.float32), ints([2])], {"mode": "linear", "axes": [5]}, "openvino", "unsupported")
    yield Call("Interpolate", 4, [image, ints([2]), floats([2]), ints([3])], {"mode": "nearest"}, "openvino", "attribute")
    attributes = {"mode": "linear", "axes": [3, 4], "antialias": 1}
    yield Call("Interpolate", 1, [image[None], ints([2, 8])], attributes, "openvino", "unsupported")
    attributes = {"mode": "nearest", "shape_calculation_mode": "sizes"}
    yield Call("Interpolate", 11, [np.zeros((0, 2), np.float32), ints([1, 2])], attributes, "openvino", "shape")
    yield Call("Interpolate", 4, [image, ints([2]), None, ints([3])], attributes, "openvino", "count")
    for given, way in ((floats([2]), "sizes"), (ints([2]), "scales")):
        attributes = {"mode": "nearest", "shape_calculation_mode": way}
        yield Call("Interpolate", 11, [image, given, ints([3])], attributes, "openvino", "type")
    attributes = {"mode": "nearest", "shape_calculation_mode": "scales"}
    for scale in (0.0, -2.0, NAN, math.inf):
        yield Call("Interpolate", 11, [image, floats([scale]), ints([3])], attributes, "openvino", "value")
    for scale in (1e300, 1e-60):  # infinity and 0 in binary32
        yield Call("Interpolate", 11, [image, np.array([scale]), ints([3])], attributes, "openvino", "value")
    yield Call("Interpolate", 11, [np.zeros((0, 3), np.int8), floats([1, 1e30])], attributes, "openvino", "shape")
