"""A part of what nearest.py and rounding.py compare."""

import nearest
import pytest
import rounding


@pytest.mark.parametrize("backend", nearest.BACKENDS)
def test_nearest_equals_exact_indices(backend):
    result = nearest.compare(64, backend)
    assert result.pairs == 64 * 64 * len(nearest.SINCE_VERSION) * len(nearest.NEAREST_MODES)
    assert result.different == ()


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
