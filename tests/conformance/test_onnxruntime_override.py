# SPDX-License-Identifier: Apache-2.0
"""Tesela as custom operators in ONNX Runtime: every cell that custom operators support is equal in every bit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import onnxruntime
import pytest
import random_cases
from onnxruntime_sessions import RUNTIME, overridden_session_of, run
from test_cells import name
from test_onnxruntime import CASES, CELLS, check, is_runnable
from test_peers import Node, model

# ONNX Runtime supports fewer types in custom operators than in execution providers.
UNCARRIED = {"float8e8m0", "int2", "uint2"}
# Upsample-1 cannot be distinguished from Upsample-7.
OVERRIDDEN = [cell for cell in CELLS if cell.dtype not in UNCARRIED and (RUNTIME >= (1, 23) or cell.op != "ConstantOfShape")
              and (cell.op, cell.since_version) != ("Upsample", 1)]


@pytest.mark.parametrize("constants", [False, True], ids=["given", "held"])
@pytest.mark.parametrize("cell", OVERRIDDEN, ids=name)
def test_cell(cell, constants):
    check(cell.case, constants, overridden_session_of)


@pytest.mark.parametrize("seed", range(CASES))
def test_random_case(seed):
    seeds = range(seed, seed + 10**9, 10**6)
    case = next(case for case in map(random_cases.case, seeds) if is_runnable(case) and case.since_version > 1)
    check(replace(case, extents="host"), seed % 2 == 1, overridden_session_of)


def test_the_first_version_of_tile():
    # ONNX Runtime has no operators of the first opset, but runs custom ones.
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    node = Node("Tile", 1, [(x, "float"), (np.float32([3]), "float"), (np.float32([1]), "float")])
    given = {f"i{k}": entry for k, entry in enumerate(node.inputs)}
    assert np.array_equal(run(overridden_session_of(model(node)), given, "float"), np.tile(x, (1, 3)))
    with pytest.raises(Exception, match="Tile"):
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4
        onnxruntime.InferenceSession(model(node).SerializeToString(), options)
