# SPDX-License-Identifier: Apache-2.0
"""Features of the suite, and their cases: a call, what it must give, and the rule that says so."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .. import _core, _types
from .._compare import cases
from .._compare.nodes import Node
from . import fairness

_DATA = ("X", "input")  # inputs that are shown by their shape
_FEW = 10  # values of an input that are shown
_TRIES = 1000  # draws of a case, of which some are unfair


class Call(NamedTuple):
    """A call, and what is special about it."""

    node: Node
    note: str = ""


Draw = Callable[[np.random.Generator], Node | Call]


@dataclass(frozen=True)
class Feature:
    """A rule and how to draw calls that test it. name: of the report's group. area: the operator. rule: in words. refused: the calls
    are bad inputs, which must be refused. fair: calls that rounding of positions or sums could decide are drawn again; features
    that test such decisions draw their own. bits: copies must keep the sign of zero."""

    name: str
    area: str
    rule: str
    draw: Draw
    refused: bool = False
    fair: bool = True
    bits: bool = False

    def case(self, seed: int, number: int) -> Case:
        """Depends on the seed, the feature's name and the number alone."""
        rng = np.random.default_rng([seed, zlib.crc32(self.name.encode()), number])
        for _ in range(_TRIES):
            drawn = self.draw(rng)
            call = drawn if isinstance(drawn, Call) else Call(drawn)
            if self.refused:
                return Case(self, number, call, None, _refusal(call.node))
            expected = call.node.reference()
            if not self.fair or fairness.is_fair(call.node, expected):
                return Case(self, number, call, expected)
        raise _core.InternalError(f"conformance: no fair case of {self.name} in {_TRIES} draws")


def _refusal(node: Node) -> str:
    try:
        node.prepared(1)()
    except _core.Error as error:
        return str(error)
    raise _core.InternalError(f"conformance: Tesela takes a call that is to be refused: {_plain_line(node)}")


def _plain_line(node: Node) -> str:
    """A call that may have anything wrong: operator, attributes, inputs."""
    attributes = "".join(f" {name}={_shown(value)}" for name, value in node.attributes.items())
    inputs = "".join(f" {slot.port}={_shown(slot.array, slot.port in _DATA and node.operator != 'ConstantOfShape')}"
                     for slot in node.inputs if slot is not None)
    return f"{node.operator}-{node.version}{attributes}{inputs}"


def _shown(value: object, by_shape: bool = False) -> str:
    if not isinstance(value, np.ndarray):
        return str(value)
    name = _types.name_of(_types.code_of(value.dtype))
    if value.size <= _FEW and not by_shape:
        return f"{name}:{str(value.tolist()).replace(' ', '')}"
    return f"{name}:{'x'.join(map(str, value.shape))}"


@dataclass(frozen=True)
class Case:
    """expected: the output; None if the call must be refused, for the reason `refusal`."""

    feature: Feature
    number: int
    call: Call
    expected: np.ndarray | None
    refusal: str = ""

    @property
    def name(self) -> str:
        return f"{self.feature.name}/{self.number}"

    @property
    def node(self) -> Node:
        return self.call.node

    @property
    def line(self) -> str:
        """The call in words."""
        if self.expected is None:
            return _plain_line(self.node)
        return cases.line(self.node, self.expected.shape)

    @property
    def reason(self) -> str:
        """The rule that it tests."""
        parts = [self.feature.rule, self.call.note, self.refusal and f"Tesela: {self.refusal}"]
        return " ".join(part for part in parts if part)

    @property
    def size(self) -> int:
        """Elements of the inputs and the output."""
        inputs = sum(slot.array.size for slot in self.node.inputs if slot is not None)
        return inputs + (0 if self.expected is None else self.expected.size)
