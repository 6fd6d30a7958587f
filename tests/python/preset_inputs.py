# SPDX-License-Identifier: Apache-2.0
"""Presets with inputs that `preset_peers` does not cover: every dtype, images with alpha, scales, a single integer.

`python tests/python/preset_inputs.py record [PATTERN]` records results of the installed libraries, and
`python tests/python/preset_inputs.py table` writes the table into docs/python.md.
"""

from __future__ import annotations

import json
import math
import sys

import ml_dtypes
import numpy as np
import preset_peers as peers

MEASURED = peers.VECTORS / "inputs.json"
EXTENTS = peers.VECTORS / "extents.npz"
LIVE_CASES = 60
RECORDED_CASES = 2
# The number of cases with extents for each library.
EXTENT_CASES = {"pytorch": 992, "opencv": 1000, "skimage": 1000, "torchvision": 2000}
OLD_PILLOWS = ("pillow-12", "pillow-11")
IMAGES = {"LA": 2, "RGB": 3, "RGBA": 4}
BYTES = "uint8"


def rows() -> list[str]:
    """A preset with a dtype, a mode of Pillow, or scales of float32 and of uint8."""
    import tesela

    found = []
    for preset in tesela.presets.names:
        library = preset.partition(":")[0]
        dtypes = tesela.presets.dtypes(preset)
        main = {*peers.rows(), *([f"{preset} float32"] if peers.has_floats(preset) else [])}
        found += [f"{preset} {dtype}" for dtype in dtypes if f"{preset} {dtype}" not in main]
        if library.startswith("pillow"):
            found += [f"{preset} {mode}" for mode in IMAGES]
        if library in ("pytorch", "opencv"):
            found += [f"{preset} scales {dtype}" for dtype in ("float32", BYTES) if dtype in dtypes and (
                dtype == BYTES or preset != "opencv:linear-exact")]
    return found


def values(dtype: str, shape: tuple[int, ...], rng) -> np.ndarray:
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    if dtype in ("float16", "bfloat16", "float32", "float64"):
        return rng.random(shape).astype(getattr(ml_dtypes, dtype, dtype))
    low, high = bounds(dtype)
    return rng.integers(low, high, shape, dtype, endpoint=True)


def bounds(dtype: str) -> tuple[int, int]:
    """Values over the full range of 8 and 16 bits, and 30 bits of wider integers."""
    info = np.iinfo(dtype)
    return max(info.min, -(2**30)), min(info.max, 2**30)


def random_scale(rng, extent: int) -> float:
    """A scale with one decimal, a ratio of two integers, an arbitrary one, or one that keeps or doubles the extent."""
    kind = rng.integers(5)
    if kind == 0:
        return float(np.round(rng.uniform(0.1, 4), 1)) or 0.1
    if kind == 1:
        return int(rng.integers(1, 3 * extent + 1)) / extent
    if kind == 2:
        return 1 + rng.uniform(0, 0.9) / extent
    if kind == 3:
        return 2 + rng.uniform(0, 0.9) / extent
    return float(rng.uniform(0.1, 4))


def random_case(row: str, index: int):
    """(x, parameters): sizes or scales. Extents 1 to 12, every fifth case to 150."""
    preset, kind, *rest = row.split(" ")
    library, _, variant = preset.partition(":")
    rng = np.random.default_rng([index % 10 if library == "jax" else index, sum(row.encode())])
    rank = 3 if variant.startswith("trilinear") else 2
    top = 150 if index % 5 == 0 and rank == 2 and library != "jax" else 12
    extents = tuple(int(n) for n in rng.integers(2, top + 1, rank))
    sizes = tuple(int(n) for n in rng.integers(2, top + 1, rank))
    if library in OLD_PILLOWS and index % 5 in (1, 2):  # the images with the first axis first
        extents = (int(rng.integers(150, 400)), int(rng.integers(1, 4)))
        sizes = (int(rng.integers(2, 12)), int(rng.integers(2, 12)))
    elif index % 5 == 1:
        sizes = (extents[0], *sizes[1:])
    if library == "jax":  # it compiles for each pair of shapes
        rng = np.random.default_rng([index, 1])
    shape = (*extents, IMAGES[kind]) if kind in IMAGES else peers.LIBRARIES[library][2](extents, rng)
    x = values(BYTES if kind in IMAGES else rest[0] if rest else kind, shape, rng)
    if kind in ("LA", "RGBA"):
        x[..., -1] = np.where(rng.random(extents) < 0.3, rng.choice([0, 255], extents), x[..., -1])
    if kind != "scales":
        return x, {"sizes": sizes}
    rule = math.floor if library == "pytorch" else round
    scales = [random_scale(rng, extent) for extent in extents]
    # PyTorch 2.15 repeats the first row where an antialiased result is one column wide.
    return x, {"scales": tuple(s if rule(s * n) >= 2 else 1.5 + 1 / n for s, n in zip(scales, extents))}


def by_tesela(row: str, x: np.ndarray, parameters: dict) -> np.ndarray:
    import tesela

    return tesela.resize(x, like=row.partition(" ")[0], **parameters)


def by_library(row: str, x: np.ndarray, parameters: dict) -> np.ndarray:
    preset = row.partition(" ")[0]
    library, _, variant = preset.partition(":")
    if "sizes" in parameters:
        return peers.by_library(preset, x, parameters["sizes"])
    if library == "pytorch":
        return peers.pytorch(variant, x, None, scale_factor=tuple(parameters["scales"]))
    import cv2

    fy, fx = parameters["scales"]
    return cv2.resize(x, None, fx=fx, fy=fy, interpolation=getattr(cv2, "INTER_" + variant.upper().replace("-", "_")))


def difference(row: str, mine: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """In units for integer results; for floats relative to inputs in [0, 1)."""
    assert (mine.shape, mine.dtype) == (theirs.shape, theirs.dtype), (row, mine.shape, mine.dtype, theirs.shape, theirs.dtype)
    apart = np.abs(mine.astype(np.float64) - theirs.astype(np.float64))
    dtype = row.split(" ")[-1]
    is_scaled = mine.dtype.kind not in "biu" and dtype not in IMAGES and np.dtype(getattr(ml_dtypes, dtype, dtype)).kind in "iu"
    return apart / max(map(abs, bounds(dtype))) if is_scaled else apart


def measure(row: str, cases) -> dict:
    largest, different, total = 0.0, 0, 0
    for index in cases:
        x, parameters = random_case(row, index)
        apart = difference(row, by_tesela(row, x, parameters), by_library(row, x, parameters))
        largest = max(largest, float(apart.max()))
        different += int(np.count_nonzero(apart))
        total += apart.size
    return {"largest": float(f"{largest:.2g}"), "differ": float(f"{different / total:.2g}"), "cases": len(cases)}


# ---- Extents from scales and from one integer -------------------------------------------------------------------------

def extent_case(library: str, index: int):
    """(shape, scales or one integer and max_size): the latter for torchvision, 0 where it is not given."""
    rng = np.random.default_rng([index, sum(library.encode())])
    shape = tuple(int(n) for n in rng.integers(1, 400, 2))
    if library != "torchvision":
        return shape, tuple(max(random_scale(rng, n), 1.01 / n) for n in shape)
    size = int(rng.integers(1, 300))
    most = int(rng.integers(size + 1, size + 300))
    return shape, ((size, 0), (size, most), (0, most))[index % 3]


def extents_by_tesela(library: str, shape: tuple[int, int], given) -> tuple[int, ...]:
    import tesela

    name = next(name for name in tesela.presets.names if name.startswith(f"{library}:"))
    if library != "torchvision":
        return tesela.presets.sizes(name, shape, scales=given)
    size, most = (int(number) or None for number in given)
    try:
        return tesela.presets.sizes(name, shape, size, max_size=most)
    except tesela.ShapeError:
        return (0, 0)


def extents_by_library(library: str, shape: tuple[int, int], given) -> tuple[int, ...]:
    """(0, 0) if the library rejects an empty result."""
    x = np.zeros((1, *shape), np.uint8)
    if library == "pytorch":
        return peers.pytorch("nearest", x[None], None, scale_factor=given).shape[2:]
    if library == "opencv":
        import cv2

        return cv2.resize(x[0], None, fx=given[1], fy=given[0], interpolation=cv2.INTER_NEAREST).shape
    if library == "skimage":
        from skimage.transform import rescale

        return rescale(x[0], given, order=0, anti_aliasing=False).shape
    import torch
    from torchvision.transforms.v2 import InterpolationMode, Resize

    size, most = (int(number) or None for number in given)
    try:
        return tuple(Resize(size, InterpolationMode.NEAREST, max_size=most)(torch.from_numpy(x)).shape[1:])
    except RuntimeError as error:
        assert "should be greater than 0" in str(error)
        return (0, 0)


# ---- Records and the table --------------------------------------------------------------------------------------------

def read_measured() -> dict:
    return json.loads(MEASURED.read_text())


def vectors_of(library: str):
    return peers.VECTORS / f"inputs-{library}.npz"


def _bits(y: np.ndarray) -> np.ndarray:
    return y.view(np.uint16) if y.dtype == ml_dtypes.bfloat16 else y


def recorded(row: str, index: int, arrays) -> np.ndarray:
    """A recorded result; bfloat16 is stored as bits."""
    import tesela

    preset, _, kind = row.partition(" ")
    y = arrays[f"{row} {index}"]
    return y.view(ml_dtypes.bfloat16) if tesela.presets.dtypes(preset).get(kind) == "bfloat16" else y


def record(pattern: str = "") -> None:
    """Measures and records every row with this in its name whose library is installed."""
    for library in peers.LIBRARIES:
        chosen = [row for row in rows() if row.startswith(f"{library}:") and pattern in row]
        if not chosen or peers.version(library) is None:
            continue
        path = vectors_of(library)
        arrays = dict(np.load(path)) if path.exists() else {}
        for row in chosen:
            found = {"version": peers.version(library), **measure(row, range(LIVE_CASES))}
            print(row, found, flush=True)
            everything = (read_measured() if MEASURED.exists() else {}) | {row: found}
            MEASURED.write_text(json.dumps(dict(sorted(everything.items())), indent=1) + "\n")
            for index in range(1, RECORDED_CASES + 1):
                arrays[f"{row} {index}"] = _bits(by_library(row, *random_case(row, index)))
        np.savez_compressed(path, **arrays)
    if not pattern:
        record_extents()


def record_extents() -> None:
    arrays = dict(np.load(EXTENTS)) if EXTENTS.exists() else {}
    for library, cases in EXTENT_CASES.items():
        if peers.version(library) is not None:
            arrays[library] = np.array([extents_by_library(library, *extent_case(library, i)) for i in range(cases)], np.int32)
    np.savez_compressed(EXTENTS, **arrays)


def table() -> str:
    """The table of presets with other dtypes and scales."""
    import tesela

    measured = read_measured()
    lines = ["| preset | equal in every value | largest difference elsewhere |", "|---|---|---|"]
    for preset in tesela.presets.names:
        equal, apart, changed = [], [], {}
        for row in (row for row in rows() if row.split(" ")[0] == preset):
            kind = row.partition(" ")[2]
            became = tesela.presets.dtypes(preset).get(kind, kind)
            words = kind if became == kind else f"{kind} (gives {became})"
            found = measured[row]
            if found["largest"] == 0:
                equal.append(words)
            elif became == kind:
                apart.append(f"{words} {found['largest']:.2g}")
            else:  # converted dtypes are grouped, with the largest of their differences
                changed.setdefault(became, []).append((kind, found["largest"]))
        apart += [f"{', '.join(kind for kind, _ in kinds)} (give {became}) {max(largest for _, largest in kinds):.2g}"
                  for became, kinds in changed.items()]
        if equal or apart:
            lines.append(f"| `{preset}` | {', '.join(equal) or '-'} | {', '.join(apart) or '-'} |")
    return "\n".join(lines)


if __name__ == "__main__":
    {"record": record, "extents": record_extents, "table": peers.write_tables}[sys.argv[1]](*sys.argv[2:])
