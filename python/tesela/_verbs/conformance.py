# SPDX-License-Identifier: Apache-2.0
"""Ask another runtime for the results of thousands of calls, and say which features of the standard it has.

BACKEND is onnxruntime, openvino, reference (onnx's evaluator) or torch; a Python class as MODULE:CLASS or FILE.py:CLASS, with
run(model, inputs) or with prepare() as in onnx.backend.base.Backend; or a command with {model} and {output}, and perhaps {inputs},
which stand for model.onnx, the output's file and the folder of the input files. PyTorch gets the calls for which it has a function with
the same meaning; other calls are unsupported, which is not a failure. Calls are drawn from --seed. The exit status is 1 if a call fails,
is refused, ends the process or takes too long.

Examples:
  tesela conformance --backend onnxruntime
  tesela conformance --backend my_runtime:Backend --feature 'crop-*,antialias-linear' --html report.html
  tesela conformance --backend './run {model} {inputs}/input_0.npy {output}.npy' --cases 5
  tesela conformance --export vectors
"""

from __future__ import annotations

import argparse
import json

from .. import _core, _files
from . import _progress, write
from ._parser import Parser


def add(parser: Parser) -> None:
    parser.add_argument("--backend", metavar="BACKEND", help="A runtime, a Python class, or a command")
    parser.add_argument("--feature", metavar="NAME,...", help="Features, patterns such as 'crop-*', and cases such as crop-axes/7; by "
                        "default all")
    parser.add_argument("--cases", type=int, metavar="N", help="Calls of each feature (default 40)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="The seed from which calls are drawn (default 0)")
    parser.add_argument("--jobs", type=int, metavar="N", help="Processes of the backend (default: one for each processor)")
    parser.add_argument("--timeout", type=float, default=20.0, metavar="S", help="Seconds that a call may take (default 20)")
    parser.add_argument("--allow-refused", action="store_true", help="A refused valid call is not a failure, nor is a type without arrays")
    parser.add_argument("--no-reduce", action="store_true", help="Show failing calls as they were drawn")
    parser.add_argument("--python", metavar="FILE", help="The interpreter that has the runtime or the class, if it is another than this one")
    parser.add_argument("--html", metavar="FILE", help="Write a report that needs no other file")
    parser.add_argument("--export", metavar="FOLDER", help="Write the calls as ONNX backend tests, for 'tesela test' and onnx's runner")
    parser.add_argument("--list", action="store_true", help="List the features and their rules")
    parser.add_output()


def run(arguments: argparse.Namespace) -> int:
    from .._conformance import CASES, conformance, export_conformance

    if sum(bool(given) for given in (arguments.backend is not None, arguments.export is not None, arguments.list)) != 1:
        raise _core.UsageError("conformance: expected one of --backend, --export and --list; see tesela conformance --help")
    features = None if arguments.feature is None else arguments.feature.split(",")
    if arguments.list:
        return _list(features, arguments.json)
    drawn = {"seed": arguments.seed, "cases": CASES if arguments.cases is None else arguments.cases, "features": features}
    with _progress.Progress(arguments.quiet) as progress:
        if arguments.export is not None:
            count = export_conformance(arguments.export, progress=progress, **drawn)
            write(f"{count} tests in {arguments.export}\n" if not arguments.json else json.dumps({"tests": count}) + "\n")
            return 0
        found = conformance(arguments.backend, jobs=arguments.jobs, timeout=arguments.timeout, reduce=not arguments.no_reduce,
                            allow_refused=arguments.allow_refused, python=arguments.python, progress=progress, **drawn)
    if arguments.html is not None:
        _files.write(arguments.html, found.html().encode())
    write(json.dumps(found.as_dict(), indent=1) + "\n" if arguments.json else f"{found}\n")
    return 0 if found else 1


def _list(words: list[str] | None, as_json: bool) -> int:
    from .._conformance.features import chosen

    features = [feature for feature, _ in chosen(words)]
    if as_json:
        rows = [{"feature": feature.name, "operator": feature.area, "rule": feature.rule,
                 "expects": "refusal" if feature.refused else "output"} for feature in features]
        write(json.dumps({"features": rows}, indent=1) + "\n")
    else:
        width = max(len(feature.name) for feature in features)
        write("".join(f"{feature.name.ljust(width)}  {feature.area}: {feature.rule}\n" for feature in features))
    return 0
