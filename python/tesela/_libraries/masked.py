# SPDX-License-Identifier: Apache-2.0
"""numpy.ma: masks follow their elements and are never dropped."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core, _types
from .base import Call, Wrapper, refuse

_CURE = "pass x.filled(value), or mode='nearest', which moves the mask along"


class MaskedArrays(Wrapper):
    def read(self, x: Any) -> np.ndarray:
        if np.ma.is_masked(x):
            refuse(x, "has masked elements", "pass x.filled(value)")
        return x.data.view(np.ndarray)

    def inside(self, x: Any, call: Call) -> tuple[Any, dict[str, Any]]:
        _types.code_of(x.dtype)  # rejects structured dtypes, which have structured masks
        if np.ma.is_masked(x):
            if call.interpolates:
                refuse(x, "has masked elements, which have no values to interpolate", _CURE)
            if call.out is not None:
                raise _core.UsageError("out would lose the mask of x; pass x.filled(value), or leave out 'out'")
        return x.data, call.parameters

    def wrap(self, x: Any, result: Any, plan: Any, call: Call) -> Any:
        mask = np.ma.nomask
        if x.mask is not np.ma.nomask:
            mask = plan._moving(np.dtype(bool)).run(np.asarray(x.mask), None, call.threads)
        fill_value = None if x is np.ma.masked else x.fill_value
        return np.ma.array(result, mask=mask, fill_value=fill_value, copy=False)

    def open(self, out: Any) -> np.ndarray:
        raise _core.UsageError("out is a masked array, whose mask would not be written; pass out.data, or leave out 'out'")


LIBRARY = MaskedArrays()
