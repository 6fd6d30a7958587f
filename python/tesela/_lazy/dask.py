"""dask arrays. The graph is a layer that makes its tasks when they are asked for, so that building and sending it costs nothing
for a chunk; the plan is a node of its own, which each worker gets once."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import dask.array as da
import numpy as np
from dask._task_spec import DataNode, Task, TaskRef
from dask.base import clone_key, tokenize
from dask.highlevelgraph import HighLevelGraph, Layer, MaterializedLayer

from .. import _core, _types
from .._plan import Plan
from . import chunks as _chunks
from .fills import Fill
from .layout import Layout, count_of, joined


def compute_chunk(layout: Layout | Fill, index: tuple[int, ...], *blocks: np.ndarray) -> np.ndarray:
    """The function of every task."""
    return layout.compute(index, blocks)


class ChunkLayer(Layer):
    """One task for each output chunk, made from the layout. source: the name of the input. shared: the key of the layout.
    only: the chunks that a culled layer has left."""

    has_legacy_tasks = False

    def __init__(self, name: str, layout: Layout | Fill, source: str, shared: Any, *, only: Collection[tuple[int, ...]] | None = None,
                 annotations: Mapping[str, Any] | None = None):
        super().__init__(annotations=annotations)
        self.name = name
        self.layout = layout
        self.source = source
        self.shared = shared
        self.only = only

    def _indices(self) -> Collection[tuple[int, ...]] | Iterator[tuple[int, ...]]:
        return itertools.product(*[range(len(axis)) for axis in self.layout.chunks_out]) if self.only is None else self.only

    def __contains__(self, key: object) -> bool:
        chunks = self.layout.chunks_out
        if not isinstance(key, tuple) or len(key) != len(chunks) + 1 or key[0] != self.name:
            return False
        if self.only is not None:
            return key[1:] in self.only
        return all(isinstance(i, int) and 0 <= i < len(axis) for i, axis in zip(key[1:], chunks))

    def __getitem__(self, key: Any) -> Task:
        if key not in self:
            raise KeyError(key)
        index = key[1:]
        blocks = [TaskRef((self.source, *block)) for block in self.layout.blocks(index)]
        return Task(key, compute_chunk, TaskRef(self.shared), index, *blocks)

    def __iter__(self) -> Iterator[Any]:
        return ((self.name, *index) for index in self._indices())

    def __len__(self) -> int:
        return count_of(self.layout.chunks_out) if self.only is None else len(self.only)

    def is_materialized(self) -> bool:
        return False

    def get_output_keys(self):
        return self.keys()

    def cull(self, keys, all_hlg_keys):
        """The layer with these keys, and what each depends on."""
        wanted = [key for key in keys if key in self]
        needed = {key: {self.shared, *((self.source, *block) for block in self.layout.blocks(key[1:]))} for key in wanted}
        if len(wanted) == len(self):
            return self, needed
        return self._copy(only={key[1:] for key in wanted}), needed

    def clone(self, keys, seed, bind_to=None):
        """The layer with new names. It is no leaf: the plan's node is one, and is bound."""
        names = {key[0] if isinstance(key, tuple) else key for key in keys}

        def renamed(key: Any) -> Any:
            return clone_key(key, seed) if (key[0] if isinstance(key, tuple) else key) in names else key

        source = renamed((self.source,))[0]
        return self._copy(name=clone_key(self.name, seed), source=source, shared=renamed(self.shared)), False

    def _copy(self, **changes: Any) -> ChunkLayer:
        given = {"name": self.name, "source": self.source, "shared": self.shared, "only": self.only} | changes
        return ChunkLayer(layout=self.layout, annotations=self.annotations, **given)

    def __reduce__(self):
        return _unpickled, (self.name, self.layout, self.source, self.shared, self.only, self.annotations)


def _unpickled(name, layout, source, shared, only, annotations) -> ChunkLayer:
    return ChunkLayer(name, layout, source, shared, only=only, annotations=annotations)


def run(plan: Plan, x: da.Array, chunks: Any = None) -> da.Array:
    """Runs the plan on a dask array, lazily. Each chunk is equal in every bit to that part of the whole result."""
    if _types.packed_bits(plan.code):
        raise _core.ElementTypeError(f"element type {x.dtype} is not for dask arrays")
    if plan.parameters.get("alpha") is not None:
        x = x.rechunk({-1: -1})  # colours and alpha together
    chosen = _chunks.chosen(plan, x.chunks)
    layout = Layout(plan, x.chunks, chosen if chunks is None else _chunks.read(plan, chunks, chosen))
    if chunks is None and _chunks.reads_too_much(layout):
        layout = Layout(plan, x.chunks, _chunks.shrunk(plan, x.chunks, layout.chunks_out))
    return _array(f"tesela-{plan.operator}", layout, joined(plan.output_dtype), x)


def fill(layout: Fill) -> da.Array:
    """A dask array of one element, repeated."""
    return _array("tesela-constant_of_shape", layout, layout.element.dtype, None)


def _array(prefix: str, layout: Layout | Fill, dtype: np.dtype, x: da.Array | None) -> da.Array:
    """The array with a layer of this layout, and one with the layout itself."""
    token = tokenize(x.name if x is not None else None, layout)
    name, shared = f"{prefix}-{token}", f"tesela-plan-{token}"
    layer = ChunkLayer(name, layout, x.name if x is not None else "", shared)
    inputs: list[Any] = [] if x is None else [x]
    graph = HighLevelGraph.from_collections(name, layer, dependencies=inputs)
    layers = {**graph.layers, shared: MaterializedLayer({shared: DataNode(shared, layout)})}
    dependencies = {**graph.dependencies, shared: set(), name: {*graph.dependencies[name], shared}}
    meta = np.empty((0,) * len(layout.chunks_out), dtype)
    return da.Array(HighLevelGraph(layers, dependencies), name, chunks=layout.chunks_out, meta=meta)
