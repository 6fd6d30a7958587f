# SPDX-License-Identifier: Apache-2.0
"""JAX: arrays are immutable, and tracers have no elements."""

from __future__ import annotations

from typing import Any

import jax
import jax.dlpack
import jax.experimental
import jax.numpy
import numpy as np

from .. import _arrays, _core
from .base import Call, Library, refuse
from .dlpack import exported

_enable_x64 = jax.enable_x64 if hasattr(jax, "enable_x64") else jax.experimental.enable_x64  # older versions
_CALLBACK = ("call outside of jit, vmap and grad, or through jax.pure_callback("
             "..., vmap_method='sequential') with the result's jax.ShapeDtypeStruct")


class Arrays(Library):
    def read(self, x: Any) -> np.ndarray:
        if isinstance(x, jax.core.Tracer):
            refuse(x, "is a JAX tracer, which has no elements", _CALLBACK, _core.UnsupportedError)
        if not isinstance(x, jax.Array):
            refuse(x, "is not an array", "pass a jax.Array")
        if x.is_deleted():
            refuse(x, "was deleted or donated", "pass a live array", _core.UsageError)
        if jax.numpy.issubdtype(x.dtype, jax.dtypes.extended):
            refuse(x, f"holds {x.dtype}", "pass jax.random.key_data(x)")
        devices = x.devices()
        if len(devices) > 1 or any(device.platform != "cpu" for device in devices):
            where = ", ".join(sorted(map(str, devices)))[:60]
            refuse(x, f"is on the devices {where}", "pass jax.device_put(x, jax.devices('cpu')[0])", _core.UnsupportedError)
        return np.asarray(x)

    def describe(self, x: Any, call: Call) -> tuple[tuple[int, ...], np.dtype, dict[str, Any]]:
        return x.shape, np.dtype(x.dtype), call.parameters  # also works for tracers

    def room(self, x: Any, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray | None:
        # Aligned, so that JAX uses the memory without a copy.
        return _arrays.aligned(shape, dtype)

    def give_back(self, x: Any, result: np.ndarray) -> Any:
        (device,) = x.devices()
        with _enable_x64(result.dtype.itemsize >= 8 or jax.config.jax_enable_x64):  # otherwise JAX narrows 64-bit types
            try:
                array = jax.dlpack.from_dlpack(exported(result))
            except _core.ElementTypeError:  # types that DLPack does not support
                array = jax.numpy.asarray(result)
            return array if array.devices() == {device} else jax.device_put(array, device)

    def open(self, out: Any) -> np.ndarray:
        raise _core.UsageError("out is a JAX array, which is immutable; leave out 'out' and use the returned array")


LIBRARY = Arrays()
