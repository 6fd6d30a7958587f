# SPDX-License-Identifier: Apache-2.0
"""A part of what the programs of this folder compare."""

import linear_bytes
import moves
import nearest
import nearest_scales
import numpy as np
import pytest
import rounding


@pytest.mark.parametrize("backend", nearest.BACKENDS)
def test_nearest_equals_exact_indices(backend):
    result = nearest.compare(64, backend)
    assert result.pairs == 64 * 64 * len(nearest.SINCE_VERSION) * len(nearest.NEAREST_MODES)
    assert result.different == ()


@pytest.mark.parametrize("mode", nearest_scales.MODES)
def test_nearest_by_scales(mode):
    result = nearest_scales.compare(mode, 1000, 2)
    assert result.scales > 700
    assert (result.different, result.first) == (0, "")


@pytest.mark.parametrize("mode", linear_bytes.MODES)
def test_linear_bytes_equal_exact_sums(mode):
    result = linear_bytes.compare(mode, 40)
    assert result.outputs == 40 * 40 * 41 // 2
    assert result.different == 0


def test_a_wrong_sum_is_found(monkeypatch):
    monkeypatch.setattr(linear_bytes, "half_to_even", lambda numerator, denominator: np.floor_divide(numerator, denominator))
    assert linear_bytes.compare("half_pixel", 9).different > 0


@pytest.mark.parametrize("operator", moves.OPERATORS)
def test_moves_keep_every_bit(operator):
    for dtype in moves.OPERATORS[operator]:
        elements, different = moves.compare(operator, dtype, 8, 2)
        assert elements > 0 and different == 0, dtype


def test_errors_stay_within_their_limits():
    errors = rounding.measure_all(300, 2)
    assert errors.failures == []
    assert {key[0] for key in errors.outputs} == {*rounding.FLOATS, *rounding.INTEGERS}


def test_a_wrong_index_is_found(monkeypatch):
    right = nearest.indices

    def wrong(mode, numerator, denominator):
        return right("round_prefer_ceil" if mode == "round_prefer_floor" else mode, numerator, denominator)

    monkeypatch.setattr(nearest, "indices", wrong)
    different = nearest.compare_extent(5, 12, "cpu").different
    assert different and all("round_prefer_floor" in text for text in different)
