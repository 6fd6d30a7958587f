# SPDX-License-Identifier: Apache-2.0
"""Pyramids opened by other readers: ome-zarr, ome-zarr-models, ngff-zarr, tensorstore, GDAL and libvips."""

import json
import pathlib
import subprocess

import ngff_zarr
import numpy as np
import ome_zarr_models
import pytest
import pyvips
import tensorstore
import tesela
import zarr
from ome_zarr.io import parse_url
from ome_zarr.reader import Reader

RANDOM = np.random.default_rng(7)
SHAPE = (2, 3, 40, 300, 410)
UNITS = {"t": "second", "z": "micrometer", "y": "micrometer", "x": "micrometer"}


@pytest.fixture(scope="module", params=[("0.4", {}), ("0.5", {}), ("0.5", {"chunks": 32, "shards": 128})], ids=str)
def written(request, tmp_path_factory):
    version, layout = request.param
    x = RANDOM.integers(0, 60000, SHAPE, np.uint16)
    pyramid = tesela.pyramid(x, factors=[(1, 1, 1, 2, 2), (1, 1, 2, 4, 4)], scale=(3, 1, 2, 0.5, 0.25), units=UNITS)
    path = tmp_path_factory.mktemp("pyramid") / "image.zarr"
    pyramid.write(path, version=version, **layout)
    return pyramid, path, version


def test_ome_zarr(written):
    pyramid, path, version = written
    (node,) = Reader(parse_url(path))()
    assert [axis["name"] for axis in node.metadata["axes"]] == list("tczyx")
    for level, array, steps in zip(pyramid, node.data, node.metadata["coordinateTransformations"], strict=True):
        assert np.array_equal(level, array.compute())
        assert tuple(steps[0]["scale"]) == level.scale and tuple(steps[1]["translation"]) == level.translation


def test_ome_zarr_models(written):
    pyramid, path, version = written
    image = ome_zarr_models.open_ome_zarr(zarr.open_group(path, mode="r"))
    assert image.ome_zarr_version == version and type(image).__name__ == "Image"
    assert len(image.attributes.multiscales[0].datasets if version == "0.4" else image.ome_attributes.multiscales[0].datasets) == len(pyramid)


def test_ngff_zarr(written):
    check_ngff_zarr(*written)


def test_ngff_zarr_of_0_6(tmp_path):
    """The only one of these readers that knows the version. ome-zarr reads its arrays."""
    x = RANDOM.integers(0, 60000, SHAPE, np.uint16)
    pyramid = tesela.pyramid(x, factors=[(1, 1, 1, 2, 2), (1, 1, 2, 4, 4)], scale=(3, 1, 2, 0.5, 0.25), units=UNITS)
    pyramid.write(tmp_path / "x", version="0.6")
    check_ngff_zarr(pyramid, tmp_path / "x", "0.6")
    (node,) = Reader(parse_url(tmp_path / "x"))()
    for level, array in zip(pyramid, node.data, strict=True):
        assert np.array_equal(level, array.compute())


def check_ngff_zarr(pyramid, path, version):
    images = ngff_zarr.from_ngff_zarr(path, version=version).images
    for level, image in zip(pyramid, images, strict=True):
        assert tuple(image.dims) == tuple("tczyx") and np.array_equal(level, image.data.compute())
        assert tuple(image.scale[dim] for dim in image.dims) == level.scale
        assert tuple(image.translation[dim] for dim in image.dims) == level.translation
        assert image.axes_units["x"] == "micrometer"


def test_tensorstore(written):
    pyramid, path, version = written
    for number, level in enumerate(pyramid):
        spec = {"driver": "zarr" if version == "0.4" else "zarr3", "kvstore": f"file://{path}/{number}/"}
        assert np.array_equal(level, tensorstore.open(spec).result().read().result())


def test_label_models(tmp_path):
    for version in ("0.4", "0.5"):
        tesela.pyramid(RANDOM.integers(0, 99, (200, 150)), labels=True, factors=[2, 4]).write(tmp_path / version, version=version)
        image = ome_zarr_models.open_ome_zarr(zarr.open_group(tmp_path / version, mode="r"))
        assert type(image).__name__ == "ImageLabel"


@pytest.mark.parametrize("version", ["0.4", "0.5"])
@pytest.mark.parametrize("suffix", ["png", "tif"])
def test_colours(tmp_path, version, suffix):
    """Readers get red, green and blue with their range."""
    x = RANDOM.integers(0, 255, (50, 60, 3), np.uint8)
    path = tmp_path / f"x.{suffix}"
    pyvips.Image.new_from_array(x).copy(interpretation="srgb").write_to_file(str(path))
    tesela.pyramid(path, factors=[2]).write(tmp_path / "x.zarr", version=version)
    ome_zarr_models.open_ome_zarr(zarr.open_group(tmp_path / "x.zarr", mode="r"))
    (node,) = Reader(parse_url(tmp_path / "x.zarr"))()
    assert node.metadata["channel_names"] == ["red", "green", "blue"] and node.metadata["contrast_limits"] == [[0, 255]] * 3
    assert np.array_equal(node.data[0].compute(), x.transpose(2, 0, 1))


@pytest.mark.parametrize("shape", [(700, 900), (3, 700, 900)])
def test_gdal_reads_overviews(tmp_path, shape):
    pyramid = tesela.pyramid(RANDOM.integers(0, 255, shape, np.uint8), axes="cyx"[-len(shape):], factors=[2, 5])
    path = tmp_path / "x.tif"
    pyramid.write(path, overviews="pages")
    told = json.loads(subprocess.run(["gdalinfo", "-json", path], capture_output=True, check=True).stdout)
    assert told["size"] == [900, 700] and len(told["bands"]) == (shape[0] if len(shape) == 3 else 1)
    assert [overview["size"] for overview in told["bands"][0]["overviews"]] == [[450, 350], [180, 140]]
    for number, level in enumerate(pyramid.levels[1:]):
        made = tmp_path / f"{number}.raw"
        subprocess.run(["gdal_translate", "-q", "-of", "ENVI", "-oo", f"OVERVIEW_LEVEL={number}", path, made], check=True)
        assert np.array_equal(np.fromfile(made, np.uint8).reshape(level.shape), level)


def test_libvips_reads_sub_ifds(tmp_path):
    pyramid = tesela.pyramid(RANDOM.integers(0, 255, (700, 900), np.uint8), factors=[2, 5])
    path = pathlib.Path(tmp_path) / "x.ome.tif"
    pyramid.write(path)
    for number, level in enumerate(pyramid):
        image = pyvips.Image.tiffload(str(path), subifd=number - 1)
        assert np.array_equal(image.numpy(), level)
