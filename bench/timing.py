"""Times of contestants that take turns, so that a machine that is busy for a while is busy for all of them."""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass, field

# Worker threads of some libraries spin for a while after a call; the next contestant waits until they sleep.
PAUSE_SECONDS = 0.003
TINY_NS = 20_000


@dataclass
class Times:
    """Nanoseconds of one call. samples: each a call, or the mean of a batch where a call is tiny."""

    samples: list[float] = field(default_factory=list)

    @property
    def best(self) -> float:
        return min(self.samples)

    @property
    def median(self) -> float:
        return statistics.median(self.samples)


def measure(calls: dict, rounds: int, block_seconds: float) -> dict[str, Times]:
    """calls: name -> callable. Every round runs a block of each, in an order that turns."""
    once = {name: warmed(call) for name, call in calls.items()}
    times = {name: Times() for name in calls}
    names = list(calls)
    for number in range(rounds):
        for name in names[number % len(names) :] + names[: number % len(names)]:
            # What takes seconds is no rival: two looks at it are enough.
            if number >= 2 and once[name] > 4e9 * block_seconds:
                continue
            time.sleep(PAUSE_SECONDS)
            calls[name]()
            times[name].samples += block(calls[name], once[name], block_seconds)
    return times


def warmed(call) -> float:
    """Nanoseconds of a call, after a few."""
    now = time.perf_counter_ns
    begin = now()
    best = float("inf")
    for _ in range(5):
        start = now()
        call()
        best = min(best, now() - start)
        if now() - begin > 200_000_000:
            break
    return best


def block(call, once: float, seconds: float) -> list[float]:
    now = time.perf_counter_ns
    batch = max(1, int(TINY_NS / max(once, 1)))
    count = max(1, min(200, int(seconds * 1e9 / max(once * batch, 1))))
    samples = []
    for _ in range(count):
        start = now()
        for _ in range(batch):
            call()
        samples.append((now() - start) / batch)
    return samples
