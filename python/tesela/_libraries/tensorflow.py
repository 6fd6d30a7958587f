# SPDX-License-Identifier: Apache-2.0
"""TensorFlow: eager tensors, through its DLPack functions, and variables, which are read as their values."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from .. import _arrays, _core
from .base import Library, refuse
from .dlpack import exported, read_capsule

try:
    from tensorflow.python.eager import record as _record
except ImportError:  # internal to TensorFlow; not every version has it
    _record = None


class Tensors(Library):
    def read(self, x: Any) -> np.ndarray:
        tensor = _eager(x)
        if tensor.dtype == tf.string:
            return np.asarray(tensor.numpy(), object)
        try:
            return read_capsule(tf.experimental.dlpack.to_dlpack(tensor))
        except (_core.ElementTypeError, tf.errors.OpError, TypeError, ValueError):  # types that its DLPack does not support
            return tensor.numpy()

    def room(self, x: Any, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray | None:
        return _arrays.aligned(shape, dtype)

    def give_back(self, x: Any, result: np.ndarray) -> Any:
        try:
            return tf.experimental.dlpack.from_dlpack(exported(result).__dlpack__())
        except (_core.ElementTypeError, tf.errors.OpError, TypeError, ValueError):
            return tf.constant(result, dtype=x.dtype)

    def open(self, out: Any) -> np.ndarray:
        cure = "out.assign(...) the result" if isinstance(out, tf.Variable) else "leave out 'out'"
        raise _core.UsageError(f"out is a {type(out).__name__} of TensorFlow, whose memory cannot be written; {cure}")


def _eager(x: Any) -> Any:
    """x, or the value of a variable, as an eager tensor on the CPU. Raises ElementTypeError, UnsupportedError."""
    if isinstance(x, tf.RaggedTensor):
        refuse(x, "is ragged", "pass x.to_tensor()")
    if isinstance(x, tf.sparse.SparseTensor):
        refuse(x, "is sparse", "pass tf.sparse.to_dense(x)")
    if isinstance(x, tf.IndexedSlices):
        refuse(x, "is a set of slices", "pass tf.convert_to_tensor(x)")
    if not tf.is_tensor(x):
        refuse(x, "is not a tensor", "pass a tf.Tensor or a tf.Variable")
    _refuse_gradient(x)
    tensor = tf.convert_to_tensor(x)
    if not hasattr(tensor, "numpy"):
        refuse(x, "is symbolic: tf.function traces it", "call through tf.numpy_function, or outside of tf.function",
               _core.UnsupportedError)
    if tensor.dtype.is_quantized:
        refuse(x, f"holds {tensor.dtype.name}", "pass tf.quantization.dequantize(x, ...)")
    if "CPU" not in tensor.device:
        refuse(x, f"is on {tensor.device.rpartition('device:')[2]}", "pass tf.identity(x) under tf.device('CPU:0')",
               _core.UnsupportedError)
    return tensor


def _refuse_gradient(x: Any) -> None:
    if _record is not None and _record.could_possibly_record() and _record.should_record_backprop([tf.convert_to_tensor(x)]):
        refuse(x, "is watched by a tf.GradientTape, whose gradient Tesela does not compute", "pass tf.stop_gradient(x)",
               _core.UsageError)


LIBRARY = Tensors()
