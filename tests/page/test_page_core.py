# SPDX-License-Identifier: Apache-2.0
"""The core of the interactive page in node: the bits of the native library, the texts to copy, links and errors."""

from __future__ import annotations

import json

import numpy as np
import onnx.parser
import pytest
import tesela
from page_build import CORE, MANIFEST, PAGE, data, node
from tesela import _preset_calls


def test_digests_of_10000_cases():
    assert node("node_digests.mjs", 100).split() == MANIFEST[:100]


def test_the_page_is_smaller_than_1_mb():
    assert PAGE.stat().st_size < 1_000_000
    assert CORE.stat().st_size < 1_000_000


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    presets = tmp_path_factory.mktemp("page") / "presets.json"
    presets.write_text(json.dumps(data()["presets"]))
    return json.loads(node("node_calls.mjs", presets, 7, 400))


DTYPES = {"uint8": np.uint8, "float": np.float32, "double": np.float64}


def arrays(result):
    x = np.frombuffer(bytes.fromhex(result["x"]), np.uint8).reshape(result["shape"])
    dtype = DTYPES[result["dtype"]]
    return x.astype(DTYPES[result["type"]]), np.frombuffer(bytes.fromhex(result["y"]), dtype).reshape(result["extents"])


def test_draws_reach_presets_rules_and_sizes(drawn):
    fine = [result for result in drawn if "error" not in result]
    assert len(fine) > 250
    assert {result["dtype"] for result in fine} == {"uint8", "float", "double"}
    assert len({result["like"] for result in fine}) > 25
    assert any("scales=" in result["python"] for result in fine)
    assert any("roi=" in result["python"] for result in fine)


def test_python_calls_give_the_same_bits(drawn):
    for result in drawn:
        if "error" in result:
            continue
        x, y = arrays(result)
        names = {"x": x}
        try:
            exec(result["python"], names)  # the text that the page shows
        except tesela.ShapeError:  # the package refuses empty results of libraries, and PyTorch's of one column with antialias
            assert 0 in y.shape or (y.shape[3] == 1 and result["like"].startswith(("pytorch", "torchvision")))
            continue
        assert names["y"].dtype == y.dtype, result["python"]
        np.testing.assert_array_equal(names["y"], y, err_msg=result["python"])


def test_onnx_nodes_give_the_same_bits(drawn):
    tried = 0
    for result in drawn:
        if "error" in result or not result["isPlain"]:
            continue
        x, y = arrays(result)
        model = tesela.load(onnx.parser.parse_model(result["onnx"]))
        np.testing.assert_array_equal(model.run({"X": x.astype(y.dtype)})["Y"], y, err_msg=result["onnx"])
        tried += 1
    assert tried > 100


def test_presets_are_those_of_the_package():
    presets = data()["presets"]
    assert {"pytorch", "opencv", "tensorflow", "pillow-11", "torchvision"} <= {preset["library"] for preset in presets}
    for preset in presets:
        assert preset["attributes"] == dict(tesela.presets.attributes(preset["name"]))


def test_every_preset_of_the_package_is_there():
    presets = {preset["name"]: preset for preset in data()["presets"]}
    assert set(presets) == set(tesela.presets.names)
    without_bytes = {name for name, preset in presets.items() if "uint8" not in preset["types"]}
    assert without_bytes == {name for name in presets if "trilinear" in name}
    assert all("float" in preset["types"] for preset in presets.values())


def test_pillows_order_of_axes_is_that_of_the_package():
    sides = [1, 2, 5, 40, 101, 505]
    given = [((h, w), (high, wide)) for h in sides for w in sides for high in sides for wide in sides]
    answers = json.loads(node("node_orders.mjs", json.dumps(given)))
    assert answers["interleaved"] == ["interleaved"] * len(given)
    for rule, is_rows_first in _preset_calls._ROWS_FIRST.items():
        wanted = ["first_axis_first" if is_rows_first((h, high), (w, wide)) else "last_axis_first" for (h, w), (high, wide) in given]
        assert answers[rule] == wanted and len(set(wanted)) == 2


def test_links():
    links = ["a.mode=linear&height=7&b.like=pytorch:bilinear", "a.mode=%3Cscript%3E&height=9", "height=1e99&width=5", "roi=1,2,3",
             "a.antialias=2", "b.like=rules:openvino&by=scales&scale_h=0.25&junk=1", "%E0%A4%A", "a.cubic_coeff_a=", "first=-1",
             "roi=0.1,0.2,1.5,2&a.coordinate_transformation_mode=tf_crop_and_resize", "shown=c"]
    answers = json.loads(node("node_state.mjs", json.dumps(links)))
    assert [bool(answer["error"]) for answer in answers] == [False, True, True, True, True, False, False, True, True, False, True]
    assert answers[0]["written"] == "a.mode=linear&b.like=pytorch:bilinear&height=7"
    assert answers[1]["written"] == "height=9" and "'<script>'; expected one of nearest, linear, cubic" in answers[1]["error"]
    # What is written is read back.
    again = json.loads(node("node_state.mjs", json.dumps([answer["written"] for answer in answers])))
    assert [answer["written"] for answer in again] == [answer["written"] for answer in answers]
    assert not any(answer["error"] for answer in again)


def test_links_of_draws_are_read_back(drawn):
    links = [result["link"] for result in drawn[:60] if not result["like"] or result["like"].startswith("rules:")]
    again = json.loads(node("node_state.mjs", json.dumps(links)))
    assert [answer["written"] for answer in again] == links


# The core reads numbers by another function than the native library.
NUMBERS = ["2,2", "2.5e0,2", "1e+0,2", "+2,2", " 2,2", "2, 2", "2 ,2", "0x1,2", "2,0x1p1", "2,", ",2", "", "1e400,2", "nan,2", "inf,2", "-2,2",
           "2,2.0000000000000004", ".5,2", "5.,2", "1e,2", "2;2", "0.1,0.30000000000000004", "1e-320,2", "1d,2"]


def native_message(text: str) -> str:
    try:
        tesela.plan("resize", (1, 3, 4, 4), "uint8", sizes=(8, 8), axes=(2, 3), mode="linear", position_scales=text)
    except tesela.Error as error:
        return str(error)
    return ""


def test_errors():
    answers = json.loads(node("node_faults.mjs", json.dumps(NUMBERS)))
    assert answers["numbers"] == [native_message(text) for text in NUMBERS]
    assert answers["mode"].startswith("Resize-19: attribute 'mode' is 'cubik'")
    assert answers["sizes"] == "Resize-19: input 'sizes' has length 1; expected 2 (one for each of 'axes')"
    assert "both 'scales' and 'sizes'" in answers["both"]
    assert answers["number"] == "sizes has an entry that is not a number below 1e15"
    assert "the limit is" in answers["large"]
    assert "plan field 'rules' is 'mxnet'" in answers["field"]
    assert "than the page has" in answers["memory"]
    assert answers["explain"] == "this call needs more memory than the page has" and answers["stopped"]
    assert answers["after"] == [8, 8, 3]
