# SPDX-License-Identifier: Apache-2.0
"""Conformance asks PyTorch for the calls that nodes stand for, and gives what docs/conformance.md shows of it."""

import conformance_table
import tesela


def test_pytorch_has_tiles_and_no_crops():
    names = ["tile-order", "tile-scalar", "tile-types", "fill-run-time", "fill-bits", "upsample-nearest", "align-corners-one-output"]
    result = tesela.conformance("torch", features=[*names, "crop-linear", "bad-axes"], cases=5)
    counts = {group.feature.name: group.counts for group in result.groups}
    assert all(counts[name]["passed"] == 5 for name in names), str(result)
    assert counts["crop-linear"]["unsupported"] == counts["bad-axes"]["unsupported"] == 5, str(result)
    assert result.backend == "pytorch" and result.version and result


def test_what_pytorch_computes_otherwise_has_failed():
    result = tesela.conformance("torch", features=["same-extent", "zero-weights"], cases=5)
    assert all(group.counts["failed"] and not group.counts["refused"] for group in result.groups) and not result, str(result)


def test_the_published_table_is_what_pytorch_gives():
    [found] = conformance_table.measured(["pytorch"])
    titles, cells = conformance_table.published()
    column = titles.index(found.title)
    assert {group.feature.name: conformance_table.cell(group) for group in found.groups} == {
        feature: row[column] for feature, row in cells.items() if feature != "**all**"}
    assert conformance_table.section(found) in conformance_table.DOCUMENT.read_text()
