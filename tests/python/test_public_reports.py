# SPDX-License-Identifier: Apache-2.0
"""Public reports about these operators: lint and compare name the rule, and the numbers of the report follow from it.

The runtimes that are installed are asked. Of others the numbers that the report prints are here, and are computed by what the row
says. Reports whose nodes are not printed in full have a node of the same attributes."""

import numpy as np
import onnx
import pytest
import tesela
from onnx import TensorProto, helper, numpy_helper, version_converter


def model(inputs, opset=19, constants=(), operator="Resize", **attributes):
    """A node with the inputs X, roi, scales, sizes; those in constants are initializers."""
    names = ["X", *(["scales"] if operator == "Upsample" or opset == 10 else ["roi", "scales", "sizes"])]
    while names[-1] not in inputs:
        names.pop()
    given = [name if name in inputs else "" for name in names]
    node = helper.make_node(operator, given, ["Y"], name="reported", **attributes)
    ends = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)
            for name, array in inputs.items() if name not in constants]
    held = [numpy_helper.from_array(array, name) for name, array in inputs.items() if name in constants]
    y = helper.make_tensor_value_info("Y", TensorProto.FLOAT, [None] * inputs["X"].ndim)
    return helper.make_model(helper.make_graph([node], "g", ends, [y], held), opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


def found(source, runtime, **inputs):
    [report] = tesela.compare(source, runtime, inputs=inputs, repeat=0).nodes
    return report.outcomes[0]


def named(source, *runtimes):
    return {finding.rule: finding for finding in tesela.lint(source, *runtimes).findings}


def by_ratio(x, scales, mode, **attributes):
    """What runtimes give that compute positions by in / out where scales are given."""
    sizes = np.floor(np.array(x.shape) * np.array(scales)).astype(int)
    return tesela.resize(x, sizes=sizes, mode=mode, **attributes)


# --- Runtimes that are installed --------------------------------------------------------------------


def test_openvino_35893_antialias_changes_nothing():
    """https://github.com/openvinotoolkit/openvino/issues/35893: cubic of 1x1x6x6 with roi and scales as inputs. The report does not
    print its values."""
    x = np.random.default_rng(0).random((1, 1, 6, 6), np.float32)
    inputs = {"X": x, "roi": np.zeros(8, np.float32), "scales": np.float32([1, 1, 0.5, 0.5])}
    outputs = []
    for antialias in (0, 1):
        node = model(inputs, 18, ("roi", "scales"), mode="cubic", antialias=antialias)
        outcome = found(node, "openvino", X=x)
        outputs.append(outcome.answer.array)
        assert found(node, "onnxruntime", X=x).verdict in ("equal", "rounding")
    assert outcome.verdict == "different" and [rule.rule for rule in outcome.explanation.rules][0] == "openvino/antialias"
    assert np.allclose(*outputs, atol=0.02) and not np.allclose(outputs[1], found(node, "onnxruntime", X=x).answer.array, atol=0.1)


NEAREST = dict(mode="nearest", coordinate_transformation_mode="half_pixel", nearest_mode="round_prefer_ceil")


def test_openvino_36023_a_position_just_below_a_half():
    """https://github.com/openvinotoolkit/openvino/issues/36023: the inputs 1, 4, 8, 11, 15, 18 are expected."""
    x = np.linspace(0, 1, 20, dtype=np.float32).reshape(1, 1, 1, 20)
    node = model({"X": x, "sizes": np.array([1, 1, 1, 6])}, 13, ("sizes",), **NEAREST)
    outcome = found(node, "openvino", X=x)
    assert (outcome.verdict, outcome.difference.differ, outcome.difference.first) == ("different", 1, (0, 0, 0, 4))
    assert [rule.rule for rule in outcome.explanation.rules] == ["openvino/positions"]
    assert np.rint(19 * outcome.answer.array).ravel().tolist() == [1, 5, 8, 11, 14, 18]
    assert "1 of 6 outputs" in named(node, "openvino")["openvino/positions"].numbers
    # The same node was reported of ONNX Runtime, too: https://github.com/microsoft/onnxruntime/issues/28291 (closed)
    assert found(node, "onnxruntime", X=x).verdict == "equal"


# --- Runtimes that are not ----------------------------------------------------------------------------


def test_onnxruntime_28310_two_kinds_of_nearest():
    """https://github.com/microsoft/onnxruntime/issues/28310: PyTorch's nearest is asymmetric and floor, and 12 of 64 outputs differ."""
    x = np.arange(26, dtype=np.float32).reshape(1, 1, 1, 26)
    node = model({"X": x, "scales": np.float32([1, 1, 1, 64 / 26])}, 13, ("scales",), **NEAREST)
    assert found(node, "onnxruntime", X=x).verdict == "equal"
    ours = tesela.load(node).run({"X": x})["Y"]
    torch = tesela.resize(x, sizes=(1, 1, 1, 64), like="pytorch:nearest")
    assert ours.ravel()[30:35].tolist() == [12, 12, 13, 13, 14] and torch.ravel()[30:35].tolist() == [12, 12, 13, 13, 13]
    assert np.count_nonzero(ours != torch) == 12
    by_size = model({"X": x, "sizes": np.array([1, 1, 1, 64])}, 13, ("sizes",), **NEAREST)
    assert named(by_size, "pytorch")["pytorch/nearest"].numbers == "axis 3: 12 of 64 outputs copy another input"
    assert "pytorch/nearest" in named(node, "pytorch")


def test_tvm_19500_positions_by_the_ratio_of_extents():
    """https://github.com/apache/tvm/issues/19500"""
    x = np.arange(9, dtype=np.float32).reshape(1, 1, 3, 3)
    scales = np.float32([1, 1, 1.5, 1.5])
    node = model({"X": x, "scales": scales}, 13, ("scales",), mode="nearest", coordinate_transformation_mode="half_pixel",
                 nearest_mode="round_prefer_floor")
    right = [[0, 0, 1, 2], [0, 0, 1, 2], [3, 3, 4, 5], [6, 6, 7, 8]]
    tvm = [[0, 1, 1, 2], [3, 4, 4, 5], [3, 4, 4, 5], [6, 7, 7, 8]]
    outcome = found(node, "onnxruntime", X=x)
    assert outcome.verdict == "equal" and outcome.answer.array[0, 0].tolist() == right
    assert by_ratio(x, scales, "nearest")[0, 0].tolist() == tvm
    assert named(node, "tvm")["tvm/scales"].numbers == "axes 2 and 3: 1 of 4 outputs copy another input"


def test_ncnn_6836_positions_by_the_ratio_of_extents():
    """https://github.com/Tencent/ncnn/issues/6836, with the numbers of its pull request 6851."""
    x = np.arange(5, dtype=np.float32).reshape(1, 1, 1, 5)
    scales = np.float32([1, 1, 1, 1.5])
    node = model({"X": x, "scales": scales}, 13, ("scales",), mode="linear")
    assert np.allclose(tesela.load(node).run({"X": x})["Y"].ravel(), [0, 0.5, 1.1667, 1.8333, 2.5, 3.1667, 3.8333], atol=1e-4)
    assert np.allclose(by_ratio(x, scales, "linear").ravel()[:3], [0, 0.5714, 1.2857], atol=1e-4)
    for mode, differs in (("linear", 0.28), ("cubic", 0.36), ("nearest", None)):
        pixels = model({"X": np.zeros((1, 3, 7, 7), np.float32), "scales": np.float32([1, 1, 1.5, 1.5])}, 13, ("scales",), mode=mode)
        assert ("ncnn/scales" in named(pixels, "ncnn")) == (differs is not None)
        if differs:  # for values from 0 to 1, along both axes, at most what the weights of each axis can make
            weights = np.eye(7, dtype=np.float32)
            gaps = tesela.resize(weights, scales=(1, 1.5), mode=mode) - by_ratio(weights, (1, 1.5), mode)
            assert differs < 2 * np.abs(gaps).sum(axis=0).max() / 2
    for size in ({"scales": np.float32([1, 1, 2, 2])}, {"sizes": np.array([1, 3, 10, 10])}):
        assert "ncnn/scales" not in named(model({"X": np.zeros((1, 3, 7, 7), np.float32), **size}, 13, tuple(size), mode="linear"), "ncnn")


@pytest.mark.parametrize("extent, scales, mode", [(5, 2.6, "nearest"), (16, 2.0, "linear")])
def test_onnx_8480_the_converter_leaves_the_mode_out(extent, scales, mode):
    """https://github.com/onnx/onnx/issues/8480: Resize-10 is asymmetric; what the converter writes is half_pixel."""
    x = (np.arange(extent, dtype=np.float32) * 3 % 7).reshape(1, 1, 1, -1)
    old = model({"X": x, "scales": np.float32([1, 1, 1, scales])}, 10, ("scales",), mode=mode)
    new = version_converter.convert_version(old, 11)
    assert "coordinate_transformation_mode" not in {entry.name for node in new.graph.node for entry in node.attribute}
    before, after = (tesela.load(each).run({"X": x})["Y"] for each in (old, new))
    assert not np.array_equal(before, after)
    assert "exporters/converted-from-10" in named(new, "exporters") and "exporters/converted-from-10" not in named(old, "exporters")
    cured = onnx.ModelProto.FromString(new.SerializeToString())
    for node in cured.graph.node:
        if node.op_type == "Resize":
            node.attribute.extend([helper.make_attribute("coordinate_transformation_mode", "asymmetric"),
                                   helper.make_attribute("nearest_mode", "floor")])
    assert np.array_equal(tesela.load(cured).run({"X": x})["Y"], before)


def test_pytorch_177138_the_coefficient_of_antialiased_bicubic():
    """https://github.com/pytorch/pytorch/issues/177138: exported with -0.75, computed with -0.5."""
    x = np.random.default_rng(0).random((1, 3, 12, 12), np.float32)
    exported = dict(mode="cubic", antialias=1, coordinate_transformation_mode="pytorch_half_pixel", cubic_coeff_a=-0.75)
    node = model({"X": x, "sizes": np.array([1, 3, 6, 7])}, 18, ("sizes",), **exported)
    finding = named(node, "pytorch")["pytorch/antialias-cubic"]
    assert "cubic_coeff_a=-0.5" in finding.cure and "differ by up to" in finding.numbers
    torch = tesela.resize(x, sizes=(1, 3, 6, 7), like="pytorch:bicubic-antialias")
    cured = model({"X": x, "sizes": np.array([1, 3, 6, 7])}, 18, ("sizes",), **exported | {"cubic_coeff_a": -0.5, "exclude_outside": 1})
    assert np.allclose(tesela.load(cured).run({"X": x})["Y"], torch, atol=1e-6)
    assert np.abs(tesela.load(node).run({"X": x})["Y"] - torch).max() > 0.01
    assert "pytorch/antialias-cubic" not in named(cured, "pytorch")
    for each in (node, cured):
        assert found(each, "onnxruntime", X=x).verdict in ("equal", "rounding")


def test_pytorch_157220_an_image_of_twice_the_size():
    """https://github.com/pytorch/pytorch/issues/157220: bicubic with antialias, verified as off by up to 0.0869 of random numbers from 0
    to 1, which is what the coefficient makes."""
    x = np.random.default_rng(0).random((1, 3, 64, 64), np.float32)
    node = model({"X": x, "sizes": np.array([1, 3, 128, 128])}, 18, ("sizes",), mode="cubic", antialias=1, cubic_coeff_a=-0.75,
                 coordinate_transformation_mode="half_pixel")
    assert set(named(node, "pytorch")) == {"pytorch/antialias-cubic"}
    torch = tesela.plan("resize", x, sizes=(1, 3, 128, 128), mode="cubic", antialias=1, rules="pytorch")(x)
    assert 0.06 < np.abs(tesela.load(node).run({"X": x})["Y"] - torch).max() < 0.11
    cured = tesela.fix(node.SerializeToString(), meant="pytorch")
    assert np.allclose(tesela.load(cured.data).run({"X": x})["Y"], torch, atol=1e-5)


def test_pytorch_183546_samples_outside():
    """https://github.com/pytorch/pytorch/issues/183546: PyTorch drops samples outside the input."""
    x = np.float32([0.1 * (24 * c + 4 * h + w) for c in range(3) for h in range(6) for w in range(4)]).reshape(1, 3, 6, 4)
    exported = dict(mode="linear", antialias=1, coordinate_transformation_mode="pytorch_half_pixel", cubic_coeff_a=-0.75, nearest_mode="floor")
    node = model({"X": x, "sizes": np.array([1, 3, 3, 5])}, 18, ("sizes",), **exported)
    torch = [[0.2857143, 0.3557143, 0.4357143, 0.5157143, 0.5857143], [1.0, 1.07, 1.15, 1.23, 1.3]]
    ours = [[0.25, 0.32, 0.40, 0.48, 0.55], [1.0, 1.07, 1.15, 1.23, 1.3]]
    outcome = found(node, "onnxruntime", X=x)
    assert outcome.verdict in ("equal", "rounding") and np.allclose(outcome.answer.array[0, 0, :2], ours, atol=1e-6)
    assert np.allclose(tesela.resize(x, sizes=(1, 3, 3, 5), like="pytorch:bilinear-antialias")[0, 0, :2], torch, atol=1e-6)
    assert "pytorch/antialias-linear" in named(node, "pytorch")
