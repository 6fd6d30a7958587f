# SPDX-License-Identifier: Apache-2.0
"""Pillow: an image is an array [height, width] of pixels; results are images of the same mode."""

from __future__ import annotations

from typing import Any

import numpy as np
from PIL import Image

from .. import _core
from .base import Call, Wrapper, refuse

# Modes whose values cannot be interpolated.
_NOT_COLOURS = {"1": "x.convert('L')", "P": "x.convert('RGB')", "PA": "x.convert('RGBA')"}
_WITH_OPACITY = ("LA", "RGBA")
# Modes that Image.fromarray infers from the dtype.
_OF_DTYPE = ("1", "F", "I", "I;16", "I;16B")


class Images(Wrapper):
    def read(self, x: Any) -> np.ndarray:
        if not isinstance(x, Image.Image):
            refuse(x, "is not an image", "pass a PIL.Image.Image")
        return np.asarray(x)

    def inside(self, x: Any, call: Call) -> tuple[Any, dict[str, Any]]:
        array = self.read(x)
        if call.interpolates and x.mode in _NOT_COLOURS:
            refuse(x, f"has the mode {x.mode}, which cannot be interpolated", f"pass {_NOT_COLOURS[x.mode]}, or mode='nearest'")
        parameters = _with_bands(call.parameters) if array.ndim == 3 else call.parameters
        return array, _with_opacity(x.mode, array, call._replace(parameters=parameters))

    def wrap(self, x: Any, result: Any, plan: Any, call: Call) -> Any:
        array = np.asarray(x)
        if result.shape[2:] != array.shape[2:] or result.ndim != array.ndim or result.dtype != array.dtype:
            return result  # not an image of this mode
        image = Image.fromarray(result, None if x.mode in _OF_DTYPE else x.mode)
        if x.mode in ("P", "PA"):
            image.putpalette(x.getpalette(x.palette.mode), x.palette.mode)
        image.info = dict(x.info)
        return image

    def open(self, out: Any) -> np.ndarray:
        raise _core.UsageError("out is a PIL image, which cannot be written; leave out 'out', or pass a NumPy array")


def _with_opacity(mode: str, array: np.ndarray, call: Call) -> dict[str, Any]:
    """Adds `alpha` to the parameters if colours must be premultiplied by alpha, as Pillow does when an image changes. Pillow's
    presets do this for all arrays of two or four bands, so it is switched off for modes without alpha. With presets of other
    libraries nothing is added."""
    like = call.parameters.get("like")
    if like is not None:
        is_other = isinstance(like, str) and like.startswith("pillow") and mode not in _WITH_OPACITY
        return call.parameters | {"alpha": "none"} if is_other else call.parameters
    if not call.interpolates or mode not in _WITH_OPACITY:
        return call.parameters
    plan = call.plan_for(call.operator, array.dtype, array.shape, call.parameters)
    return call.parameters | {"alpha": "premultiplied"} if plan._changes(0) or plan._changes(1) else call.parameters


def _with_bands(parameters: dict[str, Any]) -> dict[str, Any]:
    """The parameters of [height, width] for [height, width, bands]."""
    repeats = parameters.get("repeats")
    if repeats is not None:
        return parameters | {"repeats": [*repeats, 1]} if np.size(repeats) == 2 else parameters
    extents = parameters.get("scales") if parameters.get("sizes") is None else parameters["sizes"]
    counts = (2,) if parameters.get("like") is None else (1, 2)  # one number may be for both axes
    if parameters.get("axes") is None and extents is not None and np.size(extents) in counts:
        return parameters | {"axes": (0, 1)}
    return parameters


LIBRARY = Images()
