# SPDX-License-Identifier: Apache-2.0
"""Calls of Resize and Upsample that plausible wrong implementations fail, each with the rule that it holds.

Their numbers were searched for: a result with one rule broken differs from the right one.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

import ml_dtypes
import numpy as np
from calls import Call, resize, upsample
from draws import binary32, floats, ints

CROP = dict(coordinate_transformation_mode="tf_crop_and_resize")
NOT_LARGER, NOT_SMALLER = dict(keep_aspect_ratio_policy="not_larger"), dict(keep_aspect_ratio_policy="not_smaller")
SIGNALLING = {np.uint16: 0x7C01, np.uint32: 0x7F800001, np.uint64: 0x7FF0000000000001}
FLOATS = {np.uint16: np.float16, np.uint32: np.float32, np.uint64: np.float64}


def directed(rng: random.Random) -> Iterator[Call]:
    for group in (opsets, requests, extents, policies, positions, crops, weights, coefficients, passes, wide, values):
        yield from group()


def opsets() -> Iterator[Call]:
    """COM-VER-1: opsets between versions."""
    x, two = floats([1, 2, 3]), floats([2])
    yield Call("Resize", 12, [x, floats([]), two], {"coordinate_transformation_mode": "tf_half_pixel_for_nn"})
    yield from (Call("Resize", opset, [x, None, two]) for opset in (14, 17, 28))
    yield Call("Upsample", 8, [x], {"scales": two})
    yield Call("Tile", 5, [x, two, floats(0)])
    yield from (Call("Tile", opset, [x, ints([2])]) for opset in (12, 28))
    yield Call("ConstantOfShape", 22, [ints([3])], {"value": np.array([-3]).astype(ml_dtypes.int4)})
    yield Call("Interpolate", 3, [x, ints([2])], {"mode": "linear", "axes": [0]}, "openvino")
    for opset, inputs in ((10, [x, ints([2]), two]), (17, [x, ints([2])])):
        yield Call("Interpolate", opset, inputs, {"mode": "linear", "shape_calculation_mode": "sizes"}, "openvino")


def requests() -> Iterator[Call]:
    scalar = floats(5)
    yield resize(19, scalar, **NOT_LARGER)  # RESIZE-REQ-3
    yield resize(19, scalar, [], **NOT_SMALLER)
    yield Call("Resize", 10, [scalar, floats([])])
    yield Call("Upsample", 9, [scalar, floats([])])  # RESIZE-OLD-2
    yield Call("Upsample", 7, [scalar], {"scales": floats([])})
    yield resize(18, floats([1, 2]), [2], mode="linear", cubic_coeff_a=math.nan)  # RESIZE-REQ-10, RESIZE-REQ-12
    yield resize(13, floats([1, 2]), [2], mode="linear", extrapolation_value=7.0)
    yield resize(13, floats([1, 2]), sizes=[4], roi=[0.5, 0.6], extrapolation_value=7.0)
    yield Call("Resize", 19, [floats([1, 2]), None, np.zeros((0, 3), np.float32), ints([3])])  # RESIZE-REQ-1
    yield resize(19, floats([1, 2]), [1.5], exclude_outside=1)  # RESIZE-REQ-12
    for mode in ("nearest", "linear"):  # RESIZE-REQ-11: the region of no roi, and of an axis that is not listed, is 0 to 1
        yield resize(19, floats([1, 2, 4]), sizes=[5], mode=mode, extrapolation_value=9.0, **CROP)
        yield resize(18, floats([[1, 2], [4, 8]]), sizes=[3], roi=[0.25, 1.25], axes=[-1], mode=mode, extrapolation_value=9.0, **CROP)


def extents() -> Iterator[Call]:
    yield resize(19, np.zeros((0, 2**36 - 1), np.int8), [1, 1 + 2**-23])  # RESIZE-EXT-1: a product that rounds up
    huge = np.zeros((0, 2**24 + 1, 50_000_001), np.int8)
    yield resize(19, huge, sizes=[2**24 + 3, 2**31], axes=[1, 2], **NOT_LARGER)  # RESIZE-EXT-3 in binary32 is wrong
    yield resize(19, np.zeros((0, 3), np.int8), sizes=[0], axes=[0], **NOT_LARGER)  # RESIZE-EXT-3: no axis above 0
    yield resize(19, np.zeros((0, 4), np.int8), sizes=[0, 9], **NOT_SMALLER)
    yield resize(19, np.zeros((2, 4), np.int8), sizes=[0, 3], **NOT_SMALLER)


def policies() -> Iterator[Call]:
    """Two axes where the other one decides: the scale is not m / n, and the length is not m."""
    x = floats([[28, 78, 29], [37, 63, 89]])
    styles = [dict(mode="linear"), dict(mode="linear", antialias=1), dict(mode="cubic"), dict(mode="cubic", antialias=1, exclude_outside=1)]
    for style in styles:  # RESIZE-SCALE-1: (2, 3) to (1, 2) with scale 2/3
        yield resize(19, x, sizes=[7, 2], **style, **NOT_LARGER)
    for coordinates in ("align_corners", "half_pixel_symmetric", "tf_half_pixel_for_nn", "asymmetric"):  # RESIZE-SCALE-2
        kept = dict(coordinate_transformation_mode=coordinates, mode="linear")
        yield resize(19, floats([[62, 38, 56]]), sizes=[6, 7], **kept, **NOT_LARGER)
        yield resize(19, floats([[69, 13], [47, 75], [8, 65]]), sizes=[2, 1], **kept, **NOT_LARGER)
        yield resize(19, floats([[1], [65], [81]]), sizes=[2, 2], **kept, **NOT_SMALLER)
    grid = floats([[52, 6, 55, 83], [77, 94, 39, 95]])
    for given in (dict(sizes=[7, 3]), dict(sizes=[1, 7])):
        for policy in (NOT_LARGER, NOT_SMALLER):
            yield resize(19, grid, roi=[0.1, 0.1, 0.9, 0.9], mode="linear", **given, **policy, **CROP)  # RESIZE-SCALE-2
            yield resize(18, grid, mode="nearest", coordinate_transformation_mode="asymmetric", **given, **policy)
    # RESIZE-SCALE-1 on three axes, where axis 2 decides for the others.
    cube = floats([[[7, 96], [25, 41], [88, 3]], [[54, 12], [63, 39], [18, 70]]])
    for policy, sizes in ((NOT_LARGER, [5, 7, 3]), (NOT_SMALLER, [1, 2, 3])):
        for style in (dict(mode="nearest"), dict(mode="linear", antialias=1), dict(mode="cubic", exclude_outside=1)):
            yield resize(19, cube, sizes=sizes, **style, **policy)
        yield resize(19, cube, sizes=sizes[::-1], axes=[2, -2, 0], mode="linear", coordinate_transformation_mode="half_pixel_symmetric", **policy)
    # RESIZE-WEIGHT-3: (3, 2) to (2, 1) with scale 1/2: the position 2 / (1.5 - 1) = 4 has no tap inside.
    outside = dict(coordinate_transformation_mode="align_corners", exclude_outside=1, **NOT_LARGER)
    yield from (resize(19, floats([[52, 6], [55, 83], [77, 94]]), sizes=[3, 1], mode=mode, **outside) for mode in ("linear", "cubic"))
    # RESIZE-TAP-1: axis 0 keeps its extent, 2, and is stretched by 3/4.
    yield resize(19, grid, sizes=[7, 3], mode="linear", antialias=1, **NOT_LARGER)
    # RESIZE-PASS-2: it is no shrinking axis.
    yield resize(19, floats([[14, 95, 38, 89], [37, 13, 16, 2]]), sizes=[4, 3], mode="linear", **NOT_LARGER)
    yield resize(19, floats([[[92, 3, 88, 80]], [[2, 63, 49, 63]]]), sizes=[3, 2, 3], mode="linear", **NOT_LARGER)


def positions() -> Iterator[Call]:
    """RESIZE-POS-1: other orders of the operations, and reciprocals, give other bits."""
    x = np.array([5.625, 9.625, 1.1])
    for coordinates, scales in (("half_pixel", [2.5]), ("asymmetric", [8 / 3, 2.7]), ("tf_half_pixel_for_nn", [2.6]), ("align_corners", [3]),
                                ("half_pixel_symmetric", [1.3, 1.7, 1.8])):
        for s in scales:
            yield resize(19, x, [s], mode="linear", coordinate_transformation_mode=coordinates)
    yield resize(19, np.array([1, 0.045]), [3], mode="linear", coordinate_transformation_mode="align_corners")
    yield resize(10, np.array([4.25, 4.875, 4.0]), [2.5], mode="linear")
    yield upsample(9, np.array([4.25, 4.875, 4.0]), [2.5], mode="linear")


def crops() -> Iterator[Call]:
    four = np.array([3.0, 4.0, 0.75, 0.1])
    for x, roi, m in ((np.array([4.0, 5.0, 1.0]), [0.1, 0.5], 4), (four, [0.1, 1.0], 6), (four, [0.2, 0.6], 3),
                      (np.array([2.0, 1.0, 0.3]), [0.1, 0.8], 1), (np.array([0.7, 9.0]), [-0.1, 0.6], 1)):
        yield resize(19, x, sizes=[m], roi=np.array(roi), mode="linear", **CROP)  # RESIZE-POS-1 and RESIZE-POS-3
    # RESIZE-POS-4: within the tolerance of a bound, and a little outside.
    outside = dict(extrapolation_value=99.0, **CROP)
    yield resize(19, np.arange(11, dtype=np.uint8), sizes=[15], roi=[0.0, 1.0], mode="linear", **outside)
    for n, m, start, end in ((11, 15, -1e-13, 1.0), (7, 20, -1e-13, 1 + 4e-15), (6, 10, -4e-15, 1 + 2e-16), (6, 3, -1e-16, 1 + 1e-15),
                             (6, 3, 1e-16, 1 - 1e-15), (11, 4, -8e-16, 1 + 8e-16), (11, 4, -1e-15, 1 + 1e-15)):
        for x in (np.arange(n, dtype=np.uint8), np.arange(n, dtype=np.float64)):
            yield resize(19, x, sizes=[m], roi=np.array([start, end]), mode="linear", **outside)
    for end in (-5, -9):  # the tolerance of 2 inputs is 8 units, and not 4
        yield resize(19, np.array([5, 9], np.uint8), sizes=[3], roi=np.array([end * 2.0**-52, 1]), mode="linear", **outside)
    for mode in ("nearest", "cubic"):
        yield resize(19, np.arange(11, dtype=np.uint8), sizes=[15], roi=[0.0, 1.0], mode=mode, **outside)
    for roi in ([0.2, 1.0], [0.0, 0.9], [0.5, 1.5]):  # RESIZE-SCALE-4
        yield resize(19, floats([1, 2, 4]), [1], roi=roi, mode="linear", **CROP)
    whole = ints([2**53 + 1, 2**62 + 3, 1 - 2**63])  # a move, which no sum of doubles gives
    yield from (resize(19, whole, roi=[0.0, 1.0], mode="linear", **CROP, **given) for given in (dict(sizes=[3]), dict(scales=[1])))
    for x, roi, m in (([3.5, 9.5], [0.3, 0.9], 5), ([2.2, 5.9, 6], [0.1, 0.6], 2)):  # RESIZE-SCALE-3: f + 1 weighs r, exactly
        yield resize(19, np.array(x), sizes=[m], roi=np.array(roi), mode="linear", **CROP)
    yield resize(19, np.array([5, 9, 3], np.uint8), sizes=[3], roi=np.array([1e-10, 0.9]), nearest_mode="ceil", **CROP)  # RESIZE-NEAR-1
    # RESIZE-FILL-1: a little inside and outside of both bounds, in every mode, by sizes and by scales.
    for roi in ([0.01, 0.99], [-0.01, 1.0], [0.0, 1.01], [1.01, -0.01], [-0.3, -0.1], [1.1, 1.4]):
        for mode, given in (("nearest", dict(sizes=[4])), ("linear", dict(scales=[1.3])), ("cubic", dict(sizes=[3]))):
            yield resize(19, floats([52, 6, 55, 83]), roi=roi, mode=mode, **given, **outside)
    yield resize(19, np.array([b"a", b"b", b"c"], dtype=object), sizes=[4], roi=[0.2, 0.9], **CROP)  # RESIZE-FILL-3: all are inside


def weights() -> Iterator[Call]:
    """Orders of the operations that make weights, in double, where they show."""
    for x, s, style in (([8, 3], 5 / 9, dict(mode="linear", antialias=1)), ([8, 3], 5 / 9, dict(mode="cubic", antialias=1)),
                        ([0.75, 9, 0.8], 5 / 7, dict(mode="linear", antialias=1)), ([9.125, 0.7], 2.7, dict(mode="cubic")),
                        ([0.45, 7, 7], 10 / 19, dict(mode="cubic", antialias=1)), ([1, 0.3, 6.625], 0.9, dict(mode="cubic", antialias=1)),
                        ([0.25, 6.5, 0.4], 10 / 13, dict(mode="cubic", antialias=1)), ([12.25, 1], 0.9, dict(mode="cubic", antialias=1)),
                        ([2.25, 0.7, 10, 0.8, 4], 10 / 13, dict(mode="linear", antialias=1)),
                        ([5, 5.75, 5.375, 0.7, 3], 4 / 9, dict(mode="linear", antialias=1, exclude_outside=1))):
        yield resize(19, np.array(x, np.float64), [s], **style)  # RESIZE-TAP-4, RESIZE-CUBIC-3 and -4, RESIZE-WEIGHT-2 and -4
    for x in ([5, 7, 1], [8, 6, 3]):  # RESIZE-TAP-2, RESIZE-WEIGHT-4: added exactly, then rounded
        yield resize(19, np.array(x, np.float64), sizes=[2], mode="linear", antialias=1)
    for x, s in (([6, 6.25], 3.4), ([5, 6], 3.5)):  # RESIZE-CUBIC-3: 2 - r, and not 1 + (1 - r)
        yield resize(19, np.array(x), [s], mode="cubic", coordinate_transformation_mode="align_corners")
    for x, given in (([9, 5], dict(scales=[3.9])), ([6.25, 4.7], dict(sizes=[7]))):  # RESIZE-WEIGHT-2: what grows is not normalised
        yield resize(19, np.array(x), mode="cubic", antialias=1, **given)
    sixths = dict(cubic_coeff_a=binary32(-0.6), mode="cubic")  # COM-ATTR-3: -0.60000002384185791015625
    for s in (1.7, 0.7):
        yield resize(19, np.array([9.125, 0.7, 4.5]), [s], exclude_outside=1, **sixths)
        yield resize(18, np.array([9.125, 0.7, 4.5]), [s], antialias=1, **sixths)
    for x, m in (([2, 5, 2], 2), ([9, 3, 6], 2), ([7, 1, 5, 9, 8], 4), ([1.75, 1.5, 9], 2)):  # RESIZE-CUBIC-1 and -2
        yield resize(19, np.array(x, np.float64), sizes=[m], mode="cubic", antialias=1, cubic_coeff_a=binary32(-0.6))


def coefficients() -> Iterator[Call]:
    two, three = np.array([60.0, 54.0]), np.array([27.0, 45.0, 30.0])
    eight = dict(mode="cubic", exclude_outside=1, cubic_coeff_a=8.0)
    yield resize(19, three, [2], coordinate_transformation_mode="asymmetric", **eight)  # RESIZE-WEIGHT-3: the sum is 0
    yield resize(19, three, sizes=[2], coordinate_transformation_mode="asymmetric", **eight)
    yield resize(19, floats([26, 95, 12]), [0.5], **eight)
    yield resize(19, np.array([67.0, 71.0]), [4], mode="cubic", exclude_outside=1, cubic_coeff_a=binary32(64 / 7))  # it is nearly 0
    for given in (dict(scales=[0.5]), dict(sizes=[3])):  # RESIZE-WEIGHT-6: floor(x), where x - floor(x) is above 1/2
        yield resize(19, two, mode="cubic", exclude_outside=1, cubic_coeff_a=4.0, **given)
    for a, m in ((1e18, 4), (1e30, 2)):  # RESIZE-WEIGHT-6: the weights of the only input cancel
        yield resize(19, floats([89]), sizes=[m], mode="cubic", cubic_coeff_a=binary32(a))
    # RESIZE-CUBIC-1: K(1) and K(2) are 0, though (a + 2) - (a + 3) + 1 is not.
    for given in (dict(sizes=[3]), dict(scales=[2])):
        yield resize(19, floats([73, 98]), mode="cubic", coordinate_transformation_mode="align_corners", cubic_coeff_a=binary32(3e38), **given)
    # RESIZE-WEIGHT-5: weights below the smallest binary32 number are 0, and their taps are dropped.
    for x, m in (([2, math.inf, 1], 9), ([math.inf, 2, math.inf], 9)):
        yield resize(19, floats(x), sizes=[m], mode="cubic", cubic_coeff_a=binary32(1.4e-45))
    yield resize(19, floats([2, math.inf, 1]), sizes=[9], mode="cubic", cubic_coeff_a=binary32(1e-35))  # these are not
    huge = dict(mode="cubic", cubic_coeff_a=binary32(3e38))
    for x in (np.array([127, -128, 99], np.int8), np.array([True, False, True])):  # COM-OUT-1, COM-OUT-3: inf - inf
        yield resize(19, x, sizes=[7], **huge)
    for a in (huge, dict(mode="cubic", cubic_coeff_a=8.0)):  # COM-OUT-2: products and sums, or results alone, overflow
        for x in (floats([88, -70, 5]), floats([3e38, -3e38, 3e38]), np.array([88.0, -70, 5]), np.array([6e4, -6e4, 6e4], np.float16),
                  np.array([3e38, -3e38, 3e38]).astype(ml_dtypes.bfloat16), np.array([88 - 5j, -70 + 9j], np.complex64),
                  np.array([2**31 - 1, 5, -7], np.int32), ints([2**62, -3, 5])):
            yield resize(19, x, sizes=[5], **a)
        yield resize(19, floats([88, -70, 5, 9, 1]), [0.6], antialias=1, **a)


def passes() -> Iterator[Call]:
    """RESIZE-PASS-2: of axes that grow the last two are swapped; RESIZE-PASS-3: types that compute in binary32."""
    yield resize(19, floats([[[0.07], [0.7]], [[0.37], [0.61]]]), sizes=[3, 4, 3], mode="linear")
    yield resize(19, floats([[[0.42, 0.97]], [[0.28, 0.82]]]), sizes=[3, 2, 3], mode="linear")
    yield resize(19, floats([[[[0.64, 0.04]]], [[[0.95, 0.26]]]]), sizes=[3, 1, 3, 3], mode="linear")
    yield resize(19, np.array([952, 452], ml_dtypes.bfloat16), sizes=[5], mode="cubic")
    yield resize(19, np.array([98, 183], ml_dtypes.bfloat16), sizes=[5], mode="linear")
    yield resize(19, np.array([4968, 135], np.float16), sizes=[6], mode="cubic")
    yield resize(19, np.array([1, 0, 0, 1, 0, 1, 1, 0], np.bool_), sizes=[3], mode="linear", antialias=1, exclude_outside=1)


def wide() -> Iterator[Call]:
    """RESIZE-PASS-3: a window of 1,024 taps computes in binary32, a wider one in binary64, on every axis."""
    rng = random.Random(7)
    for n in (512, 513):
        yield resize(19, floats([rng.random() for _ in range(n)]), sizes=[1], mode="linear", antialias=1)
    x = floats([[rng.random() for _ in range(2)] for _ in range(257)])
    yield resize(19, x, sizes=[1, 3], mode="cubic", antialias=1)
    yield resize(19, x.T[:, :256], sizes=[1, 1], mode="cubic", antialias=1)
    yield resize(19, x.T, sizes=[1, 1], mode="cubic", antialias=1)  # the second pass is the wide one
    for n, s in ((300, 1 / 512), (300, 1 / 512 - 2**-34)):  # by the scale, and not by the extents, which give one output of 600
        yield resize(19, np.concatenate([x[:, 0], x[:43, 1], x[:, 1], x[:43, 0]])[: 2 * n], [s], mode="linear", antialias=1)
    # COM-FLOAT-2: sums in binary64 so near a tie that rounding them to binary32 first is wrong.
    for dtype, changed in ((np.float16, {100: 9, 110: 63, 128: 15}), (ml_dtypes.bfloat16, {100: 21, 110: 179, 128: 9})):
        numbers = [changed.get(j, j * 3 % 199 + 1) for j in range(257)]
        yield resize(19, np.array(numbers).astype(dtype), sizes=[1], mode="cubic", antialias=1)
    # Without antialias the window is 2 taps: the weights 0.5 and 0.5 make a tie, which binary64 would not see.
    image = np.zeros(513, np.uint8)
    image[256:258] = 100, 101
    yield resize(19, image, sizes=[1], roi=np.array([(256.5 + 1e-9) / 512] * 2), mode="linear", **CROP)


def values() -> Iterator[Call]:
    for bits, code in SIGNALLING.items():  # COM-MOVE-1
        x = np.array([code, 1], bits).view(FLOATS[bits])
        yield resize(19, x, [2])
        yield resize(19, x, sizes=[2], mode="linear")
        yield Call("Tile", 13, [x, ints([2])])
    yield resize(19, np.array([2, 7], np.uint8).view(np.bool_), [1], mode="cubic")
    for dtype in (np.int8, np.int64, np.bool_):  # COM-OUT-1 and COM-OUT-3: NaN
        yield resize(19, np.ones(2, dtype), sizes=[2], roi=[0.0, 1.5], extrapolation_value=math.nan, **CROP)
