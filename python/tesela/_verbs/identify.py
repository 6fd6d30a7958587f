# SPDX-License-Identifier: Apache-2.0
"""Say which settings made an output: mode, coordinates, filter, borders, rounding, order of passes, or a preset.

OUT is compared with what each setting of Resize and each preset makes of IN. The settings that give every value are printed
as calls of the Python package, in groups that differ for other values, and then an input that tells them apart.

Examples:
  tesela identify photo.png thumbnail.png
  tesela identify x.npy y.npy --json
"""

from __future__ import annotations

import argparse
import json

from . import _progress, _tensors, write
from ._parser import Parser


def add(parser: Parser) -> None:
    _tensors.add_file(parser, "IN", "The input")
    _tensors.add_file(parser, "OUT", "What another program made of IN", "output-")
    parser.add_output()


def run(arguments: argparse.Namespace) -> int:
    from .. import identify

    x = _tensors.read(arguments.IN, arguments.dtype, arguments.entry)
    y = _tensors.read(arguments.OUT, arguments.output_dtype, arguments.output_entry)
    with _progress.Progress(arguments.quiet) as progress:
        found = identify(x, y, progress=progress)
    write((json.dumps(found.as_dict(), indent=1) if arguments.json else str(found)) + "\n")
    return 0
