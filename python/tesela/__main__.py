# SPDX-License-Identifier: Apache-2.0
"""The command line: `tesela VERB ...` and `python -m tesela VERB ...`."""

from __future__ import annotations

import os
import sys

from . import _files, _verbs


def main() -> None:
    """Runs a verb of the package, and others if their data streams. Else it replaces the process with the installed program."""
    words = sys.argv[1:]
    if words and words[0] in (*_verbs.VERBS, *_verbs.EXTENDED):
        sys.exit(_verbs.run(words[0], words[1:]))
    if _verbs.streams(words):
        sys.exit(_verbs.stream(words[0], words[1:]))
    os.execv(_files.beside_core("tesela-cli"), ["tesela", *words])


if __name__ == "__main__":
    main()
