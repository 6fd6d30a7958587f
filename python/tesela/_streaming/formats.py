# SPDX-License-Identifier: Apache-2.0
"""Which kind of file a path is."""

from __future__ import annotations

import importlib
import os
from typing import Any, NamedTuple

from .. import _core


class Format(NamedTuple):
    """module: its reader in sources/ and its writer in sinks/. is_written: false of those that are read only. code: of images, the
    library's. in_program: whether the program, which has no Python, reads and writes it, too."""

    module: str
    is_written: bool = True
    code: int | None = None
    in_program: bool = False


_PNG, _JPEG = (Format("image", code=code, in_program=True) for code in (_core.FILE_PNG, _core.FILE_JPEG))
# apps/cli/streaming.cc lists those that are not in the program.
OF_ENDING = {".npy": Format("npy", in_program=True), ".zarr": Format("zarr"), ".zip": Format("zarr", is_written=False), ".tif": Format("tiff"),
             ".tiff": Format("tiff"), ".png": _PNG, ".jpg": _JPEG, ".jpeg": _JPEG}
# Those that outputs can have; the first is that of pyramids.
COMPRESSIONS = {"zarr": ("zstd", "none"), "tiff": ("zlib", "none")}
_OF_FOLDER = ("zarr.json", ".zarray", ".zgroup")


def ending_of(path: str) -> str:
    return os.path.splitext(path.rstrip("/").lower())[1]


def is_zarr_folder(path: str) -> bool:
    return any(os.path.exists(os.path.join(path, name)) for name in _OF_FOLDER)


def is_image(given: Any) -> bool:
    """Whether a source or target is the path of an image, which is decoded or encoded as a whole."""
    found = OF_ENDING.get(ending_of(os.fspath(given))) if isinstance(given, (str, os.PathLike)) else None
    return found is not None and found.code is not None


def of_path(path: str, what: str, where: str = "stream") -> Format:
    """what: "source" or "target", and where: the function, for messages. Errors: UnsupportedError."""
    ending = ending_of(path)
    found = OF_ENDING.get(ending) or (OF_ENDING[".zarr"] if is_zarr_folder(path) else None)
    if found is not None and (what == "source" or found.is_written):
        return found
    expected = ", ".join(sorted(name for name, format in OF_ENDING.items() if what == "source" or format.is_written))
    raise _core.UnsupportedError(f"{where}: the {what} '{path}' has no format that can be {'read' if what == 'source' else 'written'}; "
                                 f"expected one of {expected}"[:300])


def package(name: str, extra: str, where: str = "stream") -> Any:
    """An optional package. Errors: UnsupportedError, which says how to install it."""
    try:
        return importlib.import_module(name)
    except ImportError:
        missing = name.partition(".")[0]
        raise _core.UnsupportedError(f"{where}: the package {missing} is not installed; install it with 'pip install tesela[{extra}]'") from None
