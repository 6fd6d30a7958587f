# SPDX-License-Identifier: Apache-2.0
"""Runs cases on several processes of a backend, and finds the smallest case of each group that fails."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from .. import _core
from .._compare import reduction
from .._compare.report import Outcome
from .._compare.runtimes import Runtime, Worker
from .backends import Peer, peer
from .case import Call, Case, Feature
from .judge import Result, ask, judged

Task = TypeVar("Task")
Made = TypeVar("Made")

_WAIT = 0.05  # seconds between looks at threads and signals
_TRIES = 120  # calls that find a smaller one
_SECONDS = 60.0
# Whose smallest case is shown, if a group has several.
_ORDER = ("failed", "crashed", "timeout", "refused", "unreadable", "unsupported")


@dataclass(frozen=True)
class Settings:
    seed: int
    cases: int
    jobs: int
    timeout: float
    reduce: bool
    python: str


class Pool:
    """Processes of a backend, each with a thread. Use it with `with`."""

    def __init__(self, runtime: Runtime, settings: Settings):
        self.peers: list[Peer] = [peer(runtime, settings.timeout, settings.python) for _ in range(settings.jobs)]

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: Any) -> None:
        for each in self.peers:
            each.stop()

    @property
    def version(self) -> str:
        return next((each.version for each in self.peers if each.version), "")

    def map(self, tasks: Sequence[Task], work: Callable[[Peer, Task], Made], progress: Callable[[float], None]) -> list[Made]:
        """The results in order. The first error of a task ends all; so does an interruption, after which no process is left."""
        run = _Run(tasks, work)
        threads = [threading.Thread(target=run.loop, args=(each,), daemon=True) for each in self.peers[: len(tasks)]]
        try:
            for thread in threads:
                thread.start()
            ended = not threads
            while not ended:
                ended = run.ended.wait(_WAIT)
                progress(run.done / len(tasks))
        except BaseException:
            run.stop.set()
            self._end(run)
            raise
        if run.error is not None:
            raise run.error
        return [run.results[place] for place in range(len(tasks))]

    def _end(self, run: _Run) -> None:
        while run.active:
            for each in self.peers:
                with contextlib.suppress(OSError):
                    each.kill()
            run.ended.wait(_WAIT)


class _Run:
    """Tasks that threads take in turn. active: threads that have not ended; after an interrupted join, Thread.is_alive of Python 3.11
    denies one that runs."""

    def __init__(self, tasks: Sequence[Any], work: Callable[[Peer, Any], Any]):
        self.tasks, self.work = tasks, work
        self.results: dict[int, Any] = {}
        self.stop, self.ended = threading.Event(), threading.Event()
        self.active = 0
        self.error: BaseException | None = None
        self._lock, self._next = threading.Lock(), 0

    @property
    def done(self) -> int:
        return len(self.results)

    def loop(self, peer: Peer) -> None:
        with self._lock:
            self.active += 1
        while (place := self._take()) is not None:
            try:
                self.results[place] = self.work(peer, self.tasks[place])
            except BaseException as error:
                with self._lock:
                    self.error = self.error or error
                self.stop.set()
        with self._lock:
            self.active -= 1
            if self.active == 0:
                self.ended.set()  # a thread that starts later finds no task

    def _take(self) -> int | None:
        with self._lock:
            if self.stop.is_set() or self._next >= len(self.tasks):
                return None
            self._next += 1
            return self._next - 1


def results(pool: Pool, wanted: Sequence[tuple[Feature, int]], seed: int, progress: Callable[[float], None]) -> list[Result]:
    return pool.map(wanted, lambda each, entry: ask(each, entry[0].case(seed, entry[1])), progress)


def smallest(pool: Pool, groups: Sequence[Sequence[Result]], reduce: bool, progress: Callable[[float], None]) -> list[Result | None]:
    """Of each group the smallest result that did not pass, made smaller if `reduce`."""
    chosen = [_first(group) for group in groups]
    if not reduce:
        return chosen
    return pool.map(chosen, lambda each, result: None if result is None else _reduced(each, result), progress)


def _first(group: Sequence[Result]) -> Result | None:
    bad = [result for result in group if result.verdict != "passed"]
    return min(bad, key=lambda result: (_ORDER.index(result.verdict), result.case.size, result.case.number), default=None)


def _reduced(peer: Peer, result: Result) -> Result:
    """The same failure by a smaller call, as far as some tries find one. Processes that end take long to start again."""
    if result.verdict != "failed" or result.case.expected is None or result.difference is None or not isinstance(peer, Worker):
        return result
    outcome = Outcome(peer.runtime, "different", result.answer, result.difference, result.explanation)
    if result.text.startswith("the sign"):
        return result  # compare has equal zeros
    try:
        found = reduction.Search(peer, None, _SECONDS, lambda share: None, _TRIES).run(result.case.node, outcome)
    except _core.InvalidValueError:
        return result  # it gives other outputs each time
    node = found.report.node
    is_smaller = node.model() != result.case.node.model()
    note = "Made smaller." if is_smaller else result.case.call.note
    case: Case = replace(result.case, call=Call(node, note), expected=node.reference())
    smaller = judged(case, found.outcome.answer, peer.runtime.name)
    return smaller if smaller.verdict == "failed" else result
