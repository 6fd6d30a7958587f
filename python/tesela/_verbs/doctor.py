# SPDX-License-Identifier: Apache-2.0
"""Say what is installed, and what the library found on this machine.

Version, instruction sets, caches, threads and libraries; Python and its packages; plugins, and the runtimes that they are for.
Each runtime runs a small model with Tesela. The exit status is 1 if there are problems.

Examples:
  tesela doctor
  tesela doctor --json
"""

from __future__ import annotations

import argparse
import json

from . import write
from ._parser import Parser


def add(parser: Parser) -> None:
    parser.add_argument("--json", action="store_true", help="Print JSON")


def run(arguments: argparse.Namespace) -> int:
    from .. import doctor

    found = doctor()
    write((json.dumps(found.as_dict(), indent=1) if arguments.json else str(found)) + "\n")
    return 0 if found else 1
