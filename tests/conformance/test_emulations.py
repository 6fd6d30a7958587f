# SPDX-License-Identifier: Apache-2.0
"""Plans with the rules of another library give that library's results, on random cases; see emulations.py.

TESELA_CASES sets the number of cases of each library.
"""

from __future__ import annotations

import collections
import os
import warnings

import emulations
import numpy as np
import openvino_models
import pytest
import pytorch_outputs
import test_peers

CASES = int(os.environ.get("TESELA_CASES", 1000))


@pytest.mark.parametrize("peer", [name for name in emulations.PEERS if name != "pytorch"])
def test_random_cases_equal_the_library(peer):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NumPy's, about complex numbers that lose a part
        table = emulations.tabulate(peer, 0, CASES)
    assert not table.unexplained, "\n".join(table.unexplained[:20])
    assert table.counts["equal"] > CASES / 2
    assert table.counts["refused by both"] < CASES / 2


def test_recorded_outputs_of_pytorch():
    """PyTorch is not installed here. Every bit is its own."""
    seen: collections.Counter = collections.Counter()
    for case, expected in pytorch_outputs.read():
        found = emulations.ours(test_peers.node_of(case), "pytorch")
        assert isinstance(found, emulations.Refused) == (expected is None), (case.word(), found)
        if expected is not None:
            assert emulations.compare(case, found.reshape(-1), expected) == "equal", case.word()
            seen[case.filter, case.dtype, "antialias" if case.antialias else "", case.x.ndim] += 1
            seen["wide" if found.ndim == 4 and sum(found.shape[2:]) > 128 else "narrow"] += 1
            seen["vectors" if found.ndim == 4 and found.shape[1] >= 8 and case.filter == "linear" else ""] += 1
    assert seen["wide"] > 10 and seen["vectors"] > 5
    for mode, dtype, antialias, rank in [("linear", "float", "", 3), ("linear", "bfloat16", "", 5), ("linear", "uint8", "antialias", 4),
                                         ("cubic", "double", "antialias", 4), ("cubic", "float16", "", 4), ("nearest", "uint8", "", 5)]:
        assert seen[mode, dtype, antialias, rank] > 0, (mode, dtype, antialias, rank)


@pytest.mark.parametrize("alone", [False, True])
def test_nodes_beside_one_that_fails_or_ends_the_process_run(alone):
    good = test_peers.resize([[0, 7]], [1, 2], dtype="uint8", mode="linear")
    refused = test_peers.resize([1, 2], [2], dtype="uint16")
    crashing = test_peers.resize(np.arange(64).reshape(1, 1, 2, 2, 4, 4), [1, 1, 2, 2, 2, 2], mode="linear")
    nodes = [good, refused, good, crashing, good]
    models = [(test_peers.model(node), test_peers.feeds(node), node.inputs[0][0].dtype.name) for node in nodes]
    found = openvino_models.run_all(models, [alone and node is not good for node in nodes])
    assert [result.tolist() for result in found[::2]] == [[[0, 2, 5, 7]]] * 3
    assert "Conversion is failed for: Resize" in found[1] and "the process ended" in found[3]
