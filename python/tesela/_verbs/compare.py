# SPDX-License-Identifier: Apache-2.0
"""Compare nodes with other runtimes: where results differ, by how much, and which rule explains it.

Each Resize, Upsample, Tile and ConstantOfShape of the model runs by itself, in Tesela and in each runtime. CASE is a call in the
words of 'tesela bench --help', and may have axes=, scales=, sizes=, roi= and x= with values. The exit status is 1 if a node
differs, ends a runtime's process or takes too long, or if a runtime that was named refuses it.

Examples:
  tesela compare model.onnx --with onnxruntime,openvino
  tesela compare model.onnx --shape x=1x3x480x640 --html report.html
  tesela compare model.onnx -i x=photo.npy --node up1
  tesela compare 'nearest round_prefer_ceil float 1x1x1x20 -> 1x1x1x6' --with onnxruntime --reduce smallest
"""

from __future__ import annotations

import argparse
import json
import re
from typing import Any

import numpy as np

from .. import _core, _files, _types
from . import _progress, _tensors, write
from ._parser import Parser

_SECONDS = 20.0


def add(parser: Parser) -> None:
    parser.add_argument("SUBJECT", metavar="MODEL|CASE", help="An ONNX model, or a call in words")
    parser.add_argument("--with", dest="runtimes", metavar="NAME,...", help="onnxruntime, openvino, reference and torch; by default those "
                        "of the first three that are installed")
    parser.add_argument("--node", metavar="NAME", help="One node: its name, or '#2' for the second; by default all")
    parser.add_argument("--shape", action="append", default=[], metavar="NAME=EXTENTS", help="The shape of an input or another value, "
                        "such as x=1x3x224x224 or x=float:1x3x224x224; repeatable")
    parser.add_argument("-i", "--input", action="append", default=[], metavar="NAME=FILE", help="An input of the model: .npy, .npz, .pb, "
                        ".png or .jpg; nodes then get their values from a run of the model, by default drawn ones; repeatable")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="The seed from which inputs are drawn (default 0)")
    parser.add_argument("--tolerance", type=float, metavar="UNITS", help="Units in the last place up to which a difference is rounding; "
                        "by default 0 for integers and copies, and for others what positions in float32 can cause")
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="Threads of each runtime (default 1)")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="Runs that are timed (default 3)")
    parser.add_argument("--timeout", type=float, default=60.0, metavar="S", help="Seconds that a runtime may take for a node (default 60)")
    parser.add_argument("--html", metavar="FILE", help="Write a report that needs no other file")
    parser.add_argument("--reduce", metavar="PREFIX", help="Find the smallest call that differs for the same reason, and write PREFIX.onnx "
                        "and PREFIX.py")
    parser.add_argument("--seconds", type=float, default=_SECONDS, metavar="S", help="How long --reduce searches (default 20)")
    parser.add_output()


def run(arguments: argparse.Namespace) -> int:
    from .. import compare

    names = arguments.runtimes.split(",") if arguments.runtimes is not None else []
    shapes = dict(_shape(word) for word in arguments.shape)
    inputs = {name: _tensors.read(path) for name, path in (_pair("-i", word, "NAME=FILE") for word in arguments.input)}
    with _progress.Progress(arguments.quiet) as progress:
        found = compare(arguments.SUBJECT, *names, node=arguments.node, shapes=shapes or None, inputs=inputs or None, seed=arguments.seed,
                        tolerance=arguments.tolerance, num_threads=arguments.threads, repeat=arguments.repeat, timeout=arguments.timeout,
                        progress=progress)
        if arguments.html is not None:
            _files.write(arguments.html, found.html().encode())
        reduced = None
        if arguments.reduce is not None and not found:
            reduced = found.reduce(seconds=arguments.seconds, progress=progress)
            reduced.write(arguments.reduce)
    if arguments.json:
        document = found.as_dict() | {"reduced": None if reduced is None else reduced.as_dict()}
        write(json.dumps(document, indent=1) + "\n")
    else:
        write(f"{found}\n" + ("" if reduced is None else f"\n{reduced}\n"))
    return 0 if found else 1


def _pair(option: str, word: str, expected: str) -> tuple[str, str]:
    name, equals, text = word.rpartition("=") if option == "--shape" else word.partition("=")
    if not equals or not name:
        raise _core.UsageError(f"{option} is '{word}'; expected {expected}")
    return name, text


def _shape(word: str) -> tuple[str, Any]:
    name, text = _pair("--shape", word, "NAME=EXTENTS, such as x=1x3x224x224")
    kind, colon, extents = text.rpartition(":")
    if not re.fullmatch(r"(\d+(x\d+)*)?", extents):
        raise _core.UsageError(f"--shape is '{word}'; expected NAME=EXTENTS, such as x=1x3x224x224")
    shape = tuple(int(extent) for extent in extents.split("x") if extent)
    return name, np.broadcast_to(np.zeros((), _types.read_dtype(kind)), shape) if colon else shape
