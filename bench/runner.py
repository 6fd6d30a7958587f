# SPDX-License-Identifier: Apache-2.0
"""A contestant: a way to compute a workload on given buffers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


class Unable(Exception):
    """The library does not support the operation."""


@dataclass
class Runner:
    """name: of the library and the way it is called. call: computes once. many: computes so many times, without Python in
    between. result: the result of the last call, in the workload's layout. same: whether it is the same operation on the
    same layout, at least as exact."""

    name: str
    call: Callable[[], object]
    result: Callable[[], np.ndarray]
    same: bool = True
    source: int = 0  # address of the input, where the limit is measured
    item_bytes: float = 0
    keep: object = None  # objects to keep alive
    many: Callable[[int], object] | None = None


@dataclass
class Job:
    """A workload with its buffers. x: None for ConstantOfShape. y: the output, which a runner may write."""

    workload: object
    x: np.ndarray | None
    y: np.ndarray
    threads: int
