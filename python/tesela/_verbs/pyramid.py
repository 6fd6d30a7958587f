# SPDX-License-Identifier: Apache-2.0
"""Write an image or volume of any size at several resolutions, as OME-Zarr or TIFF.

IN is a .npy, PNG, JPEG or TIFF file, a Zarr array, or an OME-Zarr image. OUT is a folder of Zarr, or a file .tif. Options give axes,
units, scale and translation; by default they are those of IN. --factors 2 halves the axes of space from level to level; --factors 2,4,8
makes three levels, smaller than the base by these factors; 1x2x2,1x4x4 gives a factor for each axis. OUT appears only when it is complete.

Examples:
  tesela pyramid volume.npy volume.zarr --axes z,y,x --scale 2,0.5,0.5 --units micrometer
  tesela pyramid cells.npy cells.zarr --labels --factors 2,4
  tesela pyramid slide.ome.tif slide.zarr --version 0.4 --chunks 512
  tesela pyramid map.tif overviews.tif --overviews pages --memory 512MiB
"""

from __future__ import annotations

import argparse
import json
import os
from typing import Any

from .. import _core
from .._pyramid.factors import PerAxis
from . import _progress, write
from ._parser import Parser

_LAYOUT = ("version", "chunks", "shards", "compression", "name", "tile", "overviews")


def add(parser: Parser) -> None:
    parser.add_argument("IN", help="The image: .npy, .png, .jpg, .tif, or a folder of Zarr")
    parser.add_argument("OUT", help="A folder of Zarr, or a file .tif")
    parser.add_argument("--factors", default="2", metavar="F,...", help="One factor: how much smaller each level is than the one above; several: "
                        "than the base; a factor is a number, or one for each axis, such as 1x2x2 (default 2)")
    parser.add_argument("--levels", type=int, metavar="N", help="The number of levels with one factor, including the base; "
                        "by default until no axis of space is longer than 256")
    parser.add_argument("--axes", metavar="NAME,...", help="Names of the axes of IN, such as t,c,z,y,x")
    for name, what in (("units", "Units"), ("scale", "Distances between elements"), ("translation", "Centres of the first elements")):
        parser.add_argument(f"--{name}", metavar="V", help=f"{what}: one for the axes of space, one for each axis, or x=V,y=V")
    parser.add_argument("--labels", action="store_true", help="Elements are names, not quantities: mode nearest, each level from the base")
    parser.add_argument("--mode", metavar="MODE", help="linear (the default), cubic or nearest; linear and cubic use antialias")
    parser.add_argument("--from", dest="levels_from", metavar="LEVEL", help="What levels are computed from: above or base (default above; for "
                        "nearest, base)")
    parser.add_argument("--version", metavar="V", help="OME-Zarr 0.5 (the default), 0.4 or 0.6")
    parser.add_argument("--chunks", metavar="N", help="Extents of chunks: one for the axes of space, or 1x64x64")
    parser.add_argument("--shards", metavar="N", help="Extents of shards of OME-Zarr 0.5 and 0.6, multiples of chunks; by default none")
    parser.add_argument("--compression", metavar="NAME", help="For Zarr zstd (the default) or none; for TIFF zlib (the default) or none")
    parser.add_argument("--name", help="The name of the image; by default that of OUT")
    parser.add_argument("--tile", type=int, metavar="N", help="The side of tiles of TIFF (default 256)")
    parser.add_argument("--overviews", metavar="HOW", help="For TIFF: subifds (the default), which makes OME-TIFF, or pages, as GDAL does")
    parser.add_argument("--memory", metavar="BYTES", help="About the most memory to use, such as 512MiB; by default a quarter of the machine's")
    parser.add_argument("--threads", type=int, metavar="N", help="Threads (default: one for each processor)")
    parser.add_argument("--overwrite", action="store_true", help="Replace OUT, if that is a file or a folder of Zarr")
    parser.add_output()


def run(arguments: argparse.Namespace) -> int:
    from .. import pyramid
    from .._pyramid.pyramid import opened
    from .._streaming import formats
    from .._streaming.progress import parts

    factors = [_factor(word) for word in arguments.factors.split(",")]
    layout: dict[str, Any] = {name: getattr(arguments, name) for name in _LAYOUT if getattr(arguments, name) is not None}
    for name in ("chunks", "shards"):
        if name in layout:
            layout[name] = _extents(f"--{name}", layout[name])
    folder = os.path.dirname(arguments.OUT.rstrip("/")) or "."
    with _progress.Progress(arguments.quiet) as progress:
        *decoding, computing = parts(progress, 2 if formats.is_image(arguments.IN) else 1)
        source = opened(arguments.IN, folder if os.path.isdir(folder) else None, arguments.memory, *decoding)
        made = pyramid(source, factors=factors[0] if len(factors) == 1 else factors, levels=arguments.levels,
                       axes=None if arguments.axes is None else arguments.axes.split(","), units=_by_axis("--units", arguments.units, str),
                       scale=_by_axis("--scale", arguments.scale, float), translation=_by_axis("--translation", arguments.translation, float),
                       labels=arguments.labels, mode=arguments.mode, levels_from=arguments.levels_from)
        told = made.write(arguments.OUT, overwrite=arguments.overwrite, memory=arguments.memory, num_threads=arguments.threads,
                          progress=computing, **layout)
    write(json.dumps({"input": arguments.IN} | told, indent=1) + "\n" if arguments.json else _text(told))
    return 0


def _factor(word: str) -> Any:
    entries = PerAxis(word.split("x"))
    return entries if len(entries) > 1 else entries[0]


def _extents(option: str, text: str) -> Any:
    try:
        entries = tuple(int(word) for word in text.split("x"))
    except ValueError:
        raise _core.UsageError(f"{option} is '{text}'; expected extents such as 64 or 1x64x64") from None
    return entries if len(entries) > 1 else entries[0]


def _by_axis(option: str, text: str | None, kind: type) -> Any:
    """One value, a tuple, or a dictionary by axis."""
    if text is None:
        return None
    words = text.split(",")
    try:
        if "=" in text:
            return {name: kind(value) for name, value in (_named(word) for word in words)}
        values = tuple(map(kind, words))
    except ValueError:
        raise _core.UsageError(f"{option} is '{text}'; expected one value, values such as 1,2,2, or names such as x=2,y=2") from None
    return values if len(values) > 1 else values[0]


def _named(word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not equals:
        raise ValueError(word)
    return name, value


def _text(told: dict[str, Any]) -> str:
    units = "".join(f", {axis['name']} in {axis['unit']}" for axis in told["axes"] if axis["unit"])
    names = "".join(axis["name"] for axis in told["axes"])
    lines = [f"{told['output']}: {told['format']}, {told['dtype']}, axes {names}{units}; {told['mode']}, each level from the "
             f"{'level above' if told['from'] == 'above' else 'base'}", ""]
    rows = [("level", "shape", "scale", "translation"),
            *((level["path"], "x".join(map(str, level["shape"])), *(", ".join(f"{value:.6g}" for value in level[field])
                                                                    for field in ("scale", "translation"))) for level in told["levels"])]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines += ["  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
    return "\n".join(lines) + "\n"
