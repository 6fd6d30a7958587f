# SPDX-License-Identifier: Apache-2.0
"""Shared with tests/python and tests/conformance."""

import pathlib
import sys

sys.path[:0] = [str(pathlib.Path(__file__).parents[1] / folder) for folder in ("python", "conformance")]
