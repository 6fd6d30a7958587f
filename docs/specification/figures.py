# SPDX-License-Identifier: Apache-2.0
"""Draws the figures of the specification: `.venv/bin/python docs/specification/figures.py`."""

import pathlib

import tesela

FOLDER = pathlib.Path(__file__).parents[1] / "images"
PLANS = {
    "linear": dict(x=(4,), sizes=(8,), mode="linear"),
    "align-corners": dict(x=(4,), sizes=(7,), mode="linear", coordinate_transformation_mode="align_corners"),
    "nearest": dict(x=(20,), sizes=(6,)),
    "antialias": dict(x=(9,), sizes=(4,), mode="cubic", antialias=1),
    "crop": dict(x=(5,), sizes=(5,), mode="linear", roi=(-0.25, 0.75), coordinate_transformation_mode="tf_crop_and_resize"),
}


def drawings() -> dict[pathlib.Path, str]:
    """The text of each figure by its file."""
    return {FOLDER / f"specification-{name}.svg": tesela.plan("resize", **plan).explain().svg() for name, plan in PLANS.items()}


if __name__ == "__main__":
    for path, drawing in drawings().items():
        path.write_text(drawing)
