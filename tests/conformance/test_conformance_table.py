# SPDX-License-Identifier: Apache-2.0
"""The table of docs/conformance.md: has every feature, and what the runtimes give now. `make soak` compares all of it."""

from __future__ import annotations

import conformance_table
import pytest
from tesela._conformance import CASES, FEATURES


def test_every_feature_has_a_row():
    assert list(conformance_table.published()[1]) == [*(feature.name for feature in FEATURES), "**all**"]


@pytest.mark.parametrize("names, features", [
    (["onnxruntime"], ["align-corners-length", "linear", "bool", "bad-roi-values", "tile-types", "fill-types"]),
    (["onnx-reference"], ["nearest-exact-positions", "strings"]),
])
def test_some_rows_are_what_the_runtimes_give(names, features):
    results = conformance_table.measured(names, features=features, cases=CASES, jobs=1)
    titles, cells = conformance_table.published()
    for found in results:
        for group in found.groups:
            assert cells[group.feature.name][titles.index(found.title)] == conformance_table.cell(group), group.feature.name


def test_the_same_measurement_gives_the_same_table():
    features = ["window-of-integers", "bad-scales", "zero-weights", "tile-bits"]
    one, two = (conformance_table.table(conformance_table.measured(["onnxruntime", "onnx-reference"], features=features, cases=3)) for _ in range(2))
    assert one == two and "| zero-weights | 0; 3 failed |" in one
