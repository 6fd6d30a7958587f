# SPDX-License-Identifier: Apache-2.0
"""ONNX models in protobuf's wire format: models of one node, and other models with more outputs and given shapes."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from .. import _arrays, _core, _types

_IR_VERSION = 10
_FLOAT, _INT, _STRING, _TENSOR, _FLOATS, _INTS = 1, 2, 3, 4, 6, 7  # AttributeProto.AttributeType

# Numbers of fields in onnx.proto.
_MODEL_GRAPH = 7
_GRAPH_INPUT, _GRAPH_OUTPUT, _GRAPH_VALUE_INFO = 11, 12, 13
_NAME = 1  # of ValueInfoProto


def one_node(operator: str, opset: int, name: str, attributes: Mapping[str, Any], names: Sequence[str],
             initializers: Mapping[str, np.ndarray], inputs: Mapping[str, tuple[int, tuple[int, ...]]], output: tuple[int, int]) -> bytes:
    """A model. names: of the node's inputs, "" where one is omitted. inputs: (element type, shape) by name. output: (element type,
    rank)."""
    node = b"".join([*(_text(1, entry) for entry in names), _text(2, "y"), _text(3, name), _text(4, operator),
                     *(_bytes(5, _attribute(key, value)) for key, value in attributes.items())])
    graph = b"".join([_bytes(1, node), _text(2, "node"),
                      *(_bytes(5, tensor(array, key)) for key, array in initializers.items()),
                      *(_bytes(_GRAPH_INPUT, value_info(key, *kind)) for key, kind in inputs.items()),
                      _bytes(_GRAPH_OUTPUT, value_info("y", output[0], [None] * output[1]))])
    return _whole(1, _IR_VERSION) + _bytes(_MODEL_GRAPH, graph) + _bytes(8, _text(1, "") + _whole(2, opset))


def tensor(array: np.ndarray, name: str = "") -> bytes:
    """A TensorProto."""
    code = _types.code_of(array.dtype)
    head = b"".join(_whole(1, extent) for extent in array.shape) + _whole(2, code)
    if code == _types.STRING:
        data = b"".join(_bytes(6, item if isinstance(item, bytes) else str(item).encode()) for item in array.reshape(-1).tolist())
    else:
        plain = _types.pack(array, code) if _types.packed_bits(code) else np.ascontiguousarray(_arrays.native(array))
        data = _bytes(9, plain.tobytes())
    return head + data + _text(8, name)


def of_tensor(data: bytes) -> bytes:
    """A model whose one output is the tensor of this TensorProto."""
    node = _text(1, "x") + _text(2, "y") + _text(4, "Identity")
    graph = _bytes(1, node) + _text(2, "tensor") + _bytes(5, data + _text(8, "x")) + _bytes(_GRAPH_OUTPUT, _text(_NAME, "y"))
    return _whole(1, _IR_VERSION) + _bytes(_MODEL_GRAPH, graph) + _bytes(8, _text(1, "") + _whole(2, 21))


def value_info(name: str, dtype: int, shape: Sequence[int | None]) -> bytes:
    """A ValueInfoProto. dtype: 0 for any. shape: None for any extent."""
    kind = _whole(1, dtype) if dtype else b""
    kind += _bytes(2, b"".join(_bytes(1, b"" if extent is None else _whole(1, extent)) for extent in shape))
    return _text(_NAME, name) + _bytes(2, _bytes(1, kind))


def with_shapes(model: bytes, shapes: Mapping[str, tuple[int, Sequence[int]]]) -> bytes:
    """The model with (element type or 0, extents) of these values. Inputs keep their type where it is 0."""
    if not shapes:
        return model

    def changed(graph: bytes) -> bytes:
        left = dict(shapes)
        parts = []
        for number, kind, value, raw in _fields(graph):
            name = _name_of(value) if number == _GRAPH_INPUT and kind == 2 else None
            if name in left:
                dtype, extents = left.pop(name)
                raw = _bytes(_GRAPH_INPUT, value_info(name, dtype or _element_type(value), extents))
            parts.append(raw)
        return b"".join([*parts, *(_bytes(_GRAPH_VALUE_INFO, value_info(name, *given)) for name, given in left.items())])

    return _with_graph(model, changed)


def with_outputs(model: bytes, names: Sequence[str]) -> bytes:
    """The model with these values as additional outputs."""
    def changed(graph: bytes) -> bytes:
        have = {_name_of(value) for number, kind, value, _ in _fields(graph) if number == _GRAPH_OUTPUT and kind == 2}
        return graph + b"".join(_bytes(_GRAPH_OUTPUT, _text(_NAME, name)) for name in names if name not in have)

    return _with_graph(model, changed)


def _with_graph(model: bytes, changed) -> bytes:
    graphs = [value for number, kind, value, _ in _fields(model) if number == _MODEL_GRAPH and kind == 2]
    rest = b"".join(raw for number, _, _, raw in _fields(model) if number != _MODEL_GRAPH)
    return rest + _bytes(_MODEL_GRAPH, changed(b"".join(graphs)))


def _name_of(message: bytes) -> str:
    names = [value for number, kind, value, _ in _fields(message) if number == _NAME and kind == 2]
    return names[-1].decode(errors="replace") if names else ""


def _element_type(info: bytes) -> int:
    """Of a ValueInfoProto with a tensor type; else 0."""
    found = 0
    for _, _, kind, _ in _chosen(info, 2):
        for _, _, of_tensor, _ in _chosen(kind, 1):
            for number, wire, value, _ in _fields(of_tensor):
                found = value if (number, wire) == (1, 0) else found
    return found


def _chosen(message: bytes, wanted: int) -> Iterator[tuple[int, int, Any, bytes]]:
    return (entry for entry in _fields(message) if entry[:2] == (wanted, 2))


def _attribute(name: str, value: Any) -> bytes:
    head = _text(1, name)
    if isinstance(value, str):
        return head + _text(4, value) + _whole(20, _STRING)
    if isinstance(value, int):
        return head + _whole(3, value) + _whole(20, _INT)
    if isinstance(value, float):
        return head + _float(2, value) + _whole(20, _FLOAT)
    if isinstance(value, np.ndarray):
        return head + _bytes(5, tensor(value)) + _whole(20, _TENSOR)
    if any(isinstance(entry, float) for entry in value):
        return head + b"".join(_float(7, entry) for entry in value) + _whole(20, _FLOATS)
    return head + b"".join(_whole(8, entry) for entry in value) + _whole(20, _INTS)


def _varint(number: int) -> bytes:
    number &= (1 << 64) - 1
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def _whole(field: int, number: int) -> bytes:
    return _varint(field << 3) + _varint(number)


def _float(field: int, number: float) -> bytes:
    return _varint(field << 3 | 5) + struct.pack("<f", number)


def _bytes(field: int, data: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(data)) + data


def _text(field: int, text: str) -> bytes:
    return _bytes(field, text.encode())


def _fields(message: bytes) -> Iterator[tuple[int, int, Any, bytes]]:
    """(number, wire type, value, the field's bytes). Errors: TruncatedError, ParseError."""
    at = 0
    while at < len(message):
        start = at
        key, at = _read_varint(message, at)
        number, kind = key >> 3, key & 7
        value: Any
        if kind == 0:
            value, at = _read_varint(message, at)
        elif kind in (1, 5):
            value, at = b"", at + (8 if kind == 1 else 4)
        elif kind == 2:
            size, at = _read_varint(message, at)
            value, at = message[at : at + size], at + size
        else:
            raise _core.ParseError(f"the model has a field of wire type {kind} at byte {start}; expected 0, 1, 2 or 5")
        if at > len(message):
            raise _core.TruncatedError("the model ends within a field")
        yield number, kind, value, message[start:at]


def _read_varint(message: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while at < len(message) and shift < 70:
        byte = message[at]
        number |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return number, at
    raise _core.TruncatedError("the model ends within a number")
