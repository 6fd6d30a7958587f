# SPDX-License-Identifier: Apache-2.0
"""Files without a name, which are gone when they are closed and when the process is killed."""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Callable

from .. import _core
from .durable import give_name, sync_folder


def unnamed_file(folder: str | None) -> int:
    """A descriptor. Errors: OSError, with the folder's name."""
    folder = folder or tempfile.gettempdir()
    try:
        return _without_name(folder)
    except OSError:  # some file systems have names only
        descriptor, name = tempfile.mkstemp(dir=folder, prefix=".tesela.")
        os.unlink(name)
        return descriptor


def write_whole(path: str, write: Callable[[int], None]) -> None:
    """Makes a file that has its name, in place of an older one, when write(descriptor) has ended. Where files have names only, it is
    PATH.partial before, which `discard` removes after a kill. Errors: OSError, those of write, UsageError (another process writes it)."""
    beside: str | None = None
    try:
        descriptor = _without_name(os.path.dirname(path) or ".")
    except OSError:
        beside = f"{path}.partial"
        descriptor = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            _lock(descriptor, path)
        except BaseException:
            os.close(descriptor)
            raise
        os.ftruncate(descriptor, 0)
    try:
        write(descriptor)
        os.fsync(descriptor)
        if beside is None and os.path.lexists(path):
            beside = f"{path}.partial"
            _unlink(beside)
            _link(descriptor, beside)
        if beside is None:
            _link(descriptor, path)
            sync_folder(path)
        else:
            give_name(beside, path)
    except BaseException:
        if beside is not None:
            _unlink(beside)
        raise
    finally:
        os.close(descriptor)


def discard(path: str) -> None:
    """Removes PATH.partial, which a killed process left. Errors: OSError, UsageError (another process writes it)."""
    beside = f"{path}.partial"
    try:
        descriptor = os.open(beside, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        _lock(descriptor, path)
        if os.path.samestat(os.fstat(descriptor), os.stat(beside)):  # not one that was begun meanwhile
            os.unlink(beside)
    except FileNotFoundError:
        pass
    finally:
        os.close(descriptor)


def _lock(descriptor: int, path: str) -> None:
    """A lock is gone with its process. Errors: UsageError."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise _core.UsageError(f"stream: another process writes '{path}'") from None


def _without_name(folder: str) -> int:
    return os.open(folder, os.O_TMPFILE | os.O_RDWR | os.O_CLOEXEC, 0o666)


def _link(descriptor: int, path: str) -> None:
    # With a folder's descriptor, which an absolute path does not need, Python follows the link.
    os.link(f"/proc/self/fd/{descriptor}", path, src_dir_fd=descriptor, follow_symlinks=True)


def _unlink(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass
