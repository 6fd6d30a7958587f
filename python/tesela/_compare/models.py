# SPDX-License-Identifier: Apache-2.0
"""Lifts the nodes out of a model."""

from __future__ import annotations

import pathlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from .. import _core, _model, _types
from . import values, wire
from .nodes import Node, Slot, ports


class Lifted(list):
    """The nodes of a model. values: where their inputs come from."""

    values = ""


def lift(source: Any, wanted: str | None, shapes: Mapping[str, Any] | None, inputs: Mapping[str, np.ndarray], seed: int,
         activations) -> Lifted:
    """The nodes, or those of one name or "#2". activations: (model, inputs, names) -> (arrays by name, who computed them).
    Errors: those of reading the model; ShapeError, InvalidValueError."""
    path, data = _model._path_or_bytes(source)
    given = {name: (dtype, extents) for name, dtype, extents in _model._shapes_of(shapes)}
    given |= {name: (_types.code_of(array.dtype), array.shape) for name, array in inputs.items()}
    if data is None and given:
        assert path is not None
        data = pathlib.Path(path.decode(errors="surrogateescape")).read_bytes()
    model = _model.Model(source) if data is None else _model.Model(wire.with_shapes(data, given))
    told = model.inspect()
    if told["format"] != "onnx":
        raise _core.UnsupportedError("compare: the model is an OpenVINO IR; expected an ONNX model")
    chosen = _chosen(told["nodes"], wanted)
    known: dict[str, np.ndarray] = {}
    lifted = Lifted()
    lifted.values = f"drawn from seed {seed}"
    if inputs:
        _check_inputs(told["inputs"], inputs)
        names = sorted({entry["name"] for row in chosen if not row["path"] for entry in row["inputs"] if "value" not in entry} - set(inputs))
        assert data is not None
        found, runtime = activations(data, inputs, names) if names else ({}, "")
        lifted.values = f"computed by {runtime}" if runtime else "given"
        known = {**found, **inputs}
    opset = told["opsets"].get("ai.onnx", 0)
    lifted += [_node(row, opset, known, seed) for row in chosen]
    return lifted


def _chosen(rows: list[dict[str, Any]], wanted: str | None) -> list[dict[str, Any]]:
    of_onnx = [row for row in rows if row.get("domain", "") == ""]
    if not of_onnx:
        raise _core.InvalidValueError("compare: the model has no Resize, Upsample, Tile or ConstantOfShape")
    if wanted is None:
        return of_onnx
    if wanted.startswith("#") and wanted[1:].isdecimal():
        if not 1 <= int(wanted[1:]) <= len(of_onnx):
            raise _core.InvalidValueError(f"compare: node is '{wanted}'; the model has {len(of_onnx)} of Tesela's nodes")
        return [of_onnx[int(wanted[1:]) - 1]]
    found = [row for row in of_onnx if row["name"] == wanted]
    if not found:
        near = _core.nearest_name(wanted, [row["name"] for row in of_onnx])
        hint = f"; did you mean '{near}'?" if near else "; 'tesela inspect' lists them"
        raise _core.InvalidValueError(f"compare: no node of Tesela's is named '{wanted}'{hint}")
    return found


def _check_inputs(declared: list[dict[str, Any]], inputs: Mapping[str, np.ndarray]) -> None:
    names = [entry["name"] for entry in declared]
    for name in inputs:
        if name not in names:
            near = _core.nearest_name(name, names)
            raise _core.InvalidValueError(f"compare: the model has no input '{name}'" + (f"; did you mean '{near}'?" if near else ""))
    for entry in declared:
        if entry["name"] not in inputs and not entry.get("has_default"):
            raise _core.InvalidValueError(f"compare: input '{entry['name']}' of the model is not given; expected all of them or none")


def _node(row: dict[str, Any], opset: int, known: Mapping[str, np.ndarray], seed: int) -> Node:
    operator, version = row["operator"], row["since_version"]
    kinds = _core.attribute_kinds(operator, version)
    attributes = {entry["name"]: _attribute(kinds.get(entry["name"]), entry["value"]) for entry in row["attributes"] if entry["given"]}
    if _core.since_version(operator, opset) != version:
        opset = version  # of a function with an opset of its own
    name = row["name"] or row["outputs"][0]["name"]
    where = f"{operator}-{version} node '{name}'"
    have = {entry["port"]: _slot(where, k == 0 and operator != "ConstantOfShape", entry, known, seed)
            for k, entry in enumerate(row["inputs"])}
    slots = [have.get(port) for port in ports(operator, version)]
    while slots and slots[-1] is None:
        slots.pop()
    return Node(operator, opset, name, attributes, tuple(slots))


def _slot(where: str, is_data: bool, entry: dict[str, Any], known: Mapping[str, np.ndarray], seed: int) -> Slot:
    name, port = entry["name"], entry["port"]
    if (array := known.get(name)) is not None:
        return Slot(port, array, False)
    if entry["type"] is None:
        raise _core.ElementTypeError(f"compare: {where}: the type of {port} '{name}' is unknown; give it with --shape '{name}=float:1x3x8x8'")
    dtype, dims = _types.read_dtype(entry["type"]), entry["dims"]
    if "value" in entry and not (is_data and dtype == object):
        flat = np.array([_number(value) for value in entry["value"]], dtype)
        return Slot(port, flat.reshape(dims), not is_data)
    if not is_data:
        raise _core.InvalidValueError(f"compare: {where}: the values of {port} '{name}' are not known before a run; give the model's inputs")
    if dims is None or not all(isinstance(extent, int) for extent in dims):
        raise _core.ShapeError(f"compare: {where}: the shape of {port} '{name}' is {_shape_text(dims)}; give its extents, --shape "
                               f"'{name}={_example(dims)}' say, those of the model's inputs, or the inputs")
    return Slot(port, values.draw(tuple(dims), dtype, seed), False)


def _shape_text(dims: list[Any] | None) -> str:
    return "unknown" if dims is None else "x".join("?" if extent is None else str(extent) for extent in dims)


def _example(dims: list[Any] | None) -> str:
    return "1x3x8x8" if dims is None else "x".join(str(extent) if isinstance(extent, int) else "8" for extent in dims)


def _attribute(kind: str | None, value: Any) -> Any:
    if kind == "tensor" or isinstance(value, dict):
        return np.array([_number(entry) for entry in value["value"]], _types.read_dtype(value["type"])).reshape(value["dims"])
    if kind == "float":
        return float(value)
    if kind == "floats":
        return [float(entry) for entry in value]
    return value


def _number(value: Any) -> Any:
    """JSON has no infinities, and pairs for complex numbers."""
    if isinstance(value, str):
        return float(value)
    return complex(*map(float, value)) if isinstance(value, list) else value
