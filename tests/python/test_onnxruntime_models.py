# SPDX-License-Identifier: Apache-2.0
"""Third-party models with and without the provider: outputs are equal, or nearly equal where our nodes compute."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import onnxruntime_models as bench

MODELS = bench.models()


@pytest.mark.parametrize("model", MODELS, ids=[model.path.stem for model in MODELS])
def test_outputs_are_equal(model, monkeypatch):
    for name, least in (("RUNS", 1), ("SECONDS", 0)):
        monkeypatch.setattr(bench, name, least)
    feeds = bench.make_feeds(model, bench.make_session(model, None))
    found = bench.measure(model, feeds, sessions=1)
    assert found["without"].ours == 0 and found["every"].ours > 0 and found["fastest"].ours <= found["every"].ours
    for way in bench.PLACEMENTS:
        assert bench.difference(found["without"].outputs, found[way].outputs) <= bench.limit_of(model)


def test_models_of_each_kind_exist():
    assert sum(model.path.is_relative_to(bench.LIGHT) for model in MODELS) >= 9 and len(MODELS) >= 15
