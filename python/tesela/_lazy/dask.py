# SPDX-License-Identifier: Apache-2.0
"""dask arrays. The graph is a layer that makes its tasks when they are asked for, so that building and sending it costs nothing
for a chunk; the plan is a node of its own, which each worker gets once."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

import dask.array as da
import numpy as np
from dask._task_spec import DataNode, Task, TaskRef
from dask.base import clone_key, tokenize
from dask.highlevelgraph import HighLevelGraph, Layer, MaterializedLayer

from .. import _core, _types
from .._plan import Plan
from . import chunks as _chunks
from .chains import chains
from .fills import Fill
from .layout import Chunks, Grid, Layout, joined


def compute_chunk(grid: Grid, index: tuple[int, ...], *values: np.ndarray) -> np.ndarray:
    """The function of every task."""
    return grid.compute(index, values)


class Names(NamedTuple):
    """The names of a layer and of its input, and the key of its grid."""

    layer: str
    source: str
    shared: Any


class ChunkLayer(Layer):
    """The tasks of a grid, one for each index, made when they are asked for. only: the indices that a culled layer has left."""

    has_legacy_tasks = False

    def __init__(self, names: Names, grid: Grid, only: Collection[tuple[int, ...]] | None = None,
                 annotations: Mapping[str, Any] | None = None):
        super().__init__(annotations=annotations)
        self.names = names
        self.grid = grid
        self.only = only

    def __contains__(self, key: object) -> bool:
        if not isinstance(key, tuple) or key[:1] != (self.names.layer,) or not all(isinstance(i, int) for i in key[1:]):
            return False
        return key[1:] in (self.grid if self.only is None else self.only)

    def __getitem__(self, key: Any) -> Task:
        if key not in self:
            raise KeyError(key)
        return Task(key, compute_chunk, TaskRef(self.names.shared), key[1:], *map(TaskRef, self._needed(key[1:])))

    def __iter__(self) -> Iterator[Any]:
        return ((self.names.layer, *index) for index in (self.grid.indices() if self.only is None else self.only))

    def __len__(self) -> int:
        return self.grid.count() if self.only is None else len(self.only)

    def _needed(self, index: tuple[int, ...]) -> list[Any]:
        """The keys of what an index is computed from."""
        own = [(self.names.layer, *other) for other in self.grid.before(index)]
        return own + [(self.names.source, *block) for block in self.grid.blocks(index)]

    def is_materialized(self) -> bool:
        return False

    def get_output_keys(self):
        return self.keys()

    def cull(self, keys, all_hlg_keys):
        """The layer with these keys and those before them, and what each depends on."""
        work = [key for key in keys if key in self]
        needed: dict[Any, set[Any]] = {}
        while work:
            key = work.pop()
            if key not in needed:
                needed[key] = {self.names.shared, *self._needed(key[1:])}
                work += [(self.names.layer, *other) for other in self.grid.before(key[1:])]
        if len(needed) == len(self):
            return self, needed
        return ChunkLayer(self.names, self.grid, {key[1:] for key in needed}, self.annotations), needed

    def clone(self, keys, seed, bind_to=None):
        """The layer with new names. It is no leaf: the plan's node is one, and is bound."""
        cloned = {key[0] if isinstance(key, tuple) else key for key in keys}
        source, shared = ((clone_key(name, seed) if name in cloned else name) for name in self.names[1:])
        return ChunkLayer(Names(clone_key(self.names.layer, seed), source, shared), self.grid, self.only, self.annotations), False

    def __reduce__(self):
        return ChunkLayer, (self.names, self.grid, self.only, self.annotations)


def run(plan: Plan, x: da.Array, chunks: Any = None) -> da.Array:
    """Runs the plan on a dask array, lazily. Each chunk is equal in every bit to that part of the whole result."""
    if _types.packed_bits(plan.code):
        raise _core.ElementTypeError(f"element type {x.dtype} is not supported for dask arrays")
    if plan.parameters.get("alpha") is not None:
        x = x.rechunk({-1: -1})  # colours and alpha together
    for number, grid in enumerate(grids := _grids(plan, x.chunks, chunks), 1):
        is_last = number == len(grids)
        name = f"tesela-{plan.operator}" if is_last else f"tesela-{plan.operator}-pass-{number}"
        x = _array(name, grid, joined(plan.output_dtype if is_last else grid.step.output_dtype), x)
    return x


def _grids(plan: Plan, chunks_in: Chunks, wanted: Any) -> list[Any]:
    """The layers between the input and the output: one, or chains of partial sums if an output chunk needs more than a worker
    should hold; shorter chunks if the plan has no sums."""
    chosen = _chunks.chosen(plan, chunks_in)
    layout = Layout(plan, chunks_in, chosen if wanted is None else _chunks.read(plan, wanted, chosen))
    if not _chunks.reads_too_much(layout):
        return [layout]
    if found := chains(plan, chunks_in, layout.chunks_out):
        return found
    return [layout if wanted is not None else Layout(plan, chunks_in, _chunks.shrunk(plan, chunks_in, chosen))]


def fill(grid: Fill) -> da.Array:
    """A dask array of one element, repeated."""
    return _array("tesela-constant_of_shape", grid, grid.element.dtype, None)


def _array(prefix: str, grid: Grid, dtype: np.dtype, x: da.Array | None) -> da.Array:
    """The array with a layer of this grid, and one with the grid itself."""
    token = tokenize(x.name if x is not None else None, grid)
    names = Names(f"{prefix}-{token}", x.name if x is not None else "", f"tesela-plan-{token}")
    name, _, shared = names
    layer = ChunkLayer(names, grid)
    inputs: list[Any] = [] if x is None else [x]
    graph = HighLevelGraph.from_collections(name, layer, dependencies=inputs)
    layers = {**graph.layers, shared: MaterializedLayer({shared: DataNode(shared, grid)})}
    dependencies = {**graph.dependencies, shared: set(), name: {*graph.dependencies[name], shared}}
    meta = np.empty((0,) * len(grid.chunks_out), dtype)
    return da.Array(HighLevelGraph(layers, dependencies), name, chunks=grid.chunks_out, meta=meta)
