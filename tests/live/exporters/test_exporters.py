# SPDX-License-Identifier: Apache-2.0
"""Compares every model that `make soak` exports by every route; tests/python/test_exporters.py has those of the repository."""

from __future__ import annotations

import document
import pytest
from compare import compare
from exported import BUILT, RECORDED, models_in

MODELS = models_in(BUILT)


@pytest.fixture(scope="module")
def rows():
    return {row.model.name: row for row in compare(MODELS)}


@pytest.mark.parametrize("name", [model.name for model in MODELS])
def test_loads_where_stock_loads_and_is_equal_or_differs_by_a_rule(name, rows):
    assert rows[name].faults == []


def test_the_document_has_these(rows):
    assert document.missing_from_document(rows.values()) == [], "tests/live/exporters/document.py --write makes the document"


def test_there_are_enough_of_each_kind(rows):
    dynamic = [row for row in rows.values() if len(row.model.about["inputs"]) > 1]
    assert len(rows) >= 80 and sum(row.nodes for row in rows.values()) >= 300 and len(dynamic) >= 25
    exporters = {row.model.about["exporter"] for row in rows.values()}
    opsets = {model.about["opset"] for model in [*MODELS, *models_in(RECORDED)]}
    assert len(exporters) >= 4 and opsets >= {0, *range(9, 24)}
