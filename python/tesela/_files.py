"""What is installed beside the compiled module: the program and the plugins."""

from __future__ import annotations

import pathlib

from . import _core


def beside_core(name: str) -> pathlib.Path:
    """The path of an installed file. In an editable install this file's folder is that of the sources."""
    return pathlib.Path(_core.__file__).with_name(name)
