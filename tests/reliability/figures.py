# SPDX-License-Identifier: Apache-2.0
"""Figures of docs/reliability.md.

`make reliability` sets TESELA_FIGURES to a folder. Each check appends what it measured to a file of its goal there,
one sentence a line; write_figures.py writes them into the document. Without the variable nothing is written.
"""

from __future__ import annotations

import os
from pathlib import Path


def without_measuring() -> dict[str, str]:
    """The environment for tests that are run for another goal: they check a slice and write no figures."""
    return {name: value for name, value in os.environ.items() if name != "TESELA_FIGURES"}


def is_measuring() -> bool:
    """Whether `make reliability` runs, where a check runs whole and not a slice."""
    return "TESELA_FIGURES" in os.environ


def record(goal: str, sentence: str) -> None:
    """Adds a measured figure to a goal of docs/reliability.md.

    goal: its name in the document's comments, "G3" or "proofs".
    sentence: what was measured, as the document shows it.
    """
    folder = os.environ.get("TESELA_FIGURES")
    if folder:
        with Path(folder, f"{goal}.txt").open("a", encoding="utf-8") as file:
            file.write(sentence + "\n")
