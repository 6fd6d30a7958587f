"""Presets against the libraries that they stand for."""

import preset_peers as peers
import pytest

import tesela

MEASURED = peers.read_measured()


@pytest.mark.parametrize("preset", tesela.presets.names)
def test_a_library_is_equal_as_documented(preset):
    assert peers.version(preset.partition(":")[0]) == MEASURED[preset]["version"]
    measured = peers.measure(preset, range(peers.LIVE_CASES), peers.by_tesela, peers.by_library)
    assert measured["cases"] >= 500
    assert measured["largest"] <= MEASURED[preset]["largest"] * 1.05
