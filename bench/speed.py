# SPDX-License-Identifier: Apache-2.0
"""Whether the processors run at full speed: those of a virtual machine share cores with other machines, which come and go."""

from __future__ import annotations

import collections
import time
from collections.abc import Callable

WINDOW_SECONDS = 300
# Beside another thread on its core, a processor has about half of its speed; its clock alone varies less.
FULL = 0.8


class Speed:
    """rate: number of threads -> instructions per nanosecond on each of so many processors at once, for a moment."""

    def __init__(self, rate: Callable[[int], float], now: Callable[[], float] = time.perf_counter):
        self.rate, self.now = rate, now
        self.seen: dict[int, collections.deque] = {}  # threads -> (second, rate), from the fastest to the latest

    def share(self, threads: int) -> float:
        """Of the fastest in the last minutes."""
        rate, now = self.rate(threads), self.now()
        seen = self.seen.setdefault(threads, collections.deque())
        while seen and seen[-1][1] <= rate:
            seen.pop()
        seen.append((now, rate))
        while seen[0][0] < now - WINDOW_SECONDS:
            seen.popleft()
        return rate / seen[0][1]

    def wait(self, threads: int, seconds: float) -> float:
        """Until the processors run at full speed, at most so many seconds. Returns those that it took."""
        begin = self.now()
        while self.share(threads) < FULL and self.now() - begin < seconds:
            time.sleep(0.002)
        return self.now() - begin
