# SPDX-License-Identifier: Apache-2.0
"""Random calls of torch.nn.functional.interpolate as nodes, and their results: from PyTorch, in an environment of its own."""

from __future__ import annotations

import functools
import os
import pathlib

import numpy as np
import random_cases
from case import ResizeCase
from tesela._compare import nodes, runtimes

# Of PyTorch: scripts/setup_python.sh requirements-soak.txt .venv-soak
PYTHON = os.environ.get("TESELA_PYTORCH", str(pathlib.Path(__file__).parents[2] / ".venv-soak/bin/python"))
THREADS = 2  # with one, images of three channels have another kernel

TYPES = {"float": 8, "double": 4, "float16": 3, "bfloat16": 3, "uint8": 5, "int8": 1, "int64": 1, "bool": 1}
_COORDINATES = {"half_pixel": 10, "pytorch_half_pixel": 3, "align_corners": 7, "asymmetric": 1}
_ONNX_VERSIONS = {("Resize", 19): 30, ("Resize", 18): 25, ("Resize", 13): 12, ("Resize", 11): 12}
_OLD_VERSIONS = {("Resize", 10): 4, ("Upsample", 9): 4, ("Upsample", 7): 3, ("Upsample", 1): 1}


def case(rng: np.random.Generator) -> ResizeCase:
    rank = int(rng.choice([3, 4, 4, 4, 4, 5]))
    mode = random_cases._pick(rng, {"nearest": 30, "linear": 45, "cubic": 30 if rank == 4 else 1})
    op, version = random_cases._pick(rng, _ONNX_VERSIONS | (_OLD_VERSIONS if mode == "nearest" else {}))
    dtype = random_cases._pick(rng, TYPES)
    drawn = ResizeCase(random_cases.values(rng, dtype, _shape(rng, rank)), dtype, op, version, mode)
    if version > 10:
        _draw_attributes(rng, drawn)
    changed = [d for d in range(rank) if rng.random() < (0.8 if d > 1 else 0.01)]
    sizes = _sizes(rng, drawn.x.shape, changed)
    scales = [random_cases._scale(rng, n, 1.0 if op == "Upsample" else 0.0, False) if d in changed else 1.0 for d, n in enumerate(drawn.x.shape)]
    listed = list(range(rank))
    if version >= 18 and rng.random() < 0.3:
        listed = [int(d) for d in rng.permutation(changed)] or listed
        drawn.axes = [d - rank if rng.random() < 0.1 else d for d in listed]
    if version <= 10 or rng.random() < 0.4:
        drawn.scales = [scales[d] for d in listed]
    else:
        drawn.sizes = [sizes[d] for d in listed]
        drawn.keep_aspect_ratio_policy = "not_larger" if version >= 18 and rng.random() < 0.02 else "stretch"
    if drawn.crops:
        drawn.roi = random_cases._roi(rng, len(listed)).astype(np.float32)
    return drawn


def _shape(rng: np.random.Generator, rank: int) -> list[int]:
    """A vector has up to 16 channels."""
    if rank == 3 and rng.random() < 0.05:
        return [1, 1, int(rng.integers(40, 1000))]
    batch, channels = int(rng.integers(0 if rng.random() < 0.02 else 1, 3)), int(rng.choice([1, 1, 2, 3, 3, 4, 5, int(rng.integers(6, 36))]))
    largest = {3: 40, 4: 9, 5: 4}[rank] if channels < 6 else {3: 12, 4: 4, 5: 2}[rank]
    return [batch, channels, *(int(n) for n in rng.integers(1, largest + 1, rank - 2))]


def _sizes(rng: np.random.Generator, shape: tuple[int, ...], changed: list[int]) -> list[int]:
    """Images whose output has more than 128 rows and columns have other kernels."""
    sizes = [random_cases._size(rng, n, False) if d in changed else n for d, n in enumerate(shape)]
    if len(shape) == 4 and shape[0] * shape[1] <= 4 and 2 in changed and 3 in changed and rng.random() < 0.4:
        sizes[int(rng.integers(2, 4))] = int(rng.integers(118, 140))
    return sizes


def _draw_attributes(rng: np.random.Generator, drawn: ResizeCase) -> None:
    random_cases._draw_attributes(rng, drawn)
    drawn.antialias = int(drawn.since_version >= 18 and drawn.mode != "nearest" and rng.random() < (0.4 if drawn.x.ndim == 4 else 0.05))
    if drawn.antialias and drawn.dtype in ("float16", "bfloat16") and rng.random() < 0.8:
        drawn.antialias = 0
    if drawn.mode != "nearest" or rng.random() < 0.5:
        drawn.coordinate_transformation_mode = random_cases._pick(rng, _COORDINATES)
    if drawn.mode == "nearest" and rng.random() < 0.5:
        drawn.coordinate_transformation_mode, drawn.nearest_mode = "half_pixel", "round_prefer_ceil"


@functools.cache
def _worker() -> runtimes.Worker:
    return runtimes.Worker(next(entry for entry in runtimes.RUNTIMES if entry.name == "pytorch"), THREADS, 60, python=PYTHON)


def answer(operator: str, version: int, attributes: dict, inputs: list) -> np.ndarray | str:
    """PyTorch's result for a node, in compare's way, or why there is none. inputs: arrays or None."""
    slots = tuple(None if array is None else nodes.Slot(port, array, False) for port, array in zip(nodes.ports(operator, version), inputs))
    found = _worker().run(nodes.Node(operator, version, "", attributes, slots))
    return found.text if found.array is None else found.array
