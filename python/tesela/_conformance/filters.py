# SPDX-License-Identifier: Apache-2.0
"""Features of the filters: weights of linear and cubic, antialias and borders; and crops."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._compare.nodes import Node
from .case import Call, Feature
from .drafts import COORDINATES, Random, chance, ends, floats, image, other_size, pick, resize, sizes_of, smaller_size, version


def _of_mode(mode: str) -> Any:
    def draw(rng: Random) -> Node:
        x = floats(rng, image(rng))
        return resize(version(rng), x, mode=mode, coordinate_transformation_mode=pick(rng, COORDINATES[:3]), sizes=sizes_of(rng, x.shape))
    return draw


def _coefficient(rng: Random) -> Node:
    x = floats(rng, image(rng, 3))
    return resize(version(rng), x, mode="cubic", cubic_coeff_a=pick(rng, (-0.5, -0.6, -1.0, 0.0, 0.25)), **ends(rng, x.shape))


def _exclude_outside(rng: Random) -> Node:
    x = floats(rng, image(rng, 2, 8))
    return resize(version(rng), x, mode="cubic", exclude_outside=1, cubic_coeff_a=pick(rng, (None, -0.5)), **ends(rng, x.shape))


def _exclude_outside_linear(rng: Random) -> Node:
    x = floats(rng, image(rng, 2, 8))
    return resize(version(rng), x, mode="linear", exclude_outside=1, **ends(rng, x.shape))


def _exclude_outside_nearest(rng: Random) -> Node:
    x = floats(rng, image(rng, 2, 8))
    return resize(version(rng), x, mode="nearest", exclude_outside=1, nearest_mode=pick(rng, ("floor", "round_prefer_floor")),
                  **ends(rng, x.shape))


def _antialias(mode: str, **attributes: Any) -> Any:
    def draw(rng: Random) -> Node:
        x = floats(rng, image(rng, 4, 16))
        sizes = [*x.shape[:2], *(smaller_size(rng, extent) for extent in x.shape[2:])]
        given: dict[str, Any] = {"sizes": sizes}
        if chance(rng, 0.3):
            given = {"scales": [1.0, 1.0, *(max(pick(rng, (0.3, 0.45, 0.6, 0.7, 0.8)), 1.05 / extent) for extent in x.shape[2:])]}
        return resize(version(rng, 18), x, mode=mode, antialias=1, **attributes, **given)
    return draw


def _antialias_coordinates(rng: Random) -> Node:
    x = floats(rng, image(rng, 4, 16))
    sizes = [*x.shape[:2], *(max(2, smaller_size(rng, extent)) for extent in x.shape[2:])]
    return resize(version(rng, 18), x, mode=pick(rng, ("linear", "cubic")), antialias=1, sizes=sizes,
                  coordinate_transformation_mode=pick(rng, ("asymmetric", "align_corners")))


def _antialias_growing(rng: Random) -> Node:
    x = floats(rng, image(rng, 3))
    grown = x.shape[3] + int(rng.integers(1, 8))
    return resize(version(rng, 18), x, mode=pick(rng, ("linear", "cubic")), antialias=1,
                  sizes=[*x.shape[:2], pick(rng, (smaller_size(rng, x.shape[2]), x.shape[2] + 3)), grown])


def _antialias_zero(rng: Random) -> Node:
    x = floats(rng, image(rng, 4, 16))
    return resize(version(rng, 18), x, mode=pick(rng, ("linear", "cubic")), antialias=0,
                  sizes=[*x.shape[:2], *(smaller_size(rng, extent) for extent in x.shape[2:])])


def _roi(rng: Random, spans: list[tuple[float, float]]) -> list[float]:
    """Of N and C whole."""
    return [0.0, 0.0, *(start for start, _ in spans), 1.0, 1.0, *(end for _, end in spans)]


def _span(rng: Random) -> tuple[float, float]:
    low, high = sorted(int(entry) for entry in rng.choice(np.arange(1, 16), 2, replace=False))
    return low / 16, high / 16


def _crop(mode: str, axes: bool = False) -> Any:
    def draw(rng: Random) -> Node:
        x = floats(rng, image(rng, 4))
        spans = [_span(rng), _span(rng)]
        sizes = [max(2, other_size(rng, extent)) for extent in x.shape[2:]]
        roi, opset = _roi(rng, spans), version(rng)
        given: dict[str, Any] = {"sizes": [*x.shape[:2], *sizes]}
        if axes:
            opset = version(rng, 18)
            (h0, h1), (w0, w1) = spans
            roi, given = [w0, h0, w1, h1], {"sizes": sizes[::-1], "axes": [3, 2]}
        return resize(opset, x, mode=mode, coordinate_transformation_mode="tf_crop_and_resize", roi=roi, **given)
    return draw


def _crop_one_output(rng: Random) -> Node:
    x = floats(rng, image(rng, 4))
    return resize(version(rng), x, mode=pick(rng, ("linear", "cubic")), coordinate_transformation_mode="tf_crop_and_resize",
                  roi=_roi(rng, [_span(rng), _span(rng)]), sizes=[*x.shape[:2], 1, pick(rng, (1, other_size(rng, x.shape[3])))])


def _crop_same_size(rng: Random) -> Node:
    x = floats(rng, image(rng, 4))
    return resize(version(rng), x, mode="linear", coordinate_transformation_mode="tf_crop_and_resize", sizes=list(x.shape),
                  roi=_roi(rng, [_span(rng), _span(rng)]))


def _crop_flipped(rng: Random) -> Node:
    x = floats(rng, image(rng, 4))
    spans = [_span(rng), _span(rng)[::-1]]
    return resize(version(rng), x, mode="linear", coordinate_transformation_mode="tf_crop_and_resize",
                  roi=_roi(rng, spans), sizes=[*x.shape[:2], *(max(2, other_size(rng, extent)) for extent in x.shape[2:])])


def _extrapolation(rng: Random) -> Node:
    """Positions beyond the input by an amount that no format loses."""
    x = floats(rng, image(rng, 4))
    while True:
        spans = [(-float(rng.uniform(0, 0.6)), float(rng.uniform(0.5, 1.7))) for _ in range(2)]
        sizes = [max(2, other_size(rng, extent)) for extent in x.shape[2:]]
        if all(_is_off_borders(*span, extent, out) for span, extent, out in zip(spans, x.shape[2:], sizes)):
            break
    return resize(version(rng), x, mode=pick(rng, ("nearest", "linear", "linear", "cubic")), roi=_roi(rng, spans), sizes=[*x.shape[:2], *sizes],
                  coordinate_transformation_mode="tf_crop_and_resize", extrapolation_value=pick(rng, (None, 10.0, -2.5)))


def _is_off_borders(start: float, end: float, extent: int, out: int) -> bool:
    where = start * (extent - 1) + np.arange(out) * (end - start) * (extent - 1) / (out - 1)
    is_outside = (where < 0) | (where > extent - 1)
    return bool(np.all(np.minimum(np.abs(where), np.abs(where - (extent - 1))) > 1e-3)) and bool(is_outside.any())


def _whole_crop(rng: Random) -> Call:
    """A roi of 0 to 1, whose last position some arithmetic puts beyond the last input."""
    for _ in range(100_000):
        extent, out = int(rng.integers(3, 60)), int(rng.integers(3, 60))
        length = out / extent * extent
        last = (out - 1) * (extent - 1) / (length - 1)
        if last > extent - 1:
            break
    x = floats(rng, (1, 1, 1, extent))
    call = resize(version(rng), x, mode=pick(rng, ("linear", "cubic")), coordinate_transformation_mode="tf_crop_and_resize",
                  roi=[0.0] * 4 + [1.0] * 4, sizes=[1, 1, 1, out], extrapolation_value=-99.0)
    return Call(call, f"Output {out - 1} lands at {extent - 1} exactly.")


def _unused(rng: Random) -> Node:
    """A roi, a coefficient and an extrapolation value that nothing reads."""
    x = floats(rng, image(rng, 3))
    return resize(version(rng), x, mode=pick(rng, ("nearest", "linear")), roi=_roi(rng, [(0.25, 0.5), (0.25, 0.75)]), cubic_coeff_a=-0.5,
                  extrapolation_value=9.0, **ends(rng, x.shape))


def _scaled_crop(rng: Random) -> Node:
    h, w = (2 * int(entry) for entry in rng.integers(2, 6, 2))
    x = floats(rng, (1, 2, h, w))
    return resize(version(rng), x, mode=pick(rng, ("nearest", "linear")), coordinate_transformation_mode="tf_crop_and_resize",
                  roi=_roi(rng, [_span(rng), _span(rng)]), scales=[1.0, 1.0, pick(rng, (0.5, 1.5, 2.0)), pick(rng, (0.5, 2.0, 3.0))])


def _crop_length(rng: Random) -> Node:
    """Of scales that make no whole number of outputs."""
    h, w = (2 * int(entry) + 1 for entry in rng.integers(2, 6, 2))
    x = floats(rng, (1, 2, h, w))
    return resize(version(rng), x, mode="linear", coordinate_transformation_mode="tf_crop_and_resize",
                  roi=_roi(rng, [_span(rng), _span(rng)]), scales=[1.0, 1.0, 1.5, pick(rng, (0.5, 1.5, 2.5))])


_CROP = "tf_crop_and_resize: output i lands at start * (n - 1) + i * (end - start) * (n - 1) / (L - 1)."

FEATURES = (
    Feature("linear", "Resize", "linear: two inputs, weighted by their distances; outside, the border is repeated.", _of_mode("linear")),
    Feature("cubic", "Resize", "cubic: four inputs, weighted by Keys' kernel with a = -0.75; outside, the border is repeated.",
            _of_mode("cubic")),
    Feature("cubic-coefficient", "Resize", "cubic_coeff_a: the a of Keys' kernel.", _coefficient),
    Feature("exclude-outside", "Resize", "exclude_outside: inputs outside weigh nothing, and the other weights are divided by their sum.",
            _exclude_outside),
    Feature("exclude-outside-linear", "Resize", "exclude_outside: is defined for linear, too, where it gives the same as repeating the "
            "border.", _exclude_outside_linear),
    Feature("exclude-outside-nearest", "Resize", "exclude_outside: has no meaning for nearest and changes nothing.",
            _exclude_outside_nearest),
    Feature("antialias-linear", "Resize", "antialias: the triangle is stretched by 1 / scale where an axis shrinks, and weights are divided "
            "by their sum.", _antialias("linear")),
    Feature("antialias-cubic", "Resize", "antialias: Keys' kernel is stretched by 1 / scale where an axis shrinks, and weights are divided "
            "by their sum.", _antialias("cubic")),
    Feature("antialias-exclude-outside", "Resize", "antialias with exclude_outside: inputs outside weigh nothing before weights are divided.",
            _antialias("cubic", exclude_outside=1)),
    Feature("antialias-coordinates", "Resize", "antialias: the stretched kernel is centred where the coordinates say.",
            _antialias_coordinates),
    Feature("antialias-growing", "Resize", "antialias: changes nothing along an axis that grows.", _antialias_growing),
    Feature("antialias-off", "Resize", "antialias = 0 is the same as no antialias.", _antialias_zero),
    Feature("crop-nearest", "Resize", _CROP, _crop("nearest")),
    Feature("crop-linear", "Resize", _CROP, _crop("linear")),
    Feature("crop-cubic", "Resize", _CROP, _crop("cubic")),
    Feature("crop-axes", "Resize", _CROP + " The roi has all starts, then all ends, in the order of the attribute axes.",
            _crop("linear", axes=True)),
    Feature("crop-one-output", "Resize", "tf_crop_and_resize: a single output lands at the centre of the roi.", _crop_one_output),
    Feature("crop-same-size", "Resize", _CROP + " That holds where the extents stay, too.", _crop_same_size),
    Feature("crop-flipped", "Resize", _CROP + " A roi whose start is above its end flips the axis.", _crop_flipped),
    Feature("crop-extents", "Resize", "There are floor(extent * scale) outputs, whatever the roi.", _scaled_crop),
    Feature("crop-length", "Resize", _CROP + " L is extent times scale, with its fraction, where scales are given.", _crop_length),
    Feature("extrapolation", "Resize", "tf_crop_and_resize: outputs that land below 0 or above n - 1 are extrapolation_value, in every mode.",
            _extrapolation),
    Feature("extrapolation-border", "Resize", "tf_crop_and_resize: outputs that land at n - 1 are inside.", _whole_crop, fair=False),
    Feature("unused-settings", "Resize", "roi, cubic_coeff_a and extrapolation_value change nothing where the modes do not read them.",
            _unused),
)
