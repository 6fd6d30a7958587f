# SPDX-License-Identifier: Apache-2.0
"""Files installed next to the compiled module, the program and the plugins; and files that are written whole or not at all."""

from __future__ import annotations

import os
import pathlib

from . import _core


def beside_core(name: str) -> pathlib.Path:
    """The path of an installed file. In an editable install, this file is in the source folder and the module is elsewhere."""
    return pathlib.Path(_core.__file__).with_name(name)


def write(name: str, data: bytes) -> None:
    """Errors: IoError."""
    part = f"{name}.{os.getpid()}.part"
    try:
        with open(part, "wb") as file:
            file.write(data)
        os.replace(part, name)
    except OSError as error:
        raise _core.IoError(f"cannot write '{name}': {error.strerror}") from None
    finally:
        try:
            os.unlink(part)
        except OSError:
            pass  # it was not made, or has its name
