# SPDX-License-Identifier: Apache-2.0
"""Expands a call with a preset into attributes, plan fields, axes and sizes."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core, _parameters, presets
from ._preset_libraries import (
    Extents,
    Target,
    extents_by_one,
    extents_by_scales,
    find_scales,
    find_target,
    spatial_axes,
)

# Values that a call may pass together with a preset, because they are the defaults.
_DEFAULTS = {"coordinate_transformation_mode": "half_pixel", "nearest_mode": "round_prefer_floor", "cubic_coeff_a": -0.75,
             "antialias": 0, "exclude_outside": 0, "extrapolation_value": 0, "keep_aspect_ratio_policy": "stretch",
             "alpha": "none", "extents": "standard"}
_ARITHMETIC = ("roi", "mode", "coordinates", "weights", "intermediate", "order", "position_scales", "result")
# Whether Pillow resizes the first axis first, given (height, new height), (width, new width).
_ROWS_FIRST = {
    "by_pillow": lambda rows, columns: rows[0] > rows[1] and rows[0] - rows[1] > 2 * (columns[0] - columns[1]),
    "by_pillow_12": lambda rows, columns: rows[0] > 100 * columns[0] and rows[0] > rows[1],
}
# PyTorch uses other loops for two axes if new height + new width is at most this.
_TORCH_SMALL = 128

Sides = list[tuple[int, int]]  # extents before and after, rows before columns


def expand(shape: Extents, dtype: np.dtype, parameters: dict[str, Any]) -> dict[str, Any]:
    """The parameters of a call with the preset expanded. Errors: those of tesela.resize with `like`."""
    name = parameters["like"]
    preset, fields = presets.find(name), dict(presets.fields(name, dtype))
    _refuse_contradictions(name, preset.attributes | fields, parameters)
    result = {key: value for key, value in parameters.items() if key != "like"} | preset.attributes
    if (result.get("sizes") is None) == (result.get("scales") is None):
        return result  # Resize reports the error
    target, extents, scales = _read_extents(name, shape, result)
    sides = _sides(target, len(shape), extents)
    if extents != target.extents:
        _refuse_unlike(target, shape, extents, sides)
    result |= {"sizes": extents, "scales": None}
    if len(target.axes) < len(shape):
        result["axes"] = target.axes
    if scales is not None and (positions := _position_scales(target, dtype, extents, scales, sides)):
        result["position_scales"] = ",".join(map(repr, positions))
    return result | _settled(target, shape, extents, sides, fields, result.get("alpha") is None)


def _refuse_contradictions(name: str, sets: dict[str, Any], parameters: dict[str, Any]) -> None:
    for given in (*_DEFAULTS, *_ARITHMETIC):
        value = parameters.get(given)
        if value is None:
            continue
        if given in sets:
            raise _core.UsageError(f"preset '{name}' sets '{given}'; do not pass it too")
        if not (isinstance(value, (str, bool, int, float, np.generic)) and value == _DEFAULTS.get(given)):
            raise _core.UsageError(
                f"preset '{name}' cannot be combined with {given}, which is {_parameters.shown(value)}; expected none")


def _read_extents(name: str, shape: Extents, given: dict[str, Any]) -> tuple[Target, Extents, list[float] | None]:
    """The target, its new extents, and the scales if given."""
    axes = given.get("axes")
    if given.get("scales") is not None:
        target, scales = find_scales(name, shape, axes, given["scales"])
        return target, extents_by_scales(target, scales), scales
    sizes = _parameters.whole_numbers(f"preset '{name}'", "sizes", given["sizes"])
    # torchvision treats a list of one integer like the integer.
    if sizes.ndim == 0 or (name.startswith("torchvision:") and sizes.shape == (1,)):
        target = find_target(name, shape, axes, None)
        return target, extents_by_one(target, int(sizes.reshape(-1)[0])), None
    if sizes.ndim > 1:
        raise _core.RankError(f"preset '{name}': sizes has {sizes.ndim} axes; expected one integer for each axis")
    target = find_target(name, shape, axes, sizes.size)
    if sizes.size != len(target.axes):
        raise target.fail(f"sizes has length {sizes.size}; expected {len(target.axes)}, one for each axis", _core.CountError)
    return target, tuple(sizes.tolist()), None


def _sides(target: Target, rank: int, extents: Extents) -> Sides:
    """The sides of the image. If every axis of x has a size, batch and channel axes are left out."""
    sides = [side for _, side in sorted(zip(target.axes, zip(target.extents, extents)))]
    if len(sides) < rank or rank < 3:
        return sides
    if target.library.layout == "last":
        return sides[1:] if rank == 3 else sides[2:]
    return sides[:2] if rank == 3 else sides[1:3]


def _refuse_unlike(target: Target, shape: Extents, extents: Extents, sides: Sides) -> None:
    """Raises an error for arguments that the library rejects or is known to handle differently."""
    call, most = target.library.call, target.library.spatial
    if most is None:
        return
    if call == "cv2.resize" and len(shape) == 3 and shape[2] == 1:
        raise target.fail("cv2.resize gives H x W for H x W x 1; pass x[:, :, 0]", _core.ShapeError)
    if 0 in extents and 0 not in target.extents:
        raise target.fail(f"{call} does not support empty images; sizes is {extents}", _core.ShapeError)
    by_torch = target.library.layout == "last" and presets.attributes(target.name).get("antialias")
    if by_torch and len(sides) == 2 and sides[1][1] == 1 < sides[0][1] != sides[0][0]:
        raise target.fail(f"PyTorch repeats the first row in an antialiased result of {sides[0][1]} x 1; "
                          "expected 2 columns or more", _core.ShapeError)
    changed = sum(before != after for before, after in zip(target.extents, extents))
    if changed > (allowed := spatial_axes(target.name, 5)):
        raise target.fail(f"{call} resizes at most {allowed} axes; {changed} would change", _core.UnsupportedError)


def _is_small(sides: Sides) -> bool:
    return len(sides) == 2 and sum(after for _, after in sides) <= _TORCH_SMALL


def _position_scales(target: Target, dtype: np.dtype, extents: Extents, scales: list[float],
                     sides: Sides) -> list[float] | None:
    """The scales for positions; None if positions follow the extents."""
    library, _, variant = target.name.partition(":")
    if library == "skimage" or variant.endswith("align-corners"):
        return None
    if library == "opencv":  # which copies an unchanged image
        return None if extents == target.extents else scales
    if variant == "nearest-exact" or (variant == "bicubic" and dtype != np.uint8):
        return scales
    small = variant == "nearest" and _is_small(sides)
    followed = []
    for before, after, scale in zip(target.extents, extents, scales):
        if before == after and (variant != "nearest" or small):
            scale = 1.0
        elif small and after == 2 * before:
            scale = 2.0
        followed.append(scale)
    return followed


def _settled(target: Target, shape: Extents, extents: Extents, sides: Sides, fields: dict[str, str],
             may_have_alpha: bool) -> dict[str, str]:
    """The fields, with those that depend on the extents resolved."""
    settled = dict(fields)
    if fields.get("coordinates") == "rounded64" and _is_small(sides):
        settled["coordinates"] = "float32"
    if rows_first := _ROWS_FIRST.get(fields.get("order", "")):
        begins = len(sides) == 2 and rows_first(*sides)
        settled["order"] = "first_axis_first" if begins else "last_axis_first"
    # Pillow copies an unchanged image.
    if target.library.call == "PIL.Image.resize" and "weights" in fields and may_have_alpha and extents != target.extents:
        last = len(shape) - 1
        if last >= 2 and shape[last] in (2, 4) and last not in target.axes[:2]:
            settled["alpha"] = "premultiplied"
    return settled
