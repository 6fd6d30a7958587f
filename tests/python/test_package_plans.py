# SPDX-License-Identifier: Apache-2.0
"""tesela.plan: properties, pickling, regions, many threads."""

import concurrent.futures
import pickle

import numpy as np
import pytest
import tesela


def by_pillow(x, n, axis):
    """The arithmetic of the fields fixed22 and uint8 along one axis, in NumPy: a triangle of Pillow's width."""
    m = x.shape[axis]
    if n == m:
        return x
    widened = max(m / n, 1.0)
    centres = (np.arange(n) + 0.5) * m / n
    weights = np.maximum(1 - np.abs(np.arange(m) + 0.5 - centres[:, None]) / widened, 0)
    weights = np.floor(weights / weights.sum(1, keepdims=True) * 2**22 + 0.5).astype(np.int64)
    sums = np.moveaxis(np.tensordot(weights, x.astype(np.int64), (1, axis)), 0, axis)
    return np.clip((sums + 2**21) >> 22, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("order, axes", [("last_axis_first", (1, 0)), ("first_axis_first", (0, 1))])
def test_fields_round_each_pass_to_bytes(order, axes):
    for seed in range(20):
        rng = np.random.default_rng(seed)
        x = rng.integers(0, 256, rng.integers(1, 30, 2), np.uint8)
        sizes = [int(n) for n in rng.integers(1, 30, 2)]
        fields = dict(weights="fixed22", intermediate="uint8", order=order)
        plan = tesela.plan("resize", x, sizes=sizes, mode="linear", antialias=1, exclude_outside=1, **fields)
        expected = x
        for axis in axes:
            expected = by_pillow(expected, sizes[axis], axis)
        assert np.array_equal(plan(x), expected)
        assert np.array_equal(pickle.loads(pickle.dumps(plan))(x, num_threads=1), expected)
        lo, shape = [n // 3 for n in sizes], [n - n // 3 for n in sizes]
        x_lo, x_shape = plan.input_region(lo, shape)
        box = x[tuple(slice(a, a + n) for a, n in zip(x_lo, x_shape))]
        assert np.array_equal(plan.run_region(box, x_lo, lo, shape), expected[lo[0]:, lo[1]:])


@pytest.mark.parametrize("preset, position", [
    ("pytorch:nearest", lambda i, n, m: i.astype("f4") * (np.float32(n) / np.float32(m))),
    ("pytorch:nearest-exact", lambda i, n, m: (i.astype("f4") + np.float32(0.5)) * (np.float32(n) / np.float32(m))),
    ("opencv:nearest", lambda i, n, m: i * (1 / (m / n))),
    ("skimage:nearest", lambda i, n, m: (i + 0.5) * (n / m)),
])
def test_fields_round_positions(preset, position):
    changed = 0
    for n in (7, 32, 49, 158, 285):
        for m in [94, 98, 195, 280, *range(300, 330)]:
            x = np.arange(n, dtype=np.float32)
            i = np.arange(m)
            result = tesela.resize(x, (m,), like=preset)
            assert np.array_equal(result, np.minimum(np.floor(position(i, n, m)), n - 1)), (n, m)
            exact = ((2 * i + 1) * n) // (2 * m) if position(np.zeros(1), 2, 1) else i * n // m
            changed += np.count_nonzero(result != exact)
    assert changed > 0


@pytest.mark.parametrize("coordinates, position", [
    (None, lambda i, s: i / s),
    ("float32", lambda i, s: i.astype("f4") * np.float32(1 / s)),
    ("float64", lambda i, s: i * (1 / s)),
    ("rounded64", lambda i, s: (i * (1 / s)).astype("f4")),
])
def test_positions_follow_their_own_scales(coordinates, position):
    rng = np.random.default_rng(5)
    changed = 0
    for n in rng.integers(1, 200, 200):
        s = float(np.round(rng.uniform(1 / n, 4), 1)) or 1.1
        m = int(n * s) or 1
        s = s if n * s >= 1 else 1 / n
        i = np.arange(m)
        plan = tesela.plan("resize", (n,), sizes=(m,), coordinates=coordinates, position_scales=repr(s),
                           coordinate_transformation_mode="asymmetric", nearest_mode="floor")
        result = plan(np.arange(n, dtype=np.float32))
        assert np.array_equal(result, np.minimum(np.floor(position(i, s)), n - 1)), (n, m, s)
        changed += not np.array_equal(result, np.minimum(i * n // m, n - 1))
    assert changed > 50
    # Filters follow it too: scale 0.3 has the width of 3 / 10, and 0.31 does not.
    first, second = (tesela.plan("resize", (10,), sizes=(3,), mode="linear", antialias=1, position_scales=scale).axis(0)
                     for scale in ("0.3", "0.31"))
    exact = tesela.plan("resize", (10,), sizes=(3,), mode="linear", antialias=1).axis(0)
    assert np.allclose(first.weights, exact.weights) and not np.allclose(second.weights[:, :5], exact.weights[:, :5], atol=1e-3)


def test_rules_give_the_results_of_a_library():
    x = np.array([[0, 7]], np.uint8)
    plan = tesela.plan("resize", x, sizes=(1, 4), mode="linear", rules="onnxruntime")
    assert plan(x).tolist() == [[0, 1, 5, 7]]
    assert plan.centres(0).tolist() == [0] and plan.centres(1).tolist() == [-0.25, 0.25, 0.75, 1.25]
    assert plan.describe()["backend"] == "reference" and "computed by the reference backend" in str(plan)
    with pytest.raises(tesela.UnsupportedError, match="follows the rules of onnxruntime"):
        plan.explain()
    with pytest.raises(tesela.UnsupportedError, match="follows the rules of onnxruntime"):
        plan.axis(0)
    twice = tesela.plan("upsample", (1, 2), "uint8", scales=(1, 2), mode="linear", rules="onnxruntime")
    assert twice(x).tolist() == [[0, 3, 7, 7]]
    tie = tesela.plan("resize", (20,), sizes=(6,), nearest_mode="round_prefer_ceil", rules="openvino")
    assert tie(np.arange(20, dtype=np.float32)).tolist() == [1, 5, 8, 11, 14, 18]  # the standard takes 15
    flat = tesela.plan("resize", (1, 1, 8, 1), sizes=(1, 1, 4, 1), mode="linear", antialias=1, rules="pytorch")
    assert len(set(flat(np.arange(8, dtype=np.float32).reshape(1, 1, 8, 1)).ravel().tolist())) == 1  # all rows are the first
    with pytest.raises(tesela.UnsupportedError, match="onnx reference evaluator does not support negative axes"):
        tesela.plan("resize", x, sizes=(4,), axes=(-1,), rules="onnx_reference")
    with pytest.raises(ValueError, match="'rules' cannot be combined with fields other than 'extents'"):
        tesela.plan("resize", x, sizes=(1, 4), mode="linear", rules="onnxruntime", coordinates="float32")


def test_fields_show_in_the_plan_and_are_checked():
    plan = tesela.plan("resize", (30, 40), "uint8", sizes=(10, 50), like="pillow:bilinear")
    assert "computed in fixed point" in str(plan) and str(plan).count("weights of 22 bits, rounded half up to elements") == 2
    assert plan.parameters["order"] == "first_axis_first" and plan.describe()["passes"][0]["axis"] == 0
    assert "floats" in str(tesela.plan("resize", (30, 40), sizes=(10, 50), like="pytorch:nearest"))
    for fields, error, text in [
        (dict(coordinates="float16"), ValueError, "'float16'; expected one of float32, float64, reciprocal64"),
        (dict(intermediate="uint8"), ValueError, "without 'weights'"),
        (dict(weights="int16"), TypeError, "for uint8; input 'X' has type float"),
        (dict(coordinates="float32", coordinate_transformation_mode="half_pixel_symmetric"), ValueError, "another mode"),
        (dict(position_scales="0.33,1.25", coordinate_transformation_mode="tf_crop_and_resize"), ValueError, "another mode"),
        (dict(position_scales="0.33"), ValueError, "has length 1; expected 2"),
        (dict(position_scales="0.33,1.29"), ValueError, "entry 1 is 1.29, which scales extent 40 to 51.6; the size is 50"),
        (dict(position_scales="0.33,1e-300"), ValueError, "entry 1 is 1e-300"),
        (dict(position_scales=""), ValueError, "expected finite numbers above 0, separated by commas"),
        (dict(position_scales="0.33,"), ValueError, "expected finite numbers"),
        (dict(position_scales="0.33,inf"), ValueError, "expected finite numbers"),
        (dict(position_scales="0.33,-1"), ValueError, "expected finite numbers"),
        (dict(position_scales="0.33;1.25"), ValueError, "expected finite numbers"),
    ]:
        with pytest.raises(error, match=rf"Resize-\d+: .*{text}"):
            tesela.plan("resize", (30, 40), sizes=(10, 50), mode="linear", **fields)
    with pytest.raises(ValueError, match="'position_scales' is given without 'sizes'"):
        tesela.plan("resize", (30, 40), scales=(0.5, 0.5), position_scales="0.5,0.5")


def test_models_cannot_set_fields():
    from onnx import TensorProto, helper

    node = helper.make_node("Resize", ["x", "", "s"], ["y"], **{"tesela.weights": "fixed22"})
    x = helper.make_tensor_value_info("x", TensorProto.UINT8, [4, 4])
    scales = helper.make_tensor("s", TensorProto.FLOAT, [2], [2.0, 2.0])
    graph = helper.make_graph([node], "g", [x], [helper.make_tensor_value_info("y", TensorProto.UINT8, None)], [scales])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=10)
    with pytest.raises(ValueError, match="tesela.weights"):
        tesela.load(model)(np.zeros((4, 4), np.uint8))


def test_plan_describes_itself():
    plan = tesela.plan("resize", (1, 3, 4, 6), "uint8", sizes=(1, 3, 8, 3), mode="linear", antialias=True,
                       opset=19)
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


def test_region_is_bit_identical_to_the_whole():
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
