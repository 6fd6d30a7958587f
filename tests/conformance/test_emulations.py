"""Plans with the rules of another library give that library's results, on random cases; see emulations.py.

TESELA_CASES sets the number of cases of each library.
"""

from __future__ import annotations

import os
import warnings

import emulations
import pytest

CASES = int(os.environ.get("TESELA_CASES", 1000))


@pytest.mark.parametrize("peer", emulations.PEERS)
def test_random_cases_equal_the_library(peer):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NumPy's, about complex numbers that lose a part
        table = emulations.tabulate(peer, 0, CASES)
    assert not table.unexplained, "\n".join(table.unexplained[:20])
    assert table.counts["equal"] > CASES / 2
    assert table.counts["refused by both"] < CASES / 2
