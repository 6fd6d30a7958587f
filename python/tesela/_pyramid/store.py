# SPDX-License-Identifier: Apache-2.0
"""Writes a pyramid as OME-Zarr 0.4 (Zarr 2), 0.5 or 0.6 (Zarr 3), whole chunks or shards only, in bounded memory."""

from __future__ import annotations

import concurrent.futures
import os
from typing import Any

from .. import _core, _parameters
from .._streaming.formats import COMPRESSIONS, package
from .._streaming.workers import in_order
from . import metadata, places, run
from .axes import per_axis
from .levels import Level
from .sources import Source

LAYOUT = ("version", "chunks", "shards", "compression", "name")
_PLANES, _VOLUMES = 1024, 128  # extents of chunks along two and three axes of space
_LEAST_CHUNK, _MOST_CHUNK = 64 << 10, 64 << 20  # bytes of chunks that are taken over from the input


def write(pyramid: Any, path: str, overwrite: bool, resources: run.Resources, layout: dict[str, Any]) -> dict[str, Any]:
    zarr = package("zarr", "zarr", "pyramid")
    version = _version(layout.get("version"))
    compression = _compression(layout.get("compression"), COMPRESSIONS["zarr"])
    name = layout.get("name") or os.path.basename(path.rstrip("/")).removesuffix(".zarr").removesuffix(".ome")
    chunks, shards = _grid(pyramid, layout, version)
    grids = [_clipped(level.shape, chunks, shards) for level in pyramid]
    attributes = metadata.attributes(pyramid, version, name, method(pyramid))
    with places.place(path, overwrite, pyramid.source.path) as part:
        group = _created(zarr.create_group, part, zarr_format=metadata.ZARR_FORMATS[version])
        options = {} if compression == "zstd" else {"compressors": None}
        _write_levels(pyramid, group, grids, options, resources)
        group.attrs.update(attributes)
    rows = [_row(metadata.path(number), level, grid) for number, (level, grid) in enumerate(zip(pyramid, grids))]
    return {"output": path, "format": f"OME-Zarr {version}", **described(pyramid), "levels": rows}


def described(pyramid: Any) -> dict[str, Any]:
    """What documents say of every output."""
    axes = [{"name": axis.name, "type": axis.kind, "unit": axis.unit} for axis in pyramid.axes]
    return {"dtype": pyramid.source.dtype.name, "axes": axes, "mode": pyramid.method.mode, "from": pyramid.method.levels_from}


def method(pyramid: Any) -> dict[str, Any]:
    """How the levels were made, for metadata."""
    return {"description": f"tesela.resize of the {'level above' if pyramid.method.levels_from == 'above' else 'base'}",
            "method": "tesela.pyramid", "version": _core.version(), "kwargs": pyramid.method.parameters}


def _row(path: str, level: Level, grid: Any) -> dict[str, Any]:
    chunks, shards = grid
    return {"path": path, "shape": list(level.shape), "chunks": list(chunks), "shards": None if shards is None else list(shards),
            "factors": list(level.factors), "scale": list(level.scale), "translation": list(level.translation)}


def _write_levels(pyramid: Any, group: Any, grids: list[Any], options: dict[str, Any], resources: run.Resources) -> None:
    counter = run.Counter(pyramid.levels, resources.progress)
    above: Source | None = None
    for number, (level, (chunks, shards)) in enumerate(zip(pyramid, grids)):
        array = _created(group.create_array, metadata.path(number), shape=level.shape, dtype=level.dtype, chunks=chunks, shards=shards,
                         fill_value=0, **_of_format(pyramid, group), **options)
        if number and pyramid.method.levels_from == "above":
            level = level.over(above)
        _fill(level, array, shards or chunks, resources, counter)
        above = Source(array, chunks=chunks, path=metadata.path(number))


def _of_format(pyramid: Any, group: Any) -> dict[str, Any]:
    if group.metadata.zarr_format == 2:
        return {"chunk_key_encoding": {"name": "v2", "separator": "/"}}
    return {"dimension_names": [axis.name for axis in pyramid.axes]}


def _fill(level: Level, array: Any, unit: tuple[int, ...], resources: run.Resources, counter: run.Counter) -> None:
    """Computes a level in boxes of whole units, and writes each into the array."""
    extents = run.step(level, unit, resources.budget)

    def compute(box: Any) -> int:
        lo, shape = box
        block = level.read(lo, shape, resources.budget)
        array[tuple(slice(start, start + extent) for start, extent in zip(lo, shape))] = block
        return block.size

    with concurrent.futures.ThreadPoolExecutor(resources.threads) as executor:
        for elements in in_order(compute, run.boxes(level.shape, extents), resources.threads, executor):
            counter.add(elements)


def _created(create: Any, *words: Any, **options: Any) -> Any:
    """A group or array of Zarr. Errors: those of Zarr are UnsupportedError."""
    try:
        return create(*words, **options)
    except OSError:
        raise
    except Exception as error:  # of many kinds
        raise _core.UnsupportedError(f"pyramid: Zarr refuses the array: {type(error).__name__}: {error}") from None


# --- Layout --------------------------------------------------------------------------------------


def _version(value: Any) -> str:
    version = "0.5" if value is None else str(value)
    if version not in metadata.ZARR_FORMATS:
        _parameters.refuse("pyramid", "version", value, f"one of {', '.join(metadata.ZARR_FORMATS)}", _core.InvalidValueError)
    return version


def _compression(value: Any, known: tuple[str, ...]) -> str:
    if value is not None and value not in known:
        _parameters.refuse("pyramid", "compression", value, f"one of {', '.join(known)}", _core.InvalidValueError)
    return known[0] if value is None else value


def _grid(pyramid: Any, layout: dict[str, Any], version: str) -> tuple[tuple[int, ...], tuple[int, ...] | None]:
    """The chunks and shards that are wanted, in the order of the pyramid's axes."""
    chunks = _usual_chunks(pyramid) if layout.get("chunks") is None else _extents(pyramid, "chunks", layout["chunks"])
    if layout.get("shards") is None:
        return chunks, None
    if version == "0.4":
        raise _core.UnsupportedError("pyramid: shards are not in OME-Zarr 0.4; expected version 0.5 or 0.6, or no shards")
    shards = _extents(pyramid, "shards", layout["shards"])
    shards = tuple(max(shard, chunk) for shard, chunk in zip(shards, chunks))
    if any(shard % chunk for shard, chunk in zip(shards, chunks)):
        _parameters.refuse("pyramid", "shards", shards, f"multiples of the chunks {chunks}", _core.InvalidValueError)
    return chunks, shards


def _extents(pyramid: Any, parameter: str, value: Any) -> tuple[int, ...]:
    given = per_axis(parameter, value, pyramid.axes)
    return tuple(_parameters.whole("pyramid", parameter, given.get(axis, 1), 1, 2**31 - 1) for axis in range(len(pyramid.axes)))


def _usual_chunks(pyramid: Any) -> tuple[int, ...]:
    """Those of the input, if they are neither strips nor very small or large."""
    source = pyramid.source
    space = [axis for axis, entry in enumerate(pyramid.axes) if entry.kind == "space"]
    if source.chunks is not None:
        size = source.dtype.itemsize
        for extent in source.chunks:
            size *= extent
        if _LEAST_CHUNK <= size <= _MOST_CHUNK and all(source.chunks[axis] >= 64 for axis in space[-2:]):
            return source.chunks
    side = _PLANES if len(space) == 2 or source.shape[space[0]] == 1 else _VOLUMES
    return tuple(side if axis in space else 1 for axis in range(len(source.shape)))


def _clipped(shape: tuple[int, ...], chunks: tuple[int, ...], shards: tuple[int, ...] | None) -> tuple[tuple[int, ...], tuple[int, ...] | None]:
    """Chunks and shards of a level: no longer than it."""
    clipped = tuple(min(chunk, extent) for chunk, extent in zip(chunks, shape))
    if shards is None:
        return clipped, None
    counts = [min(shard // chunk, -(-extent // mine)) for shard, chunk, extent, mine in zip(shards, chunks, shape, clipped)]
    return clipped, tuple(mine * count for mine, count in zip(clipped, counts))
