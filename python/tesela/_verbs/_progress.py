# SPDX-License-Identifier: Apache-2.0
"""Progress of long work on a terminal."""

from __future__ import annotations

import sys
import time

_FIRST_SECONDS, _EVERY_SECONDS = 1.0, 0.1


class Progress:
    """Prints the done share to the standard error, if that is a terminal and the work takes long. Use it with `with`."""

    def __init__(self, quiet: bool):
        self._shown = not quiet and sys.stderr is not None and sys.stderr.isatty()
        self._next = time.monotonic() + _FIRST_SECONDS
        self._printed = False

    def __call__(self, done: float) -> None:
        if self._shown and time.monotonic() >= self._next:
            self._next = time.monotonic() + _EVERY_SECONDS
            self._printed = True
            print(f"\r{100 * min(max(done, 0), 1):.0f} % ", end="", file=sys.stderr, flush=True)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_) -> None:
        if self._printed:
            print("\r      \r", end="", file=sys.stderr, flush=True)
