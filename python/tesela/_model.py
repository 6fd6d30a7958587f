# SPDX-License-Identifier: Apache-2.0
"""Models made of Tesela's operators, with NumPy arrays as inputs and outputs."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from . import _arrays, _core, _explain, _libraries, _parameters, _plan, _types

_JSON = 1  # TESELA_TEXT_JSON


class TensorType(NamedTuple):
    """The known type of an input or output. dtype: ONNX's name, None if unknown. shape: an int, a symbol or None for
    each axis; None if the rank is unknown."""

    name: str
    dtype: str | None
    shape: tuple[int | str | None, ...] | None


class Finding(NamedTuple):
    """A finding of a check. severity: "fault" or "note". node: its name or position."""

    severity: str
    code: str
    node: str
    text: str


class Report(NamedTuple):
    """The result of a check; true if there are no faults."""

    faults: int
    notes: int
    findings: tuple[Finding, ...]

    def __bool__(self) -> bool:
        return self.faults == 0

    def __str__(self) -> str:
        lines = [f"{finding.severity}: {finding.text}" for finding in self.findings]
        return "\n".join([*lines, f"{self.faults} faults, {self.notes} notes"])


class Risk(NamedTuple):
    """A finding of lint. severity: "error" or "warning". rule: the row of the catalogue, "onnxruntime/axes". kind: "refused",
    "fallback", "crash", "other rule", "ignored", "exporter", "accepted" (a fault that a runtime takes), or "fault" of the file. runtime: which one.
    where: operator and node. numbers: the effect on this node, "" if it is not known. cure: "" if there is none. source: a URL, or "measured"."""

    severity: str
    rule: str
    kind: str
    runtime: str
    node: str
    where: str
    condition: str
    effect: str
    numbers: str
    cure: str
    source: str


class LintReport(NamedTuple):
    """The result of lint; true if there are no errors. complete: False if the model has so many nodes that the effects of the
    later ones were not compared."""

    errors: int
    warnings: int
    complete: bool
    findings: tuple[Risk, ...]

    def __bool__(self) -> bool:
        return self.errors == 0


class Change(NamedTuple):
    """A change that fix made. rule: the reason ("standard/upgrade", or a row of the catalogue). change: what was changed.
    keeps_numbers: whether the node gave equal results before and after the change, on random inputs. calls, outputs: how many
    were compared. different: how many outputs differ. difference: by how much at most (None where extents differ). drawn: extents
    or parameters were not known, and were drawn."""

    node: str
    where: str
    rule: str
    change: str
    keeps_numbers: bool
    calls: int
    outputs: int
    different: int
    difference: float | None
    drawn: bool


class Left(NamedTuple):
    """A finding that fix did not cure, and why."""

    node: str
    where: str
    rule: str
    why: str


class Fix(NamedTuple):
    """The result of fix. nodes: how many were changed. opset: the opset of ONNX's domain, before and after. data: the bytes of the
    fixed model; if nothing was changed, those of the given model."""

    nodes: int
    opset: tuple[int, int]
    changes: tuple[Change, ...]
    left: tuple[Left, ...]
    data: bytes


class Model:
    """A model. Any number of threads may run it: `model(photo=array)` or `model(array)`."""

    def __init__(self, source: Any, *, assume_opset: int | None = None, extents: str | None = None,
                 max_output_bytes: int | None = None, max_session_bytes: int | None = None):
        path, data = _path_or_bytes(source)
        rule = None if extents is None else _parameters.text("load", "extents", extents)
        self._core = _core.Model(path, data, _parameters.opset("load", assume_opset, "assume_opset"), rule,
                                 _parameters.most_bytes("load", "max_output_bytes", max_output_bytes),
                                 _parameters.most_bytes("load", "max_session_bytes", max_session_bytes))
        self.inputs = _types_of(self._core.inputs())
        self._idle: list[Any] = []
        self._lock = threading.Lock()

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        """Name, dtype and shape of each output, as far as the model determines them."""
        return _types_of(self._core.outputs())

    def run(self, inputs: Mapping[str, Any], outputs: Sequence[str] | None = None, *,
            num_threads: int | None = None) -> dict[str, np.ndarray]:
        """Computes the named outputs (by default all) and returns them by name."""
        if not isinstance(inputs, Mapping):
            _parameters.refuse("run", "inputs", inputs, "a dict of arrays by name")
        _parameters.names("run", "inputs", list(inputs))
        names = [end.name for end in self.outputs] if outputs is None else _parameters.names("run", "outputs", outputs)
        threads = _parameters.threads("run", num_threads)
        tensors = [_describe(_libraries.read(x)) for x in inputs.values()]
        session = self._take_session()
        try:
            values = session.run(list(inputs), tensors, names, threads)
        finally:
            with self._lock:
                self._idle.append(session)
        return {name: _read_value(*value) for name, value in zip(names, values)}

    def __call__(self, *positional: Any, num_threads: int | None = None, **named: Any) -> Any:
        """Runs the model on inputs in its order or by name. Returns an array, or a tuple if the model has several outputs."""
        if len(positional) > len(self.inputs):
            raise _core.CountError(f"{len(positional)} inputs are given; the model has {len(self.inputs)}")
        given = dict(zip((end.name for end in self.inputs), positional))
        if twice := given.keys() & named.keys():
            raise _core.UsageError(f"input '{min(twice)}' is given twice")
        results = tuple(self.run(given | named, num_threads=num_threads).values())
        return results[0] if len(results) == 1 else results

    def inspect(self) -> dict[str, Any]:
        """Inputs, outputs, and each of Tesela's nodes with its version, attributes and inferred shapes."""
        return json.loads(self._core.inspect(True))

    def explain(self, node: str = "", *, shapes: Mapping[str, Any] | None = None, axis: int | Sequence[int] | None = None,
                outputs: tuple[int, int] | None = None) -> _explain.Explanation:
        """Where the outputs of a node land and which inputs weigh how much.

        node: the name of one of Tesela's nodes, or "#2" for the second; not needed if there is only one. shapes: a dict by name of
        the shapes, or of arrays with these shapes, for inputs whose extents the model leaves open, and for other values where
        inference stops. axis, outputs: as in Plan.explain.
        """
        plan = self._core.plan(_parameters.text("explain", "node", node), _shapes_of(shapes))
        return _explain.Explanation(plan, node, axis, outputs)

    def check(self) -> Report:
        """Every fault that can be found without input data, and notes."""
        document = json.loads(self._core.check(True)[0])
        findings = tuple(Finding(**finding) for finding in document["findings"])
        return Report(document["faults"], document["notes"], findings)

    def lint(self, *runtimes: str) -> LintReport:
        """What can go wrong with each node on other runtimes: the rule, the effect in numbers where shapes are known, and the cure.

        runtimes: names in the catalogue ("onnxruntime", "openvino" ...); what these refuse is an error. Without names, the usual
        runtimes are checked; with "all", every one. Their refusals are then warnings. No node is run. Errors: InvalidValueError
        (an unknown runtime).
        """
        document = json.loads(self._core.lint(_parameters.names("lint", "runtimes", runtimes), _JSON, "")[0])
        findings = tuple(Risk(**finding) for finding in document["findings"])
        return LintReport(document["errors"], document["warnings"], document["complete"], findings)

    def fix(self, path: Any = None, *, meant: str | None = None, opset: int | None = None) -> Fix:
        """Cures what check and lint find, where that is safe, and runs each changed node on random inputs before and after the
        change. The bytes of other nodes stay as they are.

        path: the file to write, or None. meant: "pytorch", "tensorflow" or "opset10": whose results the nodes are meant to give,
        where the file says something else; without `meant`, results do not change. opset: upgrades Tesela's nodes and the model to
        this opset. Errors: UnsupportedError (not an ONNX model; an upgrade that other operators prevent), InvalidValueError (an
        unknown meaning, an older opset), PathError, IoError.
        """
        name = "" if meant is None else _parameters.text("fix", "meant", meant)
        to = None if path is None else _path_or_bytes(path)[0]
        if path is not None and to is None:
            _parameters.refuse("fix", "path", path, "a path")
        text, data = self._core.fix(to, name, _parameters.opset("fix", opset), True)
        document = json.loads(text)
        return Fix(document["nodes"], (document["opset"]["before"], document["opset"]["after"]),
                   tuple(Change(**change) for change in document["changes"]), tuple(Left(**left) for left in document["left"]),
                   data)

    def __str__(self) -> str:
        return self._core.inspect(False).rstrip("\n")

    def _take_session(self) -> Any:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        return _core.Session(self._core)


def load(source: Any, *, assume_opset: int | None = None, extents: str | None = None,
         max_output_bytes: int | None = None, max_session_bytes: int | None = None) -> Model:
    """Loads a model from a path, bytes or an onnx.ModelProto.

    assume_opset: the ONNX opset to use instead of the one that the model imports.
    extents: for all nodes, as in tesela.resize. With "host", models whose scales were computed as float32 ratios have the
    same shapes as in ONNX Runtime.
    max_output_bytes: the most that one tensor may take (default 4 GiB). max_session_bytes: the most that all tensors of a run may
    take at one time, inputs and outputs included (default: max_output_bytes and 1 GiB).
    Errors: AttributeValueError, IoError, PathError, ParseError, TruncatedError, LimitError, UnsupportedError.
    """
    return Model(source, assume_opset=assume_opset, extents=extents, max_output_bytes=max_output_bytes,
                 max_session_bytes=max_session_bytes)


def infer_shapes(source: Any) -> dict[str, TensorType]:
    """The types and shapes of the model's outputs and of the outputs of all Tesela nodes, by name."""
    model = source if isinstance(source, Model) else load(source)
    known = {}
    for node in model.inspect()["nodes"]:
        for value in node["outputs"]:
            shape = value["dims"]
            known[value["name"]] = TensorType(value["name"], value["type"], None if shape is None else tuple(shape))
    return known | {end.name: end for end in model.outputs}


def check(source: Any) -> Report:
    """Reports every fault of a model that can be found without input data. The report is true if there is none."""
    return (source if isinstance(source, Model) else load(source)).check()


def lint(source: Any, *runtimes: str) -> LintReport:
    """What can go wrong with each node of a model on other runtimes; see Model.lint."""
    return (source if isinstance(source, Model) else load(source)).lint(*runtimes)


def fix(source: Any, path: Any = None, *, meant: str | None = None, opset: int | None = None, extents: str | None = None) -> Fix:
    """Cures nodes of a model that runtimes refuse or compute differently; see Model.fix. extents: with "host", extents follow from
    scales as in ONNX Runtime."""
    if isinstance(source, Model):
        if extents is not None:
            raise _core.ArgumentError("fix: extents is for a file; a Model was loaded with its own")
        return source.fix(path, meant=meant, opset=opset)
    return load(source, extents=extents).fix(path, meant=meant, opset=opset)


def explain(source: Any, node: str = "", *, shapes: Mapping[str, Any] | None = None, axis: int | Sequence[int] | None = None,
            outputs: tuple[int, int] | None = None) -> _explain.Explanation:
    """Where outputs land and which inputs weigh how much, for a plan, or for a node of a model as in Model.explain."""
    if isinstance(source, _plan.Plan):
        if node or shapes:
            raise _core.ArgumentError("explain: node and shapes are for models; the first argument is a plan")
        return source.explain(axis, outputs)
    model = source if isinstance(source, Model) else load(source)
    return model.explain(node, shapes=shapes, axis=axis, outputs=outputs)


def _shapes_of(shapes: Any) -> list[tuple[str, int, tuple[int, ...]]]:
    """(name, dtype or 0, extents)."""
    if shapes is None:
        return []
    if not isinstance(shapes, Mapping):
        _parameters.refuse("explain", "shapes", shapes, "a dict of shapes by name")
    return [_shape_of(name, shape) for name, shape in zip(_parameters.names("explain", "shapes", list(shapes)), shapes.values())]


def _shape_of(name: str, shape: Any) -> tuple[str, int, tuple[int, ...]]:
    if hasattr(shape, "dtype"):
        array = _libraries.read(shape)
        return name, _types.code_of(array.dtype), array.shape
    extents = _parameters.whole_numbers("explain", f"the shape of {name}", shape)
    if extents.ndim != 1 or any(extents < 0):
        _parameters.refuse("explain", f"the shape of {name}", shape, "one extent for each axis")
    return name, 0, tuple(extents.tolist())


def _path_or_bytes(source: Any) -> tuple[bytes | None, bytes | None]:
    if isinstance(source, (bytes, bytearray, memoryview)):
        return None, bytes(source)
    if hasattr(source, "SerializeToString"):
        return None, source.SerializeToString()
    try:
        path = os.fsencode(source)
    except (TypeError, ValueError):
        _parameters.refuse("load", "source", source, "a path, bytes or an onnx.ModelProto")
    if b"\0" in path:
        _parameters.refuse("load", "source", source, "a path without NUL", _core.PathError)
    return path, None


def _types_of(ends: list[Any]) -> tuple[TensorType, ...]:
    return tuple(TensorType(name, _types.name_of(code), shape) for name, code, shape in ends)


def _describe(array: np.ndarray) -> tuple[Any, ...]:
    code = _types.code_of(array.dtype)
    if code == _types.STRING:
        items = array.reshape(-1).tolist()
        return code, [item if isinstance(item, bytes) else str(item).encode() for item in items], array.shape
    array = _arrays.native(array)
    if _types.packed_bits(code):
        return code, _types.pack(array, code), array.shape
    return code, array


def _read_value(code: int, shape: tuple[int, ...], elements: Any) -> np.ndarray:
    if code == _types.STRING:
        array = np.empty(len(elements), object)
        array[:] = [_read_text(item) for item in elements]
        return array.reshape(shape)
    if _types.packed_bits(code):
        return _types.unpack(elements, code, shape)
    return elements.view(_types.dtype_of(code)).reshape(shape)


def _read_text(item: bytes) -> str | bytes:
    try:
        return item.decode()
    except UnicodeDecodeError:
        return item
