# SPDX-License-Identifier: Apache-2.0
"""The progress of work that has several parts, which take about the same time each."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Progress: TypeAlias = Callable[[float], None]


def parts(progress: Progress | None, count: int) -> list[Progress | None]:
    """What each part, one after the other, calls with its own share."""
    if progress is None:
        return [None] * count

    def of(part: int) -> Progress:
        return lambda share: progress((part + share) / count)

    return [of(part) for part in range(count)]
