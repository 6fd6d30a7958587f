# SPDX-License-Identifier: Apache-2.0
"""Cubed's arrays. A task reads the chunks that it needs one after the other, and says beforehand how much memory it takes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cubed
import numpy as np
from cubed.core.ops import general_blockwise
from cubed.primitive.blockwise import ChunkKey, FunctionArgs

from .. import _core
from .._plan import Plan
from . import chunks as _chunks
from .fills import Fill
from .layout import Chunks, Grid, Layout, joined, most_read
from .streams import Stream, stream


def compute_chunk(blocks: Iterator[np.ndarray], *, grid: Grid, block_id: Any = None) -> np.ndarray:
    """The function of every task. blocks: an iterator, so that Cubed reads one at a time."""
    _core.trim_memory(0)  # what tasks before have freed is not in this one's figure
    return grid.compute(tuple(block_id), (np.asarray(block) for block in blocks))


def run(plan: Plan, x: cubed.Array, chunks: Any = None) -> cubed.Array:
    """Runs the plan on a Cubed array, lazily. Each chunk is equal in every bit to that part of the whole result."""
    if plan.parameters.get("alpha") is not None:
        x = cubed.rechunk(x, (*x.chunksize[:-1], x.shape[-1]))  # colours and alpha together
    if 0 in plan.output_shape:
        return cubed.array_api.zeros(plan.output_shape, dtype=joined(plan.output_dtype), chunks=1, spec=x.spec)
    grid = _grid(plan, x.chunks, chunks)
    working = grid.working_bytes(x.chunkmem) if isinstance(grid, Stream) else working_bytes(grid, x.chunkmem)

    def reads(out_key: ChunkKey) -> FunctionArgs:
        keys = [ChunkKey(x.name, block) for block in grid.blocks(out_key.coords)]
        return FunctionArgs(iter(keys), output_name=out_key.name)

    return general_blockwise(
        compute_chunk, reads, x, shapes=[plan.output_shape], dtypes=[joined(plan.output_dtype)], chunkss=[grid.chunks_out],
        num_input_blocks=(most_read(Layout(plan, x.chunks, grid.chunks_out), _ALL)[0],), extra_projected_mem=working,
        fusable_with_predecessors=False,  # a chunk that several tasks read would be computed for each
        op_name=f"tesela.{plan.operator}", grid=grid)


_ALL = 2**63  # samples of an axis: every chunk


def _grid(plan: Plan, chunks_in: Chunks, wanted: Any) -> Layout | Stream:
    chosen = _chunks.chosen(plan, chunks_in, wrapping=True)
    layout = Layout(plan, chunks_in, _regular(plan.operator, chosen if wanted is None else _chunks.read(plan, wanted, chosen)))
    if not _chunks.reads_too_much(layout):
        return layout
    if found := stream(plan, chunks_in, layout.chunks_out):
        return found
    return layout if wanted is not None else Layout(plan, chunks_in, _chunks.shrunk(plan, chunks_in, chosen))


def working_bytes(layout: Layout, chunk_bytes: int) -> int:
    """Most memory of a task beyond the chunk that it reads and the one that it writes, which Cubed counts itself."""
    plan = layout.plan
    boxes = outputs = 1
    positions: list[list[tuple[int, int]]] = [[], [], []]
    for axis, sizes in enumerate(layout.chunks_out):
        covers = [layout.cover(axis, i) for i in range(len(sizes))]
        boxes *= max(sum(segment.x_extent for segment in cover.segments) for cover in covers)
        outputs *= max(sizes)
        for position, i in zip(positions, (0, len(sizes) // 2, len(sizes) - 1)):
            segment = covers[i].segments[0]
            position.append((segment.lo, segment.extent))
    scratch = max(plan._core.scratch_bytes(*map(list, zip(*position))) if position else 0 for position in positions)
    computed = plan.output_dtype.itemsize
    # The chunk before is freed when the next is read; parts of an output chunk are joined; and Zarr has the compressed bytes of
    # a chunk beside its elements, which Cubed does not count.
    total = 2 * chunk_bytes + boxes * plan.dtype.itemsize + 2 * outputs * computed + scratch
    if plan._conversion is not None:
        # Colours are multiplied by alpha, and divided by it, in numbers of 32 bits, of which NumPy makes three at a time.
        total += boxes * computed + (12 * max(boxes, outputs) if plan._conversion.alpha else 0)
    if not plan.dtype.isnative:
        total += boxes * computed + outputs * computed
    return total


def fill(layout: Fill, spec: Any) -> cubed.Array:
    """A Cubed array of one element, repeated. Its chunks are never stored."""
    if layout.element.dtype.kind not in "biufc":
        raise _core.ElementTypeError(f"ConstantOfShape: element type {layout.element.dtype} is not supported for cubed arrays")
    if spec is not None and not isinstance(spec, cubed.Spec):
        raise _core.ArgumentError(f"ConstantOfShape: engine is a {type(spec).__name__}; expected 'dask', 'cubed' or a cubed.Spec")
    shape = tuple(map(sum, layout.chunks_out))
    sizes = tuple(max(max(axis), 1) for axis in _regular("constant_of_shape", layout.chunks_out))
    return cubed.array_api.full(shape, layout.element[()], dtype=layout.element.dtype, chunks=sizes, spec=spec)


def _regular(operator: str, chunks: Chunks) -> Chunks:
    """The same chunks. Errors: InvalidValueError if those of an axis differ in length: Cubed stores them in Zarr."""
    for axis, sizes in enumerate(chunks):
        if sizes != _chunks.cut(sum(sizes), sizes[0]):
            raise _core.InvalidValueError(f"{operator}: the chunks of axis {axis} are {sizes[:8]}; Cubed needs chunks of one length, "
                                          "of which only the last may be shorter")
    return chunks
