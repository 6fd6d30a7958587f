# SPDX-License-Identifier: Apache-2.0
"""Tesela inside ONNX Runtime: runs every Resize, Upsample, Tile and ConstantOfShape of a model.

    import tesela.onnxruntime
    session = tesela.onnxruntime.make_session("model.onnx")
    session.run(None, {"x": x})

Requires ONNX Runtime 1.23 or newer: `pip install 'onnxruntime>=1.23'`. `override` requires 1.17.
"""

from __future__ import annotations

import json
import os
import pathlib
import re
import tempfile
import weakref
from collections.abc import Callable, Mapping
from typing import Any

from . import _core, _files, _model

__all__ = ["get_ep_name", "get_ep_names", "get_library_path", "make_session", "override", "register"]

_EP_NAME = "TeselaExecutionProvider"
_LIBRARY = "libtesela_onnxruntime.so"
_LEAST = (1, 23)  # supports plugin providers
_LEAST_FOR_OVERRIDE = (1, 17)
_DEFAULTS = {"extents": "host", "log": "off", "names": "", "placement": "every", "profile": "", "semantics": "onnx"}
_ENTRY = f"ep.{_EP_NAME.lower()}."  # prefix of provider options in session options
# Session options to which make_session added the provider. It can be added only once, and not removed.
_with_provider: weakref.WeakSet[Any] = weakref.WeakSet()
_overridden: weakref.WeakKeyDictionary[Any, str] = weakref.WeakKeyDictionary()

# Types of ONNX Runtime's own ConstantOfShape. A constant node of another type makes its constant folding fail.
_FOLDABLE_FILLS = {
    "bfloat16", "bool", "double", "float", "float16", "int16", "int32", "int64", "int8", "uint16", "uint32",
    "uint64", "uint8",
}


def get_library_path() -> str:
    """The path of the plugin's library, for `onnxruntime.register_execution_provider_library` and
    `SessionOptions.register_custom_ops_library`. Errors: UnsupportedError."""
    path = _files.beside_core(_LIBRARY)
    if not path.is_file():
        raise _core.UnsupportedError(
            "this copy of Tesela was built without the plugin for ONNX Runtime, because its headers were missing: put them into "
            "build/onnxruntime-headers of Tesela's folder (scripts/setup_onnxruntime_headers.sh build/onnxruntime-headers does so on "
            "Debian), and install it again")
    return str(path)


def get_ep_name() -> str:
    """The name of the execution provider."""
    return _EP_NAME


def get_ep_names() -> list[str]:
    """The names of all execution providers in the library."""
    return [_EP_NAME]


def register(name: str = "tesela") -> list[Any]:
    """Registers the provider with ONNX Runtime, unless it is already registered under any name, and returns its device, for
    `SessionOptions.add_provider_for_devices`. Errors: ImportError, UnsupportedError."""
    runtime = _import_runtime()
    if not (devices := _find_devices(runtime)):
        runtime.register_execution_provider_library(name, get_library_path())
        devices = _find_devices(runtime)
    if len(devices) > 1:
        raise _core.UnsupportedError(
            f"{_EP_NAME} is registered {len(devices)} times, from {len(devices)} copies of its library, and ONNX Runtime "
            "cannot create a session with more than one; unregister all but one with "
            "onnxruntime.unregister_execution_provider_library")
    return devices


def make_session(model: Any, sess_options: Any = None, *, provider_options: Mapping[str, str] | None = None,
                 **arguments: Any) -> Any:
    """Creates an `onnxruntime.InferenceSession` in which Tesela's provider comes first and CPU kernels run the other nodes.

    model: a path, bytes, or an onnx.ModelProto.
    sess_options: your own `onnxruntime.SessionOptions`, to which the provider is added. They can be used for several sessions,
    each with its own provider_options.
    provider_options: see docs/onnxruntime.md. Scales give the same extents as in ONNX Runtime, or the standard's with
    `{"extents": "standard"}`.
    Other arguments are those of InferenceSession; `providers` come after Tesela's.

    Constant folding is disabled if the model has a ConstantOfShape of a type that would make it fail. With
    `enable_profiling`, `end_profiling` writes the model's names and operators for Tesela's nodes. If the provider cannot be
    created, an error is raised; ONNX Runtime by default prints a line and continues without it.
    Errors: ImportError, UnsupportedError, and those of ONNX Runtime.
    """
    runtime = _import_runtime()
    source = model.SerializeToString() if hasattr(model, "SerializeToString") else model
    options = runtime.SessionOptions() if sess_options is None else sess_options
    _refuse_settings(options)
    if _stops_folding(source):
        arguments["disabled_optimizers"] = {*(arguments.get("disabled_optimizers") or ()), "ConstantFolding"}
    settings = dict(provider_options or {})
    make = _session_maker(runtime, options, {"enable_fallback": 0} | arguments)
    if options.enable_profiling and "names" not in settings:
        return _profiled_session(make, source, settings)
    return make(runtime.InferenceSession, source, settings)


def override(sess_options: Any = None, *, extents: str = "host") -> Any:
    """Returns session options in which custom operators replace ONNX Runtime's Resize, Upsample, Tile and ConstantOfShape.

    Either all of these nodes in a model are replaced or the model does not load. For ONNX Runtime 1.17 to 1.22, and for
    environments that only allow custom operators; docs/onnxruntime.md lists the limitations.

    sess_options: your own `onnxruntime.SessionOptions`, which are changed; None creates new ones.
    extents: how scales give extents, "host" (as in ONNX Runtime) or "standard".
    Errors: ImportError, UnsupportedError, and those of ONNX Runtime.
    """
    runtime = _import_runtime(_LEAST_FOR_OVERRIDE)
    options = runtime.SessionOptions() if sess_options is None else sess_options
    if (taken := _overridden.get(options, extents)) != extents:
        raise _core.UsageError(f"override was called with extents '{taken}' for these sess_options; expected the same extents")
    if options not in _overridden:
        options.add_session_config_entry("tesela.extents", extents)
        options.register_custom_ops_library(get_library_path())
        _overridden[options] = extents
    return options


def _import_runtime(least: tuple[int, int] = _LEAST) -> Any:
    wanted = ".".join(map(str, least))
    try:
        import onnxruntime
    except ModuleNotFoundError as error:
        if error.name != "onnxruntime":
            raise
        raise ImportError(f"ONNX Runtime is not installed: pip install 'onnxruntime>={wanted}'") from error
    version = tuple(int(number) for number in re.findall(r"\d+", onnxruntime.__version__)[:2])
    if version >= least:
        return onnxruntime
    cure = f"pip install --upgrade 'onnxruntime>={wanted}'"
    if version >= _LEAST_FOR_OVERRIDE:
        cure += ", or use tesela.onnxruntime.override(), which works from 1.17 on"
    raise _core.UnsupportedError(f"ONNX Runtime {onnxruntime.__version__} is too old; expected {wanted} or newer: {cure}")


def _refuse_settings(options: Any) -> None:
    """Rejects settings with which creating the session would fail."""
    if options.optimized_model_filepath:
        raise _core.UnsupportedError(
            "sess_options.optimized_model_filepath: ONNX Runtime cannot write a model whose nodes a provider has compiled; "
            "clear it, and write the model with tesela.onnxruntime.override() or with a session without Tesela")


def _session_maker(runtime: Any, options: Any, arguments: dict[str, Any]) -> Callable[[Any, Any, dict[str, str]], Any]:
    """Returns a function that creates a session from a class, a source and the provider's options."""
    devices = register()
    if others := arguments.pop("providers", None):
        if _EP_NAME not in runtime.get_available_providers():
            raise _core.UnsupportedError(
                f"providers: ONNX Runtime {runtime.__version__} supports {_EP_NAME} only through session options; add the "
                "other providers to sess_options too")
        return lambda session, source, settings: session(source, options, [(_EP_NAME, settings), *others], **arguments)

    def make(session: Any, source: Any, settings: dict[str, str]) -> Any:
        # Unknown options are rejected when the session is created. They cannot be removed, so they go into new session options.
        kept = options if settings.keys() <= _DEFAULTS.keys() else runtime.SessionOptions()
        if kept not in _with_provider:
            kept.add_provider_for_devices(devices, {})
            _with_provider.add(kept)
        for name, value in settings.items():
            kept.add_session_config_entry(f"{_ENTRY}{name}", value)
        try:
            return session(source, kept, **arguments)
        except Exception as error:
            if f"{_EP_NAME} has already been registered" not in str(error):
                raise
            raise _core.UsageError("sess_options already have the provider; create the onnxruntime.InferenceSession yourself, "
                                   "or pass make_session options without it") from error
        finally:
            for name in settings.keys() & _DEFAULTS.keys():
                kept.add_session_config_entry(f"{_ENTRY}{name}", _DEFAULTS[name])

    return make


def _profiled_session(make: Callable[[Any, Any, dict[str, str]], Any], source: Any, settings: dict[str, str]) -> Any:
    """A session whose profile shows the model's node names. ONNX Runtime writes the names of the compiled nodes."""

    class Session(_import_runtime().InferenceSession):  # type: ignore[misc]
        def end_profiling(self) -> str:
            path = super().end_profiling()
            if path:
                _rename_events(pathlib.Path(path), names)
            return path

    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "names")
        session = make(Session, source, settings | {"names": str(file)})
        texts = file.read_bytes().decode(errors="replace").split("\0")[:-1] if file.exists() else []
    names = {compiled: (node, kind, own) for node, compiled, own, kind in zip(*[iter(texts)] * 4)}
    return session


def _rename_events(path: pathlib.Path, names: Mapping[str, tuple[str, str, str]]) -> None:
    """names: by the compiled operator: the compiled name, and the node's operator and name in the model."""
    try:
        events = json.loads(path.read_text(errors="replace"))
    except ValueError:
        return  # ONNX Runtime writes invalid JSON if names of other nodes contain quotes
    for event in events:
        if known := names.get(event.get("args", {}).get("op_name")):
            compiled, event["args"]["op_name"], own = known
            event["name"] = own + event["name"].removeprefix(compiled)
    path.write_text("[\n" + ",\n".join(map(json.dumps, events)) + "\n]\n")


def _find_devices(runtime: Any) -> list[Any]:
    return [device for device in runtime.get_ep_devices() if device.ep_name == _EP_NAME]


def _stops_folding(source: Any) -> bool:
    try:
        nodes = _model.load(source if isinstance(source, bytes) else os.fspath(source)).inspect()["nodes"]
    except _core.Error:
        return False  # ONNX Runtime may support the format, and reports errors itself
    filled = {value["type"] for node in nodes if node["operator"] == "ConstantOfShape" for value in node["outputs"]}
    return not filled <= _FOLDABLE_FILLS
