# SPDX-License-Identifier: Apache-2.0
"""Compares small models written by real exporters, by every route, with the runtime alone. The programs in
tests/live/exporters wrote them, and export the large ones."""

from __future__ import annotations

import json
import pathlib
import re
import sys

import pytest
import tesela

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "live" / "exporters"))
import compare
import differences
import document
from exported import RECORDED, ROOT, models_in

MODELS = models_in(RECORDED)


@pytest.fixture(scope="module")
def rows():
    return {row.model.name: row for row in compare.compare(MODELS)}


@pytest.mark.parametrize("name", [model.name for model in MODELS])
def test_loads_where_stock_loads_and_is_equal_or_differs_by_a_rule(name, rows):
    assert rows[name].faults == []


def test_the_document_has_these(rows):
    assert document.missing_from_document(rows.values()) == [], "tests/live/exporters/document.py --write makes the document"


def test_there_are_some_of_each_exporter_and_opset():
    assert len({model.about["exporter"] for model in MODELS}) >= 4
    assert {model.about["opset"] for model in MODELS} >= {0, *range(9, 24)}


def test_every_rule_is_in_the_document():
    assert {each.rule for each in differences.DIFFERENCES} <= compare.rules_of()
    for each in differences.LIMITS:
        assert each.text in " ".join((ROOT / "docs" / each.document).read_text().split())


@pytest.fixture(scope="module")
def findings():
    """What lint finds, by model: (rule, node, the effect in numbers)."""
    return {model.name: [(finding.rule, finding.node, finding.numbers) for finding in tesela.lint(model.path).findings]
            for model in MODELS}


def test_lint_finds_what_was_checked_by_hand(findings):
    """findings.json: each one was compared with what the runtime computes, or with what the exporter's source means."""
    checked = json.loads((RECORDED.parent / "findings.json").read_text())
    assert findings == {name: [tuple(each) for each in checked.get(name, [])] for name in findings}


@pytest.mark.parametrize("each", differences.DIFFERENCES, ids=lambda each: each.mark)
def test_lint_finds_what_differs_in_a_runtime(each, findings):
    runtimes = {"onnxruntime" if route in differences.INSIDE_ONNXRUNTIME else "openvino"
                for route in each.routes if route not in ("check", "inspect")}
    for name in findings:
        if re.search(each.models, name):
            found = {rule.split("/")[0] for rule, _, _ in findings[name]}
            assert runtimes <= found, name
