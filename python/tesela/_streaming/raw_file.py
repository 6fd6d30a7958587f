# SPDX-License-Identifier: Apache-2.0
"""Boxes of a file whose elements lie one after the other, by reads and writes of long runs.

Not by mapped memory: the pages of a mapping count as the memory of the process, and a control group that is full of them stalls.
Pages that were read or written are given back to the system at once.
"""

from __future__ import annotations

import errno
import math
import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .boxes import Extents
from .failures import io_error

_LONGEST = 1 << 30  # bytes of one system call
# Of a last axis, such as channels, that is read as a whole although the box has a part of it: a call for each part takes longer.
_SHORT = 1 << 12
_MOST_WHOLE = 1 << 20  # bytes that are held so


class RawFile:
    """name: in quotes, for messages. shape: of the elements in the order of the file. Errors of its functions: IoError."""

    def __init__(self, name: str, descriptor: int, offset: int, shape: Extents, dtype: np.dtype):
        self._name, self._file, self._offset = name, descriptor, offset
        self._shape, self._dtype = shape, dtype

    def read(self, lo: Extents, box: np.ndarray) -> None:
        """box: dense, in the file's order. EOFError if the file ends before."""
        bytes_of_last = self._shape[-1] * self._dtype.itemsize if self._shape else 0
        if box.ndim > 1 and box.size and box.shape[-1] < self._shape[-1] and bytes_of_last <= _SHORT:
            self._read_parts(lo, box, max(_MOST_WHOLE // bytes_of_last, 1))
        else:
            self._transfer(os.preadv, lo, box)

    def _read_parts(self, lo: Extents, box: np.ndarray, most: int) -> None:
        """Reads whole last axes, at most so many at a time, of which the box has a part each."""
        *outer, count, width = box.shape
        whole = np.empty((min(count, most), self._shape[-1]), box.dtype)
        for index in np.ndindex(*outer):
            place = tuple(start + i for start, i in zip(lo, index))
            for first in range(0, count, most):
                rows = whole[:count - first]
                self._transfer(os.preadv, (*place, lo[-2] + first, 0), rows.reshape((1,) * len(outer) + rows.shape))
                box[index][first:first + most] = rows[:, lo[-1]:lo[-1] + width]

    def write(self, lo: Extents, box: np.ndarray) -> None:
        self._transfer(os.pwritev, lo, box)

    def _transfer(self, call: Callable[[int, Any, int], int], lo: Extents, box: np.ndarray) -> None:
        begin = end = None
        for offset, part in self._runs(lo, box):
            transfer(call, self._file, part, offset, self._name)
            begin, end = offset if begin is None else begin, offset + part.nbytes
        if begin is not None and end is not None:
            # Of written pages this begins the transfer to the disk.
            os.posix_fadvise(self._file, begin, end - begin, os.POSIX_FADV_DONTNEED)

    def _runs(self, lo: Extents, box: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
        """(offset in the file, bytes) for each part of the box that is one run in the file."""
        axis = len(self._shape)
        while axis > 0 and box.shape[axis - 1] == self._shape[axis - 1]:
            axis -= 1
        outer = max(axis - 1, 0)
        data = box.reshape(-1).view(np.uint8) if box.size else np.empty(0, np.uint8)
        size = math.prod(box.shape[outer:]) * self._dtype.itemsize
        strides = [math.prod(self._shape[d + 1:]) * self._dtype.itemsize for d in range(len(self._shape))]
        first = self._offset + sum(start * stride for start, stride in zip(lo, strides))
        for number, index in enumerate(np.ndindex(*box.shape[:outer]) if size else ()):
            offset = first + sum(i * stride for i, stride in zip(index, strides))
            yield offset, data[number * size:(number + 1) * size]


def transfer(call: Callable[[int, Any, int], int], descriptor: int, part: np.ndarray, offset: int, name: str) -> None:
    """All bytes by os.preadv or os.pwritev: a call may stop early. Errors: IoError; EOFError if there are fewer bytes to read."""
    done = 0
    while done < part.nbytes:
        try:
            count = call(descriptor, [part[done:done + _LONGEST]], offset + done)
        except OSError as error:
            raise io_error("read" if call is os.preadv else "write", name, error) from None
        if count == 0:
            raise EOFError(f"{name} ends at byte {offset + done}; it was cut after it was opened")
        done += count


def reserve(descriptor: int, size: int, name: str) -> None:
    """Takes the space of a file on its disk, so that a full disk is noticed before hours of work. Errors: IoError."""
    try:
        os.posix_fallocate(descriptor, 0, size)
    except OSError as error:
        if error.errno not in (errno.EOPNOTSUPP, errno.EINVAL, errno.ENOSYS):
            raise io_error("write", name, error) from None
        os.ftruncate(descriptor, size)
