# SPDX-License-Identifier: Apache-2.0
"""Hidden settings for identify: random calls, and whether a result names the call.

`python tests/python/identify_draws.py 1000` identifies so many calls and prints how many are named and how large the sets are.
"""

from __future__ import annotations

import collections
import pathlib
import sys
import time
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
import tesela

PHOTO = pathlib.Path(__file__).parents[2] / "examples" / "grace_hopper.jpg"
COORDINATES = ("half_pixel", "align_corners", "asymmetric", "pytorch_half_pixel", "half_pixel_symmetric", "tf_half_pixel_for_nn",
               "tf_crop_and_resize")
ROUNDED = ("half_pixel", "align_corners", "asymmetric", "pytorch_half_pixel", "tf_half_pixel_for_nn")
NEAREST = ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")
DTYPES = ("uint8", "uint8", "uint8", "float32", "float32", "float16", "uint16", "int16", "float64", "int8", "int32", "bfloat16")
DEFAULTS = {"mode": "nearest", "coordinate_transformation_mode": "half_pixel", "nearest_mode": "round_prefer_floor",
            "cubic_coeff_a": -0.75, "antialias": 0, "exclude_outside": 0}


class Draw(NamedTuple):
    """parameters: of a plan of the operator."""

    operator: str
    x: np.ndarray
    parameters: dict[str, Any]

    def output(self) -> np.ndarray:
        return tesela.plan(self.operator, self.x, **self.parameters)(self.x)

    @property
    def extents(self) -> str:
        policy = self.parameters.get("keep_aspect_ratio_policy")
        return policy or ("scales" if self.parameters.get("scales") is not None else "sizes")


def photo() -> np.ndarray:
    from PIL import Image

    return np.asarray(Image.open(PHOTO))


def content(rng, shape: tuple[int, ...], dtype: str) -> np.ndarray:
    """Noise, waves, or a part of the photograph, over most of the dtype's range."""
    kind = rng.integers(3)
    if kind == 0:
        values = rng.random(shape)
    elif kind == 1:
        values = np.zeros(shape)
        for axis, extent in enumerate(shape):
            wave = np.sin(np.arange(extent) * rng.uniform(0.1, 1.0) + rng.uniform(0, 6))
            values = values + wave.reshape([-1 if other == axis else 1 for other in range(len(shape))])
        values = (values - values.min()) / max(np.ptp(values), 1e-9)
    else:
        gray = photo()[..., 0]
        flat = gray[:, int(rng.integers(0, 300)) :].reshape(-1)
        values = np.resize(flat, shape) / 255 if len(shape) == 1 else _part(rng, shape)
    kind_of = np.dtype(getattr(ml_dtypes, dtype, dtype))
    if kind_of.kind in "iu":
        limits = np.iinfo(kind_of)
        low, high = max(limits.min, -(2**30)), min(limits.max, 2**30)
        return np.rint(low + values * (high - low)).astype(kind_of)
    return values.astype(kind_of)


def _part(rng, shape: tuple[int, ...]) -> np.ndarray:
    picture = photo() / 255
    picture = np.resize(picture, (*picture.shape[:2], max(shape[-1], 3)))
    rows = picture.shape[0] - min(shape[-2], 600)
    top, left = int(rng.integers(0, rows + 1)), int(rng.integers(0, 300))
    part = picture[top:, left:, 0]
    return np.resize(part[: shape[-2], : shape[-1]], shape)


def draw(seed: int) -> Draw:
    """A call of any kind. Calls that Tesela rejects are drawn again."""
    for attempt in range(100):
        rng = np.random.default_rng([seed, attempt])
        try:
            found = [_attributes, _attributes, _attributes, _preset, _preset, _fields, _tile][int(rng.integers(7))](rng)
            found.output()
            return found
        except tesela.Error:
            continue
    raise AssertionError(seed)


def _shapes(rng, most: int = 200) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """The input's shape, the axes, and their new extents."""
    count = int(rng.choice([1, 2, 2, 2, 3]))
    top = {1: most, 2: min(most, 120), 3: 24}[count]
    extents = [int(n) for n in rng.integers(2, top + 1, count)]
    sizes = tuple(int(n) for n in rng.integers(1, top + 1, count))
    if rng.random() < 0.2:
        sizes = tuple(2 * n if rng.random() < 0.5 else max(n // 2, 1) for n in extents)
    if rng.random() < 0.05:
        sizes = (extents[0], *sizes[1:])
    axes = tuple(range(count))
    if rng.random() < 0.5:
        extents.append(int(rng.integers(1, 5)))
    elif rng.random() < 0.5:
        extents.insert(0, int(rng.integers(1, 4)))
        axes = tuple(axis + 1 for axis in axes)
    return tuple(extents), axes, sizes


def _extents(rng, shape, axes, sizes) -> dict[str, Any]:
    kind = rng.random()
    if kind < 0.8 or (kind < 0.9 and len(axes) == 1):  # a policy for one axis is the same as its size
        return {"sizes": sizes, "axes": axes}
    if kind < 0.9:
        return {"sizes": sizes, "axes": axes, "keep_aspect_ratio_policy": str(rng.choice(["not_larger", "not_smaller"]))}
    scales = tuple(float(np.float32(m / shape[axis])) for axis, m in zip(axes, sizes))
    return {"scales": scales, "axes": axes}


def _mode(rng, coordinates=COORDINATES) -> dict[str, Any]:
    mode = str(rng.choice(["nearest", "linear", "cubic"]))
    chosen: dict[str, Any] = {"mode": mode, "coordinate_transformation_mode": str(rng.choice(coordinates))}
    if mode == "nearest":
        return chosen | {"nearest_mode": str(rng.choice(NEAREST))}
    chosen |= {"antialias": int(rng.integers(2)), "exclude_outside": int(rng.integers(2))}
    if mode == "cubic":
        usual = rng.random() < 0.6
        a = float(rng.choice([-0.75, -0.5, -0.6, -1.0])) if usual else round(float(rng.uniform(-1, -0.1)), int(rng.integers(1, 5)))
        chosen["cubic_coeff_a"] = a
    return chosen


def _attributes(rng) -> Draw:
    shape, axes, sizes = _shapes(rng)
    x = content(rng, shape, str(rng.choice(DTYPES)))
    return Draw("resize", x, _extents(rng, shape, axes, sizes) | _mode(rng))


def _preset(rng) -> Draw:
    name = str(rng.choice(tesela.presets.names))
    dtype = str(rng.choice(list(tesela.presets.dtypes(name))))
    library = name.partition(":")[0]
    count = 3 if "trilinear" in name else 2
    top = 24 if count == 3 else 120
    extents = tuple(int(n) for n in rng.integers(2, top + 1, count))
    sizes = tuple(int(n) for n in rng.integers(2, top + 1, count))
    shape = {"pytorch": (1, 2, *extents), "torchvision": (3, *extents), "tensorflow": (1, *extents, 3),
             "tensorflow-v1": (1, *extents, 3), "opencv": (*extents, 3)}.get(library, extents)
    first = shape.index(extents[0]) if library not in ("pytorch", "torchvision") else len(shape) - count
    return Draw("resize", content(rng, shape, dtype), {"sizes": sizes, "axes": tuple(range(first, first + count)), "like": name})


def _fields(rng) -> Draw:
    """Plan fields: positions for nearest and floats, the order of passes, fixed point for uint8."""
    shape, axes, sizes = _shapes(rng)
    mode = _mode(rng, ROUNDED)
    kind = rng.integers(3)
    if mode["mode"] == "nearest" or kind == 0:
        fields = {"coordinates": str(rng.choice(["float32", "float64", "reciprocal64", "rounded64"]))}
        dtype = str(rng.choice(["float32", "uint8", "float64"]))
    elif kind == 1:
        fields, dtype = {"order": str(rng.choice(["first_axis_first", "last_axis_first"]))}, "float32"
    else:
        fields = {"weights": str(rng.choice(["fixed8", "fixed22", "int16"]))}
        if rng.random() < 0.5:
            fields["intermediate"] = "uint8"
        if rng.random() < 0.5:
            fields["order"] = str(rng.choice(["first_axis_first", "last_axis_first"]))
        dtype = "uint8"
    return Draw("resize", content(rng, shape, dtype), {"sizes": sizes, "axes": axes} | mode | fields)


def _tile(rng) -> Draw:
    shape, _, _ = _shapes(rng, 40)
    repeats = tuple(int(n) for n in rng.integers(1, 4, len(shape)))
    return Draw("tile", content(rng, shape, str(rng.choice(DTYPES))), {"repeats": repeats})


def _plain(parameters: dict[str, Any]) -> dict[str, Any]:
    """Attributes and fields that differ from the defaults, without the coefficient."""
    kept = {name: value for name, value in parameters.items()
            if name not in ("sizes", "scales", "axes", "like", "keep_aspect_ratio_policy", "cubic_coeff_a", "opset")}
    return {name: value for name, value in kept.items() if value is not None and value != DEFAULTS.get(name)}


def is_named(found: tesela.Identification, hidden: Draw) -> bool:
    """Whether the result has the hidden call among its settings."""
    if hidden.output().shape == hidden.x.shape and np.array_equal(hidden.output(), hidden.x):
        return found.verdict == "equal"  # a copy, which every setting makes
    return any(_is_setting(group, setting, hidden) for group in found.groups for setting in group.settings)


def _is_setting(group, setting, hidden: Draw) -> bool:
    if setting.operator != hidden.operator or setting.operator == "tile":
        return setting.operator == hidden.operator
    name = hidden.parameters.get("like")
    if name or setting.preset:
        return setting.preset == name
    if setting.before or setting.after or setting.extents != hidden.extents:
        return False
    passes = sum(n != m for n, m in zip(hidden.x.shape, hidden.output().shape))
    drawn = _plain(hidden.parameters)
    if passes < 2:  # which have no order
        drawn.pop("order", None)
    if _plain(setting.attributes | setting.fields) != drawn:
        return False
    if hidden.parameters.get("mode") != "cubic":
        return True
    a, ours = hidden.parameters.get("cubic_coeff_a", -0.75), setting.attributes.get("cubic_coeff_a", -0.75)
    low, high = group.cubic_coeff_a or (ours, ours)
    return np.float32(a) == np.float32(ours) or low <= a <= high


def computed(setting, x: np.ndarray) -> np.ndarray:
    """What the text of a setting's call gives."""
    return eval(setting.call, {"tesela": tesela, "numpy": np, "x": x})


def sweep(seeds, checks: int = 2, report: bool = False) -> dict[str, Any]:
    """Identifies draws. checks: how many members of each group are computed."""
    counts: collections.Counter[str] = collections.Counter()
    groups, cores, times, missed, wrong = [], [], [], [], []
    for seed in seeds:
        hidden = draw(seed)
        y = hidden.output()
        start = time.perf_counter()
        found = tesela.identify(hidden.x, y)
        times.append(time.perf_counter() - start)
        counts[found.verdict] += 1
        if report and times[-1] > 2:
            print("slow", seed, round(times[-1], 1), hidden.x.shape, hidden.x.dtype, y.shape, hidden.parameters, flush=True)
        if not is_named(found, hidden):
            missed.append(seed)
            if report:
                print("missed", seed, found.verdict, hidden.x.shape, hidden.x.dtype, y.shape, hidden.parameters, flush=True)
        groups.append(len(found.groups))
        cores.append(len({str(sorted(s.attributes.items())) for s in found.settings}))
        for group in found.groups if found.verdict == "equal" else ():
            for setting in group.settings[:: max(len(group.settings) // checks, 1)][:checks]:
                again = computed(setting, hidden.x)
                if again.dtype != y.dtype or not np.array_equal(again, y):
                    wrong.append((seed, setting.call))
    return {"draws": len(times), "named": 1 - len(missed) / len(times), "missed": missed, "wrong": wrong, "verdicts": dict(counts),
            "groups": float(np.mean(groups)), "groups median": float(np.median(groups)), "attributes": float(np.mean(cores)),
            "attributes median": float(np.median(cores)), "seconds": float(np.mean(times)), "longest": max(times)}


if __name__ == "__main__":
    first, count = (0, int(sys.argv[1])) if len(sys.argv) == 2 else (int(sys.argv[1]), int(sys.argv[2]))
    result = sweep(range(first, first + count), report=True)
    print(result)
    sys.exit(result["named"] < 0.99 or bool(result["wrong"]))
