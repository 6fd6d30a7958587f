# SPDX-License-Identifier: Apache-2.0
"""A few threads for chunks, which packages decode and encode without Python's lock."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from typing import Any, TypeVar

Item = TypeVar("Item")
Made = TypeVar("Made")
WORKERS = max(2, min(4, os.cpu_count() or 1))


class Workers:
    """At most `count` chunks are worked on at a time; with 0 the thread that asks works on them, one after the other."""

    def __init__(self, count: int = WORKERS) -> None:
        self._count = count
        self._pool = ThreadPoolExecutor(count) if count else None

    def each(self, work: Callable[[Any], None], items: Iterable[Any]) -> None:
        """work of every item, in any order. Errors: the first of work."""
        if self._pool is None:
            for item in items:
                work(item)
            return
        running: set[Future[None]] = set()
        try:
            for item in items:
                if len(running) == self._count:
                    done, running = wait(running, return_when=FIRST_COMPLETED)
                    _raise(done)
                running.add(self._pool.submit(work, item))
            _raise(running)
        finally:
            wait(running)

    def in_order(self, work: Callable[[Item], Made], items: Iterable[Item]) -> Iterator[Made]:
        """work of every item, one after the other."""
        return map(work, items) if self._pool is None else in_order(work, items, self._count, self._pool)

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown()


def _raise(futures: Iterable[Future[None]]) -> None:
    for future in futures:
        future.result()


def in_order(work: Callable[[Item], Made], items: Iterable[Item], threads: int, executor: Executor) -> Iterator[Made]:
    """The results in the order of the items. Few more than threads are worked on ahead."""
    ahead: list[Future[Made]] = []
    try:
        for item in items:
            ahead.append(executor.submit(work, item))
            if len(ahead) > threads:
                yield ahead.pop(0).result()
        while ahead:
            yield ahead.pop(0).result()
    finally:
        for future in ahead:
            future.cancel()
