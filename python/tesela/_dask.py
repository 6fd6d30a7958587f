"""The operators on dask arrays: one task for each chunk of the output, which reads the input region it needs."""

from __future__ import annotations

import functools
import itertools
from typing import Any

import numpy as np

from . import _core, _libraries, _types
from ._plan import Plan


def _output_chunks(x: Any, plan: Plan) -> tuple[tuple[int, ...], ...]:
    """The chunks of the output: along each axis as long as the longest chunk of the input. Unchanged axes keep their
    chunks."""
    chunks = []
    for axis, extent in enumerate(plan.output_shape):
        if extent == x.shape[axis]:
            chunks.append(x.chunks[axis])
            continue
        size = max(x.chunks[axis], default=0) or 1
        whole, rest = divmod(extent, size)
        chunks.append((size,) * whole + ((rest,) if rest or not whole else ()))
    return tuple(chunks)


def _starts(chunks: tuple[int, ...]) -> list[int]:
    return [0, *itertools.accumulate(chunks)][:-1]


def _covering(starts: list[int], chunks: tuple[int, ...], lo: int, extent: int) -> list[tuple[int, int, int]]:
    """(chunk, first, last) for the chunks of an axis that cover [lo, lo + extent); last is exclusive."""
    pieces = []
    for index, (start, size) in enumerate(zip(starts, chunks)):
        first, last = max(lo, start), min(lo + extent, start + size)
        if first < last:
            pieces.append((index, first - start, last - start))
    return pieces or [(0, 0, 0)]


def _compute(plan: Plan, x_lo, lo, shape, pieces, *blocks: np.ndarray) -> np.ndarray:
    """pieces: for each axis, the lengths of the blocks within the box of the input."""
    plain = [_libraries.read(block) for block in blocks]
    if len(plain) == 1:
        box = plain[0]
    else:
        grid = np.empty([len(lengths) for lengths in pieces], object)
        grid.reshape(-1)[:] = [None] * len(plain)
        for index, block in enumerate(plain):
            grid.reshape(-1)[index] = block
        box = np.block(grid.tolist()) if grid.size else plain[0]
    # dask already runs tasks in parallel.
    result = plan._run_box(box, x_lo, lo, shape, 1)
    return result.astype(_joined(result.dtype), copy=False)


def _joined(dtype: np.dtype) -> np.dtype:
    """The dtype of joined chunks: NumPy returns native byte order."""
    return dtype.newbyteorder("=")


def _slice(slices: tuple[slice, ...], block: np.ndarray) -> np.ndarray:
    return block[slices]


def run(plan: Plan, x: Any) -> Any:
    """Runs the plan on a dask array, lazily. Each chunk is equal in every bit to that part of the whole result."""
    import dask.array as da
    from dask.base import tokenize
    from dask.highlevelgraph import HighLevelGraph

    if _types.packed_bits(plan.code):
        raise _core.ElementTypeError(f"element type {x.dtype} is not for dask arrays")
    if plan.parameters.get("alpha") is not None:
        x = x.rechunk({-1: -1})  # colours and alpha together
    chunks = _output_chunks(x, plan)
    out_starts = [_starts(axis) for axis in chunks]
    in_starts = [_starts(axis) for axis in x.chunks]
    name = f"tesela-{plan.operator}-{tokenize(x.name, plan.operator, plan.parameters)}"
    graph: dict[Any, Any] = {}
    for index in itertools.product(*(range(len(axis)) for axis in chunks)):
        lo = tuple(starts[i] for starts, i in zip(out_starts, index))
        shape = tuple(axis[i] for axis, i in zip(chunks, index))
        graph[(name, *index)] = _task(plan, x, in_starts, lo, shape)
    layers = HighLevelGraph.from_collections(name, graph, dependencies=[x])
    return da.Array(layers, name, chunks=chunks, meta=np.empty((0,) * len(chunks), _joined(plan.output_dtype)))


def _task(plan: Plan, x: Any, in_starts: list[list[int]], lo, shape) -> tuple[Any, ...]:
    x_lo, x_shape = plan.input_region(lo, shape)
    covering = [_covering(starts, axis, start, extent)
                for starts, axis, start, extent in zip(in_starts, x.chunks, x_lo, x_shape)]
    blocks = []
    for pieces in itertools.product(*covering):
        key = (x.name, *(piece[0] for piece in pieces))
        slices = tuple(slice(piece[1], piece[2]) for piece in pieces)
        blocks.append((functools.partial(_slice, slices), key))
    lengths = [[piece[2] - piece[1] for piece in axis] for axis in covering]
    return (functools.partial(_compute, plan, x_lo, lo, shape, lengths), *blocks)
