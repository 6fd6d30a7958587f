# SPDX-License-Identifier: Apache-2.0
"""How much memory streaming may take: what users write, what the machine has."""

from __future__ import annotations

import os
import pathlib
import re
from collections.abc import Iterator
from typing import Any

from .. import _core, _parameters

_UNITS = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12,
          "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
_EXPECTED = "a number of bytes, or a text such as '256MiB' or '2GB'"


def read(given: Any, where: str = "stream") -> int:
    """Bytes from a number or a text with a unit; None is a quarter of the memory that the process may use. where: the function, for
    messages. Errors: ArgumentError, InvalidValueError."""
    if given is None:
        return available() // 4
    if isinstance(given, str):
        found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*", given.lower())
        if not found or found[2] not in _UNITS:
            _parameters.refuse(where, "memory", given, _EXPECTED, _core.InvalidValueError)
        return int(float(found[1]) * _UNITS[found[2]])
    if isinstance(given, bool) or not isinstance(given, int):
        _parameters.refuse(where, "memory", given, _EXPECTED)
    return given


def available() -> int:
    """Bytes of the machine, or of a control group of the process if that has a lower limit."""
    return min([os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"), *_limits()])


def _limits() -> Iterator[int]:
    """Those of the process's control groups and of the groups that they are in, version 1 and 2."""
    for line in _lines("/proc/self/cgroup"):
        controllers, path = line.rstrip("\n").split(":", 2)[1:]
        if controllers not in ("", "memory"):
            continue
        root, name = ("/sys/fs/cgroup/memory", "memory.limit_in_bytes") if controllers else ("/sys/fs/cgroup", "memory.max")
        # Within a container the path is that of the host, and the group is the root here.
        for folder in (path, *map(str, pathlib.PurePosixPath(path).parents), ""):
            yield from (int(text) for text in _lines(f"{root}{folder.rstrip('/')}/{name}") if text.strip().isdigit())


def _lines(path: str) -> list[str]:
    try:
        with open(path) as file:
            return file.readlines()
    except OSError:
        return []


def shown(count: int) -> str:
    """Bytes as users write them: rounded up to a whole unit."""
    for unit, size in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if count >= 16 * size or (count >= size and count % size == 0):
            return f"{-(-count // size)}{unit}"
    return str(count)
