# SPDX-License-Identifier: Apache-2.0
"""Calls do not depend on earlier calls: the key of a cached plan distinguishes all parameters."""

import enum

import numpy as np
import pytest
import tesela

X = np.arange(12, dtype=np.float32).reshape(3, 4)
CROP = dict(sizes=(5, 6), roi=(-1, -1, 2, 2), coordinate_transformation_mode="tf_crop_and_resize")


def outcome(operator, parameters):
    try:
        result = getattr(tesela, operator)(X, **parameters)
    except tesela.Error as error:
        return type(error), str(error)
    return result.shape, result.tobytes()


# Values that are equal or similar in Python but differ for Resize.
ALIKE = {
    "signs of zero": [("resize", CROP | dict(extrapolation_value=value)) for value in (0.0, -0.0, 0, False)],
    "numbers and truth": [("resize", dict(sizes=sizes)) for sizes in ((1, 1), (True, True), (1.0, 1.0), (1, True))],
    "ranks": [("resize", dict(sizes=sizes)) for sizes in ((8, 8), [[8, 8]], ((8, 8),), np.array([8, 8]), np.array([[8, 8]]))],
    "axes": [("resize", dict(sizes=(8,), axes=axes)) for axes in ((0,), 0, (0.0,), (False,), np.array([0]), np.array([0.0]))],
    "switches": [("resize", dict(sizes=(2, 2), mode="linear", antialias=value))
                 for value in (1, True, 1.0, 0.5, np.True_, "1", 0, False)],
    "entries": [("resize", dict(scales=scales)) for scales in ((2, 2), (2.0, 2.0), ("2", "2"), np.array([2, 2]), np.array(["2", "2"]))],
    "opsets": [("resize", dict(sizes=(6, 8), opset=opset)) for opset in (18, 18.0, np.int64(18), "18", True, 1)],
    "repeats": [("tile", dict(repeats=repeats)) for repeats in ((1, 1), (True, 1), (1.0, 1), [[1, 1]], np.array([1, 1], np.uint8))],
    "names": [("resize", dict(sizes=(6, 8), mode=mode)) for mode in ("nearest", np.str_("nearest"), b"nearest", ["nearest"])],
    "types of arrays": [("resize", CROP | dict(mode="linear", roi=np.array([0, 0, 1, 0.9], dtype))) for dtype in ("f2", "f4", "f8", ">f8")],
}


@pytest.mark.parametrize("calls", ALIKE.values(), ids=ALIKE)
def test_results_do_not_depend_on_earlier_calls(calls):
    alone = []
    for call in calls:
        tesela.plan_cache.clear()
        alone.append(outcome(*call))
    assert len(set(map(str, alone))) > 1
    for first in range(len(calls)):
        tesela.plan_cache.clear()
        order = [(first + step) % len(calls) for step in range(len(calls))] * 2
        assert [outcome(*calls[k]) for k in order] == [alone[k] for k in order]


def test_cache_keys_distinguish_signed_zeros_and_fractions():
    tesela.plan_cache.clear()
    plus = tesela.resize(X, **CROP, extrapolation_value=0.0)
    minus = tesela.resize(X, **CROP, extrapolation_value=-0.0)
    assert not np.signbit(plus).any() and np.signbit(minus).any()
    with pytest.raises(tesela.Error, match="antialias is 0.5; expected True, False, 1 or 0"):
        tesela.resize(X, (2, 2), mode="linear", antialias=0.5)
    with pytest.raises(tesela.Error, match=r"sizes is \(4.7, 4\); expected whole numbers"):
        tesela.resize(X, (4.7, 4))


class Mode(enum.StrEnum):
    LINEAR = "linear"


class Sizes(tuple):
    """Equals everything."""

    def __eq__(self, other):
        return True

    __hash__ = tuple.__hash__


def test_unusual_arguments_share_one_plan():
    tesela.plan_cache.clear()
    assert tesela.resize(X, Sizes((6, 8))).shape == (6, 8)
    assert tesela.resize(X, (6, 8), mode=Mode.LINEAR).shape == (6, 8)
    assert tesela.resize(X, (np.int64(6), 8)).shape == (6, 8)
    assert len(tesela.plan_cache) == 1
    endless = [6]
    endless.append(endless)
    with pytest.raises(tesela.Error, match="sizes"):
        tesela.resize(X, endless)


def test_lists_reuse_their_plan(monkeypatch):
    sizes = [6, 8]
    assert tesela.resize(X, sizes).shape == (6, 8)
    monkeypatch.setattr(tesela._operators, "_run_planned", None)  # the code path that makes a plan
    assert tesela.resize(X, sizes).shape == (6, 8)
    sizes[0] = 7
    with pytest.raises(TypeError, match="NoneType"):
        tesela.resize(X, sizes)
