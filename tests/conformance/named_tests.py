# SPDX-License-Identifier: Apache-2.0
"""Whether a test that a document names exists."""

from __future__ import annotations

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]


def names_a_test(place: str) -> bool:
    """place: "tests/python/test_x.py::test_y" or "tests/model/x_test.cc::Suite.Name"."""
    path, name = place.split("::")
    if not (ROOT / path).exists():
        return False
    text = (ROOT / path).read_text()
    if path.endswith(".py"):
        return re.search(rf"^def {re.escape(name)}\(", text, re.MULTILINE) is not None
    suite, _, test = name.partition(".")
    return re.search(rf"^TEST(_F|_P)?\({suite}, *{test}\)", text, re.MULTILINE) is not None
