# SPDX-License-Identifier: Apache-2.0
"""`tesela conformance` finds planted defects and names their features, and finds none where there is none.

TESELA_CASES of 1,000 or more asks each defect for all features, and the emulation for more cases.
"""

from __future__ import annotations

import os

import library
import planted_backend
import pytest
import tesela

LONG = int(os.environ.get("TESELA_CASES", 100)) >= 1000
FOLDER = library.ROOT / "tests" / "conformance"
# Features that no defect below concerns.
CONTROLS = ["linear", "tile-run-time", "fill-default", "bad-axes"]
CASES = 4

# The feature that names each defect, and the verdict of its cases.
DEFECTS = {
    "TiesUp": ("nearest-ties", "failed"),
    "NoHalfPixel": ("half-pixel", "failed"),
    "CatmullRom": ("cubic", "failed"),
    "FixedCoefficient": ("cubic-coefficient", "failed"),
    "IncludesOutside": ("exclude-outside", "failed"),
    "NoAntialias": ("antialias-linear", "failed"),
    "SortedAxes": ("axes-order", "failed"),
    "NoPolicy": ("keep-aspect-ratio", "failed"),
    "HalfEvenPolicy": ("keep-aspect-ratio-rounding", "failed"),
    "NoRoi": ("crop-linear", "failed"),
    "RoiOfPairs": ("crop-linear", "failed"),
    "NoExtrapolation": ("extrapolation", "failed"),
    "PytorchOneOutput": ("pytorch-half-pixel-one-output", "failed"),
    "RecomputedScales": ("given-scale", "failed"),
    "WholeLength": ("align-corners-length", "failed"),
    "RoundedExtents": ("extents", "failed"),
    "FloatExtents": ("extents-exact", "failed"),
    "FloatPositions": ("nearest-double-positions", "failed"),
    "Version10Floors": ("resize-10-nearest-shrinking", "failed"),
    "Truncates": ("integers-half-to-even", "failed"),
    "HalfUp": ("integers-half-to-even", "failed"),
    "Wraps": ("integers-saturate", "failed"),
    "ThroughDouble": ("wide-integers-nearest", "failed"),
    "NanSpreads": ("zero-weights", "failed"),
    "LosesSigns": ("copied-bits", "failed"),
    "TilesBackwards": ("tile-axes", "failed"),
    "RepeatsElements": ("tile-order", "failed"),
    "FillsZeros": ("fill-types", "failed"),
    "FillsFloats": ("fill-types", "failed"),
    "UnsignedNibbles": ("fill-packed", "failed"),
    "EmptyCrash": ("empty-input", "crashed"),
    "HangsOnOne": ("one-element-axes", "timeout"),
    "NegativeScales": ("bad-scales", "failed"),
    "AcceptsBoth": ("bad-counts", "failed"),
    "NegativeRepeats": ("bad-repeats", "failed"),
}
MOST_FEATURES = 60  # that a defect concerns: of half_pixel, say, all that have the default coordinates


def found(name, **options):
    options = {"jobs": 1, "timeout": 60, "reduce": False} | options
    file = "planted_backend.py" if name in DEFECTS else "emulation_backend.py"
    return tesela.conformance(f"{FOLDER / file}:{name}", **options)


def failing(result):
    return [group for group in result.groups if not group.passed]


def test_every_planted_defect_is_listed():
    classes = [entry for entry in vars(planted_backend).values() if isinstance(entry, type) and issubclass(entry, planted_backend.Emulation)]
    bases = {parent for entry in classes for parent in entry.__mro__[1:]}
    assert {entry.__name__ for entry in classes if entry not in bases} == set(DEFECTS) and len(DEFECTS) >= 20


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_is_named_by_its_feature(name):
    """Some defects show in a part of the cases, so these are as many as in the usual set where four have none."""
    feature, verdict = DEFECTS[name]
    count = CASES if verdict == "failed" else 2
    timeout = 0.7 if verdict == "timeout" else 60
    result = found(name, features=[feature], cases=count, timeout=timeout)
    if result:
        result = found(name, features=[feature], cases=tesela._conformance.CASES)
    [group] = result.groups
    assert group.counts[verdict] and group.smallest is not None and group.smallest.verdict == verdict, group.counts
    assert not result and f"{feature}: {group.brief()}" in str(result) and group.feature.rule in str(result)


@pytest.mark.parametrize("name", ["TiesUp", "NoRoi", "FillsZeros", "EmptyCrash"])
def test_a_defect_is_named_by_no_other_feature(name):
    result = found(name, features=[DEFECTS[name][0], *CONTROLS], cases=CASES)
    assert [group.feature.name for group in failing(result)] == [DEFECTS[name][0]]


def test_the_emulation_has_no_defect():
    """Its arithmetic was written apart from the library's."""
    result = found("Emulation", cases=100 if LONG else 2, jobs=2)
    assert result and not failing(result), str(result)
    assert len(result.groups) == len(tesela._conformance.FEATURES)


def test_an_onnx_backend_is_asked_by_its_interface():
    result = found("Backend", features=["linear", "strings", "crop-axes", "fill-types", "bad-counts"], cases=CASES)
    assert result, str(result)


@pytest.mark.parametrize("name", [name for name, (_, verdict) in DEFECTS.items() if verdict == "failed" and (LONG or name == "TiesUp")])
def test_a_defect_leaves_most_features_alone(name):
    result = found(name, cases=10 if LONG else CASES, jobs=2)
    names = [group.feature.name for group in failing(result)]
    assert DEFECTS[name][0] in names and len(names) <= MOST_FEATURES, names
