"""tesela.plan: what it tells, pickles, regions, many threads."""

import concurrent.futures
import pickle

import numpy as np
import pytest

import tesela


def test_a_plan_tells_what_it_does():
    plan = tesela.plan("resize", (1, 3, 4, 6), "uint8", sizes=(1, 3, 8, 3), mode="linear", antialias=True)
    assert plan.input_shape == (1, 3, 4, 6) and plan.output_shape == (1, 3, 8, 3) and plan.dtype == np.uint8
    assert "axis 2: 4 -> 8" in str(plan) and "antialias" in str(plan)
    assert plan.describe()["filter"] == "linear"
    assert plan.since_version == 19
    assert eval(repr(plan)).output_shape == plan.output_shape


def test_tables_compute_the_result():
    plan = tesela.plan("resize", (5,), "float64", sizes=(7,), mode="cubic")
    first, count, weights = plan.axis(0)
    x = np.arange(5.0) ** 2
    expected = [sum(w * x[f + t] for t, w in enumerate(row[:c])) for f, c, row in zip(first, count, weights)]
    assert np.allclose(plan(x), expected, rtol=1e-15)
    assert plan.axis(-1, lo=2, count=3).first.tolist() == first[2:5].tolist()
    assert len(plan.axes) == 1
    nearest = tesela.plan("resize", (5,), sizes=(7,)).axis(0)
    assert nearest.weights is None
    assert tesela.resize(x, sizes=(7,)).tolist() == x[nearest.first].tolist()
    assert not first.flags.writeable


@pytest.mark.parametrize("operator, x, parameters", [
    ("resize", np.arange(12.0).reshape(3, 4), dict(scales=(2.0, 0.6), mode="linear")),
    ("resize", np.arange(12.0).reshape(3, 4), dict(sizes=np.array([5, 6]), like="opencv:cubic")),
    ("tile", np.array([["a", "b"]], dtype=object), dict(repeats=(2, 3))),
    ("upsample", np.arange(4.0).reshape(2, 2), dict(scales=(2.0, 3.0), mode="linear", opset=9)),
    ("upsample", np.arange(4.0).reshape(2, 2), dict(scales=(2.0, 3.0), opset=7)),
])
def test_a_pickled_plan_is_the_same_plan(operator, x, parameters):
    plan = tesela.plan(operator, x, **parameters)
    again = pickle.loads(pickle.dumps(plan))
    assert again.output_shape == plan.output_shape and str(again) == str(plan)
    assert np.array_equal(again(x), plan(x))


def test_plans_of_constant_of_shape():
    plan = tesela.plan("constant_of_shape", (2, 3), value=np.int8(7))
    assert pickle.loads(pickle.dumps(plan))().tolist() == [[7] * 3] * 2


def test_a_region_has_the_bits_of_the_whole():
    x = np.random.default_rng(1).random((40, 50), dtype=np.float32)
    plan = tesela.plan("resize", x, sizes=(33, 71), mode="cubic", antialias=True)
    whole = plan(x)
    lo, shape = (10, 20), (7, 30)
    x_lo, x_shape = plan.input_region(lo, shape)
    box = x[tuple(slice(start, start + extent) for start, extent in zip(x_lo, x_shape))]
    assert box.size < x.size
    assert np.array_equal(plan.run_region(box, x_lo, lo, shape), whole[10:17, 20:50])
    text = np.array([f"{n}" for n in range(20)], dtype=np.dtypes.StringDType())
    moved = tesela.plan("resize", text, sizes=(30,))
    x_lo, x_shape = moved.input_region((10,), (5,))
    box = text[x_lo[0] : x_lo[0] + x_shape[0]]
    assert moved.run_region(box, x_lo, (10,), (5,)).tolist() == moved(text)[10:15].tolist()


def test_many_threads_share_a_plan():
    plan = tesela.plan("resize", (60, 60), "float32", sizes=(90, 45), mode="linear")
    arrays = [np.random.default_rng(seed).random((60, 60), dtype=np.float32) for seed in range(16)]
    expected = [plan(x, num_threads=1) for x in arrays]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert all(map(np.array_equal, pool.map(plan, arrays), expected))


def test_a_plan_refuses_other_inputs():
    plan = tesela.plan("resize", (4,), "float32", sizes=(8,))
    with pytest.raises(tesela.ShapeError):
        plan(np.zeros(5, np.float32))
    with pytest.raises(tesela.ElementTypeError):
        plan(np.zeros(4))
    with pytest.raises(tesela.UnsupportedError):
        tesela.plan("rotate", (4,))
    with pytest.raises(tesela.InvalidValueError):
        plan.axis(1)
    with pytest.raises(tesela.RankError):
        plan.input_region((0, 0), (1, 1))
