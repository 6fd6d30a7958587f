# SPDX-License-Identifier: Apache-2.0
"""Shared with tests/python and tests/conformance."""

import pathlib
import sys

sys.path[:0] = [str(pathlib.Path(__file__).parents[1] / folder) for folder in ("python", "conformance")]

# Tests of TensorFlow and of PyTorch share a process. The copy of LLVM in triton, which PyTorch imports if it is there, ends a
# process that has TensorFlow's; no test needs it.
sys.modules["triton"] = None
