# SPDX-License-Identifier: Apache-2.0
"""ONNX Runtime sessions in which Tesela's execution provider runs every node, with tensors of every type."""

from __future__ import annotations

import ctypes

import library
import numpy as np
import onnx
import onnxruntime
import tesela.onnxruntime
from case import NUMPY_TYPES
from onnx import TensorProto, numpy_helper

onnxruntime.set_default_logger_severity(4)

RUNTIME = tuple(int(number) for number in onnxruntime.__version__.split(".")[:2])
NEWEST_OPSET = next((opset for runtime, opset in (((1, 17), 20), ((1, 20), 21), ((1, 21), 22), ((1, 23), 23))
                     if RUNTIME <= runtime), 25)
FIRST_RUNTIME = {"bfloat16": (1, 20), "float4e2m1": (1, 24), "float8e8m0": (1, 27)}


def is_carried(dtype: str, opset: int) -> bool:
    """Whether this ONNX Runtime supports tensors of the type in a model of the opset, with any provider."""
    return opset <= NEWEST_OPSET and RUNTIME >= FIRST_RUNTIME.get(dtype, (0, 0)) and not dtype.startswith("complex")


def session_of(model: onnx.ModelProto, *, threads: int = 1, only_ours: bool = True, provider_options=None,
               **arguments) -> onnxruntime.InferenceSession:
    """only_ours: fails if a node would be left to the CPU kernels."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = threads
    if only_ours:
        options.add_session_config_entry("session.disable_cpu_ep_fallback", "1")
    return tesela.onnxruntime.make_session(model, options, provider_options=provider_options, **arguments)


def overridden_session_of(model: onnx.ModelProto, **arguments) -> onnxruntime.InferenceSession:
    """A session with custom operators instead of the provider. Folding is disabled, so that they run every node."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(model.SerializeToString(), tesela.onnxruntime.override(options),
                                        providers=["CPUExecutionProvider"], disabled_optimizers=["ConstantFolding"],
                                        **arguments)


def to_value(array: np.ndarray, dtype: str) -> onnxruntime.OrtValue:
    """An array of NUMPY_TYPES[dtype] as ONNX Runtime's."""
    array = np.ascontiguousarray(array).reshape(array.shape)
    if dtype in ("bfloat16",) or dtype.startswith("float8"):
        raw = array.view(f"u{array.dtype.itemsize}")
        return onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(raw, library.dtype_code(dtype))
    return onnxruntime.OrtValue.ortvalue_from_numpy(array)


def from_value(value: onnxruntime.OrtValue, dtype: str) -> np.ndarray:
    """The reverse conversion; ONNX Runtime returns only types that NumPy supports."""
    shape = tuple(value.shape())
    count = int(np.prod(shape, dtype=np.int64))
    bits = library.PACKED_BITS.get(dtype)
    size = -(-count * bits // 8) if bits else count * NUMPY_TYPES[dtype].itemsize
    raw = np.frombuffer(ctypes.string_at(value.data_ptr(), size) if size else b"", np.uint8)
    return library.unpack(raw, dtype, shape) if bits else raw.view(NUMPY_TYPES[dtype]).reshape(shape)


def to_text(array: np.ndarray) -> np.ndarray:
    """Byte strings as str, which ONNX Runtime needs."""
    text = np.empty(array.shape, object)
    text.reshape(-1)[:] = [item.decode() for item in array.reshape(-1)]
    return text


def to_bytes(array: np.ndarray) -> np.ndarray:
    encoded = np.empty(array.shape, object)
    encoded.reshape(-1)[:] = [item.encode() for item in array.reshape(-1)]
    return encoded


def with_constants(model: onnx.ModelProto, inputs: dict) -> onnx.ModelProto:
    """The model with these inputs, (array, ONNX type) by name, as initializers."""
    made = onnx.ModelProto()
    made.CopyFrom(model)
    for entry in list(made.graph.input):
        if entry.name in inputs:
            made.graph.input.remove(entry)
            array, dtype = inputs[entry.name]
            if dtype == "string":
                made.graph.initializer.append(
                    onnx.helper.make_tensor(entry.name, TensorProto.STRING, array.shape, list(array.reshape(-1))))
            else:
                made.graph.initializer.append(numpy_helper.from_array(array, entry.name))
    return made


def run(session: onnxruntime.InferenceSession, inputs: dict, dtype: str) -> np.ndarray:
    """inputs: (array, ONNX type) by name. The only output, of type dtype."""
    if any(entry[1] == "string" for entry in inputs.values()):
        given = {name: to_text(array) if kind == "string" else array for name, (array, kind) in inputs.items()}
        return to_bytes(session.run(None, given)[0])
    given = {name: to_value(array, kind) for name, (array, kind) in inputs.items()}
    return from_value(session.run_with_ort_values(None, given)[0], dtype)
