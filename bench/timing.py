# SPDX-License-Identifier: Apache-2.0
"""Measures contestants in turns, so that other load on the machine affects all of them."""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass, field

# Worker threads of some libraries spin after a call; the next contestant waits until they sleep.
PAUSE_SECONDS = 0.003
TINY_NS = 20_000
SLOW, LOOKS = 5, 2


@dataclass
class Times:
    """Nanoseconds of one call. samples: single calls, or means of a batch for tiny calls."""

    samples: list[float] = field(default_factory=list)

    @property
    def best(self) -> float:
        return min(self.samples)

    @property
    def median(self) -> float:
        return statistics.median(self.samples)


def measure(calls: dict, clocks: dict, rounds: int, block_seconds: float, many=None) -> dict[str, Times]:
    """calls: name -> callable; every round runs a block of each, in rotating order. clocks: name -> callable that
    measures itself and returns nanoseconds, called twice a round. many: name -> callable that makes so many calls."""
    many = many or {}
    once = {name: warmed(call) for name, call in calls.items()}
    times = {name: Times() for name in [*calls, *clocks]}
    names = list(calls)
    for number in range(rounds):
        for name in names[number % len(names) :] + names[: number % len(names)]:
            # Slow contestants are measured only a few times.
            if number >= LOOKS and once[name] > SLOW * min(once.values()) and once[name] > 1e9 * block_seconds:
                continue
            time.sleep(PAUSE_SECONDS)
            if once[name] < 1e9 * block_seconds:
                calls[name]()
            times[name].samples += block(many.get(name) or repeated(calls[name]), once[name], block_seconds)
        for name, clock in clocks.items():
            times[name].samples += [clock() for _ in range(2)]
    return times


def warmed(call) -> float:
    """Nanoseconds of a call, after a few warm-up calls."""
    now = time.perf_counter_ns
    begin = now()
    best = float("inf")
    for _ in range(5):
        start = now()
        call()
        best = min(best, now() - start)
        if now() - begin > 50_000_000:
            break
    return best


def repeated(call):
    def many(count: int) -> None:
        for _ in range(count):
            call()

    return many


def block(many, once: float, seconds: float) -> list[float]:
    now = time.perf_counter_ns
    batch = max(1, int(TINY_NS / max(once, 1)))
    count = max(1, min(200, int(seconds * 1e9 / max(once * batch, 1))))
    samples = []
    # Threads that wait for each other take far longer while other processes use their processors.
    deadline = now() + 2e9 * seconds
    while len(samples) < count and (not samples or now() < deadline):
        start = now()
        many(batch)
        samples.append((now() - start) / batch)
    return samples
