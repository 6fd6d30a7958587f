# SPDX-License-Identifier: Apache-2.0
"""Compares presets with their libraries, except Pillow before 13, which cannot be installed at the same time."""

import preset_inputs as inputs
import preset_peers as peers
import pytest

MEASURED = peers.read_measured()
INPUTS = inputs.read_measured()


def is_live(row: str) -> bool:
    return not row.startswith(inputs.OLD_PILLOWS)


@pytest.mark.parametrize("row", filter(is_live, peers.rows()))
def test_a_library_is_equal_as_documented(row):
    assert peers.version(row.partition(":")[0]) == MEASURED[row]["version"]
    measured = peers.measure(row, range(peers.LIVE_CASES), peers.by_tesela, peers.by_library)
    assert measured["cases"] >= 500
    assert measured["largest"] <= MEASURED[row]["largest"] * 1.05


@pytest.mark.parametrize("row", filter(is_live, inputs.rows()))
def test_a_library_is_equal_for_other_inputs(row):
    assert peers.version(row.partition(":")[0]) == INPUTS[row]["version"]
    assert inputs.measure(row, range(inputs.LIVE_CASES))["largest"] <= INPUTS[row]["largest"] * 1.05


@pytest.mark.parametrize("library", inputs.EXTENT_CASES)
def test_extents_match_the_library(library):
    for index in range(inputs.EXTENT_CASES[library]):
        case = inputs.extent_case(library, index)
        assert inputs.extents_by_tesela(library, *case) == tuple(inputs.extents_by_library(library, *case)), case
