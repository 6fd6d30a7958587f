# SPDX-License-Identifier: Apache-2.0
"""xarray: dims, attrs and names are kept, and coordinates follow the elements."""

import subprocess
import sys

import dask.array as da
import numpy as np
import pandas as pd
import pytest
import tesela
import tesela.xarray
import xarray as xr


def field():
    x = xr.DataArray(
        np.arange(12.0).reshape(3, 4), dims=("y", "x"), name="temperature", attrs={"units": "K"},
        coords={"y": ("y", [10.0, 20.0, 40.0], {"units": "m"}), "x": [0, 1, 2, 3], "band": ("x", list("abcd")), "level": 5,
                "day": ("y", pd.date_range("2020-01-01", periods=3)), "lat": (("y", "x"), np.arange(12).reshape(3, 4))})
    return x


def test_labels_are_kept_and_coordinates_resampled():
    y = tesela.resize(field(), sizes=(6, 4), mode="linear")
    assert y.dims == ("y", "x") and y.name == "temperature" and y.attrs == {"units": "K"}
    assert np.array_equal(y.values, tesela.resize(field().values, sizes=(6, 4), mode="linear"))
    assert y.y.values.tolist() == [7.5, 12.5, 17.5, 25.0, 35.0, 45.0] and y.y.attrs == {"units": "m"}
    assert y.day.values[0] == np.datetime64("2019-12-31T18:00") and y.day.values[1] == np.datetime64("2020-01-01T06:00")
    assert y.x.values.tolist() == [0, 1, 2, 3] and y.band.values.tolist() == list("abcd") and y.level == 5
    assert "lat" not in y.coords  # neither a single axis nor whole elements
    narrow = tesela.resize(field(), sizes=(3, 2), mode="linear")
    assert narrow.x.values.tolist() == [0.5, 2.5] and "band" not in narrow.coords


@pytest.mark.parametrize("chunks", [{"y": 2}, {"x": 3, "y": 1}])
def test_chunks_stay_lazy_and_agree(chunks):
    x = field().chunk(chunks)
    y = tesela.resize(x, sizes=(6, 9), mode="cubic", antialias=True)
    assert isinstance(y.data, da.Array)
    assert y.compute().identical(tesela.resize(field(), sizes=(6, 9), mode="cubic", antialias=True))
    assert tesela.tile(x, (2, 3)).compute().identical(tesela.tile(field(), (2, 3)))
    plan = tesela.plan("resize", x, sizes=(6, 9))
    assert plan(x).compute().identical(plan(field()))


def test_moved_elements_keep_their_coordinates():
    y = tesela.resize(field(), sizes=(3, 2), coordinate_transformation_mode="asymmetric", nearest_mode="floor")
    assert y.x.values.tolist() == [0, 2] and y.x.dtype == np.int64 and y.band.values.tolist() == ["a", "c"]
    assert y.lat.values.tolist() == [[0, 2], [4, 6], [8, 10]]
    tiled = tesela.tile(field(), (1, 2))
    assert tiled.band.values.tolist() == list("abcdabcd") and tiled.lat.shape == (3, 8)
    assert np.array_equal(tiled.lat.values, np.tile(field().lat.values, (1, 2)))


@pytest.mark.parametrize("parameters, expected", [
    (dict(sizes=(3, 7), coordinate_transformation_mode="align_corners"), np.arange(7) / 2),
    (dict(sizes=(3, 8), like="pytorch:nearest-exact"), np.arange(8) / 2 - 0.25),
    (dict(scales=(1, 2)), np.arange(8) / 2 - 0.25),
    (dict(sizes=(3, 4), roi=(0, 0.5, 1, 1), coordinate_transformation_mode="tf_crop_and_resize"), [1.5, 2, 2.5, 3]),
    (dict(sizes=(3, 8), opset=11, coordinate_transformation_mode="tf_half_pixel_for_nn", nearest_mode="floor"),
     np.arange(8) / 2 - 0.25),
    (dict(sizes=(3, 1), coordinate_transformation_mode="pytorch_half_pixel", mode="linear"), [0]),
    (dict(sizes=(3, 1), mode="linear", antialias=True), [1.5]),
], ids=str)
def test_coordinates_follow_operator_positions(parameters, expected):
    assert tesela.resize(field(), **parameters).x.values.tolist() == pytest.approx(list(expected))


def test_coordinates_of_other_types():
    x = xr.DataArray(np.zeros(3), dims="t", coords={
        "single": ("t", np.float32([0, 1, 4])), "flag": ("t", [True, False, True]), "small": ("t", np.uint8([200, 100, 0])),
        "wait": ("t", np.array([0, 10, "NaT"], "m8[s]"))})
    y = tesela.resize(x, sizes=(6,), mode="linear")
    assert y.single.dtype == np.float32 and y.single.values.tolist() == [-0.25, 0.25, 0.75, 1.75, 3.25, 4.75]
    assert y.small.values.tolist() == [225, 175, 125, 75, 25, -25] and "flag" not in y.coords
    assert y.wait.values[:2].tolist() == [np.timedelta64(-2, "s").item(), np.timedelta64(2, "s").item()]
    assert np.isnat(y.wait.values[3:]).all()


def test_multiindex_levels_are_not_coordinates():
    levels = xr.Coordinates.from_pandas_multiindex(pd.MultiIndex.from_product([[0, 1], [0, 1]], names=["a", "b"]), "x")
    x = xr.DataArray(np.zeros((3, 4)), dims=("y", "x"), coords=levels)
    assert "x" in tesela.resize(x, sizes=(6, 4)).indexes
    assert not tesela.resize(x, sizes=(3, 8)).coords


def test_single_element_drops_its_coordinate():
    x = field()[:1].drop_vars("lat")
    assert "y" not in tesela.resize(x, sizes=(3, 4)).coords and "x" in tesela.resize(x, sizes=(3, 4)).coords
    assert tesela.resize(field(), sizes=(0, 4)).y.shape == (0,)


def test_axes_are_dims_by_name():
    assert tesela.resize(field(), sizes=(8,), axes="x").shape == (3, 8)
    assert tesela.resize(field(), sizes=(8, 5), axes=("x", "y")).shape == (5, 8)
    plan = tesela.plan("resize", field(), sizes=(8,), axes=("x",))
    assert plan(field()).x.values.tolist() == (np.arange(8) / 2 - 0.25).tolist()
    with pytest.raises(tesela.InvalidValueError, match="'z'; expected one of the dims y, x"):
        tesela.resize(field(), sizes=(8,), axes="z")


def test_variables_and_datasets():
    variable = tesela.resize(field().variable, sizes=(3, 8))
    assert isinstance(variable, xr.Variable) and variable.dims == ("y", "x") and variable.attrs == {"units": "K"}
    mapped = field().to_dataset().map(tesela.resize, sizes=(6, 4))
    assert mapped.temperature.shape == (6, 4)
    with pytest.raises(tesela.ElementTypeError, match="Dataset.*x.map"):
        tesela.resize(field().to_dataset(), sizes=(6, 4))
    with pytest.raises(tesela.UsageError, match="out.data"):
        tesela.resize(field(), sizes=(3, 4), out=field())
    out = np.zeros((3, 4))
    assert tesela.resize(field(), sizes=(3, 4), out=out) is out and out[2, 3] == 11
    plan = tesela.plan("resize", field(), sizes=(6, 4))
    with pytest.raises(tesela.UnsupportedError, match="run_region"):
        plan.run_region(field(), (0, 0), (0, 0), (6, 4))
    with pytest.raises(tesela.UnsupportedError, match="openvino"):
        tesela.tile(field(), (2, 1, 1), dialect="openvino")
    assert tesela.tile(field(), (2,), dialect="openvino").x.shape == (8,)


def test_masked_blocks_are_rejected():
    chunks = field().chunk({"y": 2}).data
    with pytest.raises(tesela.ElementTypeError, match=r"dask.array.ma.filled\(x, value\)"):
        tesela.resize(da.ma.masked_greater(chunks, 5), sizes=(6, 4))
    silent = chunks.map_blocks(lambda block: np.ma.masked_greater(block, 5), meta=np.empty((0, 0)))
    with pytest.raises(tesela.ElementTypeError, match="masked elements"):
        tesela.resize(silent, sizes=(6, 4)).compute(scheduler="sync")
    with pytest.raises(tesela.UsageError, match="dask array, which cannot be written"):
        tesela.resize(np.zeros((3, 4)), sizes=(3, 4), out=chunks)


def dataset():
    return xr.Dataset(
        {"temperature": field(), "wind": (("t", "y", "x"), np.arange(24, dtype=np.float32).reshape(2, 3, 4)),
         "profile": ("y", np.arange(3.0), {"units": "1"}), "count": ("t", [7, 8])},
        coords={"t": [0.0, 1.0], "run": 3}, attrs={"title": "a"})


def test_accessor_of_arrays_takes_dims_by_name():
    expected = tesela.resize(field(), sizes=(6, 8), mode="linear")
    assert field().tesela.resize({"x": 8, "y": 6}, mode="linear").identical(expected)
    assert field().tesela.resize((6, 8), mode="linear").identical(expected)
    assert field().tesela.resize(scales={"x": 2}).identical(tesela.resize(field(), scales=(2,), axes="x"))
    assert field().tesela.tile({"x": 2}).identical(tesela.tile(field(), (1, 2)))
    lazy = field().chunk({"y": 2}).tesela.resize({"x": 8}, chunks={"x": 5})
    assert lazy.chunks == ((2, 1), (5, 3)) and lazy.compute().identical(field().tesela.resize({"x": 8}))


@pytest.mark.parametrize("chunks", [None, {"y": 2, "x": 3, "t": 1}])
def test_accessor_of_datasets_changes_the_variables_that_have_the_dims(chunks):
    x = dataset() if chunks is None else dataset().chunk(chunks)
    y = x.tesela.resize({"y": 6, "x": 2}, mode="linear", antialias=True)
    if chunks is not None:
        assert all(isinstance(y[name].data, da.Array) for name in y)
    call = dict(mode="linear", antialias=True)
    assert y.attrs == {"title": "a"} and y.sizes == {"t": 2, "y": 6, "x": 2} and y.run == 3 and y.t.values.tolist() == [0, 1]
    assert np.array_equal(y.temperature.values, tesela.resize(field().values, sizes=(6, 2), **call))
    assert np.array_equal(y.wind.values, tesela.resize(dataset().wind.values, sizes=(6, 2), axes=(1, 2), **call))
    assert np.array_equal(y["profile"].values, tesela.resize(np.arange(3.0), sizes=(6,), **call)) and y["profile"].units == "1"
    assert y["count"].values.tolist() == [7, 8] and y.y.values.tolist() == [7.5, 12.5, 17.5, 25.0, 35.0, 45.0]
    assert y.identical(x.tesela.resize((2, 6), axes=("x", "y"), **call))
    tiled = x.tesela.tile({"t": 3})
    assert tiled.t.values.tolist() == [0, 1] * 3 and tiled["count"].values.tolist() == [7, 8] * 3
    assert tiled.temperature.identical(x.temperature)


def test_dims_that_only_coordinates_have():
    x = xr.Dataset(coords={"x": [0.0, 10.0], "name": ("x", ["a", "b"])})
    y = x.tesela.resize({"x": 4}, mode="linear")
    assert y.x.values.tolist() == [-2.5, 2.5, 7.5, 12.5] and "name" not in y.coords


def test_regions_of_interest_follow_the_dims():
    call = dict(coordinate_transformation_mode="tf_crop_and_resize", mode="linear")
    y = dataset().tesela.resize({"x": 3, "y": 2}, roi=(0.25, 0, 1, 0.5), **call)
    assert np.array_equal(y["profile"].values, tesela.resize(np.arange(3.0), sizes=(2,), roi=(0, 0.5), **call))


def test_what_accessors_reject():
    x = dataset()
    with pytest.raises(tesela.InvalidValueError, match="a dim is 'z'; expected one of the dims"):
        x.tesela.resize({"z": 3})
    with pytest.raises(tesela.ArgumentError, match="sizes is .3, 4.; expected a mapping from dims"):
        x.tesela.resize((3, 4))
    with pytest.raises(tesela.ArgumentError, match="axes is 'x'; expected None, because sizes or scales name the dims"):
        x.tesela.resize({"x": 3}, axes="x")
    with pytest.raises(tesela.ArgumentError, match="sizes and scales are both given"):
        field().tesela.resize({"x": 3}, scales={"y": 2})
    with pytest.raises(tesela.ArgumentError, match="repeats is .2,.; expected a mapping from dims"):
        x.tesela.tile((2,))
    with pytest.raises(tesela.Error, match="variable 'name': .*string"):
        x.assign(name=("y", list("abc"))).tesela.resize({"y": 5}, mode="linear")
    with pytest.raises(tesela.UnsupportedError, match="keep_aspect_ratio_policy would give variables without all of the dims"):
        x.tesela.resize({"x": 3, "y": 9}, keep_aspect_ratio_policy="not_larger")


def test_the_accessor_is_registered_with_the_import():
    script = "import {}, {}; import numpy; assert xarray.DataArray(numpy.zeros(2), dims='x').tesela.resize((4,)).shape == (4,)"
    for first, second in (("xarray", "tesela"), ("tesela", "tesela.xarray, xarray")):
        subprocess.run([sys.executable, "-c", script.format(first, second)], check=True)
