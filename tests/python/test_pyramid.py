# SPDX-License-Identifier: Apache-2.0
"""Pyramids: extents, physical coordinates, chunks of every shape, inputs and lazy levels."""

import dask.array as da
import numpy as np
import pytest
import tesela
import tifffile
import xarray
import zarr

RANDOM = np.random.default_rng(5)


def ramp(shape, axis, scale=1.0, translation=0.0, dtype=np.float64):
    """Each element is its physical coordinate along an axis."""
    line = translation + scale * np.arange(shape[axis])
    return np.broadcast_to(line.reshape([-1 if k == axis else 1 for k in range(len(shape))]), shape).astype(dtype)


def coordinates(level, axis):
    return level.translation[axis] + level.scale[axis] * np.arange(level.shape[axis])


# --- Where elements lie --------------------------------------------------------------------------


SHAPES = [(200, 301), (40, 121, 64), (2, 50, 90, 33), (2, 3, 17, 40, 65)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("factors", [2, [2, 4, 8], 1.7, [1.5, 3, 4.5], [3, 7]], ids=str)
@pytest.mark.parametrize("levels_from", ["above", "base"])
@pytest.mark.parametrize("mode", ["linear", "cubic", "nearest"])
def test_a_ramp_has_the_coordinates_of_its_elements(shape, factors, levels_from, mode):
    """Within one element of the base, of nearest from above within one element of the level. Linear and
    whole factors are exact away from the edges."""
    rank = len(shape)
    for axis in range(max(rank - 3, 0), rank):
        scale, translation = 0.5, -3.25
        pyramid = tesela.pyramid(ramp(shape, axis, scale, translation), factors=factors, mode=mode, levels_from=levels_from, levels=None,
                                 scale={"zyx"[axis - rank]: scale}, translation={"zyx"[axis - rank]: translation})
        for level in pyramid:
            expected = coordinates(level, axis)
            line = np.asarray(level)[tuple(slice(None) if k == axis else 0 for k in range(rank))]
            unit = level.scale[axis] if mode == "nearest" and levels_from == "above" else scale
            assert np.abs(line - expected).max() <= unit, level
            if mode == "linear" and level.shape[axis] > 8 and levels_from == "base":
                is_whole = shape[axis] % level.shape[axis] == 0
                assert np.abs(line - expected)[2:-2].max() < (1e-6 if is_whole else 0.1) * scale


@pytest.mark.parametrize("levels_from, moved", [("above", lambda f: (1 - f**-2) / 12), ("base", lambda f: (1 + 1 / f) * (1 + 2 / f) / 48)])
def test_the_outermost_elements(levels_from, moved):
    """At an edge the filter reads the last element for those outside. Of factors that are powers of two this moves the outermost
    element of each side inwards by so many widths of the level, and no other one."""
    x = ramp((2, 8192), 1)
    for level in tesela.pyramid(x, factors={"x": 2}, levels=9, levels_from=levels_from)[1:]:
        error = (np.asarray(level)[0] - coordinates(level, 1)) / level.scale[1]
        most = moved(level.factors[1])
        assert abs(error[0] - most) < 1e-12 and abs(error[-1] + most) < 1e-12, level
        assert np.abs(error[1:-1]).max() < 1e-12


@pytest.mark.parametrize("dtype", ["uint8", "int16", "uint16", "float32", "float64"])
def test_a_ramp_of_any_dtype(dtype):
    x = ramp((200, 201), 1, dtype=dtype)
    for level in tesela.pyramid(x, factors=[2, 3, 4, 6]):
        assert level.dtype == dtype
        assert np.abs(np.asarray(level, float)[0] - coordinates(level, 1)).max() <= 1


def test_translation_of_a_whole_factor():
    level = tesela.pyramid(np.zeros((120, 60)), factors=[4], scale=(0.5, 3), translation=(10, 0))[1]
    assert level.shape == (30, 15) and level.scale == (2.0, 12.0) and level.factors == (4.0, 4.0)
    assert level.translation == (10 + 1.5 * 0.5, 1.5 * 3)


def test_outer_edges_stay_whatever_the_extents_are():
    """The factor of 301 elements halved to 151 is 301 / 151."""
    for level in tesela.pyramid(np.zeros((301, 77)), factors=1.9, scale=(2.0, 1.0)):
        for axis, (extent, scale) in enumerate(((301, 2.0), (77, 1.0))):
            assert level.translation[axis] - level.scale[axis] / 2 == pytest.approx(-scale / 2)
            assert level.scale[axis] * level.shape[axis] == pytest.approx(extent * scale)


# --- Levels --------------------------------------------------------------------------------------


@pytest.mark.parametrize("factors, levels, expected", [
    (2, None, [(3, 1000, 700), (2, 500, 350), (1, 250, 175)]),
    (2, 2, [(3, 1000, 700), (2, 500, 350)]),
    ({"y": 2, "x": 3}, None, [(3, 1000, 700), (3, 500, 234), (3, 250, 78)]),
    ([2, 5], None, [(3, 1000, 700), (2, 500, 350), (1, 200, 140)]),
    ([(1, 2, 2), {"x": 4}], None, None),
    ([(1, 2, 2), (1, 4.5, "7/2")], None, [(3, 1000, 700), (3, 500, 350), (3, 223, 200)]),
], ids=str)
def test_extents(factors, levels, expected):
    x = np.zeros((3, 1000, 700), np.uint8)
    if expected is None:
        with pytest.raises(tesela.InvalidValueError, match="level 2 has the shape .* expected an axis that gets shorter, and none that gets longer"):
            tesela.pyramid(x, factors=factors)
    else:
        assert [level.shape for level in tesela.pyramid(x, factors=factors, levels=levels)] == expected


@pytest.mark.parametrize("levels_from", ["above", "base"])
@pytest.mark.parametrize("mode", ["linear", "cubic", "nearest"])
def test_levels_are_resizes(mode, levels_from):
    x = RANDOM.integers(0, 60000, (3, 71, 130), np.uint16)
    pyramid = tesela.pyramid(x, factors=[(1, 2, 2), (2, 5, 4)], mode=mode, levels_from=levels_from)
    expected = x
    for level in pyramid.levels[1:]:
        options = {} if mode == "nearest" else {"antialias": True}
        expected = tesela.resize(expected if levels_from == "above" else x, sizes=level.shape, mode=mode, **options)
        assert np.array_equal(level, expected)
        assert np.array_equal(level[1, 3:9, -7:], expected[1, 3:9, -7:])
        assert np.array_equal(level[..., ::-2], expected[..., ::-2]) and level[5:5].shape == expected[5:5].shape
        assert np.array_equal(np.block([[level[:, :11, :5], level[:, :11, 5:]], [level[:, 11:, :5], level[:, 11:, 5:]]]), expected)
    assert pyramid[-1] is pyramid.levels[-1] and len(pyramid) == 3 and repr(pyramid)
    with pytest.raises(IndexError, match="outside the"):
        level[99]
    with pytest.raises(IndexError, match="expected whole numbers and slices"):
        level[[1, 2]]


def test_memory_limits_what_is_read_at_once():
    """A box is computed in parts with the same bits, and an element that needs more is an error."""
    x = RANDOM.random((640, 500))
    level = tesela.pyramid(x, factors=[16])[1]
    read = []

    class Counting:
        shape, dtype = (640, 500), np.dtype(float)

        def __getitem__(self, key):
            box = x[key]
            read.append(box.nbytes)
            return box

    from tesela._pyramid.sources import Source

    limited = level.over(Source(Counting()))
    assert limited.read((0, 0), level.shape, 40_000).tobytes() == np.asarray(level).tobytes()
    assert max(read) <= 40_000 and len(read) > 20
    with pytest.raises(tesela.LimitError, match="one element of a level is computed from"):
        limited.read((0, 0), level.shape, 1000)


@pytest.mark.parametrize("seed", range(30))
def test_random_boxes_and_budgets_have_the_bits_of_the_whole(seed):
    """Shapes, dtypes, factors, modes, boxes and limits of memory are drawn."""
    draw = np.random.default_rng(seed)
    shape = tuple(draw.integers(1, 60, draw.integers(2, 5)).tolist())
    x = (draw.random(shape) * 200).astype(draw.choice(["uint8", "int16", "uint16", "float32", "float64"]))
    mode, levels_from = draw.choice(["linear", "cubic", "nearest"]).item(), draw.choice(["above", "base"]).item()
    factors = np.cumprod(1 + draw.random((3, len(shape))) * 3, axis=0).tolist()
    shapes = [shape]
    for entry in factors:
        shapes.append(tuple(int(np.ceil(extent / by)) for extent, by in zip(shape, entry)))
    kept = [tuple(entry) for entry, above, below in zip(factors, shapes, shapes[1:]) if above != below]
    whole = x
    for level in tesela.pyramid(x, factors=kept, mode=mode, levels_from=levels_from).levels[1:]:
        options = {} if mode == "nearest" else {"antialias": True}
        whole = tesela.resize(whole if levels_from == "above" else x, sizes=level.shape, mode=mode, **options)
        least = max(level.region_bytes([extent // 2 for extent in level.shape], (1,) * len(shape)), 8 * 20 ** len(shape))
        for _ in range(4):
            lo = tuple(draw.integers(0, extent) for extent in level.shape)
            hi = tuple(draw.integers(start, extent) + 1 for start, extent in zip(lo, level.shape))
            box = level.read(lo, tuple(b - a for a, b in zip(lo, hi)), least * draw.integers(1, 9))
            assert box.tobytes() == whole[tuple(map(slice, lo, hi))].tobytes(), (shape, kept, mode, levels_from, lo, hi)


# --- Inputs --------------------------------------------------------------------------------------


def test_axes_are_brought_into_the_order_of_ome_zarr():
    x = RANDOM.integers(0, 255, (40, 30, 3), np.uint8)
    level = tesela.pyramid(x, axes="yxc", factors=[(2, 3, 1)], scale=(5, 7, 1))[1]
    assert [axis.name for axis in level.axes] == ["c", "y", "x"] and level.shape == (3, 20, 10)
    assert level.scale == (1, 10, 21)
    assert np.array_equal(level, tesela.resize(np.ascontiguousarray(x.transpose(2, 0, 1)), sizes=(3, 20, 10), mode="linear", antialias=True))
    names = [axis.name for axis in tesela.pyramid(np.zeros((2, 3, 4, 5, 6)), axes=("x", "t", "z", "c", "y"), levels=1).axes]
    assert names == ["t", "c", "z", "y", "x"]


def test_xarray_says_what_axes_are():
    x = xarray.DataArray(RANDOM.random((4, 60, 50)), dims=("t", "y", "x"), coords={
        "t": [0, 3, 6, 9], "y": ("y", 5 + 0.25 * np.arange(60), {"units": "um"}), "x": ("x", np.arange(50.0), {"units": "µm"})})
    level = tesela.pyramid(x, factors=[2])[1]
    assert [(axis.name, axis.kind, axis.unit) for axis in level.axes] == [
        ("t", "time", None), ("y", "space", "micrometer"), ("x", "space", "micrometer")]
    assert level.scale == (3, 0.5, 2) and level.translation == (0, 5.125, 0.5)
    lazy = tesela.pyramid(x.chunk({"y": 16}), factors=[2])[1]
    assert np.array_equal(lazy, level)
    with pytest.raises(tesela.InvalidValueError, match="coordinate 'x' of x is not evenly spaced"):
        tesela.pyramid(x.assign_coords(x=np.arange(50.0) ** 2))


@pytest.mark.parametrize("levels_from", ["above", "base"])
def test_dask_arrays_stay_lazy(levels_from):
    x = RANDOM.random((90, 101))
    pyramid = tesela.pyramid(da.from_array(x, chunks=(40, 33)), factors=[2, 5], levels_from=levels_from)
    expected = tesela.pyramid(x, factors=[2, 5], levels_from=levels_from)
    for level, lazy, whole in zip(pyramid, pyramid.dask(), expected):
        assert isinstance(lazy, da.Array) and np.array_equal(level, whole) and np.array_equal(lazy.compute(scheduler="sync"), whole)
    for lazy, whole in zip(expected.dask(chunks=20), expected):
        assert lazy.chunksize == tuple(min(20, extent) for extent in whole.shape) and np.array_equal(lazy.compute(scheduler="sync"), whole)


@pytest.mark.parametrize("suffix", ["npy", "fortran.npy", "png", "tif", "strips.tif", "zarr2", "zarr3", "sharded"])
def test_files(tmp_path, suffix):
    x = RANDOM.integers(0, 255, (130, 170), np.uint8)
    path = tmp_path / f"x.{suffix}"
    expected = x
    if suffix.endswith("npy"):
        np.save(path, np.asfortranarray(x) if "fortran" in suffix else x)
    elif suffix == "png":
        from PIL import Image

        Image.fromarray(x).save(path)
        expected = x[None]
    elif suffix.endswith("tif"):
        tifffile.imwrite(path, x, **({"rowsperstrip": 7} if "strips" in suffix else {"tile": (32, 32), "compression": "zlib"}))
    else:
        shards = (64, 64) if suffix == "sharded" else None
        zarr.create_array(path, data=x, chunks=(32, 32), shards=shards, zarr_format=2 if suffix == "zarr2" else 3)
    pyramid = tesela.pyramid(path, factors=[2])
    assert np.array_equal(pyramid[0], expected) and np.array_equal(pyramid[1], tesela.pyramid(expected, factors=[2])[1])


def test_ome_tiff_says_what_axes_are(tmp_path):
    x = RANDOM.integers(0, 9999, (2, 3, 64, 80), np.uint16)
    tifffile.imwrite(tmp_path / "x.ome.tif", x, tile=(32, 32), metadata={
        "axes": "ZCYX", "PhysicalSizeX": 0.25, "PhysicalSizeXUnit": "µm", "PhysicalSizeY": 0.25, "PhysicalSizeYUnit": "µm",
        "PhysicalSizeZ": 900, "PhysicalSizeZUnit": "nm"})
    pyramid = tesela.pyramid(tmp_path / "x.ome.tif", factors=[{"y": 2, "x": 2}])
    assert [axis.name for axis in pyramid.axes] == ["c", "z", "y", "x"]
    assert [axis.unit for axis in pyramid.axes] == [None, "nanometer", "micrometer", "micrometer"]
    assert pyramid[1].scale == (1, 900, 0.5, 0.5) and np.array_equal(pyramid[0], x.transpose(1, 0, 2, 3))


# --- Errors --------------------------------------------------------------------------------------


@pytest.mark.parametrize("x, parameters, kind, message", [
    (np.zeros(5), {}, tesela.RankError, "the shape of x is (5,); expected 2 to 5 axes"),
    (np.zeros((2,) * 6), {}, tesela.RankError, "expected 2 to 5 axes"),
    (np.zeros((0, 5)), {}, tesela.ShapeError, "expected at least one element"),
    (np.array([["a"]]), {}, tesela.ElementTypeError, "expected numbers"),
    (np.zeros((9, 9)), {"factors": 0.5}, tesela.InvalidValueError, "a factor is 0.5; expected a number of 1 or more"),
    (np.zeros((9, 9)), {"factors": "two"}, tesela.InvalidValueError, "a factor is 'two'"),
    (np.zeros((9, 9)), {"factors": [2], "levels": 3}, tesela.CountError, "levels is 3; expected 2"),
    (np.zeros((9, 9)), {"factors": [(1, 2, 2)]}, tesela.CountError, "expected 2 entries, one for each of the axes y, x"),
    (np.zeros((9, 9)), {"factors": [2, 2]}, tesela.InvalidValueError, "level 2 has the shape (5, 5), and the level above (5, 5)"),
    (np.zeros((9, 9)), {"axes": "zyx"}, tesela.CountError, "expected 2 different names"),
    (np.zeros((9, 9)), {"axes": "cx"}, tesela.InvalidValueError, "expected two or three of x, y and z"),
    (np.zeros((9, 9)), {"units": "parrot"}, tesela.InvalidValueError, "the unit of y is 'parrot'; expected one of angstrom"),
    (np.zeros((9, 9)), {"units": {"q": "meter"}}, tesela.InvalidValueError, "expected names among y, x"),
    (np.zeros((9, 9)), {"scale": -1}, tesela.InvalidValueError, "scale of y is -1; expected a number above 0"),
    (np.zeros((9, 9)), {"translation": np.nan}, tesela.InvalidValueError, "expected a finite number"),
    (np.zeros((9, 9)), {"labels": True}, tesela.ElementTypeError, "labels have the dtype float64; expected integers"),
    (np.zeros((9, 9), int), {"labels": True, "mode": "linear"}, tesela.InvalidValueError, "expected 'nearest' for labels"),
    (np.zeros((9, 9)), {"mode": "bilinear"}, tesela.InvalidValueError, "mode is 'bilinear'; expected one of linear, cubic, nearest"),
    (np.zeros((9, 9)), {"levels_from": "below"}, tesela.InvalidValueError, "expected one of above, base"),
    ("missing.npy", {}, tesela.IoError, "cannot open 'missing.npy'"),
], ids=str)
def test_errors(x, parameters, kind, message):
    with pytest.raises(kind) as caught:
        tesela.pyramid(x, **parameters)
    assert message in str(caught.value) and len(str(caught.value)) < 330
