# SPDX-License-Identifier: Apache-2.0
"""Writes vectors.json from the reference backend: `.venv/bin/python tests/specification/make_vectors.py`.

The calls are drawn from fixed seeds; the library in TESELA_LIBRARY, or that of the release build, computes the results.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import directed_calls
import move_calls
import openvino_calls
import refused_calls
import resize_calls
import vectors
from calls import Call

GROUPS = [
    move_calls.tiles, move_calls.fills, resize_calls.cells, resize_calls.positions, resize_calls.known, resize_calls.crops,
    resize_calls.edges, resize_calls.mixed, openvino_calls.tiles, openvino_calls.interpolations, refused_calls.refused,
    directed_calls.directed, openvino_calls.directed,
]


def all_calls() -> Iterator[Call]:
    """Every call, in the order of the file. Each group has a seed of its own, so that groups change independently."""
    for seed, group in enumerate(GROUPS):
        yield from group(random.Random(seed))


def made() -> list[dict]:
    return [call.vector() for call in all_calls()]


if __name__ == "__main__":
    vectors.FILE.write_text(vectors.text_of(made()))
