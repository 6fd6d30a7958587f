"""Pillow: an image is an array [height, width] of pixels, and comes back as an image of its mode."""

from __future__ import annotations

from typing import Any

import numpy as np
from PIL import Image

from .. import _core
from .base import Call, Wrapper, refuse

# Colours are weighed by their opacity, as Pillow does.
_PREMULTIPLIED = {"LA": "La", "RGBA": "RGBa"}
# Of these, numbers between two are no colours between two.
_NOT_COLOURS = {"1": "x.convert('L')", "P": "x.convert('RGB')", "PA": "x.convert('RGBA')"}

# Of these, an array's dtype says that it is one.
_OF_DTYPE = ("1", "F", "I", "I;16", "I;16B")


class Images(Wrapper):
    def read(self, x: Any) -> np.ndarray:
        if not isinstance(x, Image.Image):
            refuse(x, "is no image", "pass a PIL.Image.Image")
        return np.asarray(x)

    def inside(self, x: Any, call: Call) -> tuple[Any, dict[str, Any]]:
        self.read(x)
        if call.interpolates:
            if x.mode in _NOT_COLOURS:
                refuse(x, f"has the mode {x.mode}, which cannot be interpolated", f"pass {_NOT_COLOURS[x.mode]}, or mode='nearest'")
        parameters = call.parameters
        if _weighs_opacity(call):
            if x.mode not in _PREMULTIPLIED:
                parameters = parameters | {"alpha": "none"}
        elif call.interpolates:
            x = x.convert(_PREMULTIPLIED.get(x.mode, x.mode))
        array = np.asarray(x)
        return array, _with_bands(parameters) if array.ndim == 3 else parameters

    def wrap(self, x: Any, result: Any, plan: Any, call: Call) -> Any:
        mode = _PREMULTIPLIED.get(x.mode, x.mode) if call.interpolates and not _weighs_opacity(call) else x.mode
        if result.shape[2:] != np.asarray(x).shape[2:] or result.ndim != np.asarray(x).ndim:
            return result  # no longer an image of these bands
        image = Image.fromarray(result, None if mode in _OF_DTYPE else mode)
        if x.mode in ("P", "PA"):
            image.putpalette(x.getpalette(x.palette.mode), x.palette.mode)
        image.info = dict(x.info)
        return image.convert(x.mode) if mode != x.mode else image

    def open(self, out: Any) -> np.ndarray:
        raise _core.UsageError("out is an image of PIL, which is not written into; leave out 'out', or pass a NumPy array")


def _weighs_opacity(call: Call) -> bool:
    """Whether the plan itself does: that of a preset of Pillow, for images that it takes to be LA or RGBA."""
    like = call.parameters.get("like")
    return isinstance(like, str) and like.startswith("pillow")


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
