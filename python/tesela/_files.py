"""Files installed next to the compiled module: the program and the plugins."""

from __future__ import annotations

import pathlib

from . import _core


def beside_core(name: str) -> pathlib.Path:
    """The path of an installed file. In an editable install, this file is in the source folder and the module is elsewhere."""
    return pathlib.Path(_core.__file__).with_name(name)
