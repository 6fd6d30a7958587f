# SPDX-License-Identifier: Apache-2.0
"""Presets beside the libraries that they equal, on images of bytes, through Python, one thread.

    python bench/presets.py --json build/bench/presets.json

Each library gets the layout in which it is fastest; the results are compared byte for byte before the timing.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import sys
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parent / "tests" / "conformance")]

import limits
import timing

# Sides before and after: thumbnails, a half, the input of a network, and enlarged.
SIZES = (((1080, 1920), (216, 384)), ((1080, 1920), (540, 960)), ((480, 640), (224, 224)), ((256, 256), (224, 224)),
         ((270, 480), (540, 960)), ((64, 64), (224, 224)))


class Contest(NamedTuple):
    """A preset and its library on one image. theirs: what to call, by layout, with what turns its result into ours."""

    ours: Callable[[], np.ndarray]
    theirs: dict[str, tuple[Callable[[], object], Callable[[object], np.ndarray]]]


def photograph(height: int, width: int, channels: int) -> np.ndarray:
    """Smooth shapes with some noise."""
    random = np.random.default_rng(height * width + channels)
    rows, columns = np.mgrid[:height, :width]
    waves = np.stack([128 + 90 * np.sin(rows / (17 + c)) * np.cos(columns / (23 + c)) for c in range(channels)], -1)
    return np.clip(waves + random.normal(0, 12, waves.shape), 0, 255).astype(np.uint8)


# ---- Libraries ------------------------------------------------------------------------------------------------------


def pillow(filter_name: str, source, target) -> Contest:
    import tesela
    from PIL import Image

    x = photograph(*source, 3)
    image, kernel = Image.fromarray(x), Image.Resampling[filter_name.upper()]
    ours = tesela_call(x, target, f"pillow:{filter_name}", tesela)
    return Contest(ours, {"image": (lambda: image.resize(target[::-1], kernel), np.asarray)})


def opencv(source, target) -> Contest:
    import cv2
    import tesela

    cv2.setNumThreads(1)
    x = photograph(*source, 3)
    ours = tesela_call(x, target, "opencv:linear-exact", tesela)
    return Contest(ours, {"image": (lambda: cv2.resize(x, target[::-1], interpolation=cv2.INTER_LINEAR_EXACT), np.asarray)})


def torch_layouts(call: Callable) -> Callable:
    """A contest of `call(tensor, sizes)` on planes and on channels together in memory."""

    def contest(preset: str, source, target) -> Contest:
        import tesela
        import torch

        torch.set_num_threads(1)
        x = np.ascontiguousarray(photograph(*source, 3).transpose(2, 0, 1)[None])
        planes = torch.from_numpy(x)
        together = planes.contiguous(memory_format=torch.channels_last)
        ours = tesela_call(x, target, preset, tesela)
        theirs = {name: ((lambda given=given: call(preset, given, target)), lambda made: made.numpy())
                  for name, given in (("planes", planes), ("channels last", together))}
        return Contest(ours, theirs)

    return contest


def interpolate(preset: str, x, target):
    import torch

    mode, _, option = preset.partition(":")[2].partition("-")
    return torch.nn.functional.interpolate(x, size=target, mode=mode, align_corners=False, antialias=option == "antialias")


def transform(preset: str, x, target):
    from torchvision.transforms.v2 import InterpolationMode, functional

    return functional.resize(x, list(target), InterpolationMode[preset.partition(":")[2].upper()], antialias=True)


def tesela_call(x: np.ndarray, target, preset: str, tesela) -> Callable[[], np.ndarray]:
    return lambda: tesela.resize(x, sizes=target, like=preset, num_threads=1)


CONTESTS: dict[str, Callable] = {
    "pillow:bilinear": lambda preset, source, target: pillow("bilinear", source, target),
    "pillow:bicubic": lambda preset, source, target: pillow("bicubic", source, target),
    "pytorch:bilinear": torch_layouts(interpolate),
    "pytorch:bilinear-antialias": torch_layouts(interpolate),
    "pytorch:bicubic-antialias": torch_layouts(interpolate),
    "torchvision:bilinear": torch_layouts(transform),
    "torchvision:bicubic": torch_layouts(transform),
    "opencv:linear-exact": lambda preset, source, target: opencv(source, target),
}


# ---- Measurement ----------------------------------------------------------------------------------------------------


def measured(preset: str, source, target, options) -> dict:
    contest = CONTESTS[preset](preset, source, target)
    answer = contest.ours()
    different = max(int((np.asarray(read(call())) != answer).sum()) for call, read in contest.theirs.values())
    calls = {"tesela": contest.ours} | {layout: call for layout, (call, _) in contest.theirs.items()}
    times = timing.measure(calls, {}, options.rounds, options.block, speed=limits.speed())
    best = min(contest.theirs, key=lambda layout: times[layout].best)
    shape = f"{source[0]}x{source[1]} -> {target[0]}x{target[1]}"
    return {"preset": preset, "shape": shape, "ours": times["tesela"].best, "theirs": times[best].best, "layout": best,
            "ratio": times[best].best / times["tesela"].best, "different": different}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--presets", nargs="*", default=list(CONTESTS), help="only these")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--block", type=float, default=0.02, help="seconds of each contestant in a round")
    parser.add_argument("--json", help="a file for the results")
    options = parser.parse_args()
    rows = []
    for preset in options.presets:
        for source, target in SIZES:
            rows.append(row := measured(preset, source, target, options))
            equal = "equal" if row["different"] == 0 else f"{row['different']} bytes differ"
            print(f"{preset:28} {row['shape']:24} {row['ours'] / 1e3:9.1f} us  x{row['ratio']:.2f} ({row['layout']}), {equal}",
                  flush=True)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
