# SPDX-License-Identifier: Apache-2.0
"""The workloads of tests/cases.txt: every line is parsed correctly, and both backends agree on it in every bit.

They run on smaller tensors, or at full size if TESELA_CASES is set.
"""

import os

import library
import numpy as np
import pytest
import workload

CASES = workload.read_all()
MOST = None if "TESELA_CASES" in os.environ else 48
REFERENCE = 1


def as_bytes(array: np.ndarray) -> list | bytes:
    return array.tolist() if array.dtype == object else array.tobytes()


def test_names_are_unique():
    names = [case.name for case in CASES]
    assert len(set(names)) == len(names) and all(names)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case_round_trips_through_its_line(case):
    assert workload.parse(str(case)) == case


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_backends_agree(case):
    case = case.shrunk(MOST) if MOST else case
    x = workload.values(case)
    plan = library.workload_plan(case, x)
    assert plan.shape == case.target and plan.dtype == case.dtype
    expected = as_bytes(plan.run(x, threads=0 if MOST is None else 1, backend=REFERENCE))
    for threads in (1, 2):
        actual = plan.run(x, threads=threads, strided=bool(case.input_order), output_order=case.output_order)
        assert as_bytes(actual) == expected, str(case)


@pytest.mark.parametrize("case", [case for case in CASES if case.operator == "Tile"], ids=lambda case: case.name)
def test_tile_matches_numpy(case):
    case = case.shrunk(48)
    x = workload.values(case)
    assert as_bytes(library.workload_plan(case, x).run(x)) == as_bytes(np.tile(x, case.repeats))


@pytest.mark.parametrize("line, expected", [
    ("linear float 1x3x540x960 -> 1x3x1080x1920", "linear float 1x3x24x24 -> 1x3x48x48"),
    ("linear float 1080x1920 -> 224x224", "linear float 48x48 -> 10x6"),
    ("linear float 2160x7 -> 1080x7", "linear float 48x7 -> 24x7"),
    ("tile float 1000000x1 -> 1000000x64", "tile float 48x1 -> 48x48"),
    ("fill float -> 1000000 value=1.5", "fill float -> 2304 value=1.5"),
    ("linear tf_crop_and_resize float 96x96 -> 24x48 roi=0.5,0,1,0.25", "linear tf_crop_and_resize float 48x48 -> 12x24 roi=0.5,0,1,0.25"),
])
def test_smaller_variant_keeps_factors(line, expected):
    assert str(workload.parse(line).shrunk(48)) == expected


def test_crop_is_that_of_its_ends():
    case = workload.parse("nearest tf_crop_and_resize float 1x11 -> 1x6 roi=0,0.5,1,1.5")
    x = workload.values(case)
    assert library.workload_plan(case, x).run(x).tolist() == [[*x[0, 5::2], 0, 0, 0]]
    assert (case.resized, case.sampled) == ([1], [(1, 1), (6, 3)])


@pytest.mark.parametrize("line, word", [
    ("linear float 2x3", "expected"),
    ("linear flot 2x3 -> 4x6", "'flot'"),
    ("quick float 2x3 -> 4x6", "'quick'"),
    ("linear float 2x3 -> 4xa", "'4xa'"),
    ("linear float 2x3 -> 4x6 speed=3", "'speed'"),
    ("linear float 2x3 -> 4x6x1", "different numbers of axes"),
    ("tile float 2x3 -> 5x6", "whole extents"),
])
def test_wrong_line_is_refused(line, word):
    with pytest.raises(ValueError, match=word):
        workload.parse(line)
