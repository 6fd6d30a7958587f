# SPDX-License-Identifier: Apache-2.0
"""Tensors of other libraries that support DLPack."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from .. import _core, _types
from .base import Library, refuse

_HOST_DEVICES = (1, 3, 11)  # the CPU, and CPU memory pinned by CUDA or ROCm


def read_capsule(capsule: Any) -> np.ndarray:
    """A NumPy array on the memory of a DLPack capsule, read-only if the capsule is."""
    code, plain = _core.from_dlpack(capsule)
    return plain.view(_types.dtype_of(code))


def exported(result: np.ndarray) -> Any:
    """An object with __dlpack__ on a NumPy array's memory."""
    plain = result if result.dtype == np.complex128 else result.view(f"u{result.itemsize}")
    return _core.to_dlpack(plain, _types.code_of(result.dtype))


class Tensors(Library):
    def read(self, x: Any) -> np.ndarray:
        return self._import(x, {})

    def open(self, out: Any) -> np.ndarray:
        return self._import(out, {"copy": False})

    def give_back(self, x: Any, result: np.ndarray) -> Any:
        """Calls from_dlpack of the library that defines x's class or one of its bases; otherwise returns a NumPy array."""
        for base in type(x).__mro__:
            library = sys.modules.get(base.__module__.partition(".")[0])
            if hasattr(library, "from_dlpack"):
                return library.from_dlpack(exported(result))  # type: ignore[union-attr]  # a module, or None
        return result

    def _import(self, x: Any, options: dict[str, Any]) -> np.ndarray:
        try:
            device = tuple(x.__dlpack_device__())
            if device[0] not in _HOST_DEVICES:
                refuse(x, "is on another device", "copy it to CPU memory first", _core.UnsupportedError)
            try:
                return read_capsule(x.__dlpack__(max_version=(1, 0), **options))
            except TypeError as error:  # DLPack before version 1 does not have these keywords
                if isinstance(error, _core.Error):
                    raise
            return read_capsule(x.__dlpack__())
        except _core.Error:
            raise
        except Exception as error:  # libraries may raise anything
            refuse(x, f"cannot be read: {str(error)[:120]}", "pass a NumPy array of its elements")


LIBRARY = Tensors()
