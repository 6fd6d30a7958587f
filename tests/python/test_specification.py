# SPDX-License-Identifier: Apache-2.0
"""The specification's rules have names and tests, its examples run, its figures and vectors are current, and the library gives
the vectors."""

import collections
import importlib.util
import pathlib
import re
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "specification"
sys.path.append(str(ROOT / "tests" / "specification"))

import make_vectors
import vectors
from named_tests import names_a_test

DOCUMENTS = {path.name: path.read_text() for path in sorted(FOLDER.glob("*.md"))}
NAME = r"(?:COM|RESIZE|TILE|FILL|OV)-[A-Z]+-\d+"
VECTORS = vectors.read()
CHUNK = 200


def rules() -> dict[str, str]:
    """The text of each rule, from its heading to the next."""
    found = {}
    for text in DOCUMENTS.values():
        for part in re.split(r"^#{2,4} ", text, flags=re.MULTILINE):
            if named := re.match(rf"({NAME}): ", part):
                found[named[1]] = part
    return found


RULES = rules()


def places_of(rule: str) -> list[str]:
    return re.findall(r"`(tests/[^`]*::[^`]*)`", RULES[rule].partition("\nTests: ")[2])


def test_rules_have_unique_names():
    headings = [name for text in DOCUMENTS.values() for name in re.findall(rf"^#### ({NAME}): .", text, re.MULTILINE)]
    assert [name for name, count in collections.Counter(headings).items() if count > 1] == []
    assert set(headings) == set(RULES) and len(RULES) > 90
    # Each kind of a document's rules is numbered from 1, without gaps.
    numbers = collections.defaultdict(list)
    for name in headings:
        kind, _, number = name.rpartition("-")
        numbers[kind].append(int(number))
    assert {kind: found for kind, found in numbers.items() if found != [*range(1, len(found) + 1)]} == {}


def test_every_rule_that_is_named_exists():
    for document, text in DOCUMENTS.items():
        assert set(re.findall(NAME, text)) <= set(RULES), document


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_tests(rule):
    places = places_of(rule)
    assert places and [place for place in places if not names_a_test(place)] == []


def test_other_tests_that_are_named_exist():
    for text in DOCUMENTS.values():
        for place in re.findall(r"`(tests/[^`]*::[^`]*)`", text):
            assert names_a_test(place), place


def test_links_lead_somewhere():
    for document, text in [*DOCUMENTS.items(), ("../semantics.md", (ROOT / "docs" / "semantics.md").read_text())]:
        for path, anchor in re.findall(r"\]\(([^)#]*)(#[^)]*)?\)", text):
            target = ((FOLDER / document).parent / path).resolve() if path else FOLDER / document
            assert target.exists(), f"{document}: {path}"
            if anchor:
                headings = re.findall(r"^#+ (.*)$", target.read_text(), re.MULTILINE)
                known = {re.sub(r"[^a-z0-9 _-]", "", heading.lower()).replace(" ", "-") for heading in headings}
                assert anchor[1:] in known, f"{document}: {path}{anchor}"


@pytest.mark.parametrize("document", [name for name, text in DOCUMENTS.items() if "```python" in text])
def test_examples_hold(document, monkeypatch):
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r"```python\n(.*?)```", DOCUMENTS[document], re.DOTALL)
    exec(compile("\n".join(blocks), document, "exec"), {"__name__": "example", "call": vectors.call})


def test_figures_are_current():
    spec = importlib.util.spec_from_file_location("specification_figures", FOLDER / "figures.py")
    figures = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(figures)
    drawings = figures.drawings()
    assert {path.name: path.read_text() for path in drawings} == {path.name: text for path, text in drawings.items()}
    for path in drawings:
        assert any(f"../images/{path.name})" in text for text in DOCUMENTS.values()), path.name


# --- Vectors -----------------------------------------------------------------------------------------


def test_vectors_are_those_of_their_script():
    assert vectors.FILE.read_text() == vectors.text_of(make_vectors.made())
    assert vectors.FILE.stat().st_size < 550_000


def test_vectors_reach_everything():
    ops = {(vector.get("domain", ""), vector["op"], vector["version"]) for vector in VECTORS if "output" in vector}
    versions = {"Resize": [10, 11, 13, 18, 19], "Upsample": [1, 7, 9], "Tile": [1, 6, 13], "ConstantOfShape": [9, 20, 21, 23, 24, 25]}
    assert ops >= {("", op, version) for op, known in versions.items() for version in known} | {
        ("openvino", "Tile", 1), *(("openvino", "Interpolate", version) for version in (1, 4, 11))}
    types = {vector["output"][0] for vector in VECTORS if "output" in vector}
    assert types == set(vectors.NUMPY_TYPES)
    words = {str(value) for vector in VECTORS for value in vector.get("attributes", {}).values()}
    assert {"nearest", "linear", "cubic", "half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_half_pixel_for_nn",
            "tf_crop_and_resize", "half_pixel_symmetric", "round_prefer_floor", "round_prefer_ceil", "floor", "ceil", "simple",
            "not_larger", "not_smaller", "linear_onnx", "bilinear_pillow", "bicubic_pillow"} <= words
    assert sum("refused" in vector for vector in VECTORS) > 100 and len(VECTORS) > 1800


@pytest.mark.parametrize("backend", [vectors.AUTO, vectors.REFERENCE], ids=["auto", "reference"])
@pytest.mark.parametrize("start", range(0, len(VECTORS), CHUNK))
def test_the_library_gives_the_vectors(start, backend):
    for number, vector in enumerate(VECTORS[start : start + CHUNK], start):
        fault = vectors.fault(vector, backend)
        assert not fault, f"vector {number}, {vector}: {fault}"


def test_a_wrong_output_is_noticed():
    right = next(vector for vector in VECTORS if vector.get("attributes", {}).get("mode") == "linear" and "output" in vector)
    dtype, shape, elements = right["output"]
    wrong = right | {"output": [dtype, shape, ("B" if elements[0] == "A" else "A") + elements[1:]]}
    assert vectors.fault(right) == "" and vectors.fault(wrong) != ""
    assert vectors.fault(right | {"refused": "value"}) != ""
    assert vectors.fault(next(vector for vector in VECTORS if "refused" in vector) | {"refused": ""}) != ""
