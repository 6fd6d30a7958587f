# SPDX-License-Identifier: Apache-2.0
"""Processes that run peers which can crash."""

from __future__ import annotations

import os
import pathlib
import pickle

CRASHED = "crashed"

# Sanitizers of Tesela must not report errors in peers.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in ("LD_PRELOAD", "TESELA_LIBRARY")}


def read_results(path: pathlib.Path) -> list:
    """All that was pickled into a file before its writer ended."""
    results = []
    with path.open("rb") as file:
        while True:
            try:
                results.append(pickle.load(file))
            except EOFError:
                return results
