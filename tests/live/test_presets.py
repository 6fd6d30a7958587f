"""Presets against the libraries that they stand for."""

import preset_peers as peers
import pytest

MEASURED = peers.read_measured()


@pytest.mark.parametrize("row", peers.rows())
def test_a_library_is_equal_as_documented(row):
    assert peers.version(row.partition(":")[0]) == MEASURED[row]["version"]
    measured = peers.measure(row, range(peers.LIVE_CASES), peers.by_tesela, peers.by_library)
    assert measured["cases"] >= 500
    assert measured["largest"] <= MEASURED[row]["largest"] * 1.05
