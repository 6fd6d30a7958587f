"""Packages that only some formats need."""

from __future__ import annotations

import importlib
from typing import Any

from .. import _core

_EXTRAS = {"zarr": "zarr", "tifffile": "tiff", "dask.array": "dask"}


def need(package: str, what: str) -> Any:
    """The module. what: what needs it. Errors: UnsupportedError, which says how to install it."""
    try:
        return importlib.import_module(package)
    except ImportError:
        name = package.partition(".")[0]
        raise _core.UnsupportedError(f"pyramid: {what} needs the package {name}, which is not installed: "
                                     f"pip install 'tesela[{_EXTRAS[package]}]'") from None
