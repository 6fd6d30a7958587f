# SPDX-License-Identifier: Apache-2.0
"""tesela bench: reads cases like the tests do, and measures them."""

import json
import sys

import pytest
from cli_program import IO, REPOSITORY, UNSUPPORTED, USAGE, fail, succeed

sys.path.append(str(REPOSITORY / "tests" / "conformance"))

import workload

CASE = "linear float 2x3 -> 4x6"


def measured(*words) -> list[dict]:
    return json.loads(succeed("bench", "--json", "--seconds", "0", *words))["cases"]


def test_every_case_is_read_as_the_tests_read_it(tmp_path):
    cases = [case.shrunk(16) for case in workload.read_all()]
    file = tmp_path / "cases.txt"
    file.write_text("# a comment\n\n" + "\n".join(map(str, cases)))
    found = measured("--file", file)
    assert [entry["name"] for entry in found] == [case.name for case in cases]
    for entry, case in zip(found, cases):
        assert entry["operator"] == case.operator and entry["dtype"] == case.dtype
        assert (tuple(entry["input"]), tuple(entry["output"])) == (case.source, case.target)
        assert entry["attributes"] == pytest.approx(case.attributes) and entry["value"] == case.value
        assert 0 < entry["min_ns"] <= entry["median_ns"] and entry["planned_min_ns"] > 0
        assert entry["cached_min_ns"] > 0


def test_prints_one_line_per_case():
    lines = succeed("bench", "--seconds", "0.01", CASE, "tiny: fill uint8 -> 8 value=3").splitlines()
    assert len(lines) == 2
    assert lines[0].startswith(CASE + ": min ") and " GB/s, with planning " in lines[0]
    assert ", with a plan from a cache " in lines[0]
    assert lines[1].startswith("tiny: fill uint8 -> 8 value=3: min ")


def test_names_choose_among_the_cases_of_a_file():
    [entry] = measured("--file", workload.FILE, "tiny.resize")
    assert entry["case"] == "linear float 1x3x8x8 -> 1x3x16x16" and entry["bytes"] == 3 * (64 + 256) * 4


def test_list_shows_parsed_cases_without_measuring():
    line = "Resize-18 cubic antialias uint8 1000x1000000 -> 1000x500000 cubic_coeff_a=-0.5"
    [entry] = json.loads(succeed("bench", "--list", "--json", "big: " + line))["cases"]
    assert (entry["name"], entry["case"], entry["since_version"]) == ("big", line, 18)
    assert entry["attributes"] == {"mode": "cubic", "antialias": 1, "cubic_coeff_a": -0.5}
    assert (entry["words"], entry["numbers"]) == (["Resize-18", "cubic", "antialias"], ["cubic_coeff_a=-0.5"])
    assert "min_ns" not in entry
    assert succeed("bench", "--list", "big: " + line) == f"big: {line}\n"


def test_listed_numbers_may_be_infinite():
    """JSON has no infinities."""
    line = "tf_crop_and_resize nearest float 2 -> 4 extrapolation_value="
    for number, shown in (("inf", "inf"), ("-inf", "-inf"), ("nan", "nan"), ("2", 2.0)):
        [entry] = json.loads(succeed("bench", "--list", "--json", line + number))["cases"]
        assert entry["attributes"]["extrapolation_value"] == shown
    assert json.loads(succeed("bench", "--list", "--json", "fill float -> 2 value=inf"))["cases"][0]["value"] == "inf"


def test_listed_crop():
    line = "linear tf_crop_and_resize float 2x3 -> 4x6 roi=0,-0.5,1,inf"
    [entry] = json.loads(succeed("bench", "--list", "--json", line))["cases"]
    assert entry["roi"] == [0, -0.5, 1, "inf"]


def test_gap_is_not_counted_in_bytes():
    [entry] = measured("nearest float 5x90 -> 5x97 gap=2")
    assert entry["gap"] == 2 and entry["bytes"] == 5 * (90 + 97) * 4


def test_layouts_do_not_change_the_bytes():
    [entry] = measured("linear uint8 1x3x5x9 -> 1x3x10x18 input_order=0,2,3,1 output_order=3,2,1,0 gap=1")
    assert (entry["input_order"], entry["output_order"]) == ([0, 2, 3, 1], [3, 2, 1, 0])
    assert entry["bytes"] == 3 * (5 * 9 + 10 * 18)


def test_wrong_line_of_a_file_is_named(tmp_path):
    file = tmp_path / "cases.txt"
    file.write_text(f"# a comment\n\n{CASE}\nliner float 2x3 -> 4x6\n")
    message = fail(USAGE, "bench", "--file", file)
    assert "line 4: Resize-19: the word 'liner' is unknown; did you mean 'linear'?" in message


def test_help_lists_the_words_of_the_library():
    text = succeed("bench", "--help")
    for row in json.loads(succeed("ops", "--json"))["operators"]:
        for attribute in row["attributes"] if (row["operator"], row["since_version"]) == ("Resize", 19) else []:
            assert all(value in text for value in attribute.get("allowed") or [])


def test_version_and_reference():
    [entry] = measured("--reference", "--threads", "1", "Resize-13 " + CASE)
    assert entry["since_version"] == 13


@pytest.mark.parametrize("words, status, message", [
    ([], USAGE, "a case is missing"),
    (["R1.f32"], USAGE, "no case is named 'R1.f32'"),
    (["--file", workload.FILE, "R1"], USAGE, "no case is named 'R1'"),
    (["--file", "/nonexistent"], IO, "cannot read '/nonexistent': No such file or directory"),
    (["--file", "/"], IO, "cannot read '/': Is a directory"),
    (["--seconds", "-1", CASE], USAGE, "--seconds"),
    (["linear float 2x3 ->"], USAGE, "no shape"),
    (["linear flot 2x3 -> 4x6"], USAGE, "did you mean 'float'?"),
    (["bilinear float 2x3 -> 4x6"], USAGE, "did you mean 'linear'?"),
    (["linear float 2x3"], USAGE, "expected WORDS"),
    (["quick float 2x3 -> 4x6"], USAGE, "'quick'"),
    (["linear float 2x3 -> 4xa"], USAGE, "'a'"),
    (["linear float 2x3 -> 4x6 speed=3"], USAGE, "'speed'"),
    (["linear float 2x3 -> 4x6x1"], USAGE, "different numbers of axes"),
    (["tile float 2x3 -> 5x6"], USAGE, "whole extents"),
    (["Resize-99 " + CASE], UNSUPPORTED, "99"),
])
def test_errors_name_the_wrong_word(words, status, message):
    assert message in fail(status, "bench", *words)
