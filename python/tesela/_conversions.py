# SPDX-License-Identifier: Apache-2.0
"""The plan fields `result` and `alpha`: conversions of x before a plan runs, and of its result afterwards."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import _core, _parameters

_RESULTS = ("float32", "float64", "int32")
_ALPHAS = ("none", "premultiplied")


class Conversion(NamedTuple):
    """dtype: x is converted to it, and the plan computes in it. alpha: the last channel is alpha; colours are multiplied by
    it before the plan and divided by it afterwards."""

    dtype: np.dtype
    alpha: bool

    def before(self, x: np.ndarray) -> np.ndarray:
        x = x.astype(self.dtype, copy=False)
        return _multiplied(x) if self.alpha else x

    def after(self, y: np.ndarray) -> np.ndarray:
        return _divided(y) if self.alpha else y


def read(shape: tuple[int, ...], dtype: np.dtype, parameters: dict[str, Any]) -> Conversion | None:
    """The conversion that the parameters ask for, or None. Errors: AttributeValueError, ElementTypeError, ShapeError."""
    result, alpha = parameters.get("result"), parameters.get("alpha")
    if alpha not in (None, *_ALPHAS):
        expected = ", ".join(_ALPHAS)
        raise _core.AttributeValueError(f"Resize: plan field 'alpha' is {_parameters.shown(alpha)}; expected {expected}")
    alpha = alpha == "premultiplied"
    if result is None and not alpha:
        return None
    if result is not None and result not in _RESULTS:
        expected = ", ".join(_RESULTS)
        raise _core.AttributeValueError(f"Resize: plan field 'result' is {_parameters.shown(result)}; expected one of {expected}")
    converted = np.dtype(result) if result is not None else dtype
    if dtype.kind not in "biuf" and dtype.name != "bfloat16":
        raise _core.ElementTypeError(f"Resize: plan field 'result' is for real numbers; x holds {dtype}")
    if alpha and converted != np.uint8:
        raise _core.ElementTypeError(f"Resize: plan field 'alpha' is for uint8; x holds {dtype}")
    if alpha and (not shape or shape[-1] < 2):
        raise _core.ShapeError(f"Resize: plan field 'alpha': x is {shape}; expected colours and alpha in the last axis")
    return Conversion(converted, alpha)


def _multiplied(x: np.ndarray) -> np.ndarray:
    """Colours times alpha / 255, rounded as in Pillow."""
    product = x[..., :-1].astype(np.uint32) * x[..., -1:] + 128
    return np.concatenate([(((product >> 8) + product) >> 8).astype(np.uint8), x[..., -1:]], axis=-1)


def _divided(y: np.ndarray) -> np.ndarray:
    """Colours divided by alpha / 255, truncated and saturated; unchanged where alpha is 0 or 255."""
    alpha = y[..., -1:]
    colours = np.minimum(y[..., :-1].astype(np.uint32) * 255 // np.maximum(alpha, 1), 255).astype(np.uint8)
    return np.concatenate([np.where((alpha == 0) | (alpha == 255), y[..., :-1], colours), alpha], axis=-1)
