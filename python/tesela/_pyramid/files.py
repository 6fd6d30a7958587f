# SPDX-License-Identifier: Apache-2.0
"""Files that pyramids are made of: .npy, images, Zarr arrays, OME-Zarr images, TIFF and OME-TIFF."""

from __future__ import annotations

import json
import os
import pathlib
import re
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import numpy as np

from .. import _core
from .._streaming.formats import package
from . import metadata
from .axes import Axis, named, unit_name
from .sources import Source

TIFF = (".tif", ".tiff")
_IMAGES = (".png", ".jpg", ".jpeg")
_LETTERS = {"S": "c"}  # of tifffile's axes: samples are channels


def open_file(path: str | os.PathLike[str]) -> Source:
    """Errors: IoError, ParseError, UnsupportedError."""
    name = os.fspath(path)
    if not os.path.exists(name):
        raise _core.IoError(f"cannot open '{name}': No such file or directory")
    suffix = pathlib.PurePath(name).suffix.lower()
    if os.path.isdir(name) or suffix == ".zip":
        return _zarr(name)
    if suffix == ".npy":
        return _npy(name)
    if suffix in TIFF:
        return _tiff(name)
    if suffix in _IMAGES:
        from .._verbs import _tensors

        image = _tensors.read(name)
        source = Source(image, [named(axis) for axis in "yxc"], path=name)
        source.is_rgb = image.shape[2] == 3
        return source
    raise _core.UnsupportedError(f"pyramid: '{name}' is of no known format; expected a folder of Zarr, or .npy, {', '.join(TIFF + _IMAGES)}")


def _npy(name: str) -> Source:
    try:
        array = np.load(name, mmap_mode="r", allow_pickle=False)
    except OSError as error:
        raise _core.IoError(f"cannot read '{name}': {error.strerror or error}") from None
    except Exception as error:  # a header is parsed as Python text
        raise _core.ParseError(f"cannot read '{name}': {error}") from None
    if not isinstance(array, np.ndarray):
        raise _core.ParseError(f"cannot read '{name}': it is not an array")
    return Source(array, path=name)


# --- Zarr ----------------------------------------------------------------------------------------


def _zarr(name: str) -> Source:
    zarr = package("zarr", "zarr", "pyramid")
    axes: list[Axis] | None = None
    opened = _opened(zarr, name, "")
    if isinstance(opened, zarr.Group):
        found = metadata.base_of(name, dict(opened.attrs))
        if found is None:
            inside = ", ".join(sorted(opened.keys())[:8])
            raise _core.ParseError(f"pyramid: '{name}' is a group without an image" + (f"; name one of its members: {inside}" if inside else ""))
        path, axes = found
        if os.path.isabs(path) or ".." in pathlib.PurePosixPath(path).parts:
            raise _core.PathError(f"pyramid: '{name}' names the array '{path}', which is not inside it")
        opened = _opened(zarr, name, path)
    if not isinstance(opened, zarr.Array):
        raise _core.ParseError(f"pyramid: '{name}' names a group where an array is expected")
    _refuse_pickles(name, opened)
    if axes is None and opened.metadata.zarr_format == 3 and all(opened.metadata.dimension_names or (None,)):
        axes = [named(dim) for dim in opened.metadata.dimension_names]
    if axes is not None and len(axes) != opened.ndim:
        raise _core.ParseError(f"pyramid: '{name}' names {len(axes)} axes, and its array has {opened.ndim}")
    return Source(opened, axes, opened.chunks, name)


def _opened(zarr: Any, name: str, path: str) -> Any:
    try:
        return zarr.open(name, mode="r", path=path)
    except Exception as error:  # zarr raises many kinds for damaged metadata
        raise _core.ParseError(f"cannot open '{name}' as Zarr: {type(error).__name__}: {error}") from None


def _refuse_pickles(name: str, array: Any) -> None:
    """A codec that unpickles would run code of the file."""
    if '"pickle"' in json.dumps(array.metadata.to_dict(), default=str).lower().replace("numcodecs.", ""):
        raise _core.UnsupportedError(f"pyramid: '{name}' is compressed with the codec pickle, which could run any code")


# --- TIFF ----------------------------------------------------------------------------------------


def _tiff(name: str) -> Source:
    tifffile = package("tifffile", "tiff", "pyramid")
    zarr = package("zarr", "tiff", "pyramid")
    try:
        file = tifffile.TiffFile(name)
        series = file.series[0]
        array = zarr.open(series.aszarr(level=0, squeeze=True), mode="r")
        letters = series.get_axes(squeeze=True)
        sizes = _ome_axes(file.ome_metadata) if file.is_ome else {}
    except Exception as error:  # damaged files raise many kinds
        raise _core.ParseError(f"cannot read '{name}': {type(error).__name__}: {error}") from None
    axes = [sizes.get(letter, named(_LETTERS.get(letter, letter.lower()))) for letter in letters]
    names = [axis.name for axis in axes]
    if len(set(names)) != len(names) or not set(names) <= set("tczyx"):
        # Other letters, such as Q for unknown: what they are is for the caller to say.
        return Source(array, None, array.chunks, name)
    source = Source(array, axes, array.chunks, name)
    source.is_rgb = "S" in letters and series.keyframe.photometric == tifffile.PHOTOMETRIC.RGB and source.shape[letters.index("S")] == 3
    return source


def _ome_axes(text: str | None) -> dict[str, Axis]:
    """Axes with the physical sizes of the first image of OME-XML, by letter."""
    if not text or len(text) > 64 << 20 or re.search(r"<!(DOCTYPE|ENTITY)", text):
        return {}
    pixels = next((node for node in ElementTree.fromstring(text).iter() if node.tag.rpartition("}")[2] == "Pixels"), None)
    found = {}
    for letter, attribute, usual in (("X", "PhysicalSizeX", "µm"), ("Y", "PhysicalSizeY", "µm"), ("Z", "PhysicalSizeZ", "µm"),
                                     ("T", "TimeIncrement", "s")):
        if pixels is not None and attribute in pixels.attrib and float(pixels.attrib[attribute]) > 0:
            unit = unit_name(pixels.attrib.get(f"{attribute}Unit", usual))
            found[letter] = replace(named(letter.lower()), scale=float(pixels.attrib[attribute]), unit=unit)
    return found
