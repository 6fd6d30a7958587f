# SPDX-License-Identifier: Apache-2.0
"""The libraries of presets: how each is called, random cases, and measurements.

`python tests/python/preset_peers.py record` measures every installed library and records small vectors;
`python tests/python/preset_peers.py apart` measures functions without a preset, and
`python tests/python/preset_peers.py table` writes both tables into docs/python.md.
"""

from __future__ import annotations

import importlib
import itertools
import json
import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).parent
VECTORS = HERE / "presets"
DOCUMENT = HERE.parents[1] / "docs" / "python.md"
LIVE_CASES = 600
RECORDED_CASES = 8


def to_torch(x: np.ndarray):
    """A copy as a tensor; bfloat16 through its bits, because from_numpy does not support it."""
    import torch

    if x.dtype.name == "bfloat16":
        return torch.from_numpy(x.view(np.int16).copy()).view(torch.bfloat16)
    return torch.from_numpy(x.copy())


def from_torch(y) -> np.ndarray:
    import torch

    if y.dtype == torch.bfloat16:
        import ml_dtypes

        return y.view(torch.int16).numpy().view(ml_dtypes.bfloat16)
    return y.numpy()


def pytorch(variant: str, x: np.ndarray, sizes, **options) -> np.ndarray:
    import torch

    torch.set_num_threads(1)
    mode, _, option = variant.partition("-")
    if mode != "nearest":
        options["align_corners"] = option == "align-corners"
    if sizes is not None:
        options["size"] = tuple(sizes)
    if option == "antialias":
        options["antialias"] = True
    mode = variant if variant == "nearest-exact" else mode
    return from_torch(torch.nn.functional.interpolate(to_torch(x), mode=mode, **options))


def torchvision(variant: str, x: np.ndarray, sizes) -> np.ndarray:
    import torch
    from torchvision.transforms.v2 import InterpolationMode, functional as F

    torch.set_num_threads(1)
    mode = InterpolationMode(variant)
    return from_torch(F.resize(to_torch(x), list(sizes), interpolation=mode, antialias=True))


def pillow(variant: str, x: np.ndarray, sizes) -> np.ndarray:
    from PIL import Image

    return np.asarray(Image.fromarray(x).resize((sizes[1], sizes[0]), getattr(Image.Resampling, variant.upper())))


def opencv(variant: str, x: np.ndarray, sizes) -> np.ndarray:
    import cv2

    flag = getattr(cv2, "INTER_" + variant.upper().replace("-", "_"))
    return cv2.resize(x, (sizes[1], sizes[0]), interpolation=flag)


def tensorflow(variant: str, x: np.ndarray, sizes) -> np.ndarray:
    import tensorflow as tf

    method, _, option = variant.partition("-")
    return tf.image.resize(x, sizes, method=method, antialias=option == "antialias").numpy()


def tensorflow_v1(variant: str, x: np.ndarray, sizes) -> np.ndarray:
    import tensorflow as tf

    method, _, option = variant.partition("-")
    function = {"bilinear": tf.compat.v1.image.resize_bilinear,
                "nearest": tf.compat.v1.image.resize_nearest_neighbor}[method]
    return function(x, sizes, align_corners=option == "align-corners").numpy()


def jax(variant: str, x: np.ndarray, sizes) -> np.ndarray:
    import jax.image

    method, _, option = variant.partition("-")
    shape = x.shape[: x.ndim - len(sizes)] + tuple(sizes)
    return np.asarray(jax.image.resize(x, shape, method=method, antialias=option != "no-antialias"))


def skimage(variant: str, x: np.ndarray, sizes) -> np.ndarray:
    from skimage.transform import resize

    order = {"nearest": 0, "linear": 1, "cubic": 3}[variant]
    return resize(x, tuple(sizes), order=order, mode="edge", anti_aliasing=False, preserve_range=True)


# library: (function, module with the version, shape of x from its extents, name of the call)
LIBRARIES = {
    "pytorch": (pytorch, "torch", lambda hw, rng: (1, 2, *hw), "torch.nn.functional.interpolate"),
    "torchvision": (torchvision, "torchvision", lambda hw, rng: (3, *hw), "torchvision.transforms.v2.functional.resize"),
    "pillow": (pillow, "PIL", lambda hw, rng: hw, "PIL.Image.resize, mode F or L"),
    "pillow-12": (pillow, "PIL", lambda hw, rng: hw, "PIL.Image.resize of 12.2 and 12.3, mode F or L"),
    "pillow-11": (pillow, "PIL", lambda hw, rng: hw, "PIL.Image.resize before 12.2, mode F or L"),
    "opencv": (opencv, "cv2", lambda hw, rng: (*hw, int(rng.integers(2, 4))) if rng.random() < 0.5 else hw, "cv2.resize"),
    "tensorflow": (tensorflow, "tensorflow", lambda hw, rng: (1, *hw, 2), "tf.image.resize"),
    "tensorflow-v1": (tensorflow_v1, "tensorflow", lambda hw, rng: (1, *hw, 2), "tf.compat.v1.image.resize_*"),
    "jax": (jax, "jax", lambda hw, rng: (2, *hw), "jax.image.resize"),
    "skimage": (skimage, "skimage", lambda hw, rng: hw, "skimage.transform.resize, mode edge, preserve_range, no anti_aliasing"),
}

def version(library: str) -> str | None:
    """The installed version, or None if it belongs to another row."""
    try:
        found = importlib.import_module(LIBRARIES[library][1]).__version__
    except ImportError:
        return None
    if library.startswith("pillow"):
        number = tuple(map(int, found.split(".")[:2]))
        family = "pillow" if number >= (13, 0) else "pillow-12" if number >= (12, 2) else "pillow-11"
        return found if library == family else None
    return found


_CENTRE = {"mode": "nearest", "nearest_mode": "round_prefer_ceil"}
# Functions without a preset: the closest attributes, and the reason.
APART = {
    "pillow:nearest": (_CENTRE | {"axes": (0, 1)}, "accumulates positions in double, step by step"),
    "opencv:nearest-exact": (_CENTRE | {"axes": (0, 1)}, "accumulates positions like Pillow"),
    "jax:nearest": (_CENTRE | {"axes": (1, 2)}, "computes positions in float32, in another order"),
    "tensorflow:bicubic": ({"mode": "cubic", "cubic_coeff_a": -0.5, "exclude_outside": 1, "axes": (1, 2)},
                           "rounds positions to the 1,024 steps of its table of weights"),
    "skimage:cubic": ({"mode": "cubic", "cubic_coeff_a": -0.5, "axes": (0, 1)}, "is a B-spline, with a prefilter over the whole axis"),
    "pillow:box": ({"mode": "linear", "antialias": 1, "exclude_outside": 1, "axes": (0, 1)}, "uses a filter that ONNX does not have"),
    "opencv:area": ({"mode": "linear", "antialias": 1, "exclude_outside": 1, "axes": (0, 1)}, "uses a filter that ONNX does not have"),
}

# Presets measured with uint8: those with fields for it, and OpenCV's, whose rounding Tesela does not support.
BYTES_TOO = ("opencv:linear", "opencv:cubic")


def has_floats(preset: str) -> bool:
    return preset != "opencv:linear-exact"  # for floats OpenCV does the same as for linear


def rows() -> list[str]:
    """The rows to measure: "preset" for float32, and "preset uint8"."""
    import tesela

    def has_bytes(preset: str) -> bool:
        takes = "uint8" in tesela.presets.dtypes(preset)
        return takes and ("weights" in tesela.presets.fields(preset, "uint8") or preset in BYTES_TOO)

    both = [[preset] * has_floats(preset) + [f"{preset} uint8"] * has_bytes(preset) for preset in tesela.presets.names]
    return list(itertools.chain.from_iterable(both))


def random_case(row: str, index: int):
    """(x, sizes): float32 in [0, 1) or uint8, extents 1 to 40 (sometimes to 300), halved, doubled or free."""
    preset, _, dtype = row.partition(" ")
    library, _, variant = preset.partition(":")
    # JAX compiles for each pair of shapes, so its cases share fifty, except for nearest, which depends only on shapes.
    shapes = index % 50 if library == "jax" and variant != "nearest" else index
    rng = np.random.default_rng([shapes, sum(preset.encode())])
    rank = 3 if variant.startswith("trilinear") else 2
    top = 300 if shapes % 10 == 0 and rank == 2 else 40 if rank == 2 else 12
    extents = tuple(int(n) for n in rng.integers(1, top + 1, rank))
    sizes = tuple(int(n) for n in rng.integers(1, top + 1, rank))
    if shapes % 5 == 1:
        sizes = tuple(2 * n for n in extents)
    if shapes % 5 == 2:
        sizes = tuple(max(n // 2, 1) for n in extents)
    # PyTorch 2.15 repeats the first row where an antialiased result is one column wide.
    if library == "torchvision" or preset.startswith("pytorch") and "antialias" in preset:
        sizes = (sizes[0], max(sizes[1], 2))
    shape = LIBRARIES[library][2](extents, rng)
    values = np.random.default_rng([index, 1])
    return values.integers(0, 256, shape, np.uint8) if dtype else values.random(shape, dtype=np.float32), sizes


def measure(row: str, cases, ours, theirs) -> dict:
    """The largest difference, for values in [0, 1) or uint8, and the share of elements that differ."""
    largest, different, total = 0.0, 0, 0
    preset = row.partition(" ")[0]
    for index in cases:
        x, sizes = random_case(row, index)
        mine, peer = ours(preset, x, sizes), theirs(preset, x, sizes)
        assert mine.shape == peer.shape, (row, index, mine.shape, peer.shape)
        difference = np.abs(mine.astype(np.float64) - peer)
        largest = max(largest, float(difference.max()))
        different += int(np.count_nonzero(difference))
        total += difference.size
    return {"largest": float(f"{largest:.2g}"), "differ": float(f"{different / total:.2g}"), "cases": len(cases)}


def by_tesela(preset: str, x: np.ndarray, sizes) -> np.ndarray:
    import tesela

    return tesela.resize(x, sizes=sizes, like=preset)


def by_library(preset: str, x: np.ndarray, sizes) -> np.ndarray:
    library, _, variant = preset.partition(":")
    return LIBRARIES[library][0](variant, x, sizes)


def read_measured() -> dict:
    return json.loads((VECTORS / "measured.json").read_text())


def record(pattern: str = "") -> None:
    """Measures and records every preset with this in its name whose library is installed."""

    path = VECTORS / "measured.json"
    measured = {}
    for row in rows():
        preset = row.partition(" ")[0]
        library = preset.partition(":")[0]
        if pattern not in row or version(library) is None:
            continue
        result = measure(row, range(LIVE_CASES), by_tesela, by_library)
        measured[row] = {"library": LIBRARIES[library][1], "version": version(library), **result}
        print(row, measured[row], flush=True)
        # Another library may have been measured meanwhile.
        everything = (json.loads(path.read_text()) if path.exists() else {}) | {row: measured[row]}
        path.write_text(json.dumps(dict(sorted(everything.items())), indent=1) + "\n")
        arrays = {}
        for index in range(1, RECORDED_CASES + 1):
            x, sizes = random_case(row, index)
            arrays[f"sizes{index}"] = np.array(sizes)
            arrays[f"y{index}"] = by_library(preset, x, sizes)
        np.savez_compressed(vectors_of(row), version=version(library), **arrays)


def vectors_of(row: str) -> pathlib.Path:
    return VECTORS / f"{row.replace(':', '-').replace(' ', '-')}.npz"


def record_apart() -> None:
    """Measures the closest attributes for functions without a preset."""
    import tesela

    measured = {}
    for name, (attributes, _) in APART.items():
        library = name.partition(":")[0]

        def plain(_, x, sizes, attributes=attributes):
            return tesela.resize(x, sizes=sizes, **attributes)

        result = measure(name, range(LIVE_CASES), plain, by_library)
        measured[name] = {"library": LIBRARIES[library][1], "version": version(library), **result}
        print(name, measured[name], flush=True)
    (VECTORS / "apart.json").write_text(json.dumps(measured, indent=1) + "\n")


def table_apart() -> str:
    """The table of functions without a preset."""
    lines = ["| function | closest attributes | largest difference | elements that differ | because it |", "|---|---|---|---|---|"]
    measured = json.loads((VECTORS / "apart.json").read_text())
    for name, (attributes, why) in APART.items():
        words = ", ".join(f"{key}={value}" for key, value in attributes.items() if key != "axes")
        found = measured[name]
        lines.append(f"| {name}, {found['library']} {found['version']} | {words} | {found['largest']:.2g} "
                     f"| {100 * found['differ']:.3g} % of {found['cases']} cases | {why} |")
    return "\n".join(lines)


def table() -> str:
    """The table of presets."""
    lines = ["| preset | dtype | stands for | attributes, *fields* | measured with | cases | largest difference | elements that differ |",
             "|---|---|---|---|---|---|---|---|"]
    import tesela

    measured = read_measured()
    for row in rows():
        preset, _, dtype = row.partition(" ")
        found = measured[row]
        words = [f"{key}={value}" for key, value in tesela.presets.attributes(preset).items()]
        words += [f"*{key}={value}*" for key, value in tesela.presets.fields(preset, dtype or "float32").items()]
        call = LIBRARIES[preset.partition(":")[0]][3]
        equal = "| equal | 0 |" if found["largest"] == 0 else f"| {found['largest']:.2g} | {100 * found['differ']:.3g} % |"
        lines.append(f"| `{preset}` | {dtype or 'float32'} | {call} | {', '.join(words)} "
                     f"| {found['library']} {found['version']} | {found['cases']} {equal}")
    return "\n".join(lines)


def write_tables() -> None:
    text = DOCUMENT.read_text()
    import preset_inputs

    for name, lines in (("presets", table()), ("apart", table_apart()), ("inputs", preset_inputs.table())):
        begin, end = f"<!-- {name}: generated -->", f"<!-- {name}: end -->"
        before, _, rest = text.partition(begin)
        _, _, after = rest.partition(end)
        text = f"{before}{begin}\n{lines}\n{end}{after}"
    DOCUMENT.write_text(text)


if __name__ == "__main__":
    {"record": record, "apart": record_apart, "table": write_tables}[sys.argv[1]](*sys.argv[2:])
