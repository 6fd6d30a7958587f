# SPDX-License-Identifier: Apache-2.0
"""Draws the images of docs/python.md: `.venv-soak/bin/python docs/plots.py`."""

import pathlib
import sys

import matplotlib
import numpy as np
import tesela

matplotlib.use("svg")
matplotlib.rcParams |= {"svg.hashsalt": "tesela", "font.size": 9, "axes.spines.top": False, "axes.spines.right": False}
from matplotlib import pyplot as plt

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests" / "live"))


def weights() -> plt.Figure:
    """The weights of one output, by mode, on an axis that shrinks to a quarter."""
    figure, all_axes = plt.subplots(1, 4, figsize=(9, 2.2), sharey=True, layout="constrained")
    for axes, (mode, antialias) in zip(all_axes, [("linear", 0), ("linear", 1), ("cubic", 0), ("cubic", 1)]):
        table = tesela.plan("resize", (64,), sizes=(16,), mode=mode, antialias=antialias).axis(0)
        taps = table.count[8]
        axes.stem(np.arange(table.first[8], table.first[8] + taps), table.weights[8, :taps], basefmt=" ")
        axes.axhline(0, color="0.6", linewidth=0.7)
        axes.axvline(33.5, color="C1", linewidth=0.8, linestyle="--")
        axes.set(title=mode + (", antialias" if antialias else ""), xlim=(24, 43), xlabel="input element")
    all_axes[0].set_ylabel("weight")
    return figure


def aliasing() -> plt.Figure:
    """Rings that get finer outwards, reduced to a quarter of their size."""
    y, x = np.mgrid[-1:1:512j, -1:1:512j]
    rings = (0.5 + 0.5 * np.cos(200 * (x * x + y * y))).astype(np.float32)
    figure, all_axes = plt.subplots(1, 3, figsize=(9, 3.2), layout="constrained")
    for axes, (title, options) in zip(all_axes, [
            ("nearest", dict(mode="nearest")), ("linear", dict(mode="linear")),
            ("linear, antialias", dict(mode="linear", antialias=1))]):
        axes.imshow(tesela.resize(rings, sizes=(128, 128), **options), cmap="gray", vmin=0, vmax=1, interpolation="none")
        axes.set(title=title, xticks=[], yticks=[])
    return figure


def seams() -> plt.Figure:
    """The shift of the result's columns caused by the chunks of a dask array."""
    from test_ome_zarr import CHUNK, SIDE, shifts

    figure, all_axes = plt.subplots(1, 3, figsize=(9, 2.3), sharey=True, layout="constrained")
    for axes, side in zip(all_axes, (500, 700, 1500)):
        theirs, ours = shifts(side)
        axes.plot(theirs, color="C1", linewidth=1, label="ome-zarr")
        axes.plot(ours, color="C0", linewidth=1.5, label="Tesela")
        axes.set(title=f"{SIDE} to {side}, chunks of {CHUNK}", xlabel="column of the output")
    all_axes[0].set_ylabel("shift, input columns")
    all_axes[0].legend(frameon=False)
    return figure


if __name__ == "__main__":
    for draw in (weights, aliasing, seams):
        draw().savefig(HERE / "images" / f"python-{draw.__name__}.svg", metadata={"Date": None})
