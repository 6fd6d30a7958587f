# SPDX-License-Identifier: Apache-2.0
"""Hands values from one thread to another."""

from __future__ import annotations

import threading
from collections import deque
from typing import Any


class Closed(Exception):
    """The other thread has ended."""


class Channel:
    """A queue that can be closed: whoever waits for it then, or asks it later, gets Closed."""

    def __init__(self, values: Any = ()):
        self._values = deque(values)
        self._changed = threading.Condition()
        self._closed = False

    def put(self, value: Any) -> None:
        with self._changed:
            if self._closed:
                raise Closed
            self._values.append(value)
            self._changed.notify()

    def get(self) -> Any:
        with self._changed:
            while not self._values and not self._closed:
                self._changed.wait()
            if self._closed:
                raise Closed
            return self._values.popleft()

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()
