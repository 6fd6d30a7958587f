# SPDX-License-Identifier: Apache-2.0
"""Measures contestants in turns, while the processors run at full speed."""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass, field

from speed import FULL, Speed

# Worker threads of some libraries spin after a call; the next contestant waits until they sleep.
PAUSE_SECONDS = 0.003
TINY_NS = 20_000
# Some caches hold a hundred megabytes only after eight passes, so a turn has at least so many calls, with those before the timing, which
# take at most so many times as long as it.
WARM_CALLS, WARMING = 10, 5
# Slow contestants have few rounds; contestants that are disturbed in most rounds have more, up to MOST times as many.
SLOW, LOOKS, MOST = 5, 3, 4
# Waiting for full speed takes at most so many times as long as measuring.
PATIENCE = 2


@dataclass
class Times:
    """Nanoseconds of one call: single calls, or means of a batch for tiny calls. disturbed: samples during which a processor did
    not run at full speed; they count if there are no others. rounds: those with undisturbed samples."""

    samples: list[float] = field(default_factory=list)
    disturbed: list[float] = field(default_factory=list)
    rounds: int = 0

    @property
    def counted(self) -> list[float]:
        return self.samples or self.disturbed

    @property
    def best(self) -> float:
        return min(self.counted)

    @property
    def median(self) -> float:
        return statistics.median(self.counted)


class Timer:
    """threads: of the contestants. speed: without it, no sample is disturbed."""

    def __init__(self, block_seconds: float, threads: int = 1, speed: Speed | None = None):
        self.seconds, self.threads = block_seconds, threads
        self.speed = speed or Speed(lambda threads: 1.0)
        self.measured = self.waited = 0.0  # seconds

    def wait(self) -> None:
        """Until the processors run at full speed, if patience lasts."""
        time.sleep(PAUSE_SECONDS)
        self.waited += self.speed.wait(self.threads, PATIENCE * (self.measured + self.seconds) - self.waited)

    def warm(self, call, calls: int) -> None:
        """So many calls that do not count, fewer of slow ones."""
        deadline = time.perf_counter() + WARMING * self.seconds
        for _ in range(calls):
            call()
            if time.perf_counter() > deadline:
                break

    def block(self, call, many, once: float, times: Times) -> None:
        """A turn: samples of `once` nanoseconds a call until enough are undisturbed."""
        now = time.perf_counter_ns
        self.wait()
        batch = max(1, int(TINY_NS / max(once, 1)))
        count = max(1, min(200, int(self.seconds * 1e9 / max(once * batch, 1))))
        self.warm(call, max(1, WARM_CALLS - count))
        found = Times()
        begin = now()
        # Threads that wait for each other take far longer while other processes use their processors.
        deadline = begin + 2e9 * self.seconds
        before = self.speed.share(1)
        while len(found.samples) < count and (not found.samples + found.disturbed or now() < deadline):
            start = now()
            many(batch)
            sample = (now() - start) / batch
            after = self.speed.share(1)
            (found.samples if min(before, after) >= FULL else found.disturbed).append(sample)
            before = after
        self.measured += (now() - begin) * 1e-9
        if self.threads > 1:
            time.sleep(PAUSE_SECONDS)
            if self.speed.share(self.threads) < FULL:
                found = Times([], found.samples + found.disturbed)
        times.samples += found.samples
        times.disturbed += found.disturbed
        times.rounds += bool(found.samples)


def measure(calls: dict, clocks: dict, rounds: int, block_seconds: float, many=None, threads: int = 1,
            speed: Speed | None = None) -> dict[str, Times]:
    """calls: name -> callable; every round runs a block of each, in rotating order. clocks: name -> callable that
    measures itself and returns nanoseconds, called twice a round. many: name -> callable that makes so many calls."""
    many = many or {}
    once = {name: warmed(call) for name, call in calls.items()}
    times = {name: Times() for name in [*calls, *clocks]}
    timer = Timer(block_seconds, threads, speed)
    fastest = min(once.values())
    names = list(calls)

    def has_enough(name: str, number: int) -> bool:
        is_slow = once[name] > SLOW * fastest and once[name] > 1e9 * block_seconds
        return number >= (LOOKS if is_slow else rounds) and times[name].rounds >= min(rounds, LOOKS)

    for number in range(MOST * rounds):
        due = [name for name in names[number % len(names) :] + names[: number % len(names)] if not has_enough(name, number)]
        for name in due:
            timer.block(calls[name], many.get(name) or repeated(calls[name]), once[name], times[name])
        for name, clock in clocks.items() if number < rounds else ():
            timer.wait()
            times[name].samples += [clock() for _ in range(2)]
        if not due:
            break
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
