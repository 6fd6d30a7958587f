# SPDX-License-Identifier: Apache-2.0
"""The settings of Resize that are tried: filters, positions, arithmetic and presets."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from .. import _core, presets
from .._plan import Plan

Items = tuple[tuple[str, Any], ...]
Shape = tuple[int, ...]

# half_pixel first: of settings that are equal, the first is shown.
COORDINATES = ("half_pixel", "align_corners", "asymmetric", "pytorch_half_pixel", "half_pixel_symmetric", "tf_half_pixel_for_nn",
               "tf_crop_and_resize")
# Those that plan fields of positions support.
_ROUNDED = ("half_pixel", "align_corners", "asymmetric", "pytorch_half_pixel", "tf_half_pixel_for_nn")
_NEAREST = ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")
_POSITIONS = ("float32", "float64", "reciprocal64", "rounded64")
# ONNX's default, and those of Keys, PyTorch's antialias and Pillow; OpenVINO and others document the last two.
USUAL_A = (-0.75, -0.5, -0.6, -1.0)
DEFAULT_A = USUAL_A[0]
DEFAULTS = {"coordinate_transformation_mode": "half_pixel", "nearest_mode": "round_prefer_floor", "cubic_coeff_a": DEFAULT_A,
            "antialias": 0, "exclude_outside": 0, "opset": None}
FIELDS = ("coordinates", "weights", "intermediate", "order", "alpha")
_SIMPLE = 10  # the opset whose nearest rounds down where an axis grows, and up where it shrinks; it has only scales


class Rule(NamedTuple):
    """How extents are given. kind: "sizes", "scales", "not_larger" or "not_smaller". scales: None for out / in. axis: of the
    policies, the number of the axis that decides."""

    kind: str = "sizes"
    scales: tuple[float, ...] | None = None
    axis: int = 0

    def parameters(self, before: Shape, after: Shape) -> dict[str, Any] | None:
        """For the resized axes; None if this rule cannot give these extents."""
        if self.kind == "sizes":
            return {"sizes": after}
        if 0 in before:
            return None
        if self.kind == "scales":
            scales = tuple(float(np.float32(m / n)) for n, m in zip(before, after)) if self.scales is None else self.scales
            if tuple(int(n * s) for n, s in zip(before, scales)) == after:
                return {"scales": scales}
            rounded = tuple(int(np.float32(n) * np.float32(s)) for n, s in zip(before, scales))
            return {"scales": scales, "extents": "host"} if rounded == after else None
        least = self.kind == "not_smaller"
        n, m = before[self.axis], after[self.axis]
        sizes = [m * other // n if least else -(-m * other // n) for other in before]
        sizes[self.axis] = m
        return {"sizes": tuple(sizes), "keep_aspect_ratio_policy": self.kind}


SIZES = Rule()


class Setting(NamedTuple):
    """parameters: of the operator or of a preset, without extents."""

    operator: str
    parameters: Items
    rule: Rule = SIZES

    def get(self, name: str) -> Any:
        return dict(self.parameters).get(name)

    def replaced(self, **changes: Any) -> Setting:
        return self._replace(parameters=tuple((dict(self.parameters) | changes).items()))

    @property
    def is_nearest(self) -> bool:
        return self.operator == "tile" or self.attributes().get("mode") == "nearest"

    def attributes(self) -> dict[str, Any]:
        """ONNX's attributes, with those that a preset sets."""
        own = {name: value for name, value in self.parameters if name not in (*FIELDS, "like", "opset")}
        return (dict(presets.attributes(self.get("like"))) if self.get("like") else {}) | own

    def fields(self, dtype: np.dtype) -> dict[str, Any]:
        own = {name: value for name, value in self.parameters if name in FIELDS}
        return (dict(presets.fields(self.get("like"), dtype)) if self.get("like") else {}) | own

    def call_parameters(self, before: Shape, after: Shape, axes: Sequence[int]) -> dict[str, Any] | None:
        """All parameters of the call; None if the setting cannot give these extents. before, after: whole shapes."""
        if self.operator == "tile":
            if not all(n and m % n == 0 for n, m in zip(before, after)):
                return None
            return {"repeats": tuple(m // n for n, m in zip(before, after))}
        if self.get("opset") == _SIMPLE:  # which has no axes
            axes = range(len(before))
        extents = self.rule.parameters(tuple(before[axis] for axis in axes), tuple(after[axis] for axis in axes))
        if extents is None:
            return None
        all_axes = tuple(axes) == tuple(range(len(before)))
        return extents | ({} if all_axes and not self.get("like") else {"axes": tuple(axes)}) | dict(self.parameters)

    def plan(self, before: Shape, after: Shape, axes: Sequence[int], dtype: np.dtype) -> Plan | None:
        """None if there is no such plan."""
        parameters = self.call_parameters(before, after, axes)
        if parameters is None:
            return None
        try:
            plan = Plan(self.operator, before, dtype, **parameters)
        except _core.Error:
            return None
        return plan if plan.output_shape == after else None


def _setting(rule: Rule = SIZES, **parameters: Any) -> Setting:
    kept = {name: value for name, value in parameters.items() if name == "mode" or value != DEFAULTS.get(name)}
    return Setting("resize", tuple(kept.items()), rule)


def filters(rule: Rule, coefficients: Sequence[float] = USUAL_A) -> Iterator[Setting]:
    """Settings that interpolate."""
    for coordinates, antialias, outside in itertools.product(COORDINATES, (0, 1), (0, 1)):
        shared = {"coordinate_transformation_mode": coordinates, "antialias": antialias, "exclude_outside": outside}
        yield _setting(rule, mode="linear", **shared)
        for a in coefficients:
            yield _setting(rule, mode="cubic", **shared, cubic_coeff_a=a)
    if rule.kind == "scales":
        yield _setting(rule, mode="linear", opset=_SIMPLE)


def nearest(rule: Rule) -> Iterator[Setting]:
    for coordinates, mode in itertools.product(COORDINATES, _NEAREST):
        yield _setting(rule, mode="nearest", coordinate_transformation_mode=coordinates, nearest_mode=mode)
    if rule.kind == "scales":
        yield _setting(rule, mode="nearest", opset=_SIMPLE)
        return
    for coordinates, mode, positions in itertools.product(_ROUNDED, _NEAREST, _POSITIONS):
        yield _setting(rule, mode="nearest", coordinate_transformation_mode=coordinates, nearest_mode=mode, coordinates=positions)


def positions(setting: Setting) -> Iterator[Setting]:
    """The setting with positions in every arithmetic."""
    yield setting
    if setting.rule.kind == "sizes" and (setting.get("coordinate_transformation_mode") or "half_pixel") in _ROUNDED:
        for name in _POSITIONS:
            yield setting.replaced(coordinates=name)


def arithmetics(setting: Setting, dtype: np.dtype, passes: int) -> Iterator[dict[str, str]]:
    """The fields that set how plans of a dtype compute sums. passes: the number of axes that change."""
    orders: list[dict[str, str]] = [{}]
    if passes > 1:
        orders += [{"order": "first_axis_first"}, {"order": "last_axis_first"}]
    sums: list[dict[str, str]] = [{}]
    if dtype == np.uint8 and not setting.get("coordinates"):  # no library has both
        sums += [{"weights": weights, **between} for weights in ("fixed8", "fixed22", "int16")
                 for between in ({}, {"intermediate": "uint8"})]
    for what, order in itertools.product(sums, orders):
        yield what | order


def all_presets(source: np.dtype, channels: int) -> Iterator[Setting]:
    """Presets for arrays of a dtype. channels: of the last axis, if it is not resized, else 0."""
    for name in presets.names:
        if source.name not in presets.dtypes(name):
            continue
        yield Setting("resize", (("like", name),))
        if name.startswith("pillow") and channels in (2, 4):  # without alpha: mode CMYK, for example
            yield Setting("resize", (("like", name), ("alpha", "none")))
