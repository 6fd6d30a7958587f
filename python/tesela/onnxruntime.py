"""Tesela inside ONNX Runtime: every Resize, Upsample, Tile and ConstantOfShape of a model that Tesela can run.

    import tesela.onnxruntime
    session = tesela.onnxruntime.make_session("model.onnx")
    session.run(None, {"x": x})

Needs ONNX Runtime 1.23 or newer: `pip install tesela[onnxruntime]`. `override` needs 1.17.
"""

from __future__ import annotations

import os
import pathlib
from collections.abc import Mapping
from typing import Any

from . import _core, _model

__all__ = ["get_ep_name", "get_ep_names", "get_library_path", "make_session", "override", "register"]

_EP_NAME = "TeselaExecutionProvider"
_LIBRARY = "libtesela_onnxruntime.so"

# What ONNX Runtime's own ConstantOfShape fills. A constant node of another type stops its constant folding.
_FOLDABLE_FILLS = {
    "bfloat16", "bool", "double", "float", "float16", "int16", "int32", "int64", "int8", "uint16", "uint32",
    "uint64", "uint8",
}


def get_library_path() -> str:
    """The plugin's library, for `onnxruntime.register_execution_provider_library` and for
    `SessionOptions.register_custom_ops_library`. Errors: UnsupportedError."""
    path = pathlib.Path(__file__).parent / _LIBRARY
    if not path.is_file():
        raise _core.UnsupportedError(f"this copy of Tesela was built without the plugin for ONNX Runtime: no {path}")
    return str(path)


def get_ep_name() -> str:
    """The execution provider's name."""
    return _EP_NAME


def get_ep_names() -> list[str]:
    """The names of all execution providers in the library."""
    return [_EP_NAME]


def register(name: str = "tesela") -> list[Any]:
    """Makes the provider known to ONNX Runtime, where it is not yet, and gives its devices, for
    `SessionOptions.add_provider_for_devices`. Errors: ImportError, UnsupportedError."""
    runtime = _import_runtime()
    if not (devices := _find_devices(runtime)):
        runtime.register_execution_provider_library(name, get_library_path())
        devices = _find_devices(runtime)
    return devices


def make_session(model: Any, sess_options: Any = None, *, provider_options: Mapping[str, str] | None = None,
                 **arguments: Any) -> Any:
    """An `onnxruntime.InferenceSession` in which Tesela's provider comes first and the CPU's kernels do the rest.

    model: a path, bytes, or an onnx.ModelProto. sess_options: an `onnxruntime.SessionOptions` of yours, to which the
    provider is added. provider_options: see docs/onnxruntime.md. Other arguments are the session's own.
    Constant folding is disabled where the model has a ConstantOfShape of a type that would stop it. What fails is an
    error, where ONNX Runtime by default prints a line and goes on without the provider.
    """
    runtime = _import_runtime()
    source = model.SerializeToString() if hasattr(model, "SerializeToString") else model
    options = runtime.SessionOptions() if sess_options is None else sess_options
    options.add_provider_for_devices(register(), dict(provider_options or {}))
    if _stops_folding(source):
        arguments["disabled_optimizers"] = {*(arguments.get("disabled_optimizers") or ()), "ConstantFolding"}
    return runtime.InferenceSession(source, options, **{"enable_fallback": 0} | arguments)


def override(sess_options: Any = None) -> Any:
    """Session options in which Tesela's operators stand in for ONNX Runtime's own Resize, Upsample, Tile and
    ConstantOfShape: all of a model or none, without a provider. For ONNX Runtime 1.17 to 1.22, and for set-ups that
    allow custom operators alone; the limits are in docs/onnxruntime.md.

    sess_options: an `onnxruntime.SessionOptions` of yours; a new one without it. Errors: ImportError, UnsupportedError.
    """
    options = _import_runtime(None).SessionOptions() if sess_options is None else sess_options
    options.register_custom_ops_library(get_library_path())
    return options


def _import_runtime(needed: str | None = "register_execution_provider_library") -> Any:
    try:
        import onnxruntime
    except ImportError as error:
        raise ImportError("ONNX Runtime is not installed: pip install tesela[onnxruntime]") from error
    if needed and not hasattr(onnxruntime, needed):
        raise _core.UnsupportedError(f"ONNX Runtime {onnxruntime.__version__} is too old; expected 1.23 or newer")
    return onnxruntime


def _find_devices(runtime: Any) -> list[Any]:
    return [device for device in runtime.get_ep_devices() if device.ep_name == _EP_NAME]


def _stops_folding(source: Any) -> bool:
    try:
        nodes = _model.load(source if isinstance(source, bytes) else os.fspath(source)).inspect()["nodes"]
    except _core.Error:
        return False  # for ONNX Runtime to judge: it has formats of its own
    filled = {value["type"] for node in nodes if node["operator"] == "ConstantOfShape" for value in node["outputs"]}
    return not filled <= _FOLDABLE_FILLS
