# SPDX-License-Identifier: Apache-2.0
"""Verbs of the command line that are written in Python. `apps/cli/python_verbs.cc` lists them for help.

Each has a module of its name in this folder with `add(parser)`, which adds its arguments, and `run(arguments)`, which returns the
exit status. They share the options, statuses and messages of the program's other verbs.
"""

from __future__ import annotations

import importlib
import os
import signal
import sys
from collections.abc import Callable

from .. import _core

VERBS = ("identify", "compare", "conformance", "pyramid")
# Verbs of the program that say more in the package.
EXTENDED = ("doctor",)

_INTERRUPTED = _core.CancelledError.exit_status
_LONGEST = 300  # characters of a message


class ProgramError(Exception):
    """A run of the program failed with this status and printed this message."""

    def __init__(self, message: str, exit_status: int):
        super().__init__(message)
        self.exit_status = exit_status


def run(name: str, words: list[str]) -> int:
    """Runs a verb and returns the exit status. Errors become one line on the standard error."""
    return _guarded(name, lambda: _run(name, words))


def streams(words: list[str]) -> bool:
    """Whether the package runs this command line of a verb of the program, because its data streams."""
    from . import _streams

    return _streams.asked_for(words)


def stream(name: str, words: list[str]) -> int:
    """Runs a verb of the program on files larger than memory; else as run."""
    from . import _streams

    return _guarded(name, lambda: _streams.run(name, words))


def _run(name: str, words: list[str]) -> int:
    from . import _parser

    module = importlib.import_module(f".{name}", __name__)
    parser = _parser.Parser(name, module.__doc__ or "")
    module.add(parser)
    return module.run(parser.read(words))


def _guarded(name: str, work: Callable[[], int]) -> int:
    _raise_on_signals()
    try:
        return work()
    except KeyboardInterrupt:
        return _failed("interrupted", _INTERRUPTED)
    except ProgramError as error:
        return _failed(str(error), error.exit_status)
    except _core.Error as error:
        return _failed(str(error), getattr(error, "exit_status", _core.InternalError.exit_status))
    except MemoryError:
        return _failed("out of memory", _core.NoMemoryError.exit_status)
    except OSError as error:
        return _failed(f"{error.filename or name}: {error.strerror or error}", _core.IoError.exit_status)
    except Exception as error:  # a fault of the verb; a traceback is more than one line
        return _failed(f"{name}: {type(error).__name__}: {error}", _core.InternalError.exit_status)


def _raise_on_signals() -> None:
    """SIGTERM and SIGHUP end the verb as Ctrl-C does, unless the caller ignores them."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler)


def _failed(message: str, status: int) -> int:
    line = "".join(character if character.isprintable() else "?" for character in " ".join(message.split()))
    try:
        print(f"tesela: {line[:_LONGEST]}", file=sys.stderr, flush=True)
    except OSError:
        pass
    _leave_quietly()
    return status


def _leave_quietly() -> None:
    """Python reports a standard output that cannot be written once more when it ends."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def write(text: str) -> None:
    """Writes to the standard output. Errors: IoError."""
    if sys.stdout is None:
        raise _core.IoError("cannot write the standard output: it is closed")
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        raise _core.IoError(f"cannot write the standard output: {error.strerror}") from None

