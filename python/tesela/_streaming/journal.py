# SPDX-License-Identifier: Apache-2.0
"""Which regions of an unfinished output are written, in a file beside it, so that the same call continues after a kill.

Each line is a checksum and a document: the call first, then how many regions are durable. Lines are only appended, and the data
that a line speaks of was made durable before it, so a line that a crash damaged costs only the work since the one before it.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import zlib
from typing import Any

from .. import _core
from .durable import give_name

_VERSION = 1
_NAMES = {"call": "another call", "input": "another input, or one that changed", "output": "another kind of output"}


class Journal:
    """call: documents of what must be the same when the work continues, by the keys of _NAMES."""

    def __init__(self, target: str, call: dict[str, Any]):
        self.path = f"{target}.journal"
        self._target, self._call = target, json.loads(json.dumps(call))
        self._file: int | None = None

    def resume(self) -> tuple[list[int], int, Any] | None:
        """The step of the regions, how many are written and the output's mark then; None if there is no journal. Errors: ParseError
        (damaged), UsageError (of another call; another process writes the output)."""
        try:
            self._file = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)
        except FileNotFoundError:
            return None
        self._lock()
        with open(self.path, "rb") as file:
            documents, valid = _documents(file.read())
        header = documents[0] if documents else None
        if not isinstance(header, dict) or header.get("version") != _VERSION:
            raise _core.ParseError(f"stream: the journal '{self.path}' is damaged; {self._anew()}")
        for key, what in _NAMES.items():
            if header.get(key) != self._call[key]:
                raise _core.UsageError(f"stream: '{self.path}' belongs to {what}; {self._anew()}")
        os.ftruncate(self._file, valid)  # later lines go behind valid ones
        last = documents[-1] if len(documents) > 1 else {"done": 0}
        return header["step"], last["done"], last.get("mark")

    def begin(self, step: tuple[int, ...]) -> None:
        """Makes the journal. It appears whole."""
        part = f"{self.path}.part"
        self._file = os.open(part, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o666)
        self._lock()
        self._append({"version": _VERSION, "step": list(step), **self._call})
        give_name(part, self.path)

    def keep(self, done: int, mark: Any = None) -> None:
        """So many regions are durable. mark: what the output needs to continue from there."""
        self._append({"done": done} if mark is None else {"done": done, "mark": mark})

    def remove(self) -> None:
        os.unlink(self.path)
        self.close()

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _anew(self) -> str:
        return f"to start again, delete it and '{self._target}.partial'"

    def _lock(self) -> None:
        assert self._file is not None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise _core.UsageError(f"stream: another process writes '{self._target}'") from None

    def _append(self, document: dict[str, Any]) -> None:
        assert self._file is not None
        text = json.dumps(document).encode()
        line = b"%08x %b\n" % (zlib.crc32(text), text)
        if os.write(self._file, line) != len(line):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), self.path)
        os.fdatasync(self._file)


def _documents(data: bytes) -> tuple[list[dict[str, Any]], int]:
    """Of the lines before the first damaged one, and the bytes of these lines."""
    documents, valid = [], 0
    for line in data.split(b"\n")[:-1]:
        checksum, _, text = line.partition(b" ")
        if checksum != b"%08x" % zlib.crc32(text):
            break
        documents.append(json.loads(text))
        valid += len(line) + 1
    return documents, valid
