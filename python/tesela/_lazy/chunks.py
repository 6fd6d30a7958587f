# SPDX-License-Identifier: Apache-2.0
"""The chunks of the output: those that the caller asks for, or chosen ones."""

from __future__ import annotations

from typing import Any

from .. import _core, _parameters
from .._plan import Plan
from .layout import Chunks, Layout, most_read

# A task that reads so many bytes of whole chunks is as large as dask's own tasks: dask's default of array.chunk-size.
LIMIT_BYTES = 128 << 20


def cut(extent: int, size: int) -> tuple[int, ...]:
    """Chunks of `size`, and the rest; one chunk of an empty axis."""
    size = max(size, 1)
    whole, rest = divmod(extent, size)
    return (size,) * whole + ((rest,) if rest or not whole else ())


def chosen(plan: Plan, chunks_in: Chunks, wrapping: bool = False) -> Chunks:
    """Chunks for the output of a plan.

    - An axis that keeps its extent keeps its chunks.
    - A tiled axis repeats its chunks, so that each output chunk is an input chunk; an axis in one chunk gives chunks of several
      whole copies. wrapping: chunks must be equally long, and may go on in the next copy.
    - Any other axis has chunks as long as the longest of the input, so that chunks stay as large as they are.
    """
    budget = max(LIMIT_BYTES // max(plan.dtype.itemsize, 1), 1)
    longest = [max(axis, default=0) or 1 for axis in chunks_in]
    for size in longest:
        budget = max(budget // size, 1)
    chunks: list[tuple[int, ...]] = []
    for axis in reversed(range(len(plan.output_shape))):
        extent, given = plan.output_shape[axis], chunks_in[axis]
        if extent == sum(given):
            chunks.append(given)
        elif plan.operator == "tile" and len(given) == 1 and extent:
            copies = min(budget, extent // given[0])
            budget //= copies
            chunks.append(cut(extent, copies * given[0]))
        elif plan.operator == "tile" and not wrapping and extent:
            chunks.append(given * (extent // sum(given)))
        else:
            chunks.append(cut(extent, longest[axis]))
    return tuple(reversed(chunks))


def shrunk(plan: Plan, chunks_in: Chunks, chunks_out: Chunks) -> Chunks:
    """Chunks that are shorter by the scale along each axis that shrinks, so that each reads about one chunk along it."""
    chunks = []
    for axis, given in enumerate(chunks_out):
        extent, extent_in = sum(given), sum(chunks_in[axis])
        size = max(given, default=0)
        chunks.append(given if extent >= extent_in or not extent else cut(extent, max(size * extent // extent_in, 1)))
    return tuple(chunks)


def reads_too_much(layout: Layout) -> bool:
    """Whether an output chunk needs so many chunks that a worker should not hold them at the same time: more than 16, which is
    what halving two axes reads with the neighbours that windows reach, or more than LIMIT_BYTES if each is small."""
    chunks, elements = most_read(layout, 16)
    return chunks > 16 and elements * layout.plan.dtype.itemsize > LIMIT_BYTES


def filled(plan: Plan) -> Chunks:
    """Chunks for an output without an input: at most LIMIT_BYTES each, whole along the last axes."""
    budget = max(LIMIT_BYTES // max(plan.dtype.itemsize, 1), 1)
    chunks: list[tuple[int, ...]] = []
    for extent in reversed(plan.output_shape):
        chunks.append(cut(extent, min(budget, extent)))
        budget = max(budget // max(extent, 1), 1)
    return tuple(reversed(chunks))


def read(plan: Plan, wanted: Any, auto: Chunks) -> Chunks:
    """The caller's `chunks`: one entry for every axis, or one for each: a length, a tuple of lengths, -1 for the whole axis, or
    "auto" for what is in `auto`. Errors: ArgumentError, CountError, InvalidValueError."""
    shape = plan.output_shape
    entries = wanted if isinstance(wanted, (tuple, list)) else (wanted,) * len(shape)
    if len(entries) != len(shape):
        raise _core.CountError(f"{plan.operator}: chunks has length {len(entries)}; expected {len(shape)}, one for each axis")
    return tuple(chosen if isinstance(entry, str) and entry == "auto" else _read_axis(plan.operator, axis, shape[axis], entry)
                 for axis, (entry, chosen) in enumerate(zip(entries, auto)))


def _read_axis(operator: str, axis: int, extent: int, entry: Any) -> tuple[int, ...]:
    if isinstance(entry, (tuple, list)):
        sizes = tuple(_parameters.whole(operator, f"a chunk of axis {axis}", size, 0, max(extent, 0)) for size in entry)
        if sum(sizes) != extent or not sizes:
            raise _core.InvalidValueError(f"{operator}: the chunks of axis {axis} have {sum(sizes)} elements; expected {extent}")
        return sizes
    if isinstance(entry, int) and not isinstance(entry, bool) and entry == -1:
        return (extent,)
    if isinstance(entry, (bool, str)) or not hasattr(entry, "__index__"):
        _parameters.refuse(operator, f"the entry of chunks for axis {axis}", entry, "a length, a tuple of lengths, -1 or 'auto'")
    return cut(extent, _parameters.whole(operator, f"the entry of chunks for axis {axis}", entry, 1, 2**63 - 1))
