# SPDX-License-Identifier: Apache-2.0
"""Explanations equal the plan's tables in every bit, and their formulas give the positions."""

import json
import os
import pickle
import pty
import random
import re
import struct
import subprocess
import xml.etree.ElementTree as ElementTree
from fractions import Fraction

import jsonschema
import numpy as np
import pytest
import tesela
from cli_program import BAD, IO, LIMIT, PROGRAM, REPOSITORY, UNSUPPORTED, USAGE, fail, save_model, succeed
from onnx import TensorProto, helper

SCHEMA = json.loads((REPOSITORY / "docs" / "schemas" / "explain.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
COORDINATES = ["half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "half_pixel_symmetric", "tf_half_pixel_for_nn",
               "tf_crop_and_resize"]
NEAREST = ["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"]
POSITIONS = ["float32", "float64", "reciprocal64", "rounded64"]
PRESETS = ["pillow:bicubic", "pillow:bilinear", "pytorch:bilinear", "opencv:linear", "opencv:nearest", "torchvision:bicubic"]


def bits(value):
    return struct.pack("<d", value)


def draw(rng):
    """A plan of an axis, and the attributes that it has."""
    n, m = rng.randint(1, 40), rng.randint(1, 60)
    parameters = {"mode": rng.choice(["nearest", "linear", "cubic"]), "coordinate_transformation_mode": rng.choice(COORDINATES),
                  "nearest_mode": rng.choice(NEAREST)}
    if parameters["coordinate_transformation_mode"] == "tf_half_pixel_for_nn":
        parameters |= {"mode": "nearest", "opset": 11}
    elif parameters["mode"] != "nearest":
        parameters |= {"antialias": rng.random() < 0.4, "exclude_outside": parameters["mode"] == "cubic" and rng.random() < 0.4}
    if parameters["coordinate_transformation_mode"] == "tf_crop_and_resize":
        start = rng.uniform(-0.5, 1)
        parameters["roi"] = [start, rng.choice([1 - start, start + rng.uniform(-0.5, 1.5)])]
    if rng.random() < 0.4:
        parameters["scales"] = [np.float32((m + rng.random()) / n)]
    else:
        parameters["sizes"] = [m]
        if parameters["coordinate_transformation_mode"] in COORDINATES[:4] and rng.random() < 0.3:
            parameters["coordinates"] = rng.choice(POSITIONS)
    dtype = rng.choice(["float32", "float64", "uint8"])
    if dtype == "uint8" and parameters["mode"] != "nearest" and rng.random() < 0.5:
        parameters |= {"weights": rng.choice(["fixed8", "fixed22", "int16"])}
    return tesela.Plan("resize", (n,), dtype, **parameters)


def equals_the_table(plan, document):
    """Checks every output of the document; returns how many."""
    VALIDATOR.validate(document)
    checked = 0
    for axis in document["axes"]:
        for row in axis["outputs"]:
            table = plan.axis(axis["axis"], row["output"], 1)
            assert row["count"] == table.count[0]
            if row["count"] > 0:
                assert row["first"] == table.first[0]
                assert (row["weights"] is None) == (table.weights is None)
            if row["weights"]:
                assert [bits(weight) for weight in row["weights"]] == [bits(weight) for weight in table.weights[0][: row["count"]]]
            assert (row["border"] == "extrapolated") == (row["count"] == 0)
            checked += 1
    return checked


def evaluated(formula, i, number):
    """The formula with its numbers as `number`, for output i."""
    text = re.sub(r"(?<![\w.])(\d+(\.\d+)?(e[-+]?\d+)?)", r"number('\1')", formula.removeprefix("x = "))
    return eval(text, {"number": number, "i": number(i)})


def formula_gives_the_positions(axis):
    """Of exact positions and of those in doubles as written; returns how many were compared."""
    positions = axis["rules"].get("positions", "")
    compared = 0
    for row in axis["outputs"]:
        if positions == "exact fractions":
            exact = evaluated(axis["formula"], row["output"], Fraction)
            assert exact == Fraction(row["exact"]) and bits(float(exact)) == bits(row["x"])
            assert row["tie"] == ((exact - exact.__floor__()) == Fraction(1, 2))
        elif positions == "doubles, from left to right as written":
            assert float(evaluated(axis["formula"], row["output"], float)) == row["x"]
        else:
            continue
        compared += 1
    return compared


def check_random(seed, plans):
    rng = random.Random(seed)
    outputs = compared = 0
    kinds = set()
    for _ in range(plans):
        plan = draw(rng)
        document = plan.explain(outputs=(0, plan.output_shape[0]) if plan.describe()["passes"] else None).as_dict()
        outputs += equals_the_table(plan, document)
        for axis in document["axes"]:
            compared += formula_gives_the_positions(axis)
            kinds |= {(row["border"], row["tie"]) for row in axis["outputs"]} | {axis["rules"]["positions"]}
    return outputs, compared, kinds


def test_random_plans():
    outputs, compared, kinds = check_random(7, 600)
    assert outputs > 10_000 and compared > 5_000
    for border in ("none", "clamped", "folded", "dropped"):
        assert (border, True) in kinds and (border, False) in kinds
    assert ("extrapolated", False) in kinds
    assert sum("rounded" in kind for kind in kinds if isinstance(kind, str)) == len(POSITIONS)


@pytest.mark.parametrize("name", PRESETS)
def test_presets(name):
    plan = tesela.plan("resize", (37, 21, 3), "uint8", sizes=(11, 30), like=name)
    explanation = plan.explain()
    document = explanation.as_dict()
    assert document["title"] == f"like={name}" == explanation.text().splitlines()[0]
    assert equals_the_table(plan, document) > 10
    assert str(pickle.loads(pickle.dumps(plan)).explain()) == str(explanation)


def test_fields_are_named():
    plan = tesela.plan("resize", (37, 21), "uint8", sizes=(11, 30), mode="linear", weights="fixed22", coordinates="float32",
                       intermediate="uint8", order="last_axis_first")
    document = plan.explain().as_dict()
    assert document["fields"] == ["coordinates=float32", "weights=fixed22", "intermediate=uint8"]
    assert document["rules"]["passes"] == "axis 1, then axis 0"
    assert [(axis["axis"], axis["pass"]) for axis in document["axes"]] == [(0, 2), (1, 1)]


def test_half_a_pixel():
    text = str(tesela.plan("resize", (1, 4), sizes=(1, 8), mode="linear").explain())
    assert "x = (i + 0.5) * 1/2 - 0.5" in text and "scale 2" in text and "axis 0: unchanged, output i is input i" in text
    assert re.search(r"^ +0 +-1/4 = -0.25 +0: 1 \(-1 onto 0\)$", text, re.MULTILINE)
    assert re.search(r"^ +2 +3/4 = 0.75 +0: 0.25, 1: 0.75$", text, re.MULTILINE)


def test_ties_and_clamping_of_nearest():
    text = str(tesela.plan("resize", (4,), sizes=(2,), mode="nearest").explain())
    assert re.search(r"1/2 = 0.5 +0 \(tie, rounded down\)", text)
    plan = tesela.plan("resize", (2,), sizes=(9,), mode="nearest", nearest_mode="floor")
    assert "(rounded down, -1 clamped to 0)" in str(plan.explain())


def test_tiles_and_fills():
    tile = tesela.plan("tile", (3, 2), repeats=(2, 1)).explain()
    assert [row["first"] for row in tile.as_dict()["axes"][0]["outputs"]] == [0, 1, 2, 0, 1, 2]
    assert "output i is input i mod 3" in str(tile)
    fill = tesela.plan("constant_of_shape", (2, 3), value=np.float32(0.1)).explain()
    assert "every output is 0.1" in str(fill) and fill.as_dict()["axes"] == []
    large = tesela.plan("constant_of_shape", (2,), value=np.uint64(2**64 - 1)).explain()
    assert "every output is 18446744073709551615" in str(large)
    for explanation in (tile, fill, large):
        VALIDATOR.validate(explanation.as_dict())
        ElementTree.fromstring(explanation.svg())


@pytest.mark.parametrize("width", [20, 21, 33, 40, 57, 80, 120, 300])
def test_no_line_is_wider(width):
    plans = [tesela.plan("resize", (7, 9), sizes=(1000, 3), mode="cubic", antialias=True),
             tesela.plan("resize", (5,), scales=[3.7], mode="linear", coordinate_transformation_mode="tf_crop_and_resize", roi=[-0.3, 1.2]),
             tesela.plan("resize", (100_000,), sizes=(99_991,), mode="linear"),
             tesela.plan("tile", (3, 2), repeats=(2, 1))]
    for plan in plans:
        lines = plan.explain().text(width).splitlines()
        assert all(len(line) <= width and line == line.rstrip() for line in lines)
        # The words and numbers are those of any other width.
        words = re.sub(r"\s", "", "".join(line for line in lines if not set(line) & set("|^=!#x")))
        assert len(words) > 30


def test_long_axes_are_bounded():
    plan = tesela.plan("resize", (2**38,), "uint8", sizes=(2**39,), mode="linear")
    document = plan.explain().as_dict()
    assert [row["output"] for row in document["axes"][0]["outputs"]] == [*range(8), *range(2**39 - 8, 2**39)]
    assert equals_the_table(plan, document) == 16
    assert f"... {2**39 - 16} more outputs" in str(plan.explain())
    with pytest.raises(tesela.LimitError, match="65536 outputs"):
        plan.explain(outputs=(0, 2**39))
    assert len(plan.explain(outputs=(2**38, 2**38 + 5)).as_dict()["axes"][0]["outputs"]) == 5
    wide = tesela.plan("resize", (2**30,), sizes=(3,), mode="linear", antialias=True)
    with pytest.raises(tesela.LimitError, match="taps"):
        wide.explain()
    with pytest.raises(tesela.LimitError):
        tesela.plan("resize", (4,), sizes=(1000,), mode="linear").explain(outputs=(0, 600)).svg()


@pytest.mark.parametrize("arguments, kind, words", [
    ({"axis": 2}, tesela.InvalidValueError, "axis is 2; expected"),
    ({"axis": [1, 1]}, tesela.InvalidValueError, "axis 1 is given twice"),
    ({"axis": -3}, tesela.InvalidValueError, "axis is -3; expected"),
    ({"axis": "x"}, tesela.Error, "axis"),
    ({"outputs": (0, 9)}, tesela.InvalidValueError, "expected a part of 0 to 7"),
    ({"outputs": (3, 3)}, tesela.ArgumentError, "outputs"),
    ({"outputs": 3}, tesela.ArgumentError, "outputs"),
])
def test_bad_arguments(arguments, kind, words):
    plan = tesela.plan("resize", (3, 4), sizes=(3, 8), mode="linear")
    with pytest.raises(kind, match=re.escape(words)):
        plan.explain(**{"axis": 1} | arguments)


@pytest.mark.parametrize("width", [19, 0, -5, 10_001, 2**40, "x", 80.5])
def test_bad_widths(width):
    with pytest.raises(tesela.Error, match="width"):
        tesela.plan("tile", (2,), repeats=(2,)).explain().text(width)


def test_drawings():
    plans = [tesela.plan("resize", (12, 9), sizes=(5, 40), mode="cubic", antialias=True),
             tesela.plan("resize", (5,), scales=[3.0], mode="linear", coordinate_transformation_mode="tf_crop_and_resize", roi=[-0.3, 1.2])]
    for plan in plans:
        drawing = plan.explain().svg()
        root = ElementTree.fromstring(drawing)
        space = {"s": "http://www.w3.org/2000/svg"}
        assert root.find("s:title", space).text and root.find("s:desc", space).text and "viewBox" in root.attrib
        assert "script" not in drawing and "prefers-color-scheme: dark" in drawing
        rows = [row for axis in plan.explain().as_dict()["axes"] for row in axis["outputs"]]
        titles = [group.find("s:title", space).text for group in root.iter("{http://www.w3.org/2000/svg}g")]
        assert [int(re.match(r"output (\d+)", title)[1]) for title in titles] == [row["output"] for row in rows]
        lines = sum(1 for _ in root.iter("{http://www.w3.org/2000/svg}line"))
        assert lines == sum(sum(1 for weight in row["weights"] if weight != 0) for row in rows)
        assert plan.explain()._repr_svg_() == drawing


# ---- The command line ------------------------------------------------------------------------------------------------

CASE = "linear float 1x3x4x4 -> 1x3x8x8"


def test_command():
    plan = tesela.plan("resize", (1, 3, 4, 4), sizes=(1, 3, 8, 8), mode="linear")
    assert succeed("explain", CASE).rstrip("\n") == str(plan.explain())
    assert json.loads(succeed("explain", "--json", CASE)) == plan.explain().as_dict()
    assert succeed("explain", CASE, "--svg") == plan.explain().svg()
    words = ("--axis", "3", "--outputs", "2:5")
    assert json.loads(succeed("explain", f"name: {CASE}", "--json", *words)) == plan.explain(3, (2, 5)).as_dict() | {"title": "name"}
    assert succeed("explain", CASE, "--width", "50").rstrip("\n") == plan.explain().text(50).rstrip("\n")


def test_every_workload_is_explained():
    """The cases that are tested and measured."""
    listed = json.loads(succeed("bench", "--file", REPOSITORY / "tests" / "cases.txt", "--list", "--json"))
    cases = [f"{case['name']}: {case['case']}" for case in listed["cases"]]
    assert len(cases) > 30
    for case in cases:
        VALIDATOR.validate(json.loads(succeed("explain", case, "--json")))


@pytest.mark.parametrize("status, words, message", [
    (USAGE, [], "CASE"),
    (USAGE, ["linear"], "expected WORDS TYPE IN -> OUT"),
    (USAGE, [CASE, "--outputs", "5"], "expected LO:HI"),
    (USAGE, [CASE, "--outputs", "5:5"], "LO below HI"),
    (USAGE, [CASE, "--outputs", "-1:5"], "--outputs"),
    (USAGE, [CASE, "--outputs", "0:99999999999999999999"], "--outputs"),
    (USAGE, [CASE, "--width", "19"], "--width"),
    (USAGE, [CASE, "--width", "10001"], "--width"),
    (USAGE, [CASE, "--axis", "x"], "--axis"),
    (USAGE, [CASE, "--json", "--svg"], "--json"),
    (BAD, [CASE, "--axis", "4"], "axis 4; expected 0 to 3"),
    (BAD, [CASE, "--axis", "2,2"], "given twice"),
    (BAD, [CASE, "--outputs", "0:9"], "expected a part of 0 to 7"),
    (LIMIT, ["linear uint8 549755813888 -> 1099511627776", "--outputs", "0:1099511627776"], "65536 outputs"),
    (LIMIT, ["linear antialias uint8 1099511627776 -> 3"], "taps"),
])
def test_bad_command_lines(status, words, message):
    assert message in fail(status, "explain", *words)


def test_the_width_is_the_terminals():
    ours, theirs = pty.openpty()
    import fcntl
    import termios

    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 37, 0, 0))
    subprocess.run([PROGRAM, "explain", "nearest float 3 -> 5"], stdout=theirs, check=True, timeout=60)
    os.close(theirs)
    shown = os.read(ours, 1 << 16).decode().replace("\r\n", "\n")
    os.close(ours)
    assert shown == succeed("explain", "nearest float 3 -> 5", "--width", "37")


# ---- Models ----------------------------------------------------------------------------------------------------------

@pytest.fixture
def model(tmp_path):
    """Nodes "up" and "stage:in", and "inner" in both branches of an If. The file's name has a colon."""
    def resize(data, output, name):
        return helper.make_node("Resize", [data, "", "scales"], [output], name=name, mode="linear")

    def branch(name):
        output = helper.make_tensor_value_info(f"{name}_y", TensorProto.FLOAT, None)
        return helper.make_graph([resize("r", f"{name}_y", "inner")], name, [], [output])

    nodes = [helper.make_node("Relu", ["x"], ["r"], name="relu"), helper.make_node("Mystery", ["x"], ["m"], name="mystery", domain="elsewhere"),
             resize("r", "y", "up"), resize("m", "z", "stage:in"),
             helper.make_node("If", ["c"], ["w"], name="if", then_branch=branch("a"), else_branch=branch("b"))]
    return save_model(tmp_path / "a:b.onnx", nodes, {"x": (TensorProto.FLOAT, ["N", "H"]), "c": (TensorProto.BOOL, [])},
                      {"y": (TensorProto.FLOAT, None), "z": (TensorProto.FLOAT, None), "w": (TensorProto.FLOAT, None)},
                      initializers={"scales": np.array([1, 2.5], np.float32)})


def test_nodes_of_models(model):
    expected = tesela.plan("resize", (3, 4), scales=(1, 2.5), mode="linear").explain().as_dict()
    for words in ([f"{model}:up", "--shape", "x=3x4"], [f"{model}:#1", "--shape", "x=3x4"],
                  [f"{model}:stage:in", "--shape", "m=float:3x4"],
                  [f"{model}:If node 'if' then_branch: inner", "--shape", "x=3x4"]):
        document = json.loads(succeed("explain", *words, "--json"))
        assert document == expected | {"title": words[0][len(str(model)) + 1:]}
    assert succeed("explain", "--shape", "x=3x4", "--", "-:up", input=model.read_bytes()) == succeed("explain", f"{model}:up", "--shape", "x=3x4")
    assert tesela.explain(model, "up", shapes={"x": (3, 4)}).as_dict() == expected | {"title": "up"}
    assert tesela.load(model).explain("stage:in", shapes={"m": np.zeros((3, 4), np.float32)}).as_dict() == expected | {"title": "stage:in"}
    assert equals_the_table(tesela.plan("resize", (3, 4), scales=(1, 2.5), mode="linear"), expected) == 10


@pytest.mark.parametrize("status, node, words, message", [
    (BAD, "", [], "the model has 4 nodes of Tesela's operators; give one of #1 to #4"),
    (BAD, ":up", [], "input 'x': extents that are not numbers: N, H); give shapes, such as x="),
    (BAD, ":stage:in", ["--shape", "x=3x4"], "Mystery node 'mystery': Tesela does not infer shapes"),
    (BAD, ":stage:in", ["--shape", "m=3x4"], "input 'X' has an unknown element type"),
    (BAD, ":upp", [], "did you mean 'up'?"),
    (BAD, ":#5", [], "#1 to #4"),
    (BAD, ":inner", ["--shape", "x=3x4"], "'inner' names 2 nodes"),
    (BAD, ":up", ["--shape", "q=3x4"], "no value 'q'"),
    (BAD, ":up", ["--shape", "x=3"], "input 'x' is declared as"),
    (BAD, ":up", ["--shape", "x=double:3x4"], "input 'x' is declared as"),
    (BAD, ":up", ["--shape", "x=3x4", "--shape", "x=3x4"], "'x' is given twice"),
    (UNSUPPORTED, ":relu", [], "Relu node 'relu' is not an operator of Tesela"),
    (USAGE, ":up", ["--shape", "x"], "expected NAME=EXTENTS"),
    (USAGE, ":up", ["--shape", "x=3x-4"], "--shape"),
    (USAGE, ":up", ["--shape", "x=thing:3x4"], "'thing' is not an element type"),
    (USAGE, ":up", ["--shape", "x=99999999999999999999"], "--shape"),
    (BAD, ":up", ["--shape", "x=9223372036854775807x4"], "more than 2^63 - 1 elements"),
])
def test_bad_nodes(model, status, node, words, message):
    assert message in fail(status, "explain", f"{model}{node}", *words)


def test_models_that_do_not_exist(tmp_path):
    assert "No such file" in fail(IO, "explain", tmp_path / "none.onnx:up")
    assert "is not a file" in fail(USAGE, "explain", CASE, "--shape", "x=3")


def test_nodes_of_irs():
    folder = REPOSITORY / "tests" / "live" / "exporters" / "recorded"
    document = json.loads(succeed("explain", folder / "linear-1d-openvino.xml", "--json"))
    VALIDATOR.validate(document)
    assert document["work"] == "resize linear" and document["axes"][0]["output_extent"] == 17


@pytest.mark.parametrize("arguments", [{"node": 3}, {"shapes": [3]}, {"shapes": {3: (1,)}}, {"shapes": {"x": (-1, 3)}}, {"shapes": {"x": "ab"}}])
def test_bad_arguments_for_models(model, arguments):
    with pytest.raises(tesela.Error, match="explain"):
        tesela.load(model).explain(**{"node": "up"} | arguments)
    with pytest.raises(tesela.ArgumentError, match="are for models"):
        tesela.explain(tesela.plan("tile", (2,), repeats=(2,)), "up")


if __name__ == "__main__":
    import sys

    print(*check_random(int(sys.argv[1]), int(sys.argv[2]))[:2])
