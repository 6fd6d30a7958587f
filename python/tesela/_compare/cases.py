# SPDX-License-Identifier: Apache-2.0
"""Calls as one line: the words of `tesela bench`, and NAME=VALUES for what those leave open.

    nearest round_prefer_ceil float 1x20 -> 1x6 scales=1,0.3 x=0,1,2,3
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from .. import _core, _files, _types
from . import values
from .nodes import Node, Slot, attribute_choices, attribute_defaults, newest_version, ports

# What the words of `tesela bench` cannot say, in the order in which they are printed.
_LISTS: dict[str, type] = {"axes": int, "scales": np.float32, "sizes": int, "roi": np.float32, "x": str}
_MOST_VALUES = 128  # that a line shows


def read(line: str, seed: int) -> Node:
    """The node of a line. Errors: those of the line."""
    words = line.split()
    lists = {}
    for word in list(words):
        name, equals, text = word.partition("=")
        if equals and name in _LISTS:
            lists[name] = _entries(name, text, _LISTS[name])
            words.remove(word)
    row = _parse(" ".join(words))
    if row["domain"]:
        raise _core.UnsupportedError(f"compare: {row['operator']} is OpenVINO's; expected an operator of ONNX")
    kinds = _core.attribute_kinds(row["operator"], row["since_version"])
    attributes = {name: float(value) if kinds.get(name) == "float" else value for name, value in row["attributes"].items()}
    if fields := [name for name in attributes if name.startswith("tesela.")]:
        raise _core.UnsupportedError(f"compare: {fields[0]} is a field of Tesela's plans, which no other runtime has")
    operator, version = row["operator"], row["since_version"]
    dtype = _types.read_dtype(row["dtype"])
    node = _fill(row, dtype, version) if operator == "ConstantOfShape" else _of_lists(row, dtype, attributes, lists, seed)
    expected = tuple(row["output"])
    shape = node.plan().output_shape
    if shape != expected:
        raise _core.InvalidValueError(f"compare: the output has the shape {_extents(shape)}; the line says {_extents(expected)}")
    return node


def _parse(line: str) -> dict[str, Any]:
    import subprocess

    words = [str(_files.beside_core("tesela-cli")), "bench", "--list", "--json", "--", line]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True)
    if done.returncode:
        message = done.stderr.decode(errors="replace").strip().removeprefix("tesela: ")
        kinds = {error.exit_status: error for error in (_core.UsageError, _core.InvalidValueError, _core.UnsupportedError, _core.LimitError)}
        raise kinds.get(done.returncode, _core.InternalError)(message)
    return json.loads(done.stdout)["cases"][0]


def _entries(name: str, text: str, kind: type) -> list[Any]:
    try:
        return [kind(entry) for entry in text.split(",")] if text else []
    except ValueError:
        expected = "whole numbers" if kind is int else "numbers"
        raise _core.UsageError(f"compare: {name}={text[:60]}; expected {expected} with commas") from None


def _fill(row: dict[str, Any], dtype: np.dtype, version: int) -> Node:
    value = np.array([float(row["value"])], dtype)
    return Node("ConstantOfShape", version, "", {"value": value}, (Slot("input", np.array(row["output"], np.int64), True),))


def _of_lists(row: dict[str, Any], dtype: np.dtype, attributes: dict[str, Any], lists: dict[str, Any], seed: int) -> Node:
    operator, version, shape, target = row["operator"], row["since_version"], tuple(row["input"]), row["output"]
    x = values.draw(shape, dtype, seed) if "x" not in lists else _values(lists["x"], dtype, shape)
    if operator == "Tile":
        return _tile(version, x, target)
    if "axes" in lists:
        attributes["axes"] = lists["axes"]
    have = {"X": Slot("X", x, False)}
    if "scales" in lists or version == 10:
        scales = lists.get("scales", [out / extent if extent else 1.0 for extent, out in zip(shape, target)])
        have["scales"] = Slot("scales", np.array(scales, np.float32), True)
    if "sizes" in lists or "scales" not in have:
        sizes = lists.get("sizes", [target[axis] for axis in lists["axes"]] if "axes" in lists else target)
        have["sizes"] = Slot("sizes", np.array(sizes, np.int64), True)
    if "roi" in lists:
        have["roi"] = Slot("roi", np.array(lists["roi"], np.float32), True)
    slots = [have.get(port) for port in ports(operator, version)]
    while slots[-1] is None:
        slots.pop()
    return Node(operator, version, "", attributes, tuple(slots))


def _tile(version: int, x: np.ndarray, target: list[int]) -> Node:
    repeats = np.array([out // extent if extent else 1 for extent, out in zip(x.shape, target)], np.int64)
    if version >= 6:
        return Node("Tile", version, "", {}, (Slot("input", x, False), Slot("repeats", repeats, True)))
    axis = int(np.argmax(repeats))
    return Node("Tile", version, "", {}, (Slot("input", x, False), Slot("tiles", np.array(repeats[axis], x.dtype), True),
                                          Slot("axis", np.array(axis, x.dtype), True)))


def _values(entries: list[str], dtype: np.dtype, shape: tuple[int, ...]) -> np.ndarray:
    if len(entries) != int(np.prod(shape)):
        raise _core.CountError(f"compare: x has {len(entries)} values; the shape {_extents(shape)} has {int(np.prod(shape))}")
    try:
        if dtype.kind in "iub":
            return np.array([int(entry) for entry in entries], dtype).reshape(shape)
        numbers = entries if dtype == object else [complex(entry) if dtype.kind == "c" else float(entry) for entry in entries]
        return np.array(numbers, dtype).reshape(shape)
    except (ValueError, OverflowError) as error:
        raise _core.UsageError(f"compare: x has elements that are not {dtype.name}: {error}") from None


def line(node: Node, shape: tuple[int, ...] | None = None) -> str:
    """The call as a line. shape: of the output, if it is known."""
    is_newest = node.version == newest_version(node.operator) and node.operator != "Upsample"  # which has been replaced by Resize
    version = "" if is_newest else f"-{node.version}"
    word = "" if node.operator == "Resize" and not version else node.operator + version + " "
    target = "?" if shape is None else _extents(shape)
    if node.operator == "ConstantOfShape":
        value = node.attributes.get("value")
        return f"{word}{_type_name(node.output_dtype)} -> {target}" + ("" if value is None else f" value={_number(value.reshape(-1)[0])}")
    defaults, choices = attribute_defaults(node.operator, node.version), attribute_choices(node.operator, node.version)
    changed = {name: value for name, value in node.attributes.items() if value != defaults.get(name) or name == "mode"}
    plain = [value for name, value in changed.items() if name in choices]
    switches = [name for name, value in changed.items() if name not in choices and isinstance(value, int) and value]
    numbers = [f"{name}={_number(np.float32(value))}" for name, value in changed.items() if isinstance(value, float)]
    lists = {name: node.find(name) for name in ("scales", "sizes", "roi")} | {"axes": node.attributes.get("axes")}
    if node.attribute("keep_aspect_ratio_policy") in (None, "stretch") and lists["scales"] is None:
        lists["sizes"] = None  # they are the output's
    entries = [f"{name}={','.join(map(_number, lists[name]))}" for name in _LISTS if lists.get(name) is not None]
    return " ".join([word + " ".join([*plain, *switches, _type_name(node.x.dtype)]), _extents(node.x.shape), "->", target, *entries, *numbers])


def line_with_values(node: Node, shape: tuple[int, ...]) -> str | None:
    """A line that says everything; None if none can."""
    text = line(node, shape)
    if node.operator != "ConstantOfShape":
        if node.x.size > _MOST_VALUES or node.x.dtype == object:
            return None
        text += f" x={','.join(map(_number, node.x.reshape(-1)))}"
    try:
        again = read(text, 0)
    except _core.Error:
        return None  # words that the grammar lacks: Upsample, scalars, sizes without extents
    names = {*again.attributes, *node.attributes}
    same = again.version == node.version and all(str(again.attribute(name)) == str(node.attribute(name)) for name in names)
    return text if same and list(map(_key, again.inputs)) == list(map(_key, node.inputs)) else None


def _key(slot: Slot | None) -> Any:
    return slot and (slot.port, slot.array.dtype, slot.array.shape, slot.array.tobytes())


def _type_name(dtype: np.dtype) -> str:
    return _types.name_of(_types.code_of(dtype)) or dtype.name


def _extents(shape: Any) -> str:
    return "x".join(map(str, shape))


def _number(value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return str(int(value))
    text = str(value)
    return text.removesuffix(".0") if isinstance(value, (float, np.floating)) else text

