# SPDX-License-Identifier: Apache-2.0
"""Features of shapes and of how inputs are given."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._compare.nodes import Node
from .case import Feature
from .drafts import COORDINATES, MODES, NEAREST_MODES, Random, chance, ends, floats, image, pick, resize, scales_of, sizes_of, upsample, version

_OPSETS = (12, 14, 15, 16, 17, 20, 21, 22, 23)


def _empty_input(rng: Random) -> Node:
    """Of no images, say: N or C is 0, and H and W change."""
    shape = list(image(rng))
    shape[int(rng.integers(0, 2))] = 0
    x = floats(rng, shape)
    return resize(version(rng), x, mode=pick(rng, MODES), **ends(rng, x.shape))


def _empty_by_scales(rng: Random) -> Node:
    x = floats(rng, (1, 2, int(rng.integers(2, 6)), 0))
    return resize(version(rng), x, mode=pick(rng, ("nearest", "linear")), scales=[1.0, 1.0, 2.0, pick(rng, (0.6, 2.0))])


def _empty_output(rng: Random) -> Node:
    x = floats(rng, image(rng))
    sizes = sizes_of(rng, x.shape)
    sizes[int(rng.integers(2, 4))] = 0
    return resize(version(rng), x, mode=pick(rng, ("nearest", "linear")), sizes=sizes)


def _one_input(rng: Random) -> Node:
    """Axes of one element that grow."""
    shape = pick(rng, ((1, 1, 1, 1), (1, 2, 1, 5), (2, 1, 4, 1)))
    x = floats(rng, shape)
    sizes = [*shape[:2], *(int(rng.integers(2, 7)) for _ in range(2))]
    return resize(version(rng), x, mode=pick(rng, MODES), coordinate_transformation_mode=pick(rng, COORDINATES), sizes=sizes)


def _one_output(rng: Random) -> Node:
    x = floats(rng, image(rng, 3))
    return resize(version(rng), x, mode=pick(rng, MODES), coordinate_transformation_mode=pick(rng, ("half_pixel", "asymmetric")),
                  sizes=[*x.shape[:2], 1, pick(rng, (1, x.shape[3]))])


def _rank(*ranks: int) -> Any:
    """All axes of one to three may change, the last ones of more."""
    def draw(rng: Random) -> Node:
        rank = pick(rng, ranks)
        shape = [int(entry) for entry in rng.integers(2, {1: 20, 2: 9, 3: 6}.get(rank, 5), rank)]
        changing = [axis for axis in range(rank) if axis >= min(rank - 1, 2) or rank < 3]
        x = floats(rng, shape)
        return resize(version(rng), x, mode=pick(rng, MODES), sizes=sizes_of(rng, shape, changing))
    return draw


def _rank_6(rng: Random) -> Node:
    """Small, because some runtimes visit 4^6 inputs for each output."""
    shape = [int(entry) for entry in rng.integers(1, 3, 6)]
    x = floats(rng, shape)
    return resize(version(rng), x, mode=pick(rng, MODES), sizes=sizes_of(rng, shape, (4, 5)))


def _all_axes(rng: Random) -> Node:
    x = floats(rng, [int(entry) for entry in rng.integers(2, 5, 4)])
    return resize(version(rng), x, mode=pick(rng, MODES), sizes=sizes_of(rng, x.shape, range(4)))


def _long(rng: Random) -> Node:
    x = floats(rng, (1, 1, 1, int(rng.integers(200, 900))))
    return resize(version(rng), x, mode=pick(rng, ("linear", "cubic")), sizes=[1, 1, 1, int(rng.integers(200, 900))])


def _identity(rng: Random) -> Node:
    x = floats(rng, image(rng))
    given = {"scales": [1.0] * 4} if chance(rng, 0.5) else {"sizes": list(x.shape)}
    return resize(version(rng), x, mode=pick(rng, MODES), coordinate_transformation_mode=pick(rng, COORDINATES), **given)


def _run_time(rng: Random) -> Node:
    x = floats(rng, image(rng))
    return resize(version(rng, 13), x, mode=pick(rng, MODES), run_time=True, **ends(rng, x.shape))


def _empty_tensors(rng: Random) -> Node:
    """roi and scales of no elements beside sizes, or roi beside scales."""
    x = floats(rng, image(rng))
    none = np.zeros(0, np.float32)
    given: dict[str, Any] = {"roi": none, "scales": none, "sizes": sizes_of(rng, x.shape)}
    if chance(rng, 0.4):
        given = {"roi": none, "scales": [1.0, 1.0, 2.0, 3.0]}
    return resize(version(rng), x, mode=pick(rng, ("nearest", "linear")), **given)


def _opsets(rng: Random) -> Node:
    x = floats(rng, image(rng))
    return resize(pick(rng, _OPSETS), x, mode=pick(rng, MODES), **ends(rng, x.shape))


def _upsample_versions(rng: Random) -> Node:
    x = floats(rng, image(rng, 1, 6))
    return upsample(pick(rng, (7, 8, 9)), x, [1.0, 1.0, 2.0, pick(rng, (2.0, 3.0, 1.5))], pick(rng, ("nearest", "linear")))


def _defaults(rng: Random) -> Node:
    x = floats(rng, image(rng))
    return resize(version(rng), x, **ends(rng, x.shape))


def _mixed(rng: Random) -> Node:
    """Many attributes at once."""
    x = floats(rng, image(rng, 2, 9))
    opset, mode = version(rng), pick(rng, MODES)
    given: dict[str, Any] = {"exclude_outside": pick(rng, (None, 1))} if mode == "cubic" else {}
    if opset >= 18 and mode != "nearest":
        given["antialias"] = pick(rng, (None, 0, 1))
    if mode == "cubic":
        given["cubic_coeff_a"] = pick(rng, (None, -0.5, -1.0))
    if opset >= 18 and chance(rng, 0.5):
        axes = pick(rng, ([2, 3], [3, 2], [3]))
        extents, every = [x.shape[axis] for axis in axes], range(len(axes))
        entries: dict[str, Any] = {"sizes": sizes_of(rng, extents, every), "axes": axes}
        if chance(rng, 0.4):
            entries = {"scales": scales_of(rng, extents, every), "axes": axes}
    else:
        entries = ends(rng, x.shape)
    return resize(opset, x, mode=mode, coordinate_transformation_mode=pick(rng, COORDINATES),
                  nearest_mode=pick(rng, NEAREST_MODES) if mode == "nearest" else None, **given, **entries)


FEATURES = (
    Feature("empty-input", "Resize", "A tensor without elements is resized to one without elements.", _empty_input),
    Feature("empty-axis", "Resize", "An axis of extent 0 times a scale stays 0.", _empty_by_scales),
    Feature("empty-output", "Resize", "A size of 0 makes the output empty.", _empty_output),
    Feature("one-element-axes", "Resize", "An axis of one element grows to copies of it.", _one_input),
    Feature("one-output-axes", "Resize", "An axis shrinks to a single output.", _one_output),
    Feature("rank-1", "Resize", "A tensor may have one axis.", _rank(1)),
    Feature("rank-2", "Resize", "A tensor may have two axes, and both may change.", _rank(2)),
    Feature("rank-3", "Resize", "A tensor may have three axes.", _rank(3)),
    Feature("rank-5", "Resize", "A tensor may have five axes, of which three change.", _rank(5)),
    Feature("rank-6", "Resize", "A tensor may have six axes.", _rank_6),
    Feature("all-axes", "Resize", "N and C are resized as every other axis.", _all_axes),
    Feature("long-axes", "Resize", "Long axes are as exact as short ones.", _long),
    Feature("identity", "Resize", "Where no extent and no scale changes, the output is the input.", _identity),
    Feature("run-time-inputs", "Resize", "Sizes and scales may be inputs of the model.", _run_time),
    Feature("empty-tensors-omit", "Resize", "A roi, scales or sizes without elements counts as omitted.", _empty_tensors),
    Feature("opsets", "Resize", "The version is the newest that is not above the model's opset.", _opsets),
    Feature("upsample-versions", "Upsample", "Versions 7 and 9 differ in how scales are given.", _upsample_versions),
    Feature("defaults", "Resize", "Without attributes: nearest, half_pixel and round_prefer_floor.", _defaults),
    Feature("mixed", "Resize", "Attributes together do what each does.", _mixed),
)
