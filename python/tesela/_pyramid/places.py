# SPDX-License-Identifier: Apache-2.0
"""Outputs that appear whole or not at all, under the name that the caller gave."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator

from .. import _core

_OF_ZARR = ("zarr.json", ".zgroup", ".zarray")


@contextlib.contextmanager
def place(path: str, overwrite: bool, source: str) -> Iterator[str]:
    """The name of a file or folder to write, which gets its own name if the block succeeds and is removed otherwise.

    source: the path of the input, or "". Errors: IoError, PathError.
    """
    path = path.rstrip("/") or path
    _check(path, overwrite, source)
    part = f"{path}.{os.getpid()}.part"
    try:
        yield part
        _move(part, path)
    except OSError as error:
        if isinstance(error, _core.Error):
            raise
        raise _core.IoError(f"cannot write '{path}': {error.strerror or error}") from None
    finally:
        _remove(part)


def _check(path: str, overwrite: bool, source: str) -> None:
    if source:
        inside, outside = os.path.realpath(path), os.path.realpath(source)
        if os.path.commonpath([inside, outside]) in (inside, outside):
            raise _core.PathError(f"pyramid: the output '{path}' is the input, or one is inside the other")
    if not os.path.lexists(path):
        folder = os.path.dirname(path) or "."
        if not os.path.isdir(folder):
            raise _core.IoError(f"cannot write '{path}': the folder '{folder}' does not exist")
        return
    if not overwrite:
        raise _core.IoError(f"cannot write '{path}': it exists; --overwrite (overwrite=True) replaces it")
    if os.path.isdir(path) and not any(os.path.exists(os.path.join(path, name)) for name in _OF_ZARR):
        raise _core.PathError(f"cannot write '{path}': it is a folder without Zarr metadata; only Zarr folders are replaced")


def _move(part: str, path: str) -> None:
    """Renames; what was there goes away last."""
    if not os.path.lexists(path) or not (os.path.isdir(path) or os.path.isdir(part)):
        os.replace(part, path)
        return
    old = f"{path}.{os.getpid()}.old"
    os.rename(path, old)
    try:
        os.rename(part, path)
    except BaseException:
        os.rename(old, path)
        raise
    _remove(old)


def _remove(path: str) -> None:
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            os.unlink(path)
