"""Presets against recorded results of their libraries; tests/live asks the libraries themselves."""

import numpy as np
import preset_peers as peers
import pytest

import tesela

MEASURED = peers.read_measured()


@pytest.mark.parametrize("row", peers.rows())
def test_recorded_results_are_equal_as_documented(row):
    measured = MEASURED[row]
    with np.load(peers.vectors_of(row)) as recorded:
        assert str(recorded["version"]) == measured["version"]
        for index in range(1, peers.RECORDED_CASES + 1):
            x, sizes = peers.random_case(row, index)
            assert tuple(recorded[f"sizes{index}"]) == sizes
            result = peers.by_tesela(row.partition(" ")[0], x, sizes)
            difference = np.abs(result.astype(np.float64) - recorded[f"y{index}"])
            assert difference.max() <= measured["largest"] * 1.05


def test_the_documented_tables_are_the_measured_ones():
    text = peers.DOCUMENT.read_text()
    assert peers.table() in text and peers.table_apart() in text
    assert set(MEASURED) == set(peers.rows())
    assert all(measured["cases"] >= 500 for measured in MEASURED.values())


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
    with pytest.raises(ValueError, match="sets 'coordinates'"):
        tesela.plan("resize", x, sizes=(2, 2), like="opencv:nearest", coordinates="float32")
    with pytest.raises(ValueError, match="sets 'order'"):
        tesela.plan("resize", x.astype("u1"), sizes=(2, 2), like="pillow:bicubic", order="first_axis_first")
    with pytest.raises(ValueError, match="opencv:linear"):
        tesela.resize(x, sizes=(2, 2), like="opencv:lanczos")
    with pytest.raises(ValueError, match="pytorch"):
        tesela.resize(x, sizes=(2, 2), like="matlab:imresize")
