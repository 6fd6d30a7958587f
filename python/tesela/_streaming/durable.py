# SPDX-License-Identifier: Apache-2.0
"""Names of complete files, which a loss of power does not undo."""

from __future__ import annotations

import os


def give_name(partial: str, path: str) -> None:
    """Renames, in place of an older file."""
    os.replace(partial, path)
    sync_folder(path)


def sync_folder(path: str) -> None:
    """Makes the names of files durable in the folder of a path."""
    folder = os.open(os.path.dirname(path) or ".", os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
