# SPDX-License-Identifier: Apache-2.0
"""Errors of the system in the words of the program: what could not be done, the file, and why."""

from __future__ import annotations

from .. import _core


def io_error(what: str, name: str, error: OSError) -> _core.IoError:
    """what: "open", "read" or "write". name: a path in quotes, or what is in it."""
    return _core.IoError(f"cannot {what} {name}: {error.strerror or error}"[:300])
