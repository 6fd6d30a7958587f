# SPDX-License-Identifier: Apache-2.0
"""Programs and libraries that make a level of a pyramid. Each reads a Zarr array of float32, or a TIFF, and returns the level.

A peer is a function of (folder, side, target), which may say how many tasks its graph has. The folder has `x.zarr` and `x.tif`.
"""

from __future__ import annotations

import pathlib
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


class Unable(Exception):
    """The peer has no such factor."""


@dataclass
class Made:
    level: np.ndarray
    tasks: int | None = None  # of a graph


def _lazy(folder: pathlib.Path) -> Any:
    import dask.array as da

    return da.from_zarr(folder / "x.zarr")


def _whole(side: int, target: int) -> int:
    if side % target:
        raise Unable("whole factors")
    return side // target


def _stored(lazy: Any, folder: pathlib.Path) -> Made:
    import zarr

    lazy.to_zarr(folder / "y.zarr")
    return Made(zarr.open_array(folder / "y.zarr", mode="r")[...], len(lazy.dask))


def tesela_verb(folder: pathlib.Path, side: int, target: int) -> Made:
    import tesela
    import zarr

    made = tesela.pyramid(folder / "x.zarr", factors=[f"{side}/{target}"])
    made.write(folder / "y.zarr", memory="256MiB")
    return Made(zarr.open_array(folder / "y.zarr" / "1", mode="r")[...])


def tesela_dask(folder: pathlib.Path, side: int, target: int) -> Made:
    import tesela

    return _stored(tesela.pyramid(_lazy(folder), factors=[f"{side}/{target}"]).dask()[1], folder)


def ome_zarr(folder: pathlib.Path, side: int, target: int) -> Made:
    import zarr
    from ome_zarr.scale import Methods, _build_pyramid
    from ome_zarr.writer import write_image

    factor = {"y": side / target, "x": side / target}
    x = _lazy(folder)
    # The writer makes its graph by this function and does not return it.
    tasks = len(_build_pyramid(x, [dict(factor)], ("y", "x"), Methods.RESIZE)[1].dask)
    write_image(x, str(folder / "y.zarr"), scale_factors=[factor], axes="yx", method=Methods.RESIZE)
    group = zarr.open_group(folder / "y.zarr", mode="r")
    return Made(group[group.attrs["ome"]["multiscales"][0]["datasets"][1]["path"]][...], tasks)


def ngff_zarr(method: str) -> Callable[[pathlib.Path, int, int], Made]:
    def make(folder: pathlib.Path, side: int, target: int) -> Made:
        import ngff_zarr

        factor = _whole(side, target)
        image = ngff_zarr.to_ngff_image(_lazy(folder), dims=("y", "x"))
        levels = ngff_zarr.to_multiscales(image, scale_factors=[factor], method=ngff_zarr.Methods(method), chunks=250, cache=False)
        return _stored(levels.images[1].data, folder)

    return make


def dask_image(folder: pathlib.Path, side: int, target: int) -> Made:
    from dask_image.ndinterp import affine_transform

    ratio = side / target
    y = affine_transform(_lazy(folder), np.diag([ratio, ratio]), offset=(ratio - 1) / 2, output_shape=(target, target), order=1,
                         output_chunks=(250, 250), mode="nearest")
    return _stored(y, folder)


def dask_coarsen(folder: pathlib.Path, side: int, target: int) -> Made:
    import dask.array as da

    factor = _whole(side, target)
    return _stored(da.coarsen(np.mean, _lazy(folder), {0: factor, 1: factor}).astype(np.float32), folder)


def scipy_zoom(folder: pathlib.Path, side: int, target: int) -> Made:
    import zarr
    from scipy import ndimage

    x = zarr.open_array(folder / "x.zarr", mode="r")[...]
    return Made(ndimage.zoom(x, target / side, order=1, mode="nearest", grid_mode=True))


def tensorstore(folder: pathlib.Path, side: int, target: int) -> Made:
    import tensorstore

    factor = _whole(side, target)
    store = {"driver": "zarr3", "kvstore": f"file://{folder}/x.zarr/"}
    return Made(tensorstore.open({"driver": "downsample", "downsample_factors": [factor, factor], "downsample_method": "mean",
                                  "base": store}).result().read().result())


def gdal(method: str) -> Callable[[pathlib.Path, int, int], Made]:
    def make(folder: pathlib.Path, side: int, target: int) -> Made:
        factor = _whole(side, target)
        subprocess.run(["gdaladdo", "-q", "-r", method, folder / "x.tif", str(factor)], check=True)
        subprocess.run(["gdal_translate", "-q", "-of", "ENVI", "-oo", "OVERVIEW_LEVEL=0", folder / "x.tif", folder / "y.raw"], check=True)
        return Made(np.fromfile(folder / "y.raw", np.float32).reshape(target, target))

    return make


def libvips(folder: pathlib.Path, side: int, target: int) -> Made:
    import pyvips

    image = pyvips.Image.new_from_file(str(folder / "x.tif"), access="sequential")
    return Made(image.resize(target / side, kernel="linear").numpy())


# name: (function, what it computes)
PEERS: dict[str, tuple[Callable[[pathlib.Path, int, int], Made], str]] = {
    "tesela pyramid": (tesela_verb, "linear, antialiased"),
    "tesela on dask": (tesela_dask, "linear, antialiased"),
    "ome-zarr": (ome_zarr, "linear, Gaussian before"),
    "ngff-zarr itkwasm": (ngff_zarr("itkwasm_gaussian"), "Gaussian"),
    "ngff-zarr dask-image": (ngff_zarr("dask_image_gaussian"), "Gaussian"),
    "dask-image": (dask_image, "linear, no antialias"),
    "dask coarsen": (dask_coarsen, "mean"),
    "scipy zoom": (scipy_zoom, "linear, no antialias"),
    "tensorstore": (tensorstore, "mean"),
    "GDAL average": (gdal("average"), "mean"),
    "GDAL bilinear": (gdal("bilinear"), "linear, antialiased"),
    "libvips": (libvips, "linear, antialiased"),
}
