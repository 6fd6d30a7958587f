"""The command line: `tesela VERB ...` and `python -m tesela VERB ...`."""

from __future__ import annotations

import os
import pathlib
import sys


def main() -> None:
    """Becomes the program that lies beside this file."""
    program = pathlib.Path(__file__).with_name("tesela-cli")
    os.execv(program, ["tesela", *sys.argv[1:]])


if __name__ == "__main__":
    main()
