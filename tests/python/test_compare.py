# SPDX-License-Identifier: Apache-2.0
"""Comparing nodes with other runtimes: verdicts, explanations, lifted models, smallest calls and reports."""

import base64
import html.parser
import json
import os
import re
import signal
import struct
import subprocess
import sys
import time
import xml.etree.ElementTree
import zlib

import jsonschema
import ml_dtypes
import numpy as np
import onnx
import pytest
import tesela
from cli_program import BAD, DONE, IO, MISMATCH, REPOSITORY, UNSUPPORTED, USAGE, PackageVerb, save_model, save_npy
from onnx import TensorProto, helper
from tesela import _compare, _core
from tesela._compare import cases, differences, explanations, nodes, runtimes, worker
from tesela._compare.html import png

command = PackageVerb("compare")
fail = command.fail
SCHEMA = json.loads((REPOSITORY / "docs" / "schemas" / "compare.json").read_text())
TIES = "nearest round_prefer_ceil float 1x1x1x20 -> 1x1x1x6"
RANK_SIX = "linear float 1x1x1x1x3x5 -> 1x1x1x1x6x10"


def only(found):
    [report] = found.nodes
    [outcome] = report.outcomes
    return outcome


def rules(outcome):
    return [rule.rule for rule in outcome.explanation.rules]


@pytest.fixture
def two_nodes(tmp_path):
    """up = Resize(Relu(x)), y = Tile(up): shapes are symbols, and Tesela has no Relu."""
    return save_model(
        tmp_path / "model.onnx",
        [helper.make_node("Relu", ["x"], ["r"]), helper.make_node("Resize", ["r", "", "scales"], ["u"], name="up", mode="linear"),
         helper.make_node("Tile", ["u", "repeats"], ["y"], name="copies")],
        {"x": (TensorProto.FLOAT, ["n", 1, "h", "w"])}, {"y": (TensorProto.FLOAT, [None] * 4)},
        initializers={"scales": np.float32([1, 1, 2, 2]), "repeats": np.array([1, 2, 1, 1])})


# --- Verdicts -----------------------------------------------------------------------------------


@pytest.mark.parametrize("line, runtime, verdict, rule", [
    ("linear float 2x2 -> 4x4 x=0,1,2,3", "onnxruntime", "equal", None),
    ("linear float 1x1x57x91 -> 1x1x31x200", "onnxruntime", "rounding", None),
    ("linear uint8 1x1x7x9 -> 1x1x14x18", "onnxruntime", "different", "onnxruntime/integers"),
    ("linear double 1x1x7x9 -> 1x1x14x18", "onnxruntime", "refused", "onnxruntime/type"),
    ("nearest float 10 -> 6 scales=0.7", "onnxruntime", "different", "onnxruntime/extents"),
    (TIES, "openvino", "different", "openvino/positions"),
    ("cubic antialias float 1x1x20x30 -> 1x1x7x13", "openvino", "different", "openvino/antialias"),
    (RANK_SIX, "openvino", "crash", "openvino/rank-six"),
    ("nearest uint16 4 -> 8", "openvino", "refused", "openvino/type"),
    ("nearest complex64 4 -> 8", "reference", "different", "onnx-reference/complex"),
    ("Resize-13 nearest float 4 -> 8", "reference", "equal", None),
    ("tile int64 3x4 -> 6x12", "reference", "equal", None),
    ("fill float -> 3x4 value=2", "openvino", "equal", None),
    ("tile bool 3 -> 6", "openvino", "equal", None),
    ("tile bfloat16 3 -> 6", "openvino", "equal", None),
])
def test_verdicts(line, runtime, verdict, rule):
    outcome = only(tesela.compare(line, runtime, repeat=0))
    assert outcome.verdict == verdict, outcome
    assert rules(outcome)[:1] == ([rule] if rule else [])
    assert outcome.explanation.by == ("nothing" if rule is None else "emulation" if verdict == "different" else "catalogue")


def test_a_difference_says_how_much_and_where():
    found = only(tesela.compare(TIES + " x=" + ",".join(map(str, range(20))), "openvino")).difference
    assert (found.compared, found.differ, found.largest, found.first, found.worst) == (6, 1, 1.0, (0, 0, 0, 4), (0, 0, 0, 4))
    assert (found.ours, found.theirs, found.axes[3]) == ("15.0", "14.0", {4: 1})


def test_units_and_bounds():
    x = np.float32([[0.5, 1.5]])
    node = cases.read("linear float 1x2 -> 1x4 x=0.5,1.5", 0)
    ours = np.float32([[0.5, 0.75, 1.25, 1.5]])
    bound = 8 * (2**-23 + 4 * 2**-23)
    found = differences.difference(node, ours, ours + np.float32([0, 2**-22, 0, 0]), None)
    assert found.units == 2 and found.bound == bound and found.is_rounding and not found.is_equal
    assert not differences.difference(node, ours, ours + np.float32(3 * bound), None).is_rounding
    assert not differences.difference(node, ours, ours + np.float32([0, 2**-22, 0, 0]), 1.0).is_rounding
    nan = np.where(ours > 1, np.nan, ours).astype(np.float32)
    assert differences.difference(node, nan, nan, None).is_equal
    assert differences.difference(node, ours, nan, 1e30).largest is None and not differences.difference(node, ours, nan, 1e30).is_rounding
    copies = cases.read("nearest float 1x2 -> 1x4 x=0.5,1.5", 0)
    assert differences.difference(copies, x, np.nextafter(x, x + 1), None).is_rounding is False
    assert differences.difference(node, ours, ours[:, :3], None).shape == (1, 3)
    wide = np.array([2**63 - 1, -(2**63)])
    assert differences.difference(cases.read("tile int64 1 -> 2", 0), wide, wide - np.array([1, 0]), None).largest == 1
    large = cases.read("linear double 2 -> 4 x=1.7976931348623157e308,0", 0)
    assert differences.difference(large, large.prepared(1)(), large.prepared(1)(), None).bound < np.inf
    small = ours.astype(ml_dtypes.bfloat16)
    assert differences.difference(cases.read("linear bfloat16 1x2 -> 1x4", 0), small, small, None).is_equal


def test_tolerance_decides_what_is_rounding():
    line = "linear float 1x1x57x91 -> 1x1x31x200"
    assert only(tesela.compare(line, "onnxruntime", tolerance=0)).verdict == "different"
    assert only(tesela.compare("linear uint8 1x1x7x9 -> 1x1x14x18", "onnxruntime", tolerance=1)).verdict == "rounding"


def test_an_emulation_explains_by_construction():
    """ONNX Runtime uses the output's extent where the standard has extent times scale."""
    line = "linear align_corners float 1x4 -> 1x2 scales=1,0.6 x=1,2,3,4"
    outcome = only(tesela.compare(line, "onnxruntime"))
    assert outcome.verdict == "different" and outcome.explanation.by == "emulation" and "onnxruntime/length" in rules(outcome)
    assert "computed by Tesela (rules=)" in str(tesela.compare(line, "onnxruntime"))


def test_a_result_of_pytorch_is_explained_by_its_emulation():
    """As PyTorch 2.15 gave it, which is not installed here: all rows of one column have the weights of the first."""
    node = cases.read("linear antialias exclude_outside float 1x1x8x1 -> 1x1x4x1 x=0,1,2,3,4,5,6,7", 0)
    theirs = np.full((1, 1, 4, 1), 5 / 7, np.float32)
    found = explanations.of_difference(node, "pytorch", node.prepared(1)(), theirs, None)
    assert found.by == "emulation" and [rule.rule for rule in found.rules] == ["pytorch/antialias-column"]
    assert explanations.of_difference(node, "pytorch", node.prepared(1)(), theirs + 1, None).by == "catalogue"


def test_an_emulation_that_differs_too_explains_nothing(monkeypatch):
    node = cases.read("linear align_corners float 1x4 -> 1x2 scales=1,0.6 x=1,2,3,4", 0)
    ours = node.prepared(1)()
    assert explanations.of_difference(node, "onnxruntime", ours, ours + 1, None).by == "catalogue"
    plain = cases.read("linear float 1x1x4x4 -> 1x1x8x8", 0)
    ours = plain.prepared(1)()
    found = explanations.of_difference(plain, "onnxruntime", ours, ours + 1, None)
    assert found == explanations.NOTHING


def test_rows_about_extents_explain_other_shapes_only():
    line = "cubic antialias float 1x3x10x10 -> 1x3x6x6 scales=1,1,0.7,0.7"
    outcome = only(tesela.compare(line, "onnxruntime"))
    assert outcome.difference.shape == (1, 3, 7, 7) and rules(outcome)[0] == "onnxruntime/extents"
    given = cases.read(line, 0)
    ours = given.prepared(1)()
    assert "onnxruntime/extents" not in [rule.rule for rule in explanations.of_difference(given, "onnxruntime", ours, ours + 1, None).rules]


# --- Runtimes -----------------------------------------------------------------------------------


def test_names_of_runtimes():
    assert [entry.name for entry in runtimes.named(["ort", "reference", "onnxruntime"])] == ["onnxruntime", "onnx-reference"]
    with pytest.raises(tesela.InvalidValueError, match="did you mean 'openvino'"):
        tesela.compare(TIES, "openvin")
    with pytest.raises(tesela.UnsupportedError, match="PyTorch is not installed: pip install torch"):
        tesela.compare(TIES, "torch")
    assert list(tesela.compare(TIES, repeat=0).versions) == ["onnxruntime", "openvino", "onnx-reference"]


def test_refusals_count_if_the_runtime_was_named():
    line = "linear double 1x1x2x2 -> 1x1x4x4"
    assert not tesela.compare(line, "onnxruntime")
    found = tesela.compare(line)
    assert found.nodes[0].outcomes[0].verdict == "refused" and found


def test_a_runtime_goes_on_after_a_crash():
    node, six = cases.read("linear float 1x1x4x4 -> 1x1x8x8", 0), cases.read(RANK_SIX, 0)
    with runtimes.Worker(runtimes.named(["openvino"])[0], 1, 60) as openvino:
        assert [openvino.run(one).kind for one in (six, node, six, node)] == ["crash", "array", "crash", "array"]


@pytest.mark.parametrize("others, answers, verdict", [
    (True, [("crash", None), ("array", 0)], "equal"), (True, [("crash", None), ("crash", None)], "crash"),
    (True, [("array", 1), ("array", 0)], "equal"), (False, [("array", 1)], "different"), (False, [("crash", None)], "crash"),
    (True, [("array", 0)], "equal"), (True, [("refused", None)], "refused"),
])
def test_what_nothing_explains_is_asked_of_a_new_process(others, answers, verdict):
    """An earlier node may have damaged the process."""
    node = cases.read("tile float 3 -> 6", 0)
    ours = node.prepared(1)()

    class Damaged:
        runtime, has_run_others, stopped = runtimes.named(["openvino"])[0], others, 0

        def run(self, node, repeat):
            kind, plus = left.pop(0)
            return runtimes.Answer(kind, None if plus is None else ours + np.float32(plus))

        def stop(self):
            self.stopped += 1

    left, worker = list(answers), Damaged()
    assert _compare.ask(node, ours, worker, 0, None).verdict == verdict and not left and worker.stopped == len(answers) - 1


def test_a_process_counts_its_nodes():
    node = cases.read("tile float 3 -> 6", 0)
    with runtimes.Worker(runtimes.named(["reference"])[0], 1, 60) as reference:
        assert [reference.run(node) and reference.has_run_others for _ in range(2)] == [False, True]
        reference.stop()
        assert reference.run(node) and not reference.has_run_others


def test_a_runtime_that_takes_too_long_is_stopped():
    node = cases.read("tile float 3 -> 6", 0)
    with runtimes.Worker(runtimes.named(["reference"])[0], 1, 0.3) as reference:
        reference.start()
        os.kill(reference._process.pid, signal.SIGSTOP)
        began = time.monotonic()
        answer = reference.run(node)
        assert answer.kind == "timeout" and answer.text == "no result within 0.3 s" and time.monotonic() - began < 5
        reference.timeout = 60
        assert reference.run(node).kind == "array"


def test_a_runtime_that_does_not_start(monkeypatch):
    broken = runtimes.Runtime("onnxruntime-2", "Another runtime", (), "onnx", "onnx")
    with pytest.raises(tesela.UnsupportedError, match="Another runtime does not start: KeyError"):
        runtimes.Worker(broken, 1, 60).start()


def test_answers_of_a_runtime():
    class Strange:
        def prepare(self, request):
            raise {"refused": ValueError("no"), "unreadable": worker.Unreadable("none")}[request["how"]]

    assert worker.answer(Strange(), {"how": "refused"}) == {"refused": "no"}
    assert worker.answer(Strange(), {"how": "unreadable"}) == {"unreadable": "none"}


def test_calls_of_pytorch():
    from tesela._compare.torch_calls import call_of

    def call(line):
        found = call_of(cases.read(line, 0))
        return found if isinstance(found, str) else found["arguments"]

    assert call("linear float 1x3x4x4 -> 1x3x8x8") == {"size": [8, 8], "mode": "bilinear", "align_corners": False}
    assert call("cubic align_corners float 1x3x4x4 -> 1x3x8x8")["align_corners"] is True
    assert call("linear antialias float 1x3x4x4 -> 1x3x2x2")["antialias"] is True
    assert call("nearest float 1x3x4 -> 1x3x8 scales=1,1,2") == {"scale_factor": [2.0], "mode": "nearest"}
    assert call("nearest round_prefer_ceil float 1x3x4 -> 1x3x8") == {"size": [8], "mode": "nearest-exact"}
    assert call("linear float 1x3x4x4 -> 1x3x4x8 axes=3") == {"size": [4, 8], "mode": "bilinear", "align_corners": False}
    assert "first two axes" in call("linear float 1x3x4x4 -> 1x6x4x8")
    assert "half_pixel_symmetric" in call("linear half_pixel_symmetric float 1x3x4x4 -> 1x3x8x8")
    assert "3 to 5 axes" in call("linear float 4x4 -> 8x8")
    assert "tf_crop_and_resize" in call("nearest tf_crop_and_resize float 1x1x4 -> 1x1x8 roi=0,0,0,1,1,1")
    empty = cases.read("nearest float 1x1x4 -> 1x1x8", 0).with_inputs(sizes=np.zeros(0, np.int64))
    assert call_of(empty) == "interpolate needs sizes or scales"
    x = nodes.Slot("X", np.zeros((1, 3, 4, 4), np.float32), False)
    old = nodes.Node("Upsample", 7, "", {"scales": [1.0, 1.0, 2.0, 3.0]}, (x,))
    assert call_of(old)["arguments"] == {"scale_factor": [2.0, 3.0], "mode": "nearest"}
    oldest = nodes.Node("Upsample", 1, "", {"height_scale": 2.0, "width_scale": 3.0}, (x,))
    assert call_of(oldest) == call_of(old)
    assert call("linear bfloat16 1x3x4 -> 1x3x8")["size"] == [8]
    assert call("tile float 3 -> 6") == {"dims": [2]}
    assert call("fill float -> 3 value=2") == {"size": [3], "fill_value": 2.0, "dtype": "float32"}


# --- Models -------------------------------------------------------------------------------------


def test_each_node_of_a_model_runs_by_itself(two_nodes):
    found = tesela.compare(two_nodes, "onnxruntime", shapes={"x": (1, 1, 5, 7)})
    assert found and [report.node.name for report in found.nodes] == ["up", "copies"]
    assert found.nodes[0].line == "linear float 1x1x5x7 -> 1x1x10x14 scales=1,1,2,2" and found.values == "drawn from seed 0"
    assert tesela.compare(two_nodes, "onnxruntime", node="#2", shapes={"r": (1, 1, 3, 3)}).nodes[0].node.name == "copies"
    lifted = found.nodes[0].node.model()
    onnx.checker.check_model(lifted, full_check=True)
    again = onnx.load_from_string(lifted)
    assert again.opset_import[0].version == 19 and [entry.name for entry in again.graph.initializer] == ["scales"]


def test_nodes_get_the_values_of_a_run(two_nodes):
    x = np.linspace(-1, 1, 12, dtype=np.float32).reshape(1, 1, 3, 4)
    found = tesela.compare(two_nodes, "onnxruntime", inputs={"x": x})
    assert found and found.values == "computed by onnxruntime"
    assert np.array_equal(found.nodes[0].node.x, np.maximum(x, 0))
    with pytest.raises(tesela.UnsupportedError, match="onnxruntime, which could, is not among the runtimes"):
        tesela.compare(two_nodes, "openvino", inputs={"x": x})
    photo = {"photo": np.zeros((30, 20, 3), np.uint8)}
    sheet = tesela.compare(REPOSITORY / "examples" / "contact_sheet.onnx", "reference", node="sheet", inputs=photo, repeat=0)
    assert sheet.values == "computed by tesela" and sheet.nodes[0].node.x.shape == (240, 160, 3)
    first = tesela.compare(REPOSITORY / "examples" / "contact_sheet.onnx", "reference", node="print", inputs=photo, repeat=0)
    assert first.values == "given"


def test_scales_that_a_model_computes_are_inputs(tmp_path):
    path = save_model(tmp_path / "m.onnx", [helper.make_node("Resize", ["x", "", "s"], ["y"])],
                      {"x": (TensorProto.FLOAT, [10]), "s": (TensorProto.FLOAT, [1])}, {"y": (TensorProto.FLOAT, [None])})
    with pytest.raises(tesela.InvalidValueError, match="the values of scales 's' are not known before a run"):
        tesela.compare(path, "onnxruntime")
    found = tesela.compare(path, "onnxruntime", inputs={"x": np.arange(10, dtype=np.float32), "s": np.float32([0.7])})
    outcome = only(found)
    assert outcome.difference.shape == (7,) and "onnxruntime/unknown-scales" in rules(outcome)


def test_rows_know_the_values_of_a_run(tmp_path):
    """Without its scales no row says that these axes are refused."""
    path = save_model(tmp_path / "m.onnx", [helper.make_node("Resize", ["x", "", "s"], ["y"], mode="linear")],
                      {"x": (TensorProto.FLOAT, [2, 2, 2, 2]), "s": (TensorProto.FLOAT, [4])}, {"y": (TensorProto.FLOAT, [None] * 4)})
    given = {"x": np.ones((2, 2, 2, 2), np.float32), "s": np.float32([2, 1, 1, 2])}
    outcome = only(tesela.compare(path, "onnxruntime", inputs=given))
    assert outcome.verdict == "refused" and "onnxruntime/axes" in rules(outcome)


def test_faults_of_models(two_nodes, tmp_path):
    for arguments, message in (({}, "the shape of X 'r' is"), ({"node": "upp"}, "did you mean 'up'"), ({"node": "#3"}, "the model has 2"),
                               ({"inputs": {"z": np.zeros(1)}}, "no input 'z'")):
        with pytest.raises(tesela.Error, match=message):
            tesela.compare(two_nodes, "onnxruntime", **arguments)
    with pytest.raises(tesela.InvalidValueError, match="has no Resize"):
        tesela.compare(save_model(tmp_path / "r.onnx", [helper.make_node("Relu", ["x"], ["y"])], {"x": (1, [2])}, {"y": (1, [2])}))
    with pytest.raises(tesela.TruncatedError):
        tesela.compare(two_nodes.read_bytes()[:-40], "onnxruntime", shapes={"x": (1, 1, 2, 2)})
    with pytest.raises(tesela.ArgumentError, match="inputs is 3"):
        tesela.compare(two_nodes, "onnxruntime", inputs=3)


@pytest.mark.parametrize("version, attributes, inputs", [
    ("Upsample-7", {"mode": "nearest", "scales": [2.0, 3.0]}, {}),
    ("Upsample-9", {"mode": "linear"}, {"scales": np.float32([1.5, 2])}),
    ("Resize-10", {}, {"scales": np.float32([1.5, 0.5])}),
    ("Tile-13", {}, {"repeats": np.array([2, 3])}),
])
def test_every_form_of_node_is_lifted(tmp_path, version, attributes, inputs):
    operator, opset = version.split("-")
    path = save_model(tmp_path / "m.onnx", [helper.make_node(operator, ["x", *inputs], ["y"], **attributes)],
                      {"x": (TensorProto.FLOAT, [4, 6])}, {"y": (TensorProto.FLOAT, [None, None])}, int(opset), inputs)
    [report] = tesela.compare(path, "onnxruntime").nodes
    assert report.outcomes[0].verdict != "refused", report.outcomes
    onnx.checker.check_model(report.node.model())
    assert np.array_equal(report.node.prepared(1)(), tesela.load(path).run({"x": report.node.x})["y"])
    assert report.line.startswith(version if operator != "Tile" else "Tile ")
    assert Page(tesela.compare(path, "onnxruntime", "openvino").html())


# --- Cases --------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", [
    "nearest floor float 4x6 -> 2x6 x=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23",
    "tf_crop_and_resize linear float 1x2 -> 1x3 roi=0,-0.5,1,1.5 extrapolation_value=7 x=1,2",
    "nearest float 10 -> 6 scales=0.7 x=0,1,2,3,4,5,6,7,8,9",
    "cubic exclude_outside double 2x2 -> 2x3 axes=1 cubic_coeff_a=-0.5 x=0.1,0.2,0.3,0.4",
    "not_larger linear uint8 1x2 -> 1x2 sizes=1,3 x=1,2",
    "Resize-13 nearest bool 2 -> 4 x=0,1",
    "Tile int8 2 -> 4 x=-1,1",
    "ConstantOfShape int64 -> 2x3 value=9007199254740992",
    "tf_crop_and_resize linear double 1x2 -> 1x3 roi=0,-0.5,1,1.5 extrapolation_value=inf x=1,-inf",
    "nearest uint64 2 -> 4 scales= sizes=4 x=18446744073709551615,0",
    "Resize-10 nearest float 0x2 -> 0x2 scales=1,1 x=",
    "linear bfloat16 2 -> 2 axes= scales= x=0.5,2",
])
def test_a_line_says_everything(line):
    node = cases.read(line, 0)
    shape = node.prepared(1)().shape
    assert cases.line_with_values(node, shape) == line
    again = cases.read(cases.line_with_values(node, shape), 1)
    assert again.model() == node.model() and np.array_equal(again.x, node.x)


def test_what_no_line_says():
    x, sizes = nodes.Slot("X", np.float32([1, 2]), False), nodes.Slot("sizes", np.array([3]), True)
    scalar = nodes.Node("Resize", 19, "", {}, (x._replace(array=np.float32(1)), None, None, sizes._replace(array=np.zeros(0, np.int64))))
    upsample = nodes.Node("Upsample", 9, "", {}, (x, nodes.Slot("scales", np.float32([2]), True)))
    old = nodes.Node("Resize", 13, "", {"coordinate_transformation_mode": "tf_half_pixel_for_nn"}, (x, None, None, sizes))
    long = nodes.Node("Tile", 13, "", {}, (nodes.Slot("input", np.zeros(1000), False), nodes.Slot("repeats", np.array([2]), True)))
    roi = nodes.Slot("roi", np.float64([0, 1]), True)
    other = nodes.Node("Resize", 19, "", {"coordinate_transformation_mode": "tf_crop_and_resize"}, (x, roi, None, sizes))
    large = nodes.Node("ConstantOfShape", 25, "", {"value": np.array([2**53 + 1])}, (nodes.Slot("input", np.array([2]), True),))
    for node in (scalar, upsample, old, long, other, large):
        assert cases.line_with_values(node, node.prepared(1)().shape) is None


def test_a_line_leaves_out_what_changes_nothing():
    """The opset of the model, and defaults."""
    x, sizes = nodes.Slot("X", np.float32([1, 2]), False), nodes.Slot("sizes", np.array([3]), True)
    node = nodes.Node("Resize", 22, "", {"antialias": 0, "cubic_coeff_a": -0.75, "mode": "linear"}, (x, None, None, sizes))
    assert cases.line_with_values(node, (3,)) == "linear float 2 -> 3 x=1,2"


def test_wrong_lines():
    for line, message in (("linear float 2 -> 4 x=1", "x has 1 values"), ("linear float 2 -> 4 x=a,b", "x has elements that are not"),
                          ("linear float 2 -> 4 scales=3", "the line says 4"), ("linear float 2 -> 4 axes=q", "axes=q"),
                          ("linar float 2 -> 4", "linar"), ("openvino.Tile float 2 -> 4", "OpenVINO's"),
                          ("linear uint8 2 -> 4 weights=fixed8", "tesela.weights")):
        with pytest.raises(tesela.Error, match=re.escape(message)):
            tesela.compare(line, "onnxruntime")
    with pytest.raises(tesela.UsageError, match="are for models"):
        tesela.compare(TIES, "onnxruntime", node="x")
    with pytest.raises(tesela.LimitError):
        tesela.compare("linear float 100000x100000 -> 10x10", "onnxruntime")


def test_drawn_values_repeat():
    first, again, other = (cases.read("linear int16 30 -> 60", seed).x for seed in (1, 1, 2))
    assert np.array_equal(first, again) and not np.array_equal(first, other) and first.min() < -(2**13) and first.max() > 2**13
    assert abs(cases.read("tile int64 99 -> 99", 0).x).max() <= 2**20
    assert set(cases.read("tile string 3 -> 3", 0).x) == {"s0", "s1", "s2"}


# --- Smallest calls -------------------------------------------------------------------------------


@pytest.mark.parametrize("line, runtime, smallest", [
    ("linear uint8 2x3x57x49 -> 2x3x114x98", "onnxruntime", 2),
    (TIES, "openvino", 20),
    (RANK_SIX, "openvino", 1),
    ("cubic antialias float16 1x3x20x30 -> 1x3x7x13", "openvino", 40),
])
def test_the_smallest_call_differs_for_the_same_reason(line, runtime, smallest, tmp_path):
    found = tesela.compare(line, runtime, repeat=0)
    reduced = found.reduce(seconds=4)
    before = only(found)
    assert reduced.report.node.x.size <= smallest and reduced.outcome.verdict == before.verdict
    assert rules(reduced.outcome)[0] == rules(before)[0]
    again = only(tesela.compare(reduced.line, runtime, repeat=0))
    assert again.verdict == before.verdict and rules(again)[0] == rules(before)[0]
    if line == TIES:  # values say which input an output is
        assert np.array_equal(reduced.report.node.x, np.arange(20))
    model, program = reduced.write(tmp_path / "small")
    onnx.checker.check_model(model)
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=60)
    if before.verdict == "crash":
        assert done.returncode < 0, done
        return
    assert done.returncode == 0, done
    expected, got = (np.array(json.loads(text)) for text in done.stdout.split("\n")[1::2][:2])
    assert np.array_equal(expected, reduced.expected) and not np.array_equal(expected, got)


def test_nothing_to_reduce():
    with pytest.raises(tesela.InvalidValueError, match="no node differs"):
        tesela.compare("linear float 1x1x4x4 -> 1x1x8x8", "onnxruntime").reduce()


def test_the_search_ends_in_time():
    found = tesela.compare("linear uint8 1x3x57x49 -> 1x3x114x98", "onnxruntime", repeat=0)
    began = time.monotonic()
    reduced = found.reduce(seconds=0.0)
    assert time.monotonic() - began < 5 and reduced.report.node.x.shape == (1, 3, 57, 49)
    shares = []
    found.reduce(seconds=1, progress=shares.append)
    assert shares and shares == sorted(shares)


# --- Text, pages, the command ------------------------------------------------------------------------


class Page(html.parser.HTMLParser):
    EMPTY = {"meta", "img"}

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.links, self.images, self.tags = [], set(), [], [], set()
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.tags.add(tag)
        self.ids.add(given.get("id"))
        self.links += [given["href"]] if "href" in given else []
        self.images += [given["src"]] if "src" in given else []
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_a_page_needs_no_other_file():
    text = tesela.compare(TIES, "openvino", "onnxruntime").html()
    page = Page(text)
    assert "script" not in page.tags and "openvino/positions" in text
    assert [image.partition(";")[0] for image in page.images] == ["data:image/png", "data:image/svg+xml"]
    drawing = base64.b64decode(page.images[1].partition(",")[2])
    assert xml.etree.ElementTree.fromstring(drawing).tag.endswith("svg") and b"nearest" in drawing
    assert all(link[1:] in page.ids if link.startswith("#") else link.startswith("https://") for link in page.links) and page.links
    data = base64.b64decode(page.images[0].partition(",")[2])
    width, height = struct.unpack(">II", data[16:24])
    assert (width, height) == (6, 1)
    evil = Page(tesela.compare(save_evil(), "openvino").html())
    assert "script" not in evil.tags


def test_a_picture_is_along_the_axes_that_change():
    text = tesela.compare("linear uint8 7x9x3 -> 14x18x3", "onnxruntime").html()
    assert "along axes 0 and 1, at [:, :, " in text
    data = base64.b64decode(Page(text).images[0].partition(",")[2])
    assert struct.unpack(">II", data[16:24]) == (18, 14)


def save_evil():
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 1, 1, 20])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    node = helper.make_node("Resize", ["x", "", "", "s"], ["y"], name="<script>alert(1)</script>", nearest_mode="round_prefer_ceil")
    sizes = onnx.numpy_helper.from_array(np.array([1, 1, 1, 6]), "s")
    return helper.make_model(helper.make_graph([node], "g", [x], [y], [sizes]), opset_imports=[helper.make_opsetid("", 19)], ir_version=10)


def rows_of(data):
    """Of a PNG, without the byte before each row."""
    width, height = struct.unpack(">II", data[16:24])
    return np.frombuffer(zlib.decompressobj().decompress(data[data.index(b"IDAT") + 4 :]), np.uint8).reshape(height, width + 1)[:, 1:]


def test_a_picture_has_the_levels():
    levels = np.arange(6, dtype=np.uint8).reshape(2, 3)
    assert np.array_equal(rows_of(png(levels)), levels)
    found = tesela.compare("cubic exclude_outside float 2x1x2x4 -> 2x1x2x8 x=0,0,0,0,0,0,0,0,0,0,0,0,0,1,0,0", "openvino")
    image = Page(found.html()).images[0]
    shown = rows_of(base64.b64decode(image.partition(",")[2]))
    sizes = only(found).difference.map[1, 0]
    assert shown.shape == (2, 8) and np.array_equal(shown > 0, sizes > 0) and shown.max() == 255 and len(set(shown.ravel().tolist())) > 2
    assert np.array_equal(np.unravel_index(shown.argmax(), shown.shape), np.unravel_index(sizes.argmax(), sizes.shape))


def test_the_command(tmp_path, two_nodes):
    done = command(TIES, "--with", "openvino,ort", "--json", "--html", tmp_path / "r.html", "--reduce", tmp_path / "small", "--seconds", 2)
    told = json.loads(done.stdout)
    jsonschema.validate(told, SCHEMA)
    assert done.returncode == MISMATCH and not done.stderr and not told["equal"] and told["reduced"]["case"].startswith("nearest")
    assert [entry["verdict"] for entry in told["nodes"][0]["outcomes"]] == ["different", "equal"]
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["model.onnx", "r.html", "small.onnx", "small.py"]
    equal = command("linear float 1x1x4x4 -> 1x1x8x8", "--with=ort", "--json")
    assert equal.returncode == DONE
    jsonschema.validate(json.loads(equal.stdout), SCHEMA)
    save_npy(tmp_path / "x.npy", np.ones((1, 1, 3, 4), np.float32))
    for words in (("-i", f"x={tmp_path / 'x.npy'}"), ("--shape", "x=1x1x3x4"), ("--shape", "r=float:1x1x3x4")):
        assert command(two_nodes, "--with", "onnxruntime", *words).returncode == DONE, words


@pytest.mark.parametrize("line, runtimes", [
    ("nearest complex64 4 -> 8", ["reference"]), (RANK_SIX, ["openvino"]), ("tile string 2 -> 4", ["onnxruntime", "reference"]),
    ("fill bool -> 2", []), ("nearest float 10 -> 6 scales=0.7", ["onnxruntime"]), ("linear bfloat16 1x1x4x4 -> 1x1x8x8", ["onnxruntime"])])
def test_json_is_of_the_schema(line, runtimes):
    found = tesela.compare(line, *runtimes, repeat=1)
    told = found.as_dict() | {"reduced": None}
    jsonschema.validate(json.loads(json.dumps(told)), SCHEMA)
    assert Page(found.html()) and str(found)


def test_wrong_words(tmp_path):
    assert "--shape is 'x=3y'" in fail(USAGE, "m.onnx", "--shape", "x=3y")
    assert "-i is 'x'" in fail(USAGE, "m.onnx", "-i", "x")
    assert "invalid int value" in fail(USAGE, TIES, "--seed", "a")
    assert "cannot open" in fail(IO, tmp_path / "m.onnx", "--with", "ort")
    assert "pip install torch" in fail(UNSUPPORTED, TIES, "--with", "torch")
    assert "tolerance is nan" in fail(BAD, TIES, "--with", "ort", "--tolerance", "nan")
    assert "repeat is -1" in fail(BAD, TIES, "--with", "ort", "--repeat", -1)
    assert "timeout is 0" in fail(BAD, TIES, "--with", "ort", "--timeout", 0)
    assert "cannot write" in fail(IO, TIES, "--with", "ort", "--html", tmp_path / "none" / "r.html")
    (tmp_path / "bad.onnx").write_bytes(b"\xff" * 30)
    assert fail(BAD, tmp_path / "bad.onnx", "--with", "ort", "--shape", "x=1")


def test_an_interruption_ends_the_runtimes():
    words = [*command.words, "linear float 1x3x200x200 -> 1x3x400x400", "--with", "reference", "--repeat", "1000"]
    started = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    children = []
    while not children and started.poll() is None:
        time.sleep(0.05)
        children = subprocess.run(["pgrep", "-P", str(started.pid)], capture_output=True, text=True).stdout.split()
    began = time.monotonic()
    started.send_signal(signal.SIGINT)
    out, message = started.communicate(timeout=60)
    assert (started.returncode, message, out) == (130, b"tesela: interrupted\n", b"") and time.monotonic() - began < 20
    assert children and not any(os.path.exists(f"/proc/{child}") for child in children)


def test_lists_agree():
    """Runtimes have rows in the catalogue, and a class in the worker."""
    assert {runtime.name for runtime in runtimes.RUNTIMES} == set(worker.RUNTIMES)
    listed = subprocess.run([sys.executable, "-m", "tesela", "lint", "--list", "--json"], capture_output=True)
    peers = {peer["name"] for peer in json.loads(listed.stdout)}
    assert set(worker.RUNTIMES) <= peers
    assert set(nodes.ports("Resize", _core.since_version("Resize", 0))) == {"X", "roi", "scales", "sizes"}
