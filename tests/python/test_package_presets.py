"""Presets against recorded results of their libraries; tests/live asks the libraries themselves."""

import numpy as np
import preset_peers as peers
import pytest

import tesela

MEASURED = peers.read_measured()


@pytest.mark.parametrize("preset", tesela.presets.names)
def test_recorded_results_are_equal_as_documented(preset):
    row = MEASURED[preset]
    with np.load(peers.VECTORS / f"{preset.replace(':', '-')}.npz") as recorded:
        assert str(recorded["version"]) == row["version"]
        for index in range(1, peers.RECORDED_CASES + 1):
            x, sizes = peers.random_case(preset, index)
            assert tuple(recorded[f"sizes{index}"]) == sizes
            result = peers.by_tesela(preset, x, sizes)
            assert np.abs(result - recorded[f"y{index}"]).max() <= row["largest"] * 1.05


def test_the_documented_table_is_the_measured_one():
    assert peers.table() in peers.DOCUMENT.read_text()
    assert all(MEASURED[preset]["cases"] >= 500 for preset in tesela.presets.names)


def test_a_preset_is_its_attributes():
    x = np.random.default_rng(0).random((1, 2, 9, 8), dtype=np.float32)
    spelled = tesela.resize(x, sizes=(4, 5), axes=(2, 3), **tesela.presets.attributes("pytorch:bicubic-antialias"))
    assert np.array_equal(tesela.resize(x, sizes=(4, 5), like="pytorch:bicubic-antialias"), spelled)
    assert tesela.resize(x[0], scales=(2.0, 0.5), like="opencv:linear").shape == (4, 4, 8)
    assert tesela.resize(x, sizes=(4, 5), like="tensorflow:bilinear").shape == (1, 4, 5, 8)


def test_contradictions_are_refused():
    x = np.zeros((4, 4), np.float32)
    with pytest.raises(ValueError, match="sets 'mode'"):
        tesela.resize(x, sizes=(2, 2), like="opencv:linear", mode="cubic")
    with pytest.raises(ValueError, match="opencv:linear"):
        tesela.resize(x, sizes=(2, 2), like="opencv:lanczos")
    with pytest.raises(ValueError, match="pytorch"):
        tesela.resize(x, sizes=(2, 2), like="matlab:imresize")
