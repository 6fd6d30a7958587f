"""Plans with the rules of another library give that library's results, on random cases; see emulations.py.

TESELA_CASES sets the number of cases of each library.
"""

from __future__ import annotations

import os
import warnings

import emulations
import numpy as np
import openvino_models
import pytest
import test_peers

CASES = int(os.environ.get("TESELA_CASES", 1000))


@pytest.mark.parametrize("peer", emulations.PEERS)
def test_random_cases_equal_the_library(peer):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NumPy's, about complex numbers that lose a part
        table = emulations.tabulate(peer, 0, CASES)
    assert not table.unexplained, "\n".join(table.unexplained[:20])
    assert table.counts["equal"] > CASES / 2
    assert table.counts["refused by both"] < CASES / 2


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
