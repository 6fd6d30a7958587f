# SPDX-License-Identifier: Apache-2.0
"""Keras: a variable is read as its value, which belongs to the library that Keras runs on."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from .base import Call, Wrapper, refuse


class Variables(Wrapper):
    def read(self, x: Any) -> np.ndarray:
        from . import read

        return read(_value(x))

    def inside(self, x: Any, call: Call) -> tuple[Any, dict[str, Any]]:
        return _value(x), call.parameters

    def wrap(self, x: Any, result: Any, plan: Any, call: Call) -> Any:
        return result

    def open(self, out: Any) -> np.ndarray:
        raise _core.UsageError("out is a variable of Keras, whose memory cannot be written; out.assign(...) the result")


def _value(x: Any) -> Any:
    if not hasattr(x, "value"):
        refuse(x, "is symbolic or not a tensor", "pass a tensor that has elements")
    return x.value


LIBRARY = Variables()
