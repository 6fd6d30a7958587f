# SPDX-License-Identifier: Apache-2.0
"""Random cases of Tile-1 and Interpolate in OpenVINO's CPU plugin with the C++ extension equal Tesela in every bit."""

from __future__ import annotations

import dataclasses
import os
import random

import library
import openvino_peer as peer
from openvino_cases import interpolate_case, tile_case
from openvino_oracle import InterpolateCase
from test_openvino import interpolate_by_tesela, narrows_and_grows, tile_by_tesela

EXTENSION = str(library.ROOT / "build" / "libtesela_openvino.so")
MANY = "TESELA_CASES" in os.environ
TILES = 1000 if MANY else 100
INTERPOLATIONS = 2000 if MANY else 150


def test_random_tiles_are_bit_identical():
    rng = random.Random(17)
    cases = [tile_case(rng) for _ in range(TILES)]
    for case, got in zip(cases, peer.run_all(cases, EXTENSION)):
        expected = tile_by_tesela(case)
        assert not isinstance(got, str), (case, got)
        assert got.shape == expected.shape and got.tobytes() == expected.tobytes(), case


def as_inside(case: InterpolateCase) -> InterpolateCase:
    """OpenVINO's node of version 1 sorts its axes on creation, and bicubic_pillow has only one coefficient."""
    if case.mode == "bicubic_pillow":
        return dataclasses.replace(case, cube=-0.5)
    return dataclasses.replace(case, axes=sorted(case.axes)) if case.version == 1 else case


def test_random_interpolations_are_bit_identical():
    rng = random.Random(18)
    cases = [interpolate_case(rng) for _ in range(INTERPOLATIONS)]
    for case, got in zip(cases, peer.run_all(cases, EXTENSION)):
        if narrows_and_grows(as_inside(case)):
            assert isinstance(got, str) and "'antialias' is 1 in mode linear where axis" in got, (case, got)
            continue
        expected = interpolate_by_tesela(as_inside(case))
        assert not isinstance(got, str), (case, got)
        assert got.shape == expected.shape and got.tobytes() == expected.tobytes(), case
