# SPDX-License-Identifier: Apache-2.0
"""Features of the coordinates: where outputs land, and how many there are."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._compare.nodes import Node
from .case import Call, Feature
from .drafts import (
    COORDINATES,
    MODES,
    NEAREST_MODES,
    Random,
    chance,
    ends,
    floats,
    image,
    other_size,
    pick,
    resize,
    scale,
    scales_of,
    sizes_of,
    smaller_size,
    version,
)

_SHORT = "float32 extents {} x {} are {} exactly and {} in float32."


def _in_mode(mode: str) -> Any:
    """Draws of one coordinate mode, by every filter."""
    def draw(rng: Random) -> Node:
        x = floats(rng, image(rng))
        return resize(version(rng), x, mode=pick(rng, MODES), coordinate_transformation_mode=mode, **ends(rng, x.shape))
    return draw


def _align_corners(rng: Random) -> Node:
    x = floats(rng, image(rng))
    return resize(version(rng), x, mode=pick(rng, MODES), coordinate_transformation_mode="align_corners", sizes=sizes_of(rng, x.shape))


def _one_output(coordinates: str) -> Any:
    """One output of an axis or both, by cubic too, which sees where it lands."""
    def draw(rng: Random) -> Node:
        x = floats(rng, image(rng, 3))
        n, c, h, w = x.shape
        sizes = [n, c, 1, pick(rng, (1, w, 2 * w))]
        return resize(version(rng), x, mode=pick(rng, ("linear", "cubic", "cubic")), coordinate_transformation_mode=coordinates, sizes=sizes)
    return draw


def _fractional_length(rng: Random) -> Node:
    x = floats(rng, image(rng, 3))
    scales = [1.0, 1.0, *(_fractional(rng, extent) for extent in x.shape[2:])]
    return resize(version(rng), x, mode=pick(rng, ("linear", "cubic")), coordinate_transformation_mode="align_corners", scales=scales)


def _fractional(rng: Random, extent: int) -> float:
    """A scale whose product with the extent is between two integers, with two outputs or more."""
    while True:
        found = scale(rng)
        if extent * found >= 2 and 0.1 < extent * found % 1 < 0.9:
            return found


def _symmetric(rng: Random) -> Node:
    x = floats(rng, image(rng, 3))
    scales = [1.0, 1.0, *(_fractional(rng, extent) for extent in x.shape[2:])]
    return resize(19, x, mode=pick(rng, MODES), coordinate_transformation_mode="half_pixel_symmetric", scales=scales)


def _tf_half_pixel(rng: Random) -> Node:
    x = floats(rng, image(rng))
    return resize(11, x, mode=pick(rng, MODES), coordinate_transformation_mode="tf_half_pixel_for_nn", **ends(rng, x.shape))


def _given_scale(rng: Random) -> Node:
    x = floats(rng, image(rng, 3))
    scales = [1.0, 1.0, *(_fractional(rng, extent) for extent in x.shape[2:])]
    return resize(version(rng), x, mode=pick(rng, ("linear", "cubic")), scales=scales,
                  coordinate_transformation_mode=pick(rng, ("half_pixel", "asymmetric")))


def _same_extent(rng: Random) -> Node:
    """1.3 times 3 is 3."""
    h, w = (int(extent) for extent in rng.integers(2, 6, 2))
    x = floats(rng, (1, int(rng.integers(1, 3)), h, w))
    scales = [1.0, 1.0, 1 + float(rng.uniform(0.2, 0.8)) / h, 1 + float(rng.uniform(0.2, 0.8)) / w]
    return resize(version(rng), x, mode=pick(rng, ("linear", "cubic")), scales=scales)


def _extents(rng: Random) -> Call:
    """A product that float32 rounds up to the next integer."""
    while True:
        extent, chosen = int(rng.integers(3, 60)), float(np.float32(rng.integers(1, 400) / 100))
        exact, rounded = int(np.floor(extent * chosen)), int(np.floor(np.float32(extent) * np.float32(chosen)))
        if 0 < exact < 60 and exact != rounded:
            break
    x = floats(rng, (1, 1, int(rng.integers(1, 4)), extent))
    call = resize(version(rng), x, mode="linear", coordinate_transformation_mode="asymmetric", scales=[1, 1, 1, chosen])
    return Call(call, f"{extent} times {chosen!r} is below {rounded}, and is {rounded} only in float32.")


def _products(rng: Random) -> Node:
    x = floats(rng, image(rng))
    return resize(version(rng), x, mode=pick(rng, MODES), scales=scales_of(rng, x.shape), nearest_mode=pick(rng, NEAREST_MODES))


def _axes(rng: Random) -> Node:
    x = floats(rng, image(rng, 3))
    h, w = x.shape[2:]
    given: dict[str, Any] = {"sizes": [other_size(rng, w), other_size(rng, h)]}
    if chance(rng, 0.4):
        given = {"scales": [_fractional(rng, w), _fractional(rng, h)]}
    return resize(version(rng, 18), x, mode=pick(rng, MODES), axes=[3, 2], **given)


def _some_axes(rng: Random) -> Node:
    x = floats(rng, image(rng, 3))
    axis = int(rng.integers(2, 4))
    return resize(version(rng, 18), x, mode=pick(rng, MODES), axes=[axis], sizes=[other_size(rng, x.shape[axis])])


def _negative_axes(rng: Random) -> Node:
    x = floats(rng, image(rng, 3))
    h, w = x.shape[2:]
    axes, sizes = pick(rng, (([-2, -1], [h, w]), ([-1, -2], [w, h]), ([-1], [w]), ([2, -1], [h, w])))
    return resize(version(rng, 18), x, mode=pick(rng, MODES), axes=axes, sizes=[other_size(rng, extent) for extent in sizes])


def _policy(rng: Random) -> Node:
    x = floats(rng, image(rng, 3))
    h, w = x.shape[2:]
    while True:
        sizes = [other_size(rng, h), other_size(rng, w)]
        if sizes[0] * w != sizes[1] * h:
            break
    return resize(version(rng, 18), x, mode=pick(rng, MODES), axes=[2, 3], sizes=sizes,
                  keep_aspect_ratio_policy=pick(rng, ("not_larger", "not_smaller")))


def _policy_rounding(rng: Random) -> Node:
    """An extent that becomes an integer and a half: h to half of it, and w is odd; w // 2 is even, so that half to even differs."""
    h, w = 2 * int(rng.integers(1, 6)), 4 * int(rng.integers(1, 4)) + 1
    x = floats(rng, (1, 1, h, w))
    return resize(version(rng, 18), x, mode="linear", axes=[2, 3], sizes=[h // 2, w], keep_aspect_ratio_policy="not_larger")


def _policy_all_axes(rng: Random) -> Node:
    """Without axes, N and C are scaled, too."""
    h, w = (int(extent) for extent in rng.integers(2, 6, 2))
    x = floats(rng, (1, int(rng.integers(1, 3)), h, w))
    return resize(version(rng, 18), x, mode="nearest", sizes=[*x.shape[:2], 2 * h, 2 * w + 1], keep_aspect_ratio_policy="not_smaller")


def _positions_of_shrinking(rng: Random) -> Node:
    x = floats(rng, image(rng, 4))
    sizes = [*x.shape[:2], *(smaller_size(rng, extent) for extent in x.shape[2:])]
    return resize(version(rng), x, mode=pick(rng, MODES), coordinate_transformation_mode=pick(rng, COORDINATES), sizes=sizes)


_SCALES_RULE = "The scale that is given goes into the coordinates; it is not computed again from the extents."

FEATURES = (
    Feature("half-pixel", "Resize", "half_pixel: output i lands at (i + 0.5) / scale - 0.5.", _in_mode("half_pixel")),
    Feature("asymmetric", "Resize", "asymmetric: output i lands at i / scale.", _in_mode("asymmetric")),
    Feature("align-corners", "Resize", "align_corners: output i of L lands at i * (n - 1) / (L - 1).", _align_corners),
    Feature("align-corners-one-output", "Resize", "align_corners: a single output lands at 0.", _one_output("align_corners")),
    Feature("align-corners-length", "Resize", "align_corners: L is extent times scale, with its fraction, where scales are given.",
            _fractional_length),
    Feature("pytorch-half-pixel", "Resize", "pytorch_half_pixel: as half_pixel where there are two outputs or more.",
            _in_mode("pytorch_half_pixel")),
    Feature("pytorch-half-pixel-one-output", "Resize", "pytorch_half_pixel: a single output lands at 0.", _one_output("pytorch_half_pixel"),
            fair=False),
    Feature("half-pixel-symmetric", "Resize", "half_pixel_symmetric: output i lands at n / 2 * (1 - m / L) + (i + 0.5) / scale - 0.5, "
            "with L = n * scale.", _symmetric),
    Feature("tf-half-pixel-for-nn", "Resize", "tf_half_pixel_for_nn: output i lands at (i + 0.5) / scale.", _tf_half_pixel),
    Feature("shrinking", "Resize", "Without antialias an axis that shrinks is sampled as one that grows.", _positions_of_shrinking),
    Feature("given-scale", "Resize", _SCALES_RULE, _given_scale),
    Feature("same-extent", "Resize", "An axis whose extent stays but whose scale is not 1 is not a copy. " + _SCALES_RULE, _same_extent, fair=False),
    Feature("extents", "Resize", "There are floor(extent * scale) outputs.", _products),
    Feature("extents-exact", "Resize", "There are floor(extent * scale) outputs; the product is not rounded to float32.", _extents,
            fair=False),
    Feature("axes-order", "Resize", "Entries of sizes and scales belong to axes in the order of the attribute axes.", _axes),
    Feature("axes-some", "Resize", "Axes that the attribute axes does not list keep their extents.", _some_axes),
    Feature("axes-negative", "Resize", "Negative axes count from the end.", _negative_axes),
    Feature("keep-aspect-ratio", "Resize", "keep_aspect_ratio_policy: one scale, the smallest or largest of size / extent, for every "
            "listed axis; extents are rounded, and positions use this scale.", _policy),
    Feature("keep-aspect-ratio-rounding", "Resize", "keep_aspect_ratio_policy: an extent of an integer and a half is rounded up.",
            _policy_rounding),
    Feature("keep-aspect-ratio-all-axes", "Resize", "keep_aspect_ratio_policy: without the attribute axes, N and C are scaled, too.",
            _policy_all_axes),
)
