# SPDX-License-Identifier: Apache-2.0
"""Identifies what real libraries made."""

import io
import json
import pathlib

import jsonschema
import numpy as np
import preset_peers as peers
import pytest
import tesela

SCHEMA = json.loads((pathlib.Path(__file__).parents[2] / "docs" / "schemas" / "identify.json").read_text())
CASES = range(1, 16)


@pytest.mark.parametrize("row", [row for row in peers.rows() if not row.startswith(("pillow-12", "pillow-11"))])
def test_presets_are_named_from_the_results_of_their_libraries(row):
    preset = row.partition(" ")[0]
    missed = []
    for index in CASES:
        x, sizes = peers.random_case(row, index)
        found = tesela.identify(x, peers.by_library(preset, x, sizes))
        jsonschema.validate(found.as_dict(), SCHEMA)
        if found.verdict == "none" or preset not in found.presets + found.near_presets:
            missed.append((index, x.shape, sizes, found.verdict, found.presets))
    assert not missed


@pytest.mark.parametrize("name", ["pillow:box", "opencv:area", "skimage:cubic", "pillow:lanczos", "opencv:lanczos4"])
def test_filters_that_resize_lacks_are_none(name):
    x = np.random.default_rng(0).random((40, 50), dtype=np.float32)
    found = tesela.identify(x, peers.by_library(name, x, (23, 31)).astype(np.float32))
    assert found.verdict == "none" and found.groups[0].differ > found.groups[0].compared / 2


def test_a_function_of_pytorch_is_named():
    import torch

    def resized(x, sizes):
        return torch.nn.functional.interpolate(torch.from_numpy(x)[None, None], sizes, mode="bicubic", antialias=True)[0, 0].numpy()

    found = tesela.identify(resized)
    assert found.verdict == "near" and "pytorch:bicubic-antialias" in found.presets + found.near_presets


def test_a_compressed_output_has_an_honest_nearest():
    from PIL import Image

    photo = np.asarray(Image.open(pathlib.Path(__file__).parents[2] / "examples" / "grace_hopper.jpg"))
    stream = io.BytesIO()
    Image.fromarray(photo).resize((128, 150), Image.Resampling.BICUBIC).save(stream, "jpeg", quality=85)
    found = tesela.identify(photo, np.asarray(Image.open(stream)))
    assert found.verdict == "none" and 1 < found.groups[0].largest and 0 < found.groups[0].mean < 10
