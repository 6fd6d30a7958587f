# SPDX-License-Identifier: Apache-2.0
"""tesela fix: cures, their proofs, and the bytes of the fixed files."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import fix_models
import jsonschema
import numpy as np
import onnx
import onnxruntime
import pytest
import tesela
from cli_program import BAD, DONE, REPOSITORY, UNSUPPORTED, USAGE, fail, save_model, succeed, tesela as command
from onnx import TensorProto, external_data_helper, helper, numpy_helper

sys.path.insert(0, str(REPOSITORY / "tests" / "live" / "exporters"))
from exported import RECORDED, models_in

DOCS = REPOSITORY / "docs"
SHAPE = [1, 3, 6, 8]


def save(path: Path, opset: int, *nodes, shape=SHAPE, x=TensorProto.FLOAT, values=(), outputs=("y",), **constants) -> Path:
    """A model of x and these constants; values: value_info."""
    graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", x, shape)],
                              [helper.make_tensor_value_info(name, x, [None] * (1 if name == "t" else len(shape))) for name in outputs],
                              [numpy_helper.from_array(np.asarray(value), name) for name, value in constants.items()],
                              value_info=list(values))
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    path.write_bytes(model.SerializeToString())
    return path


def resize(*inputs: str, y: str = "y", **attributes) -> onnx.NodeProto:
    return helper.make_node("Resize", inputs, [y], name=attributes.pop("name", "up"), **attributes)


def upsample(*inputs: str, **attributes) -> onnx.NodeProto:
    return helper.make_node("Upsample", inputs, ["y"], name="up", **attributes)


def only(fix: tesela.Fix, rule: str) -> tesela.Change:
    assert [change.rule for change in fix.changes] == [rule], fix
    return fix.changes[0]


def run(data: bytes | Path, shape=SHAPE) -> np.ndarray:
    return tesela.load(data)(np.random.default_rng(5).random(shape, np.float32))


def nodes_of(data: bytes) -> dict[str, onnx.NodeProto]:
    return {node.output[0]: node for node in onnx.load_model_from_string(data).graph.node}


def attributes_of(node: onnx.NodeProto) -> dict:
    return {each.name: helper.get_attribute_value(each) for each in node.attribute}


# ---- Random models, and those of exporters ------------------------------------------------------------------------------------


def test_random_models_give_the_same_bits():
    counts = fix_models.sweep(range(120))
    assert counts["changed, legal"] > 50 and counts["refused"] < 30, counts
    assert counts["standard/upgrade"] > 30 and counts["standard/withdrawn"] > 3, counts


def outputs_of(path: Path, feed: dict) -> list[np.ndarray]:
    """By Tesela's operators, or by ONNX Runtime where the standard's extents do not fit the rest of the model."""
    try:
        return fix_models.evaluated(path, feed)
    except (ValueError, TypeError):
        return onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"]).run(None, feed)


@pytest.mark.parametrize("each", [each for each in models_in(RECORDED) if each.path.suffix == ".onnx"], ids=lambda each: each.name)
def test_models_of_exporters(each, tmp_path):
    """Without a meaning their outputs stay, also when they are upgraded as far as their other operators allow."""
    made = tmp_path / "made.onnx"
    fix = tesela.fix(each.path, made)
    assert all(change.keeps_numbers for change in fix.changes)
    feed = each.feeds()[0]
    try:
        before = outputs_of(each.path, feed)
    except onnxruntime.capi.onnxruntime_pybind11_state.Fail:
        assert "script-9" in each.name  # its shapes contradict each other, also in ONNX Runtime
        return
    for a, b in zip(before, outputs_of(made, feed), strict=True):
        np.testing.assert_array_equal(a, b)
    with pytest.raises(tesela.UnsupportedError):
        tesela.fix(each.path, opset=29)
    for wanted in range(23, each.about["opset"], -1):
        try:
            fix = tesela.fix(each.path, made, opset=wanted)
        except tesela.UnsupportedError:
            continue
        onnx.checker.check_model(str(made))
        assert all(change.keeps_numbers for change in fix.changes)
        for a, b in zip(before, outputs_of(made, feed), strict=True):
            np.testing.assert_array_equal(a, b)
        break


# ---- Cures that keep numbers --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("nearest_mode,becomes", [("floor", b"round_prefer_ceil"), ("round_prefer_floor", b"ceil")])
def test_withdrawn_mode(nearest_mode, becomes, tmp_path):
    path = save(tmp_path / "m.onnx", 13, resize("x", "", "", "z", nearest_mode=nearest_mode,
                                                coordinate_transformation_mode="tf_half_pixel_for_nn"), z=np.int64([1, 3, 9, 5]))
    assert not tesela.check(path)
    fix = tesela.fix(path)
    change = only(fix, "standard/withdrawn")
    assert change.keeps_numbers and change.outputs == 135 and change.different == 0 and not change.drawn
    assert attributes_of(nodes_of(fix.data)["y"]) == {"nearest_mode": becomes, "coordinate_transformation_mode": b"half_pixel"}
    assert tesela.check(fix.data)
    np.testing.assert_array_equal(run(path), run(fix.data))


def test_withdrawn_mode_without_an_equal_one_is_left(tmp_path):
    path = save(tmp_path / "m.onnx", 13, resize("x", "", "", "z", mode="linear", coordinate_transformation_mode="tf_half_pixel_for_nn"),
                z=np.int64([1, 3, 9, 5]))
    fix = tesela.fix(path)
    assert not fix.changes and "no call of a later version takes the elements" in fix.left[0].why
    assert fix.data == path.read_bytes()


@pytest.mark.parametrize("opset", [10, 13, 19])
@pytest.mark.parametrize("mode", ["nearest", "linear"])
def test_upsample_where_the_opset_has_none(mode, opset, tmp_path):
    path = save(tmp_path / "m.onnx", opset, upsample("x", "s", mode=mode), s=np.float32([1, 1, 2, 1.5]))
    old = save(tmp_path / "old.onnx", 9, upsample("x", "s", mode=mode), s=np.float32([1, 1, 2, 1.5]))
    assert not tesela.check(path)
    fix = tesela.fix(path)
    assert fix.changes[0].rule == "standard/upgrade" and fix.changes[0].change.startswith("Upsample-9 becomes Resize-")
    assert tesela.check(fix.data) and fix.opset == (opset, opset)
    np.testing.assert_array_equal(run(old), run(fix.data))


@pytest.mark.parametrize("opset,nodes,constants", [
    (1, [upsample("x", height_scale=2.0, width_scale=1.5, mode="bilinear")], {}),
    (7, [upsample("x", scales=[1.0, 1.0, 2.5, 1.0])], {}),
    (9, [upsample("x", "s", mode="linear")], {"s": np.float32([1, 1, 2, 3])}),
    (10, [resize("x", "s")], {"s": np.float32([1, 1, 0.6, 0.75])}),
    (10, [resize("x", "s", mode="linear")], {"s": np.float32([1, 1, 0.6, 1.75])}),
    (11, [resize("x", "e", "e", "z", mode="cubic")], {"e": np.float32([]), "z": np.int64([1, 3, 4, 9])}),
    (1, [helper.make_node("Tile", ["x", "t", "a"], ["y"], name="tile")], {"t": np.float32([2]), "a": np.float32([3])}),
])
@pytest.mark.parametrize("target", [9, 10, 11, 13, 19, 23])
def test_upgrades(opset, nodes, constants, target, tmp_path):
    path = save(tmp_path / "m.onnx", opset, *nodes, **constants)
    if target <= opset:
        return
    fix = tesela.fix(path, opset=target)
    onnx.checker.check_model(onnx.load_model_from_string(fix.data))
    assert fix.opset == (opset, target) and all(change.keeps_numbers for change in fix.changes)
    np.testing.assert_array_equal(run(path), run(fix.data))


def test_upgrade_is_refused_where_no_later_node_is_equal(tmp_path):
    mixed = save(tmp_path / "mixed.onnx", 10, resize("x", "s"), s=np.float32([1, 1, 0.6, 2]))
    assert "one axis grows and another shrinks" in fail(UNSUPPORTED, "fix", mixed, "-o", tmp_path / "y.onnx", "--opset", 11)
    assert not (tmp_path / "y.onnx").exists()
    computed = save_model(tmp_path / "computed.onnx", [resize("x", "s")], {"x": (TensorProto.FLOAT, SHAPE), "s": (TensorProto.FLOAT, [4])},
                          {"y": (TensorProto.FLOAT, None)}, opset=10)
    with pytest.raises(tesela.UnsupportedError, match="Resize-10 node 'up' cannot be upgraded to opset 13: the model computes the scales"):
        tesela.fix(computed, opset=13)


def test_default_that_callers_may_replace_is_not_known(tmp_path):
    path = save_model(tmp_path / "m.onnx", [resize("x", "s")], {"x": (TensorProto.FLOAT, SHAPE), "s": (TensorProto.FLOAT, [4])},
                      {"y": (TensorProto.FLOAT, None)}, opset=10, initializers={"s": np.float32([1, 1, 2, 2])})
    with pytest.raises(tesela.UnsupportedError, match="the model computes the scales"):
        tesela.fix(path, opset=13)


def test_upgrade_is_refused_where_another_operator_changes(tmp_path):
    path = save(tmp_path / "m.onnx", 9, helper.make_node("Slice", ["x"], ["a"], name="cut", starts=[0], ends=[4], axes=[2]),
                helper.make_node("Upsample", ["a", "s"], ["y"], name="up"), s=np.float32([1, 1, 2, 2]))
    with pytest.raises(tesela.UnsupportedError, match="opset 10 changes Slice node 'cut', .* leaves other nodes as they are is 9"):
        tesela.fix(path, opset=13)
    unknown = save(tmp_path / "u.onnx", 9, helper.make_node("Invented", ["x"], ["y"]))
    with pytest.raises(tesela.UnsupportedError, match="'Invented' is not an operator of ONNX whose versions are known"):
        tesela.fix(unknown, opset=13)
    with pytest.raises(tesela.InvalidValueError, match="fix only raises opsets"):
        tesela.fix(path, opset=8)


def test_scales_that_are_whole_become_sizes_where_a_runtime_needs_them(tmp_path):
    """align_corners with scales: some runtimes take another length where the product is not whole."""
    path = save(tmp_path / "m.onnx", 19, resize("x", "", "s", mode="linear", axes=[2, 3]), s=np.float32([2, 2]))
    before = {finding.rule for finding in tesela.lint(path, "all").findings}
    fix = tesela.fix(path)
    after = {finding.rule for finding in tesela.lint(fix.data, "all").findings}
    assert after <= before and (bool(fix.changes) == (after != before))
    np.testing.assert_array_equal(run(path), run(fix.data))


# ---- Cures that change numbers ------------------------------------------------------------------------------------------------


def test_bicubic_of_pytorch(tmp_path):
    """cubic_coeff_a and exclude_outside of PyTorch's antialias (pytorch #177138)."""
    path = save(tmp_path / "m.onnx", 18, resize("x", "", "", "z", mode="cubic", antialias=1, cubic_coeff_a=-0.75), z=np.int64([1, 3, 4, 5]))
    left = tesela.fix(path)
    assert left.data == path.read_bytes() and "--meant pytorch asks for it" in left.left[0].why
    fix = tesela.fix(path, meant="pytorch")
    change = only(fix, "pytorch/antialias-cubic")
    assert not change.keeps_numbers and 0.001 < change.difference < 1
    x = np.random.default_rng(5).random(SHAPE, np.float32)
    meant = tesela.resize(x, sizes=(4, 5), axes=(2, 3), mode="cubic", antialias=True, cubic_coeff_a=-0.5, exclude_outside=True)
    np.testing.assert_array_equal(tesela.load(fix.data)(x), meant)
    np.testing.assert_allclose(meant, tesela.resize(x, sizes=(4, 5), axes=(2, 3), like="pytorch:bicubic-antialias"), atol=1e-5)
    assert not any(finding.rule == "pytorch/antialias-cubic" for finding in tesela.lint(fix.data).findings)


@pytest.mark.parametrize("rule,meant,attributes,becomes,scales", [
    ("pytorch/antialias-linear", "pytorch", {"mode": "linear", "antialias": 1}, {"exclude_outside": 1}, [1, 1, 0.5, 0.5]),
    ("pytorch/one-output", "pytorch", {"mode": "linear", "coordinate_transformation_mode": "pytorch_half_pixel"},
     {"coordinate_transformation_mode": b"half_pixel"}, [1, 1, 1 / 6, 1]),
    ("exporters/tensorflow-nearest", "tensorflow", {"coordinate_transformation_mode": "half_pixel", "nearest_mode": "floor"},
     {"nearest_mode": b"round_prefer_ceil"}, [1, 1, 0.5, 0.5]),
    ("exporters/converted-from-10", "opset10", {"mode": "linear"}, {"coordinate_transformation_mode": b"asymmetric"}, [1, 1, 2, 2]),
])
def test_meanings(rule, meant, attributes, becomes, scales, tmp_path):
    path = save(tmp_path / "m.onnx", 18, resize("x", "", "s", **attributes), s=np.float32(scales))
    if rule == "pytorch/one-output":
        path = save(tmp_path / "m.onnx", 18, resize("x", "", "", "z", **attributes), z=np.int64([1, 3, 1, 8]))
    assert any(finding.rule == rule and f"tesela fix --meant {meant}" in finding.cure for finding in tesela.lint(path).findings)
    fix = tesela.fix(path, meant=meant)
    change = next(each for each in fix.changes if each.rule == rule)
    assert not change.keeps_numbers and change.difference > 0.01
    assert attributes_of(nodes_of(fix.data)["y"]).items() >= becomes.items()


# What follows is PyTorch's by its emulation, which tests/conformance compares with it.


def by_pytorch(path: Path, shape) -> np.ndarray:
    [node] = onnx.load(path).graph.node
    [given] = [numpy_helper.to_array(each).tolist() for each in onnx.load(path).graph.initializer]
    key = "scales" if "s" in node.input else "sizes"
    attributes = {name: value.decode() if isinstance(value, bytes) else value for name, value in attributes_of(node).items()}
    x = np.random.default_rng(5).random(shape, np.float32)
    return tesela.plan("resize", x, **{key: given}, rules="pytorch", **attributes)(x)


@pytest.mark.parametrize("coordinates", ["half_pixel", "pytorch_half_pixel"])
def test_nearest_of_pytorch(coordinates, tmp_path):
    random = np.random.default_rng(0)
    left = 0
    for _ in range(60):
        shape, sizes = [1, 2, *random.integers(1, 40, 2).tolist()], [1, 2, *random.integers(1, 90, 2).tolist()]
        path = save(tmp_path / "m.onnx", 18, resize("x", "", "", "z", coordinate_transformation_mode=coordinates, nearest_mode="floor"),
                    shape=shape, z=np.int64(sizes))
        fix = tesela.fix(path, meant="pytorch")
        if fix.left:
            left += 1
            assert "outputs would copy another input" in fix.left[0].why
            continue
        assert fix.changes[0].rule == "pytorch/nearest"
        np.testing.assert_array_equal(run(fix.data, shape), by_pytorch(path, shape))
    assert left < 10


def test_rounded_positions_of_pytorch_are_left(tmp_path):
    path = save(tmp_path / "m.onnx", 18, resize("x", "", "", "z", nearest_mode="floor"), shape=[1, 1, 1, 4], z=np.int64([1, 1, 1, 82]))
    [left] = tesela.fix(path, meant="pytorch").left
    assert (left.rule, left.why) == ("pytorch/nearest", "axis 3: PyTorch rounds positions, and 1 of 82 outputs would copy another input")
    exact = save(tmp_path / "e.onnx", 18, resize("x", "", "", "z", nearest_mode="round_prefer_ceil"), shape=[1, 1, 1, 5],
                 z=np.int64([1, 1, 1, 12]))
    assert not tesela.fix(exact, meant="pytorch").left and not tesela.fix(exact, meant="pytorch").changes
    np.testing.assert_array_equal(run(exact, [1, 1, 1, 5]), by_pytorch(exact, [1, 1, 1, 5]))
    flat = save(tmp_path / "f.onnx", 18, resize("x", "", "", "z", nearest_mode="floor"), shape=[4, 4], z=np.int64([5, 9]))
    assert tesela.fix(flat, meant="pytorch").left[0].why == "PyTorch has no such call"
    unknown = save(tmp_path / "u.onnx", 18, resize("x", "", "", "z", nearest_mode="floor"), shape=[1, 1, "H", "W"], z=np.int64([1, 1, 5, 9]))
    assert [change.rule for change in tesela.fix(unknown, meant="pytorch").changes] == ["pytorch/nearest"]


@pytest.mark.parametrize("mode", ["linear", "cubic"])
def test_antialias_scales_of_pytorch(mode, tmp_path):
    """PyTorch copies along an axis that keeps its extent, whatever its scale."""
    shape = [1, 2, 10, 12]
    keys = {"mode": mode, "antialias": 1, "exclude_outside": 1, "cubic_coeff_a": -0.5}
    path = save(tmp_path / "m.onnx", 18, resize("x", "", "s", **keys), shape=shape, s=np.float32([1, 1, 1.05, 0.55]))
    meant = by_pytorch(path, shape)
    assert np.abs(run(path, shape) - meant).max() > 0.01
    fix = tesela.fix(path, meant="pytorch")
    assert "scales 1, 1, 1, 0.55" in only(fix, "pytorch/antialias-scales").change
    np.testing.assert_allclose(run(fix.data, shape), meant, atol=1e-5)
    assert "pytorch/antialias-scales" not in {finding.rule for finding in tesela.lint(fix.data, "pytorch").findings}
    unchanged = save(tmp_path / "f.onnx", 18, resize("x", "", "s", **keys), shape=shape, s=np.float32([1, 1, 0.45, 0.55]))
    assert not tesela.lint(unchanged, "pytorch").findings
    np.testing.assert_allclose(run(unchanged, shape), by_pytorch(unchanged, shape), atol=1e-5)


def test_what_no_node_gives_as_pytorch_is_left(tmp_path):
    path = save(tmp_path / "m.onnx", 18, resize("x", "", "", "z", mode="linear", antialias=1, exclude_outside=1,
                                                coordinate_transformation_mode="align_corners"), z=np.int64([1, 3, 4, 5]))
    [left] = tesela.fix(path, meant="pytorch").left
    assert left.rule == "pytorch/antialias-corners" and "no node gives what PyTorch computes" in left.why
    assert np.abs(run(path) - by_pytorch(path, SHAPE)).max() > 0.01


RATIO = np.float32([1, 1, np.float32(7) / np.float32(10), 1])


def test_ratios_become_the_sizes_that_they_came_from(tmp_path):
    shape = [1, 1, 10, 4]
    path = save(tmp_path / "m.onnx", 18, resize("x", "", "s", mode="linear"), shape=shape, s=RATIO)
    assert run(path, shape).shape[2] == 6
    for options in ({"meant": "pytorch"}, {"extents": "host"}):
        fix = tesela.fix(path, **options)
        assert "sizes 1, 1, 7, 4 instead of scales" in fix.changes[0].change and fix.changes[0].keeps_numbers is False
        assert run(fix.data, shape).shape[2] == 7
    # The scales serve the node alone, and stay: nothing but the node may change.
    assert [each.name for each in onnx.load_model_from_string(fix.data).graph.initializer] == ["s"]


def test_ratio_of_an_old_version_needs_an_upgrade(tmp_path):
    shape = [1, 1, 10, 4]
    path = save(tmp_path / "m.onnx", 10, resize("x", "s", mode="linear"), shape=shape, s=RATIO)
    assert "--opset 11 makes it one" in tesela.fix(path, meant="pytorch").left[0].why
    fix = tesela.fix(path, meant="pytorch", opset=13)
    assert [change.rule for change in fix.changes] == ["standard/upgrade", "exporters/ratio-scales"]
    assert [change.keeps_numbers for change in fix.changes] == [True, False] and run(fix.data, shape).shape[2] == 7


def test_fault_that_a_cure_would_make_visible(tmp_path):
    """Nothing is inferred through an Upsample that the opset does not have, so a wrong declaration after it is not seen."""
    wrong = helper.make_tensor_value_info("b", TensorProto.FLOAT, [1, 3, 5, 5])
    later = helper.make_tensor_value_info("c", TensorProto.FLOAT, [1, 3, 9, 9])
    nodes = [helper.make_node("Upsample", ["x", "s"], ["a"]), helper.make_node("Tile", ["a", "ones"], ["b"], name="t"),
             helper.make_node("Tile", ["a", "ones"], ["c"], name="u"), helper.make_node("Identity", ["b"], ["y"])]
    path = save(tmp_path / "m.onnx", 13, *nodes, s=np.float32([1, 1, 2, 2]), ones=np.int64([1, 1, 1, 1]), values=[wrong, later])
    assert "would have a fault that the model does not have" in fail(UNSUPPORTED, "fix", path, "-o", tmp_path / "n.onnx")
    assert not (tmp_path / "n.onnx").exists()


def test_extent_that_a_declaration_contradicts_is_not_changed(tmp_path):
    shape = [1, 1, 10, 4]
    own = helper.make_tensor_value_info("a", TensorProto.FLOAT, [1, 1, 6, 4])
    later = helper.make_tensor_value_info("b", TensorProto.FLOAT, [1, 1, 6, 4])
    nodes = [resize("x", "", "s", y="a", mode="linear"), helper.make_node("Tile", ["a", "ones"], ["b"]), helper.make_node("Identity", ["b"], ["y"])]
    for value, why in ((own, "output 'a' is declared as"), (later, "shapes that the file declares after it would be wrong")):
        path = save(tmp_path / "m.onnx", 18, *nodes, shape=shape, s=RATIO, ones=np.int64([1, 1, 1, 1]), values=[value])
        fix = tesela.fix(path, meant="pytorch")
        assert not fix.changes and why in fix.left[0].why and fix.data == path.read_bytes()


# ---- Files --------------------------------------------------------------------------------------------------------------------


def shared_scales(path: Path) -> Path:
    nodes = [resize("x", "s", y="a", name="first"), resize("x", "s", y="b", mode="linear", name="second"),
             helper.make_node("Add", ["a", "b"], ["y"]), helper.make_node("Identity", ["s"], ["t"])]
    return save(path, 10, *nodes, s=np.float32([1, 1, 2, 2]), outputs=("y", "t"), shape=["N", 3, "H", "W"])


def test_shared_constants_and_names_in_use(tmp_path):
    """A node gets a constant of its own, with a name that is not taken, also not in a subgraph."""
    inner = helper.make_graph([helper.make_node("Identity", ["x"], ["y_sizes"])], "g", [], [helper.make_tensor_value_info("y_sizes", 1, None)])
    path = save(tmp_path / "m.onnx", 18, helper.make_node("If", ["c"], ["i"], then_branch=inner, else_branch=inner),
                resize("x", "", "s", mode="linear"), helper.make_node("Identity", ["s"], ["t"]), shape=[1, 1, 10, 4], s=RATIO,
                c=np.array(True), outputs=("y", "t", "i"))
    nodes = nodes_of(tesela.fix(path, meant="pytorch").data)
    assert nodes["y"].input[3] == "y_sizes_2" and nodes["y_sizes_2"].op_type == "Constant" and nodes["t"].input[0] == "s"
    fix = tesela.fix(shared_scales(tmp_path / "shared.onnx"), opset=19)
    assert fix.nodes == 2 and [nodes_of(fix.data)[y].input[2] for y in "ab"] == ["s", "s"]


def external_model(folder: Path, location: str = "w.bin") -> Path:
    scales = numpy_helper.from_array(np.float32([1, 1, 2, 2]), "s")
    (folder / location).parent.mkdir(exist_ok=True, parents=True)
    (folder / location).write_bytes(b"\0" * 8 + scales.raw_data)
    external_data_helper.set_external_data(scales, location, 8, 16)
    scales.ClearField("raw_data")
    graph = helper.make_graph([resize("x", "s")], "g", [helper.make_tensor_value_info("x", 1, SHAPE)],
                              [helper.make_tensor_value_info("y", 1, None)], [scales])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 10)], ir_version=8)
    (folder / "m.onnx").write_bytes(model.SerializeToString())
    return folder / "m.onnx"


def test_external_data_is_copied_into_another_folder(tmp_path):
    path = external_model(tmp_path)
    (tmp_path / "out").mkdir()
    made = tmp_path / "out" / "n.onnx"
    for _ in range(2):  # the second time the same data is there
        succeed("fix", path, "-o", made, "--opset", 13)
        assert (tmp_path / "out" / "w.bin").read_bytes() == (tmp_path / "w.bin").read_bytes()
    np.testing.assert_array_equal(run(path), run(made))
    succeed("fix", path, "-o", tmp_path / "n.onnx", "--opset", 13)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["m.onnx", "n.onnx", "out", "w.bin"]


def test_external_data_that_cannot_be_copied(tmp_path):
    path = external_model(tmp_path)
    (tmp_path / "out").mkdir()
    other = tmp_path / "out" / "w.bin"
    other.write_bytes(b"another model's")
    assert "exists: the new model would refer to it" in fail(BAD, "fix", path, "-o", tmp_path / "out" / "n.onnx", "--opset", 13)
    assert [each.name for each in (tmp_path / "out").iterdir()] == ["w.bin"] and other.read_bytes() == b"another model's"
    other.unlink()
    other.symlink_to(tmp_path / "elsewhere")
    fail(6, "fix", path, "-o", tmp_path / "out" / "n.onnx")
    assert not (tmp_path / "elsewhere").exists() and not (tmp_path / "out" / "n.onnx").exists()
    other.unlink()
    for taken in (tmp_path / "w.bin", tmp_path / "out" / "w.bin"):
        assert "has the name of the model's external data" in fail(BAD, "fix", path, "-o", taken)
    assert "is not a file in a folder" in fail(BAD, "fix", path, "-o", "/dev/stdout")
    deep = external_model(tmp_path / "deep", "data/w.bin")
    assert "is in a folder below the model's" in fail(BAD, "fix", deep, "-o", tmp_path / "n.onnx")
    succeed("fix", deep, "-o", tmp_path / "deep" / "n.onnx")


def test_data_is_not_left_behind(tmp_path):
    path = external_model(tmp_path)
    (tmp_path / "out" / "n.onnx").mkdir(parents=True)
    fail(BAD, "fix", path, "-o", tmp_path / "out" / "n.onnx")
    assert [each.name for each in (tmp_path / "out").iterdir()] == ["n.onnx"]


def test_model_itself_is_no_output(tmp_path):
    path = shared_scales(tmp_path / "m.onnx")
    (tmp_path / "link.onnx").symlink_to(path)
    for out in (path, tmp_path / "link.onnx"):
        assert "is the model itself" in fail(BAD, "fix", path, "-o", out)


@pytest.mark.parametrize("words,status,message", [
    ([], USAGE, "-o"),
    (["-o", "-"], USAGE, "expected the name of a file, not '-'"),
    (["-o", "n.onnx", "--meant", "pytorc"], BAD, "meaning 'pytorc' is unknown; did you mean 'pytorch'?; expected pytorch, tensorflow, opset10"),
    (["-o", "n.onnx", "--opset", "none"], USAGE, "--opset"),
    (["-o", "n.onnx", "--opset", "99"], UNSUPPORTED, "opset 99 is not supported"),
    (["-o", "missing/n.onnx"], 6, "missing"),
])
def test_wrong_arguments(words, status, message, tmp_path):
    path = shared_scales(tmp_path / "m.onnx")
    assert message in fail(status, "fix", path, *words, cwd=tmp_path)
    assert [each.name for each in tmp_path.iterdir()] == ["m.onnx"]


def test_other_formats_and_bad_models(tmp_path):
    assert "fix changes ONNX files" in fail(UNSUPPORTED, "fix", RECORDED / "linear-1d-openvino.xml", "-o", tmp_path / "n.onnx")
    (tmp_path / "bad.onnx").write_bytes(b"\x08\x08\x3a\x7f")
    fail(BAD, "fix", tmp_path / "bad.onnx", "-o", tmp_path / "n.onnx")
    with pytest.raises(tesela.UnsupportedError, match="read by another opset"):
        tesela.load(shared_scales(tmp_path / "m.onnx"), assume_opset=11).fix()


def test_model_from_the_standard_input(tmp_path):
    path = shared_scales(tmp_path / "m.onnx")
    done = command("fix", "-", "-o", tmp_path / "n.onnx", "--opset", 19, input=path.read_bytes())
    assert done.returncode == DONE and (tmp_path / "n.onnx").read_bytes() == tesela.fix(path, opset=19).data


def test_nothing_to_do_copies_the_file(tmp_path):
    path = save(tmp_path / "m.onnx", 19, helper.make_node("Relu", ["x"], ["y"]))
    assert succeed("fix", path, "-o", tmp_path / "n.onnx") == "0 nodes changed, 0 findings left\n"
    assert (tmp_path / "n.onnx").read_bytes() == path.read_bytes()


def test_many_nodes_end_in_time(tmp_path):
    """Proofs of a model are limited; nodes beyond are left, with the reason."""
    nodes = [resize("x", "", "", "z", y=f"y{k}", mode="cubic", antialias=1) for k in range(3000)]
    path = save(tmp_path / "m.onnx", 18, *nodes, outputs=("y0",), shape=[1, 3, 300, 300], z=np.int64([1, 3, 20, 20]))
    fix = tesela.fix(path, meant="pytorch")
    assert fix.changes and any("would take too long" in left.why for left in fix.left)


def test_json_follows_its_schema(tmp_path):
    schema = json.loads((DOCS / "schemas" / "fix.json").read_text())
    path = save(tmp_path / "m.onnx", 18, resize("x", "", "s", mode="cubic", antialias=1), shape=[1, 1, 10, 4], s=RATIO)
    for words in ([], ["--meant", "pytorch"], ["--opset", "19"]):
        document = json.loads(succeed("fix", path, "-o", tmp_path / "n.onnx", "--json", *words))
        jsonschema.validate(document, schema)
        assert document["changes"] or document["left"]


def test_document_has_every_cure():
    source = (REPOSITORY / "src" / "fix" / "cures.cc").read_text()
    rules = set(re.findall(r'Cure\{"(.*?)"', source))
    assert len(rules) > 7
    assert rules | {"standard/upgrade"} == set(re.findall(r"^\| `([a-z0-9-]+/[a-z0-9-]+)` \|", (DOCS / "fix.md").read_text(), re.M))
