"""The command line: `tesela VERB ...` and `python -m tesela VERB ...`."""

from __future__ import annotations

import os
import sys

from . import _files


def main() -> None:
    """Replaces the process with the program that is installed with the package."""
    os.execv(_files.beside_core("tesela-cli"), ["tesela", *sys.argv[1:]])


if __name__ == "__main__":
    main()
