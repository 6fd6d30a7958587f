# SPDX-License-Identifier: Apache-2.0
"""The plan field extents: extents from scales by the standard, ONNX Runtime and OpenVINO."""

import json
import subprocess
import sys

import numpy as np
import onnx
import pytest
import tesela
from cli_program import BAD, MISMATCH, fail, save_npy, succeed, tesela as command
from onnx import TensorProto, helper, numpy_helper

# (inputs, scale): outputs under standard, host, openvino. The first rows are ratios that exporters compute in
# float32; for 7 to 31 float32 is wrong too.
ROWS = [(48, 40 / 48, 39, 40, 40), (7, 31 / 7, 30, 30, 31), (10, 0.7, 6, 7, 7), (100, 0.29, 28, 29, 29),
        (49, 1 / 49, 0, 1, 1), (4, 2.0, 8, 8, 8), (5, 1.0, 5, 5, 5)]


@pytest.mark.parametrize("n, scale, standard, host, openvino", ROWS)
def test_extent_follows_the_rule(n, scale, standard, host, openvino):
    x = np.arange(n, dtype=np.float32)
    for extents, expected in ((None, standard), ("standard", standard), ("host", host), ("openvino", openvino)):
        assert tesela.resize(x, scales=(scale,), extents=extents).shape == (expected,)
        assert tesela.plan("resize", x, scales=(scale,), extents=extents).output_shape == (expected,)
        assert tesela.plan("resize", x, scales=(scale,), extents=extents, opset=10).output_shape == (expected,)


def ratio_model():
    """A Resize by float32(m) / float32(n), as PyTorch exports of opset 10 compute it at run time."""
    nodes = [helper.make_node("Resize", ["x", "scales"], ["y"], mode="nearest", name="up"),
             helper.make_node("Tile", ["y", "repeats"], ["z"])]
    graph = helper.make_graph(
        nodes, "graph", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 48])],
        [helper.make_tensor_value_info("z", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(np.array([1, np.float32(40) / np.float32(48)], np.float32), "scales"),
         numpy_helper.from_array(np.array([1, 2], np.int64), "repeats")])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 10)], ir_version=8)


def test_a_model_is_loaded_with_a_rule_for_all_nodes():
    x = np.arange(48, dtype=np.float32)[None]
    for extents, expected in ((None, 78), ("standard", 78), ("host", 80), ("openvino", 80)):
        model = tesela.load(ratio_model(), extents=extents)
        assert model.outputs[0].shape == (1, expected)
        assert model.inspect()["nodes"][0]["outputs"][0]["dims"] == [1, expected // 2]
        assert model.check() and model(x).shape == (1, expected)
        assert tesela.infer_shapes(model)["y"].shape == (1, expected // 2)


def test_command_line_has_the_extent_rule(tmp_path):
    x = np.arange(48, dtype=np.float32)
    source, target = save_npy(tmp_path / "x.npy", x), tmp_path / "y.npy"
    for extents, expected in ((None, 39), ("standard", 39), ("host", 40)):
        words = ["--extents", extents] if extents else []
        succeed("resize", source, target, "--scales", "0.8333333", *words)
        assert np.load(target).shape == (expected,)
    assert "plan field 'extents' is 'hots'" in fail(BAD, "resize", source, target, "--scales", "2", "--extents", "hots")


def test_command_line_loads_models_with_the_extent_rule(tmp_path):
    onnx.save(ratio_model(), tmp_path / "model.onnx")
    x = save_npy(tmp_path / "x.npy", np.arange(48, dtype=np.float32)[None])
    for extents, expected in ((None, 78), ("host", 80)):
        words = ["--extents", extents] if extents else []
        succeed("run", tmp_path / "model.onnx", "-i", x, "-o", tmp_path / "z.npy", *words)
        assert np.load(tmp_path / "z.npy").shape == (1, expected)
        described = json.loads(succeed("inspect", tmp_path / "model.onnx", "--json", *words))
        assert described["outputs"][0]["dims"] == [1, expected]
        found = "onnxruntime/extents" in succeed("lint", tmp_path / "model.onnx", *words)
        assert found == (extents is None)
    case = tmp_path / "case" / "test_data_set_0"
    case.mkdir(parents=True)
    onnx.save(ratio_model(), case.parent / "model.onnx")
    for name, array in (("input_0", np.load(x)), ("output_0", np.load(tmp_path / "z.npy"))):
        (case / f"{name}.pb").write_bytes(numpy_helper.from_array(array).SerializeToString())
    succeed("test", case.parent, "--extents", "host")
    assert command("test", case.parent).returncode == MISMATCH
    assert "plan field 'extents' is 'hots'" in fail(BAD, "run", tmp_path / "model.onnx", "-i", x, "--extents", "hots")


@pytest.mark.parametrize("mode, coordinates", [("nearest", "asymmetric"), ("linear", "half_pixel"), ("cubic", "align_corners"),
                                               ("linear", "tf_crop_and_resize")])
def test_rules_differ_only_in_the_number_of_outputs(mode, coordinates):
    """Of ratios m / n with extents to 512 whose extents differ: outputs that both rules have are the same bits, of the
    same inputs and weights. Not so in half_pixel_symmetric, which centres its outputs, however many there are."""
    compared = 0
    for n in range(3, 513, 31):
        x = np.random.default_rng(n).uniform(-1, 1, n).astype(np.float32)
        for m in range(3, 513, 7):
            words = dict(scales=(m / n,), mode=mode, coordinate_transformation_mode=coordinates)
            standard, host = (tesela.plan("resize", x, extents=extents, **words) for extents in ("standard", "host"))
            assert host.output_shape == (int(np.float32(n) * np.float32(m / n)),)
            common = min(standard.output_shape[0], host.output_shape[0])
            if standard.output_shape == host.output_shape or common < 2:  # single outputs have special positions
                continue
            assert np.array_equal(standard(x)[:common], host(x)[:common])
            for mine, theirs in zip(standard.axis(0, 0, common), host.axis(0, 0, common)):
                assert (mine is None and theirs is None) or np.array_equal(mine, theirs)
            compared += 1
    assert compared > 300


# Interpolate of 512 axes of n elements, by m / n for m from 1 to 512: the shapes that OpenVINO infers.
BY_OPENVINO = """
import json, sys
import numpy as np
from openvino import opset11
shapes = []
for n in json.loads(sys.argv[1]):
    scales = opset11.constant(np.arange(1, 513, dtype=np.float32) / np.float32(n))
    axes = opset11.constant(np.arange(512))
    made = opset11.interpolate(opset11.parameter([n] * 512, np.float32), scales, "nearest", "scales", axes=axes)
    shapes.append(list(made.output(0).get_shape()))
print(json.dumps(shapes))
"""


def test_openvino_rule_matches_openvino():
    extents = list(range(7, 513, 72))
    done = subprocess.run([sys.executable, "-c", BY_OPENVINO, json.dumps(extents)], capture_output=True, text=True, check=True)
    for n, shape in zip(extents, json.loads(done.stdout)):
        scales = np.arange(1, 513, dtype=np.float32) / np.float32(n)
        ours = [tesela.plan("resize", (n,), scales=(scale,), extents="openvino").output_shape[0] for scale in scales]
        assert ours == shape


@pytest.mark.parametrize("opset", [7, 9])
def test_upsample_has_the_field(opset):
    for extents, expected in (("standard", 6), ("host", 7)):
        made = tesela.plan("upsample", (5,), scales=(1.4,), extents=extents, opset=opset)
        assert made.output_shape == (expected,)


def test_unknown_rules_are_rejected():
    for call in (lambda: tesela.resize(np.zeros(3), scales=(2,), extents="hots"),
                 lambda: tesela.load(ratio_model(), extents="hots")):
        with pytest.raises(tesela.Error, match="plan field 'extents' is 'hots'; expected one of standard, host, openvino"):
            call()


def test_overflow_is_rejected():
    for extents in ("standard", "host", "openvino"):
        with pytest.raises(tesela.ShapeError, match="overflows int64"):
            tesela.plan("resize", (10,), scales=(3e38,), extents=extents)
