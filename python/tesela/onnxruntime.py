"""Tesela inside ONNX Runtime: every Resize, Upsample, Tile and ConstantOfShape of a model that Tesela can run.

    import tesela.onnxruntime
    session = tesela.onnxruntime.make_session("model.onnx")
    session.run(None, {"x": x})

Needs ONNX Runtime 1.23 or newer: `pip install 'onnxruntime>=1.23'`. `override` needs 1.17.
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
_LEAST = (1, 23)  # with providers of others
_LEAST_FOR_OVERRIDE = (1, 17)
_DEFAULTS = {"extents": "host", "log": "off", "names": "", "profile": "", "semantics": "onnx"}
_ENTRY = f"ep.{_EP_NAME.lower()}."  # where session options keep a provider's
# Session options that hold the provider by make_session: it can be added once, and not be taken out.
_with_provider: weakref.WeakSet[Any] = weakref.WeakSet()
_overridden: weakref.WeakKeyDictionary[Any, str] = weakref.WeakKeyDictionary()

# What ONNX Runtime's own ConstantOfShape fills. A constant node of another type stops its constant folding.
_FOLDABLE_FILLS = {
    "bfloat16", "bool", "double", "float", "float16", "int16", "int32", "int64", "int8", "uint16", "uint32",
    "uint64", "uint8",
}


def get_library_path() -> str:
    """The plugin's library, for `onnxruntime.register_execution_provider_library` and for
    `SessionOptions.register_custom_ops_library`. Errors: UnsupportedError."""
    path = _files.beside_core(_LIBRARY)
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
    """Makes the provider known to ONNX Runtime, where it is not yet under any name, and gives its one device, for
    `SessionOptions.add_provider_for_devices`. Errors: ImportError, UnsupportedError."""
    runtime = _import_runtime()
    if not (devices := _find_devices(runtime)):
        runtime.register_execution_provider_library(name, get_library_path())
        devices = _find_devices(runtime)
    if len(devices) > 1:
        raise _core.UnsupportedError(
            f"{_EP_NAME} is registered {len(devices)} times, from {len(devices)} copies of its library, and ONNX Runtime "
            "makes no session of both: onnxruntime.unregister_execution_provider_library all but one")
    return devices


def make_session(model: Any, sess_options: Any = None, *, provider_options: Mapping[str, str] | None = None,
                 **arguments: Any) -> Any:
    """An `onnxruntime.InferenceSession` in which Tesela's provider comes first and the CPU's kernels do the rest.

    model: a path, bytes, or an onnx.ModelProto. sess_options: an `onnxruntime.SessionOptions` of yours, to which the provider
    is added, for any number of calls; each has its own provider_options.
    provider_options: see docs/onnxruntime.md; scales make as many outputs as in ONNX Runtime unless it has
    `{"extents": "standard"}`. Other arguments are the session's own; `providers` are those behind Tesela's.
    Constant folding is disabled where the model has a ConstantOfShape of a type that would stop it. With
    `enable_profiling`, `end_profiling` gives Tesela's nodes their own names and operators in the file. What fails is an
    error, where ONNX Runtime by default prints a line and goes on without the provider.
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
    """Session options in which Tesela's operators stand in for ONNX Runtime's own Resize, Upsample, Tile and
    ConstantOfShape: all of a model or none, without a provider. For ONNX Runtime 1.17 to 1.22, and for set-ups that
    allow custom operators alone; the limits are in docs/onnxruntime.md.

    sess_options: an `onnxruntime.SessionOptions` of yours, which is changed; a new one without it.
    extents: how many outputs scales make, "host" (as in ONNX Runtime) or "standard". Errors: ImportError,
    UnsupportedError, and those of ONNX Runtime.
    """
    runtime = _import_runtime(_LEAST_FOR_OVERRIDE)
    options = runtime.SessionOptions() if sess_options is None else sess_options
    if (taken := _overridden.get(options, extents)) != extents:
        raise _core.UsageError(f"override was called with extents '{taken}' for these sess_options; expected the same again")
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
        cure += ", or take tesela.onnxruntime.override(), which needs no provider and works from 1.17 on"
    raise _core.UnsupportedError(f"ONNX Runtime {onnxruntime.__version__} is too old; expected {wanted} or newer: {cure}")


def _refuse_settings(options: Any) -> None:
    """What is sure to fail once the session is half made."""
    if options.optimized_model_filepath:
        raise _core.UnsupportedError(
            "sess_options.optimized_model_filepath: ONNX Runtime cannot write a model whose nodes a provider has compiled; "
            "clear it, and write the model with tesela.onnxruntime.override() or with a session without Tesela")


def _session_maker(runtime: Any, options: Any, arguments: dict[str, Any]) -> Callable[[Any, Any, dict[str, str]], Any]:
    """Makes a session of a class, a source and the provider's options."""
    devices = register()
    if others := arguments.pop("providers", None):
        if _EP_NAME not in runtime.get_available_providers():
            raise _core.UnsupportedError(
                f"providers: ONNX Runtime {runtime.__version__} knows {_EP_NAME} by session options alone; add the others to "
                "sess_options, too")
        return lambda session, source, settings: session(source, options, [(_EP_NAME, settings), *others], **arguments)

    def make(session: Any, source: Any, settings: dict[str, str]) -> Any:
        # What does not exist is refused when the session is made, and would stay in options for good.
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
            raise _core.UsageError("sess_options hold the provider already; make the onnxruntime.InferenceSession by hand, or "
                                   "give make_session options without it") from error
        finally:
            for name in settings.keys() & _DEFAULTS.keys():
                kept.add_session_config_entry(f"{_ENTRY}{name}", _DEFAULTS[name])

    return make


def _profiled_session(make: Callable[[Any, Any, dict[str, str]], Any], source: Any, settings: dict[str, str]) -> Any:
    """A session whose profile has the nodes' own names, where ONNX Runtime writes those of what they compile to."""

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
    """names: by the operator that a node was compiled to, its name as such, and the node's own operator and name."""
    try:
        events = json.loads(path.read_text(errors="replace"))
    except ValueError:
        return  # ONNX Runtime writes what is no JSON where names of other nodes hold quotes
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
        return False  # for ONNX Runtime to judge: it has formats of its own
    filled = {value["type"] for node in nodes if node["operator"] == "ConstantOfShape" for value in node["outputs"]}
    return not filled <= _FOLDABLE_FILLS
