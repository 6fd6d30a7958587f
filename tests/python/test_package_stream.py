# SPDX-License-Identifier: Apache-2.0
"""Streaming: every kind of file in and out, in little memory, has the bits of the whole result."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest
import tesela
import tifffile
import zarr
from cli_program import save_model
from onnx import TensorProto, helper
from PIL import Image
from streams import assert_equal, left, read, remove, save
from tesela import _core, _streaming
from tesela._streaming import formats, memory as memory_sizes, raw_file

RESIZE = dict(sizes=(3, 150, 170), mode="cubic", antialias=True)
TILE = dict(repeats=(1, 3, 2))


def picture(shape=(4, 165, 173), dtype="uint16", seed=0):
    return np.random.default_rng(seed).integers(0, 200, shape).astype(dtype)


def regions_of(operator, source, target, memory, **parameters):
    """Streams, and returns how many regions there were."""
    options = _streaming.Options(memory=memory)
    return _streaming.run(lambda opened: _streaming.operation_of(operator, opened, parameters), source, target, options).regions


SOURCES = {
    "npy": ("x.npy", {}),
    "zarr": ("x.zarr", dict(chunks=(2, 48, 48))),
    "sharded": ("x.zarr", dict(chunks=(1, 24, 48), shards=(2, 48, 96))),
    "zarr 2": ("x.zarr", dict(chunks=(2, 51, 48), zarr_format=2)),
    "tiff": ("x.tif", {}),
    "tiled": ("x.tif", dict(tile=(16, 32))),
    "compressed": ("x.tif", dict(tile=(32, 16), compression="zlib")),
    "strips": ("x.tif", dict(rowsperstrip=7, compression="zlib")),
    "ome": ("x.ome.tif", dict(tile=(32, 32), metadata={"axes": "ZYX"})),
}


@pytest.mark.parametrize("name", SOURCES)
def test_every_source(name, tmp_path):
    x = picture()
    path, options = SOURCES[name]
    source = save(tmp_path / path, x, **options)
    for operator, parameters in (("resize", RESIZE), ("tile", TILE)):
        memory = 600_000 if source.suffix == ".zarr" else 250_000  # decoding chunks takes some
        assert regions_of(operator, source, tmp_path / "y.npy", memory, **parameters) > 3
        assert_equal(read(tmp_path / "y.npy"), getattr(tesela, operator)(x, **parameters), name)


def written(path, x):
    """A file of any ending that is read; the elements of x, or what is near them in a JPEG."""
    if path.suffix == ".zip":
        with zarr.storage.ZipStore(path, mode="w") as store:
            zarr.create_array(store, data=x, chunks=(16, 20, 1))
    elif path.suffix in (".png", ".jpg", ".jpeg"):
        Image.fromarray(x).save(path)
    elif path.suffix == "":
        zarr.create_array(path, data=x, chunks=(16, 20, 3), zarr_format=2)
    elif path.name.startswith("ome"):
        tesela.pyramid(x, axes="yxc", levels=2).write(path, version=path.stem[3:])
    else:
        save(path, x, **({"photometric": "rgb", "tile": (16, 16)} if path.suffix in (".tif", ".tiff") else {}))
    return path


@pytest.mark.parametrize("name", [*(f"x{ending}" for ending in formats.OF_ENDING), "folder", "ome0.4.zarr", "ome0.5.zarr"])
def test_streams_and_pyramids_read_the_same_files(name, tmp_path):
    path = written(tmp_path / name, picture((64, 50, 3), "uint8"))
    tesela.stream("tile", path, tmp_path / "copy.npy", repeats=(1, 1, 1))
    x = read(tmp_path / "copy.npy")
    if "jp" not in name and "ome" not in name:
        assert_equal(x, picture((64, 50, 3), "uint8"))
    given = {} if name.endswith(("f", "g")) or "ome" in name else {"axes": "yxc"}
    base = np.asarray(tesela.pyramid(path, levels=2, **given)[0])
    assert_equal(np.ascontiguousarray(base), x if "ome" in name else np.ascontiguousarray(x.transpose(2, 0, 1)))
    # Two sizes are for height and width, where the file says which axes these are.
    sizes, axes = ((31, 90), (1, 2) if "ome" in name else (0, 1)) if not given or name.endswith(("g", "f")) else ((31, 90, 3), None)
    tesela.stream("resize", path, tmp_path / "y.npy", sizes=sizes, mode="linear")
    assert_equal(read(tmp_path / "y.npy"), tesela.resize(x, sizes=sizes, axes=axes, mode="linear"))


def test_parts_of_short_last_axes_are_read(tmp_path, monkeypatch):
    """Channels of pixels: whole pixels are read, some at a time."""
    monkeypatch.setattr(raw_file, "_MOST_WHOLE", 100)
    x, random = picture((5, 40, 4), "uint16"), np.random.default_rng(0)
    x.tofile(tmp_path / "x")
    with open(tmp_path / "x", "rb") as file:
        opened = raw_file.RawFile("'x'", file.fileno(), 0, x.shape, x.dtype)
        for _ in range(60):
            lo = tuple(int(random.integers(0, extent)) for extent in x.shape)
            box = np.empty([int(random.integers(1, extent - first + 1)) for extent, first in zip(x.shape, lo)], x.dtype)
            opened.read(lo, box)
            assert_equal(box, np.ascontiguousarray(x[tuple(slice(first, first + extent) for first, extent in zip(lo, box.shape))]))


def test_a_zip_is_not_written(tmp_path):
    with pytest.raises(tesela.UnsupportedError, match="target '.*y.zip' has no format that can be written; expected one of .jpeg, "):
        tesela.stream("tile", np.zeros((3, 3)), tmp_path / "y.zip", repeats=(1, 1))


@pytest.mark.parametrize("target", ["y.npy", "y.zarr", "y.tif", "y.ome.tif"])
def test_every_target(target, tmp_path):
    x = picture()
    source = save(tmp_path / "x.npy", x)
    options = {} if target == "y.npy" else {"chunks": (16, 32) if "tif" in target else (1, 48, 60)}
    for operator, parameters in (("resize", RESIZE), ("tile", TILE)):
        tesela.stream(operator, source, tmp_path / target, memory=700_000, **options, **parameters)
        assert_equal(read(tmp_path / target), getattr(tesela, operator)(x, **parameters), target)
        assert not left(tmp_path / target)
        remove(tmp_path / target)


@pytest.mark.parametrize("name", ["y.tif", "y.ome.tif"])
@pytest.mark.parametrize("shape, dtype", [((4, 165, 173), "uint16"), ((90, 70, 3), "uint8"), ((20, 30), ">f4"), ((300, 290), "complex64")])
def test_compressed_tiff(name, shape, dtype, tmp_path):
    x = picture(shape, dtype)
    tesela.stream("tile", x, tmp_path / name, repeats=(1, 2, 1)[:x.ndim], compression="zlib", memory="1MiB", chunks=(64, 48))
    assert_equal(read(tmp_path / name), np.tile(x, (1, 2, 1)[:x.ndim]).astype(x.dtype.newbyteorder("=")))
    with tifffile.TiffFile(tmp_path / name) as file:
        assert all(page.compression == tifffile.COMPRESSION.ADOBE_DEFLATE for page in file.pages)
        assert file.filehandle.size < x.nbytes * 2


def test_compression_of_zarr(tmp_path):
    source = save(tmp_path / "x.zarr", picture(), chunks=(2, 64, 64))
    for compression, count in (("none", 0), ("zstd", 1), (None, 1)):
        tesela.stream("tile", source, tmp_path / "y.zarr", repeats=(1, 1, 1), compression=compression)
        assert len(zarr.open(tmp_path / "y.zarr").compressors) == count
        assert_equal(read(tmp_path / "y.zarr"), picture())
        remove(tmp_path / "y.zarr")


@pytest.mark.parametrize("name", ["zarr", "sharded", "zarr 2"])
def test_a_zarr_target_is_like_its_source(name, tmp_path):
    x = picture()
    path, options = SOURCES[name]
    tesela.stream("resize", save(tmp_path / path, x, **options), tmp_path / "y.zarr", memory="1MiB", **RESIZE)
    like, made = zarr.open(tmp_path / path), zarr.open(tmp_path / "y.zarr")
    assert (made.chunks, made.shards, made.metadata.zarr_format) == (like.chunks, like.shards, like.metadata.zarr_format)
    assert_equal(made[...], tesela.resize(x, **RESIZE))


def test_random_calls(tmp_path):
    """Extents, chunks, calls and memory drawn at random."""
    random = np.random.default_rng(20)
    for case in range(12):
        shape = tuple(random.integers(1, 60, random.integers(1, 4)).tolist())
        x = random.random(shape, np.float32)
        sizes = tuple(random.integers(1, 90, len(shape)).tolist())
        mode, memory = str(random.choice(["nearest", "linear", "cubic"])), int(random.integers(20_000, 300_000))
        operator, call = "resize", dict(sizes=sizes, mode=mode, antialias=mode != "nearest" and random.random() < .5)
        if random.random() < .3:
            operator, call = "tile", dict(repeats=tuple(random.integers(0, 4, len(shape))))
        target = np.empty(getattr(tesela, operator)(x, **call).shape, np.float32)
        try:
            tesela.stream(operator, x, target, memory=memory, **call)
        except tesela.LimitError as error:
            least = re.search(r"needs (\S+), which", str(error))[1]
            tesela.stream(operator, x, target, memory=least, **call)
        assert_equal(target, getattr(tesela, operator)(x, **call), (case, shape, operator, call, memory))


def test_arrays_as_sources_and_targets(tmp_path):
    x = picture(dtype="float32")
    mapped = np.load(save(tmp_path / "x.npy", x), mmap_mode="r")
    chunked = zarr.open(save(tmp_path / "x.zarr", x, chunks=(2, 56, 60)), mode="r")
    expected = tesela.resize(x, **RESIZE)
    targets = (np.empty(expected.shape, x.dtype), np.lib.format.open_memmap(tmp_path / "m.npy", "w+", x.dtype, expected.shape),
               zarr.create_array(tmp_path / "y.zarr", shape=expected.shape, dtype=x.dtype, chunks=(1, 50, 60)))
    for source in (x, mapped, mapped[1:], mapped[:, ::2], mapped.T, chunked):
        whole = tesela.resize(np.asarray(source), **RESIZE)
        for target in targets:
            tesela.stream("resize", source, target, memory=900_000, **RESIZE)
            assert_equal(np.asarray(target[...]), whole)
    with pytest.raises(tesela.ShapeError, match="target has the shape"):
        tesela.stream("resize", x, np.empty((1, 2, 3), x.dtype), **RESIZE)
    with pytest.raises(tesela.ElementTypeError, match="target holds float64; expected float32"):
        tesela.stream("resize", x, np.empty(expected.shape), **RESIZE)


@pytest.mark.parametrize("dtype", ["bool", "int8", ">f4", "float16", "complex64", "uint64"])
def test_types(dtype, tmp_path):
    x = (picture((180, 200)) % 2 if dtype == "bool" else picture((180, 200))).astype(dtype)
    parameters = dict(sizes=(161, 140), mode="nearest" if dtype == "bool" else "linear")
    for source in (save(tmp_path / "x.npy", x), save(tmp_path / "f.npy", np.asfortranarray(x))):
        tesela.stream("resize", source, tmp_path / "y.npy", memory=300_000, **parameters)
        assert_equal(read(tmp_path / "y.npy"), tesela.resize(x, **parameters), dtype)


def test_types_that_npy_does_not_name(tmp_path):
    x = picture((180, 200)).astype(ml_dtypes.bfloat16)
    source = save(tmp_path / "x.npy", x)
    tesela.stream("resize", source, tmp_path / "y.npy", dtype="bfloat16", memory=300_000, sizes=(161, 140), mode="linear")
    assert_equal(np.load(tmp_path / "y.npy").view(ml_dtypes.bfloat16), tesela.resize(x, sizes=(161, 140), mode="linear"))
    with pytest.raises(tesela.UnsupportedError, match="does not say which type"):
        tesela.stream("resize", source, tmp_path / "y.npy", sizes=(161, 140))
    with pytest.raises(tesela.ElementTypeError, match="expected elements of whole bytes"):
        tesela.stream("constant_of_shape", None, tmp_path / "y.npy", shape=(3, 3), value=ml_dtypes.int4(1))


@pytest.mark.parametrize("preset", ["pillow:bicubic", "pytorch:bilinear-antialias", "opencv:cubic"])
def test_presets(preset, tmp_path):
    x = picture((470, 260, 4), "uint8")
    target = tmp_path / "y.npy"
    assert regions_of("resize", x, target, 1_000_000, sizes=(331, 290), axes=(0, 1), like=preset) > 1
    assert_equal(read(target), tesela.resize(x, sizes=(331, 290), axes=(0, 1), like=preset))


def test_images_are_resized_along_height_and_width(tmp_path):
    x = picture((70, 60, 3), "uint8")
    source = save(tmp_path / "x.tif", x, photometric="rgb", tile=(16, 16))
    tesela.stream("resize", source, tmp_path / "y.tif", sizes=(31, 90), mode="linear")
    assert_equal(read(tmp_path / "y.tif"), tesela.resize(x, sizes=(31, 90), axes=(0, 1), mode="linear"))
    with tifffile.TiffFile(tmp_path / "y.tif") as file:
        assert file.pages[0].photometric == tifffile.PHOTOMETRIC.RGB and file.pages[0].tile


def test_ome_axes_stay(tmp_path):
    source = save(tmp_path / "x.ome.tif", picture(), tile=(32, 32), metadata={"axes": "ZYX"})
    tesela.stream("resize", source, tmp_path / "y.ome.tif", scales=(0.5, 0.5), mode="linear")
    with tifffile.TiffFile(tmp_path / "y.ome.tif") as file:
        assert file.is_ome and file.series[0].axes == "ZYX" and file.series[0].shape == (4, 82, 86)


def test_constants(tmp_path):
    for target, value in ((tmp_path / "y.npy", np.float32(-0.0)), (tmp_path / "y.zarr", np.int16(7)), (tmp_path / "y.tif", np.uint8(3))):
        tesela.stream("constant_of_shape", None, target, shape=(300, 200), value=value, memory="1MiB")
        assert_equal(read(target), np.full((300, 200), value))


def test_empty_arrays_and_scalars(tmp_path):
    for x, parameters in ((np.zeros((0, 5)), dict(repeats=(2, 2))), (np.zeros((3, 5)), dict(repeats=(2, 0))), (np.float32(3), dict(repeats=()))):
        x = np.asarray(x)
        for target in (tmp_path / "y.npy", tmp_path / "y.zarr"):
            tesela.stream("tile", save(tmp_path / "x.npy", x), target, **parameters)
            assert_equal(read(target), tesela.tile(x, **parameters))
            remove(target)


# --- Models ----------------------------------------------------------------------------------------


def chain(path, nodes, output="y", more_inputs=None):
    inputs = {"x": (TensorProto.FLOAT, ["h", "w"])} | (more_inputs or {})
    constants = {"scales": np.float32([1.5, 0.7]), "repeats": np.int64([2, 3])}
    return save_model(path, nodes, inputs, {output: (TensorProto.FLOAT, [None, None])}, initializers=constants)


UP = helper.make_node("Resize", ["x", "", "scales"], ["r"], mode="cubic")
WALL = helper.make_node("Tile", ["r", "repeats"], ["y"])


def test_models_that_are_chains(tmp_path):
    x = np.random.default_rng(1).random((50, 60), np.float32)
    for nodes, output in (([UP], "r"), ([UP, WALL], "y")):
        model = tesela.load(chain(tmp_path / "m.onnx", nodes, output))
        tesela.stream(model, save(tmp_path / "x.npy", x), tmp_path / "y.npy", memory=200_000)
        assert_equal(read(tmp_path / "y.npy"), model(x))


def test_models_with_branches(tmp_path):
    """Each output is reached by a chain; the other nodes do not run."""
    x = np.random.default_rng(1).random((50, 60), np.float32)
    nodes = [UP, helper.make_node("Tile", ["x", "repeats"], ["beside"]), WALL, helper.make_node("Resize", ["y", "", "scales"], ["z"], mode="linear")]
    ends = {name: (TensorProto.FLOAT, [None, None]) for name in ("y", "beside", "z")}
    constants = {"scales": np.float32([1.5, 0.7]), "repeats": np.int64([2, 3])}
    path = save_model(tmp_path / "m.onnx", nodes, {"x": (TensorProto.FLOAT, ["h", "w"])}, ends, initializers=constants)
    model = tesela.load(path)
    for name, expected in zip(ends, model(x)):
        tesela.stream(model, x, tmp_path / "y.npy", memory=400_000, output=name)
        assert_equal(read(tmp_path / "y.npy"), expected, name)
    with pytest.raises(tesela.UnsupportedError, match="the model has 3 outputs; name one of them: y, beside, z"):
        tesela.stream(model, x, tmp_path / "y.npy")
    with pytest.raises(tesela.InvalidValueError, match="output is 'r'; expected one of y, beside, z"):
        tesela.stream(model, x, tmp_path / "y.npy", output="r")


def several(path):
    """wide = Tile(x, counts) and its resize by sizes; small = Resize(z, scales). Inputs: two that stream, and two of numbers."""
    nodes = [helper.make_node("Tile", ["x", "counts"], ["wide"], name="wall"),
             helper.make_node("Resize", ["wide", "", "", "sizes"], ["y"], mode="linear", name="fit"),
             helper.make_node("Resize", ["z", "", "scales"], ["small"], mode="cubic", name="shrink")]
    inputs = {"x": (TensorProto.FLOAT, ["h", "w"]), "z": (TensorProto.FLOAT, ["p", "q"]), "counts": (TensorProto.INT64, [2]),
              "sizes": (TensorProto.INT64, [2])}
    outputs = {name: (TensorProto.FLOAT, [None, None]) for name in ("y", "small", "wide")}
    return save_model(path, nodes, inputs, outputs, initializers={"scales": np.float32([0.5, 0.7])})


def test_models_with_several_inputs(tmp_path):
    """The input that an output is computed from streams; numbers are read whole; what is not needed need not be given."""
    random = np.random.default_rng(2)
    x, z = random.random((50, 60), np.float32), random.random((90, 40), np.float32)
    numbers = {"counts": np.array([3, 2]), "sizes": save(tmp_path / "sizes.npy", np.array([70, 90]))}
    model = tesela.load(several(tmp_path / "m.onnx"))
    expected = dict(zip(("y", "small", "wide"), model(x=x, z=z, counts=numbers["counts"], sizes=np.array([70, 90]))))
    given = {"x": save(tmp_path / "x.npy", x), "z": save(tmp_path / "z.zarr", z, chunks=(20, 20)), **numbers}
    for name, needed in (("y", ("x", "counts", "sizes")), ("small", ("z",)), ("wide", ("x", "counts"))):
        for sources in (given, {key: given[key] for key in needed}):
            tesela.stream(model, sources, tmp_path / "out.npy", output=name, memory="300KB")
            assert_equal(read(tmp_path / "out.npy"), expected[name], name)


def test_numbers_belong_to_the_call(tmp_path, monkeypatch):
    """Work on other sizes does not continue."""
    model = tesela.load(several(tmp_path / "m.onnx"))
    source = save(tmp_path / "x.npy", np.ones((50, 60), np.float32))
    from tesela._streaming import pipeline

    with monkeypatch.context() as patched, pytest.raises(tesela.IoError):
        patched.setattr(pipeline.Pipeline, "run", lambda *_: (_ for _ in ()).throw(OSError(5, "Input/output error")))
        tesela.stream(model, {"x": source, "counts": np.array([3, 2])}, tmp_path / "y.npy", output="wide")
    with pytest.raises(tesela.UsageError, match="belongs to another call"):
        tesela.stream(model, {"x": source, "counts": np.array([2, 3])}, tmp_path / "y.npy", output="wide")


def test_models_that_are_not_streamed(tmp_path):
    model, x = tesela.load(several(tmp_path / "m.onnx")), np.zeros((9, 9), np.float32)
    many = np.ones(70_000, np.int64)
    fill = save_model(tmp_path / "fill.onnx", [helper.make_node("ConstantOfShape", ["shape"], ["made"], name="zeros"),
                                                helper.make_node("Tile", ["made", "repeats"], ["y"], name="wall")],
                      {"shape": (TensorProto.INT64, [2])}, {"y": (TensorProto.FLOAT, [None, None]), "made": (TensorProto.FLOAT, [None, None])},
                      initializers={"repeats": np.int64([2, 3])})
    constant = save_model(tmp_path / "constant.onnx", [helper.make_node("Tile", ["fixed", "repeats"], ["y"], name="wall")],
                          {"x": (TensorProto.FLOAT, [2])}, {"y": (TensorProto.FLOAT, [None])},
                          initializers={"repeats": np.int64([2]), "fixed": np.float32([1, 2])})
    shape = np.array([3, 4])
    calls = [
        (model, x, {"output": "y"}, tesela.CountError, "the model has 4 inputs; give a dictionary of sources for x, z, counts, sizes"),
        (model, {"x": x, "q": x}, {"output": "y"}, tesela.InvalidValueError, "the model has no input 'q'; it has x, z, counts, sizes"),
        (model, {"x": x}, {"output": "small"}, tesela.ArgumentError, "'small' is computed from the model's input 'z'"),
        (model, {"x": x}, {"output": "wide"}, tesela.InvalidValueError, r"Tile-13 node 'wall': input 'repeats' has unknown elements .*'counts'"),
        (model, {"x": x, "counts": many}, {"output": "wide"}, tesela.Error, "counts"),
        (model, {"x": x}, {}, tesela.UnsupportedError, "the model has 3 outputs; name one of them: y, small, wide"),
        (model, {"x": x}, {"sizes": (2, 2)}, tesela.ArgumentError, "parameter 'sizes' is for an operator"),
        # Of a shape, the elements of its output are none of the input's.
        (tesela.load(fill), shape, {"output": "made"}, tesela.UnsupportedError, "ConstantOfShape node 'zeros' makes 'made' of a shape"),
        (tesela.load(fill), shape, {"output": "y"}, tesela.UnsupportedError, "ConstantOfShape node 'zeros' makes 'made' of a shape"),
        (tesela.load(constant), x[0, :2], {}, tesela.UnsupportedError, "Tile node 'wall' reads 'fixed', which no node makes from an input"),
    ]
    for given, source, parameters, kind, message in calls:
        with pytest.raises(kind, match=message):
            tesela.stream(given, source, tmp_path / "y.npy", **parameters)
        assert not (tmp_path / "y.npy").exists() and not left(tmp_path / "y.npy"), message


def test_constants_that_are_refused(tmp_path):
    """Nothing is written."""
    calls = [
        (dict(shape=(3, -1)), tesela.ShapeError, "-1"),
        (dict(shape=(2**40, 2**40)), tesela.Error, "ConstantOfShape"),
        (dict(), TypeError, "shape"),
        (dict(shape=(3,), value=np.zeros(2)), tesela.Error, "value"),
        (dict(shape=(3,), value=ml_dtypes.int4(1)), tesela.ElementTypeError, "expected elements of whole bytes"),
        (dict(shape=(3,), values=1), TypeError, "did you mean 'value'"),
        (dict(shape=(4, 4), memory="8"), tesela.LimitError, "which is the minimum"),
        (dict(shape=(4, 4), chunks=(2, 2)), tesela.UsageError, "chunks are for Zarr"),
    ]
    for parameters, kind, message in calls:
        with pytest.raises(kind, match=message):
            tesela.stream("constant_of_shape", None, tmp_path / "y.npy", **parameters)
        assert not os.listdir(tmp_path), parameters
    with pytest.raises(tesela.ArgumentError, match="constant_of_shape has no input"):
        tesela.stream("constant_of_shape", np.zeros(3), tmp_path / "y.npy", shape=(3,))
    with pytest.raises(tesela.ShapeError, match=r"target has the shape"):
        tesela.stream("constant_of_shape", None, np.zeros((3, 4), np.float32), shape=(4, 3))


# --- Memory ----------------------------------------------------------------------------------------


def test_the_least_memory_is_named_and_enough(tmp_path):
    x = picture((200, 300))
    source = save(tmp_path / "x.zarr", x, chunks=(50, 50))
    with pytest.raises(tesela.LimitError, match=r"memory is 1000; a region of 50x50 outputs needs \S+, which is the minimum") as refused:
        tesela.stream("resize", source, tmp_path / "y.zarr", memory=1000, sizes=(100, 100), mode="linear")
    assert not (tmp_path / "y.zarr").exists() and not left(tmp_path / "y.zarr")
    least = re.search(r"needs (\S+),", str(refused.value))[1]
    tesela.stream("resize", source, tmp_path / "y.zarr", memory=least, sizes=(100, 100), mode="linear")
    assert_equal(read(tmp_path / "y.zarr"), tesela.resize(x, sizes=(100, 100), mode="linear"))


@pytest.mark.parametrize("name, options", [("x.npy", {}), ("f.npy", {}), ("x.zarr", dict(chunks=(60, 70)))])
def test_windows_larger_than_memory(name, options, tmp_path):
    """One chunk of the output takes the whole input, which has ten times the memory."""
    x = picture((1200, 1100), "uint8")
    source = save(tmp_path / name, np.asfortranarray(x) if name == "f.npy" else x, **options)
    for parameters in (dict(sizes=(20, 18), mode="linear", antialias=True), dict(sizes=(15, 11), mode="cubic", antialias=True)):
        target = tmp_path / "y.zarr"
        tesela.stream("resize", source, target, memory=130_000 if not options else 250_000, chunks=(20, 18), num_threads=1, **parameters)
        assert_equal(read(target), tesela.resize(x, **parameters))
        remove(target)


def test_sizes_of_memory():
    for text, count in (("256MiB", 256 << 20), ("2GB", 2 * 10**9), ("1.5 KiB", 1536), ("77", 77), (5, 5), ("1g", 1 << 30)):
        assert memory_sizes.read(text) == count
    assert 0 < memory_sizes.read(None) <= memory_sizes.available() // 4
    for bad in ("256 apples", "-1", "", 1.5, True):
        with pytest.raises(ValueError if isinstance(bad, str) else TypeError, match="expected a number of bytes"):
            memory_sizes.read(bad)


PEAK = """
import resource, sys, numpy as np, tesela
tesela.stream("resize", sys.argv[1], sys.argv[2], memory="1MiB", sizes=(8, 8), mode="nearest", num_threads=1)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
tesela.stream("resize", sys.argv[1], sys.argv[2], memory="16MiB", scales=(1.01, 1), mode="linear", num_threads=1)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def test_the_peak_is_within_the_memory(tmp_path):
    """128 MiB through 16 MiB."""
    np.lib.format.open_memmap(tmp_path / "x.npy", "w+", np.float32, (4096, 8192)).flush()
    done = subprocess.run([sys.executable, "-c", PEAK, tmp_path / "x.npy", tmp_path / "y.npy"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done
    assert int(done.stdout) < 20 << 10  # KiB: the memory, and what the allocator keeps


# --- Wrong calls -----------------------------------------------------------------------------------


def test_wrong_calls(tmp_path):
    x = save(tmp_path / "x.npy", picture((20, 30)))
    calls = [
        (("resize", tmp_path / "x.xyz", tmp_path / "y.npy"), dict(sizes=(2, 2)), tesela.UnsupportedError, "expected one of .jpeg, .jpg"),
        (("resize", tmp_path / "missing.npy", tmp_path / "y.npy"), dict(sizes=(2, 2)), OSError, "cannot open '.*missing.npy': No such file"),
        (("resize", tmp_path / "missing.zarr", tmp_path / "y.npy"), dict(sizes=(2, 2)), OSError, "cannot open '.*missing.zarr'"),
        (("resize", x, tmp_path / "no" / "y.npy"), dict(sizes=(2, 2)), OSError, "the folder is missing"),
        (("resize", x, x), dict(sizes=(2, 2)), tesela.PathError, "is also the source"),
        (("resize", x, tmp_path / "y.npy"), dict(size=(2, 2)), TypeError, "did you mean 'sizes'"),
        (("resize", x, tmp_path / "y.npy"), dict(sizes=(2, 2), chunks=(2, 2)), tesela.UsageError, "chunks are for Zarr"),
        (("resize", x, tmp_path / "y.npy"), dict(sizes=(2, 2), compression="zlib"), tesela.UsageError, "compression is for Zarr and TIFF"),
        (("resize", x, tmp_path / "y.tif"), dict(sizes=(2, 2), compression="zstd"), tesela.InvalidValueError, "'zstd'; expected one of zlib, none"),
        (("resize", x, tmp_path / "y.zarr"), dict(sizes=(2, 2), compression="lzw"), tesela.InvalidValueError, "one of zstd, none"),
        (("resize", x, tmp_path / "y.zarr"), dict(sizes=(2, 2), chunks=(2,)), tesela.RankError, "2 entries, one for each axis"),
        (("resize", x, tmp_path / "y.zarr"), dict(sizes=(2, 2), chunks=(2, 2), shards=(3, 2)), tesela.ShapeError, "a multiple of the chunks"),
        (("resize", x, tmp_path / "y.tif"), dict(sizes=(2, 2), chunks=(20, 20)), tesela.InvalidValueError, "multiples of 16"),
        (("resize", 7, tmp_path / "y.npy"), dict(sizes=(2, 2)), TypeError, "source is 7; expected a path"),
        (("resize", None, tmp_path / "y.npy"), dict(sizes=(2, 2)), TypeError, "'resize' has an input"),
        (("shrink", x, tmp_path / "y.npy"), {}, tesela.UnsupportedError, "operator 'shrink' is unknown"),
        (("tile", np.zeros((2, 2), bool), tmp_path / "y.tif"), dict(repeats=(1, 1)), tesela.UnsupportedError, "cannot hold bool"),
        (("tile", np.zeros(2), tmp_path / "y.tif"), dict(repeats=(1,)), tesela.ShapeError, "expected two axes or more"),
    ]
    for positional, keywords, kind, message in calls:
        with pytest.raises(kind, match=message):
            tesela.stream(*positional, **keywords)
        assert sorted(os.listdir(tmp_path)) == ["x.npy"], positional


def test_damaged_sources(tmp_path):
    path = save(tmp_path / "x.npy", picture((20, 30)))
    data = path.read_bytes()
    for damaged, kind in ((data[:-1], tesela.TruncatedError), (data[:20], tesela.ParseError), (b"junk" + data, tesela.ParseError)):
        path.write_bytes(damaged)
        with pytest.raises(kind, match="x.npy"):
            tesela.stream("tile", path, tmp_path / "y.npy", repeats=(1, 1))
    for name in ("x.tif", "x.ome.tif"):
        (tmp_path / name).write_bytes(b"II*\0junk")
        with pytest.raises(tesela.ParseError, match="not a readable TIFF file"):
            tesela.stream("tile", tmp_path / name, tmp_path / "y.npy", repeats=(1, 1))
    (tmp_path / "x.zarr").mkdir()
    (tmp_path / "x.zarr" / "zarr.json").write_text("{")
    with pytest.raises(tesela.ParseError, match="not a readable Zarr array"):
        tesela.stream("tile", tmp_path / "x.zarr", tmp_path / "y.npy", repeats=(1, 1))
    zarr.create_group(tmp_path / "g.zarr").create_array("level0", shape=(4, 4), dtype="u1")
    with pytest.raises(tesela.UnsupportedError, match="is a group of Zarr without an image; name one of its members: level0"):
        tesela.stream("tile", tmp_path / "g.zarr", tmp_path / "y.npy", repeats=(1, 1))
    assert not left(tmp_path / "y.npy")


def test_damaged_chunks(tmp_path):
    source = save(tmp_path / "x.zarr", picture((80, 90)), chunks=(40, 45))
    (source / "c" / "1" / "0").write_bytes(b"junk")
    tiff = save(tmp_path / "x.tif", picture((80, 90)), tile=(32, 32), compression="zlib")
    with tifffile.TiffFile(tiff) as file:
        place = file.pages[0].dataoffsets[4]
    tiff.write_bytes(tiff.read_bytes()[:place] + b"junk" + tiff.read_bytes()[place + 4:])
    for damaged in (source, tiff):
        with pytest.raises(tesela.ParseError, match=rf"{damaged.name}': the chunk at \(\d+, \d+\) cannot be read"):
            tesela.stream("tile", damaged, tmp_path / "y.npy", repeats=(1, 1))
        assert not (tmp_path / "y.npy").exists()
        remove(tmp_path / "y.npy")


@pytest.mark.parametrize("package, extra, name", [("zarr", "zarr", "x.zarr"), ("tifffile", "tiff", "x.tif")])
def test_missing_packages(package, extra, name, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(_core.UnsupportedError, match=rf"the package {package} is not installed; install it with 'pip install tesela\[{extra}\]'"):
        tesela.stream("tile", tmp_path / name, tmp_path / "y.npy", repeats=(1, 1))
    with pytest.raises(_core.UnsupportedError, match=f"the package {package} is not installed"):
        tesela.stream("tile", np.zeros((3, 3)), tmp_path / name, repeats=(1, 1))
