"""What a contestant is: a way to compute a workload on given buffers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


class Unable(Exception):
    """This library has no such operation."""


@dataclass
class Runner:
    """name: of the library and the way it is called. call: computes once. result: what the last call made, in the
    workload's layout. same: the same operation on the same layout, at least as exactly; other ways are told apart."""

    name: str
    call: Callable[[], object]
    result: Callable[[], np.ndarray]
    same: bool = True
    source: int = 0  # address of the input, where the limit is measured
    item_bytes: float = 0
    keep: object = None  # what must live as long


@dataclass
class Job:
    """A workload with its buffers. x: None for ConstantOfShape. y: the output, which a runner may write into."""

    workload: object
    x: np.ndarray | None
    y: np.ndarray
    threads: int
