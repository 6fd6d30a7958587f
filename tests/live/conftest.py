# SPDX-License-Identifier: Apache-2.0
"""Shared with tests/python."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "python"))
