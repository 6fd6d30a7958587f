# SPDX-License-Identifier: Apache-2.0
"""Pyramids as OME-Zarr and TIFF: metadata by the rules of the specifications, elements, and outputs that are whole or absent."""

import itertools
import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
import tesela
import tifffile
import zarr
from cli_program import BAD, DONE, INTERRUPTED, IO, LIMIT, UNSUPPORTED, USAGE
from PIL import Image

RANDOM = np.random.default_rng(6)
COMMAND = [sys.executable, "-m", "tesela", "pyramid"]
UNITS = {"space": "micrometer", "time": "second"}


def command(*words, folder=None, timeout=120, **options):
    return subprocess.run([*COMMAND, *map(str, words)], cwd=folder, capture_output=True, text=True, timeout=timeout, **options)


def image_of(path):
    """(version, the attributes of the group, its one image), read as JSON."""
    if (path / "zarr.json").exists():
        group = json.loads((path / "zarr.json").read_text())
        assert group["zarr_format"] == 3 and group["node_type"] == "group"
        attributes = group["attributes"]["ome"]
        version = attributes["version"]
    else:
        assert json.loads((path / ".zgroup").read_text()) == {"zarr_format": 2}
        attributes = json.loads((path / ".zattrs").read_text())
        version = attributes["multiscales"][0]["version"]
    (image,) = attributes["multiscales"]
    return version, attributes, image


def axes_of(image, version):
    if version != "0.6":
        assert "coordinateSystems" not in image
        return image["axes"]
    (system,) = image["coordinateSystems"]
    assert "axes" not in image and set(system) == {"name", "axes"} and system["name"]
    return system["axes"]


def steps_of(image, dataset, version):
    """The scale and translation of a level."""
    if version != "0.6":
        return dataset["coordinateTransformations"]
    (step,) = dataset["coordinateTransformations"]
    assert step["type"] == "sequence" and step["input"] == {"path": dataset["path"]}
    assert step["output"] == {"name": image["coordinateSystems"][0]["name"]} and len(step["transformations"]) == 2
    return step["transformations"]


def check_image(path):
    """The rules of OME-Zarr 0.4 to 0.6 on images: what MUST be, in the words of the specification's sections."""
    version, attributes, image = image_of(path)
    axes, datasets = axes_of(image, version), image["datasets"]
    kinds = [axis.get("type") for axis in axes]
    assert 2 <= len(axes) <= 5 and len({axis["name"] for axis in axes}) == len(axes)
    assert 2 <= kinds.count("space") <= 3 and kinds.count("time") <= 1 and len(axes) - kinds.count("space") - kinds.count("time") <= 1
    assert kinds == sorted(kinds, key=lambda kind: {"time": 0, "space": 2}.get(kind, 1))
    arrays = [zarr.open_array(path, path=dataset["path"], mode="r") for dataset in datasets]
    for dataset, array in zip(datasets, arrays):
        first, *rest = steps_of(image, dataset, version)
        assert first["type"] == "scale" and len(first["scale"]) == len(axes) and min(first["scale"]) > 0
        assert [step["type"] for step in rest] in ([], ["translation"]) and all(len(step["translation"]) == len(axes) for step in rest)
        assert array.ndim == len(axes) and array.dtype == arrays[0].dtype
        assert array.metadata.zarr_format == {"0.4": 2, "0.5": 3, "0.6": 3}[version]
        if version != "0.4":
            assert array.metadata.dimension_names == tuple(axis["name"] for axis in axes)
        else:
            assert json.loads((path / dataset["path"] / ".zarray").read_text())["dimension_separator"] == "/"
    for above, below in itertools.pairwise(arrays):
        assert all(a >= b for a, b in zip(above.shape, below.shape)) and above.shape != below.shape
    return version, image, arrays, attributes


CASES = [((301, 130), {}), ((5, 40, 66), {"factors": [(1, 2, 2), (2, 4, 4)]}), ((3, 30, 40, 50), {"axes": "czyx"}),
         ((2, 3, 9, 40, 50), {"factors": [2, 3]})]


@pytest.mark.parametrize("shape, parameters", CASES, ids=str)
@pytest.mark.parametrize("version, layout", [("0.4", {}), ("0.5", {}), ("0.5", {"chunks": 16, "shards": 48}), ("0.4", {"chunks": 17}),
                                             ("0.5", {"compression": "none"}), ("0.6", {}), ("0.6", {"chunks": 16, "shards": 48})], ids=str)
@pytest.mark.parametrize("levels_from", ["above", "base"])
def test_ome_zarr_is_as_its_specification(tmp_path, shape, parameters, version, layout, levels_from):
    x = RANDOM.integers(0, 60000, shape, np.uint16)
    pyramid = tesela.pyramid(x, **({"factors": [2, 5]} | parameters), scale=[0.5] * len(shape), units="micrometer", levels_from=levels_from)
    path = tmp_path / "x.ome.zarr"
    told = pyramid.write(path, version=version, num_threads=2, **layout)
    found, image, arrays, _ = check_image(path)
    assert found == version and image["name"] == "x" and image["type"] == "linear" and len(arrays) == len(pyramid) == len(told["levels"])
    for level, array, dataset in zip(pyramid, arrays, image["datasets"]):
        assert np.array_equal(level, array[...])
        scale, translation = steps_of(image, dataset, version)
        assert tuple(scale["scale"]) == level.scale and tuple(translation["translation"]) == level.translation
    for axis in axes_of(image, version):
        assert axis.get("unit") == ("micrometer" if axis["type"] == "space" else None)
    assert sorted(os.listdir(tmp_path)) == ["x.ome.zarr"]


def test_a_written_image_is_an_input(tmp_path):
    """Axes, units, scale and translation come back; also those of an image's own transformations."""
    x = RANDOM.random((4, 60, 50), dtype=np.float32)
    first = tesela.pyramid(x, axes="tyx", scale=(2, 0.5, 0.25), translation=(7, 1, -1), units={"t": "s", "y": "µm"}, factors=[2])
    for version in ("0.4", "0.5", "0.6"):
        first.write(tmp_path / version, version=version)
        again = tesela.pyramid(tmp_path / version, factors=[2])
        assert again.axes == first.axes and again[1].translation == first[1].translation and np.array_equal(again[1], first[1])
    attributes = json.loads((tmp_path / "0.4" / ".zattrs").read_text())
    attributes["multiscales"][0]["coordinateTransformations"] = [{"type": "scale", "scale": [1, 10, 10]}]
    (tmp_path / "0.4" / ".zattrs").write_text(json.dumps(attributes))
    assert tesela.pyramid(tmp_path / "0.4")[0].scale == (2, 5, 2.5) and tesela.pyramid(tmp_path / "0.4")[0].translation == (7, 10, -10)


def test_labels(tmp_path):
    x = RANDOM.integers(0, 2**40, (130, 90), np.int64)
    for version in ("0.4", "0.5", "0.6"):
        tesela.pyramid(x, labels=True, factors=[2, 4, 8]).write(tmp_path / version, version=version)
        _, image, arrays, attributes = check_image(tmp_path / version)
        assert "image-label" in attributes and image["type"] == "nearest"
        for array in arrays:
            assert np.isin(array[...], x).all()
        assert np.array_equal(arrays[2][...], tesela.resize(x, sizes=arrays[2].shape))


@pytest.mark.parametrize("levels_from", ["above", "base"])
@pytest.mark.parametrize("compression", ["zlib", "none"])
def test_ome_tiff(tmp_path, levels_from, compression):
    x = RANDOM.integers(0, 60000, (2, 3, 205, 310), np.uint16)
    pyramid = tesela.pyramid(x, axes="tcyx", scale=(2, 1, 0.5, 0.25), units={"t": "second", "y": "micrometer", "x": "micrometer"},
                             factors=[(1, 1, 2, 2), (1, 1, 5, 4)], levels_from=levels_from)
    pyramid.write(tmp_path / "x.ome.tif", tile=64, compression=compression)
    with tifffile.TiffFile(tmp_path / "x.ome.tif") as file:
        series = file.series[0]
        assert file.is_ome and series.axes == "TCYX" and len(series.levels) == 3 and series.levels[1].pages[0].tilewidth == 64
        for level, stored in zip(pyramid, series.levels):
            assert np.array_equal(level, stored.asarray())
    again = tesela.pyramid(tmp_path / "x.ome.tif")
    assert again[0].scale == pyramid[0].scale and [axis.unit for axis in again.axes] == [axis.unit for axis in pyramid.axes]
    assert sorted(os.listdir(tmp_path)) == ["x.ome.tif"]


@pytest.mark.parametrize("shape", [(205, 310), (3, 205, 310), (5, 100, 90)])
def test_overviews_are_pages(tmp_path, shape):
    x = RANDOM.integers(0, 255, shape, np.uint8)
    pyramid = tesela.pyramid(x, axes="cyx"[-len(shape):], factors=[2, 4])
    pyramid.write(tmp_path / "x.tif", overviews="pages", tile=32)
    with tifffile.TiffFile(tmp_path / "x.tif") as file:
        assert [page.is_reduced for page in file.pages] == [False, True, True]
        for level, page in zip(pyramid, file.pages):
            assert np.array_equal(level, page.asarray())
    with Image.open(tmp_path / "x.tif") as image:
        assert image.n_frames == 3


def test_errors_of_writing(tmp_path):
    x = np.zeros((30, 40), np.uint8)
    pyramid = tesela.pyramid(x, factors=[2])
    target = tmp_path / "x.zarr"
    for layout, kind, message in [
            ({"version": "0.3"}, tesela.InvalidValueError, "version is '0.3'; expected one of 0.4, 0.5, 0.6"),
            ({"version": "0.4", "shards": 64}, tesela.UnsupportedError, "shards are not in OME-Zarr 0.4"),
            ({"chunks": 20, "shards": 50}, tesela.InvalidValueError, "expected multiples of the chunks (20, 20)"),
            ({"chunks": (1, 2, 3)}, tesela.CountError, "expected 2 entries"), ({"chunks": 0}, tesela.InvalidValueError, "chunks is 0"),
            ({"compression": "lzma"}, tesela.InvalidValueError, "expected one of zstd, none"),
            ({"memory": "12"}, tesela.LimitError, "memory is '12'; expected 32MiB or more"),
            ({"memory": "much"}, tesela.InvalidValueError, "memory is 'much'; expected a number of bytes, or a text such as '256MiB'"),
            ({"num_threads": 0}, tesela.InvalidValueError, "num_threads is 0"),
            ({"chunk": 4}, tesela.ArgumentError, "did you mean 'chunks'?"), ({"tile": 64}, tesela.ArgumentError, "parameter 'tile' is unknown")]:
        with pytest.raises(kind) as caught:
            pyramid.write(target, **layout)
        assert message in str(caught.value)
    with pytest.raises(tesela.InvalidValueError, match="tile is 40; expected a multiple of 16"):
        pyramid.write(tmp_path / "x.tif", tile=40)
    with pytest.raises(tesela.ShapeError, match="differ along its last two axes only"):
        tesela.pyramid(np.zeros((4, 30, 40)), factors=[2]).write(tmp_path / "y.tif")
    with pytest.raises(tesela.RankError, match="overviews in pages are for images of one plane"):
        tesela.pyramid(np.zeros((4, 30, 40)), factors=[2]).write(tmp_path / "y.tif", overviews="pages")
    with pytest.raises(tesela.IoError, match="the folder .* does not exist"):
        pyramid.write(tmp_path / "no" / "x.zarr")
    assert not os.listdir(tmp_path)


def test_only_pyramids_are_replaced(tmp_path):
    pyramid = tesela.pyramid(RANDOM.random((30, 40)), factors=[2])
    path = tmp_path / "x.zarr"
    pyramid.write(path)
    with pytest.raises(tesela.IoError, match="it exists; --overwrite"):
        pyramid.write(path)
    tesela.pyramid(np.ones((9, 8)), levels=1).write(path, overwrite=True, version="0.4")
    assert not (path / "zarr.json").exists() and check_image(path)[2][0].shape == (9, 8)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "thesis.txt").write_text("years")
    with pytest.raises(tesela.PathError, match="a folder without Zarr metadata"):
        pyramid.write(tmp_path / "folder", overwrite=True)
    for output in (path, path / "inside", tmp_path):
        with pytest.raises(tesela.PathError, match="is the input, or one is inside the other"):
            tesela.pyramid(path).write(output, overwrite=True)
    assert sorted(os.listdir(tmp_path)) == ["folder", "x.zarr"] and os.listdir(tmp_path / "folder") == ["thesis.txt"]


def test_a_failure_leaves_what_was_there(tmp_path):
    """An input whose last chunk is damaged, over an output of before."""
    source = zarr.create_array(tmp_path / "in", data=RANDOM.random((64, 64)), chunks=(32, 32))
    assert source.shape
    (tmp_path / "in" / "c" / "1" / "1").write_bytes(b"damaged")
    tesela.pyramid(np.ones((9, 8)), levels=1).write(tmp_path / "out")
    with pytest.raises(tesela.ParseError, match=r"in': the chunk at \(32, 32\) cannot be read"):
        tesela.pyramid(tmp_path / "in", factors=[2]).write(tmp_path / "out", overwrite=True)
    assert check_image(tmp_path / "out")[2][0].shape == (9, 8) and sorted(os.listdir(tmp_path)) == ["in", "out"]


@pytest.mark.parametrize("damage", [
    {"multiscales": 5}, {"multiscales": []}, {"multiscales": [{"version": "0.4"}]}, {"multiscales": [{"version": "9"}]},
    {"multiscales": [{"version": "0.4", "axes": [{"name": "y"}], "datasets": [{"path": "0"}]}]},
    {"multiscales": [{"version": "0.4", "axes": 7, "datasets": [{"path": "0"}]}]},
    {"multiscales": [{"version": "0.4", "axes": ["y", "x"], "datasets": [{"path": "../../other"}]}]},
    {"multiscales": [{"version": "0.4", "axes": ["y", "x"], "datasets": [{"path": "9"}]}]},
    {"multiscales": [{"version": "0.4", "axes": ["y", "x"], "datasets": [{"path": "0", "coordinateTransformations": [
        {"type": "scale", "scale": [1, 0]}]}]}]},
    {"multiscales": [{"version": "0.4", "axes": ["y", "x"], "datasets": [{"path": "0", "coordinateTransformations": [
        {"type": "rotation"}]}]}]}, {"other": 1}], ids=str)
def test_damaged_metadata_is_refused(tmp_path, damage):
    tesela.pyramid(np.ones((9, 8)), levels=1).write(tmp_path / "x", version="0.4")
    (tmp_path / "x" / ".zattrs").write_text(json.dumps(damage))
    with pytest.raises((tesela.ParseError, tesela.UnsupportedError, tesela.PathError)) as caught:
        tesela.pyramid(tmp_path / "x")
    assert "tmp" in str(caught.value)


INTRINSIC = {"name": "intrinsic", "axes": [{"name": "y", "type": "space"}, {"name": "x", "type": "space"}]}
TO_INTRINSIC = {"input": {"path": "0"}, "output": {"name": "intrinsic"}}


def of_version_0_6(path, **image):
    """An image of one level whose metadata are these."""
    tesela.pyramid(np.ones((9, 8)), levels=1).write(path, version="0.6")
    group = json.loads((path / "zarr.json").read_text())
    group["attributes"]["ome"]["multiscales"] = [{"coordinateSystems": [INTRINSIC], "datasets": [{"path": "0"}], **image}]
    (path / "zarr.json").write_text(json.dumps(group))


def dataset_with(*steps):
    return [{"path": "0", "coordinateTransformations": list(steps)}]


@pytest.mark.parametrize("step, scale", [({"type": "scale", "scale": [2, 3]}, (2, 3)), ({"type": "identity"}, (1, 1))], ids=str)
def test_coordinate_systems(tmp_path, step, scale):
    """Levels lead to the intrinsic system by one step. Other systems begin there."""
    world = {"name": "world", "axes": [{"name": "a"}, {"name": "b"}]}
    onwards = [{"type": "rotation", "rotation": [[0, 1], [1, 0]], "input": {"name": "intrinsic"}, "output": {"name": "world"}}]
    of_version_0_6(tmp_path / "x", coordinateSystems=[world, INTRINSIC], datasets=dataset_with(step | TO_INTRINSIC),
                   coordinateTransformations=onwards)
    pyramid = tesela.pyramid(tmp_path / "x", levels=1)
    assert [axis.name for axis in pyramid.axes] == ["y", "x"] and pyramid[0].scale == scale


@pytest.mark.parametrize("image, message", [
    ({"coordinateSystems": []}, "KeyError"),
    ({"datasets": dataset_with()}, "not enough values"),
    ({"datasets": dataset_with(TO_INTRINSIC | {"type": "rotation"})}, "of the type 'rotation'; expected scale or translation"),
    ({"datasets": dataset_with({"type": "identity", "input": {"path": "0"}, "output": {"name": "other"}})},
     "0 coordinate systems are named 'other'; expected one"),
    ({"coordinateSystems": [INTRINSIC, INTRINSIC], "datasets": dataset_with(TO_INTRINSIC | {"type": "identity"})},
     "2 coordinate systems are named 'intrinsic'; expected one")], ids=str)
def test_damaged_coordinate_systems_are_refused(tmp_path, image, message):
    of_version_0_6(tmp_path / "x", **image)
    with pytest.raises(tesela.ParseError, match=message):
        tesela.pyramid(tmp_path / "x")


def test_hostile_shapes_are_refused(tmp_path):
    """Metadata of a few bytes that describe more than a machine holds."""
    zarr.create_array(tmp_path / "chunk", shape=(1 << 30, 1 << 30), chunks=(1 << 20, 1 << 20), dtype=np.uint8)
    with pytest.raises(tesela.LimitError, match="reading a chunk of x, .* takes 2048GiB"):
        tesela.pyramid(tmp_path / "chunk", factors=[2]).write(tmp_path / "out")
    zarr.create_array(tmp_path / "array", shape=(1 << 30, 1 << 30), chunks=(1 << 10, 1 << 10), dtype=np.uint8)
    with pytest.raises(tesela.LimitError, match="chunks; expected 4294967296 or fewer"):
        tesela.pyramid(tmp_path / "array", factors=[2]).write(tmp_path / "out")
    assert sorted(os.listdir(tmp_path)) == ["array", "chunk"]


def test_pickles_are_refused(tmp_path):
    zarr.create_array(tmp_path / "x", data=np.ones((9, 8)), zarr_format=2, compressors=None)
    about = json.loads((tmp_path / "x" / ".zarray").read_text())
    about["filters"] = [{"id": "pickle", "protocol": 5}]
    (tmp_path / "x" / ".zarray").write_text(json.dumps(about))
    for call in (tesela.pyramid, lambda path: tesela.stream("tile", path, tmp_path / "y.npy", repeats=(1, 1))):
        with pytest.raises(tesela.UnsupportedError, match="compressed with the codec pickle, which could run any code"):
            call(tmp_path / "x")


@pytest.mark.parametrize("package, name", [("zarr", "x.zarr"), ("tifffile", "x.tif")])
def test_a_missing_package_is_named(tmp_path, monkeypatch, package, name):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(tesela.UnsupportedError, match=rf"pyramid: the package {package} is not installed; install it with 'pip install tesela\["):
        tesela.pyramid(np.ones((9, 8)), levels=1).write(tmp_path / name)


# --- The verb ------------------------------------------------------------------------------------


def test_the_verb(tmp_path):
    np.save(tmp_path / "x.npy", RANDOM.integers(0, 99, (40, 700, 600), np.uint8))
    done = command("x.npy", "y.zarr", "--factors", "1x2x2", "--scale", "x=0.5,y=0.5", "--units", "micrometer", "--json", folder=tmp_path)
    assert done.returncode == DONE and not done.stderr, done
    told = json.loads(done.stdout)
    assert [level["shape"] for level in told["levels"]] == [[40, 700, 600], [40, 350, 300], [40, 175, 150]]
    assert told["levels"][1]["scale"] == [1, 1, 1] and told["levels"][1]["translation"] == [0, 0.25, 0.25]
    check_image(tmp_path / "y.zarr")
    for words, status, message in [
            (("x.npy", "y.zarr"), IO, "it exists; --overwrite"),
            (("x.npy", "z.zarr", "--scale", "a,b"), USAGE, "--scale is 'a,b'; expected one value"),
            (("x.npy", "z.zarr", "--chunks", "1x"), USAGE, "--chunks is '1x'"),
            (("x.npy", "z.zarr", "--factors", "1x2"), BAD, "expected 3 entries"),
            (("x.npy", "z.zarr", "--version", "0.4", "--shards", "64"), UNSUPPORTED, "shards are not in OME-Zarr 0.4"),
            (("x.txt", "z.zarr"), UNSUPPORTED, "the source 'x.txt' has no format that can be read; expected one of .jpeg, "),
            (("z.npy", "z.zarr"), IO, "cannot open 'z.npy': No such file"),
            (("x.npy", "z.zarr", "--from", "base", "--factors", "40x700x600", "--memory", "32MiB", "--threads", "900"), LIMIT,
             "one element of a level is computed from")]:
        done = command(*words, folder=tmp_path)
        assert done.returncode == status and message in done.stderr and done.stderr.count("\n") == 1 and not done.stdout, done
    assert sorted(os.listdir(tmp_path)) == ["x.npy", "y.zarr"]
    assert command("x.npy", "y.zarr", "--overwrite", "--version", "0.4", folder=tmp_path).returncode == DONE
    assert check_image(tmp_path / "y.zarr")[0] == "0.4"


@pytest.mark.parametrize("output", ["y.zarr", "y.tif"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupts_leave_nothing(tmp_path, number, output):
    x = np.lib.format.open_memmap(tmp_path / "x.npy", "w+", np.uint8, (20000, 20000))
    del x
    started = subprocess.Popen([*COMMAND, "x.npy", output, "--threads", "1"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while not [name for name in os.listdir(tmp_path) if name.endswith(".part")]:
        assert started.poll() is None, started.communicate()
        time.sleep(0.005)
    time.sleep(0.3)
    began = time.monotonic()
    started.send_signal(number)
    out, message = started.communicate(timeout=60)
    assert started.returncode == INTERRUPTED and message == b"tesela: interrupted\n" and not out and time.monotonic() - began < 5
    assert os.listdir(tmp_path) == ["x.npy"]


def test_a_kill_leaves_nothing_that_looks_whole(tmp_path):
    x = np.lib.format.open_memmap(tmp_path / "x.npy", "w+", np.uint8, (20000, 20000))
    del x
    started = subprocess.Popen([*COMMAND, "x.npy", "y.zarr", "--threads", "1"], cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not list(tmp_path.glob("y.zarr.*.part/0")):
        assert started.poll() is None
        time.sleep(0.005)
    started.kill()
    started.wait()
    (part,) = tmp_path.glob("y.zarr.*")
    with pytest.raises(tesela.UnsupportedError, match="is a group of Zarr without an image"):
        tesela.pyramid(part)
    assert not (tmp_path / "y.zarr").exists()


PEAK = """
import resource, sys, tesela
pyramid = tesela.pyramid(sys.argv[1], factors=[(1, 32, 32)], levels_from="base")
pyramid.write(sys.argv[2], memory="128MiB", num_threads=2)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


IMAGE_PEAK = """
import resource, sys, numpy as np, tesela
peaks = []
for rows in (64, 6000):
    path = f"{sys.argv[1]}/{rows}.png"
    tesela.stream("constant_of_shape", None, path, shape=(rows, 5000, 3), value=np.uint8(9), memory="8MiB")
    tesela.pyramid(path, levels=2).write(f"{path}.zarr", memory="32MiB", num_threads=2, compression="none")
    peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
print(peaks[1] - peaks[0])
"""


def test_images_are_read_by_regions(tmp_path):
    """A picture of 90 MB."""
    done = subprocess.run([sys.executable, "-c", IMAGE_PEAK, tmp_path], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) << 10 < 64 << 20


def test_memory_is_bounded(tmp_path):
    """One chunk of the level needs all of its input of 288 MB. None of its chunks is on disk, so they are quickly read."""
    peaks = []
    for side in (32, 12000):
        zarr.create_array(tmp_path / f"{side}", shape=(2, side, side), chunks=(1, 500, 500), dtype=np.uint8)
        done = subprocess.run([sys.executable, "-c", PEAK, tmp_path / f"{side}", tmp_path / f"{side}.zarr"], capture_output=True, text=True,
                              timeout=120)
        assert done.returncode == 0, done.stderr
        peaks.append(int(done.stdout) << 10)
    assert peaks[1] - peaks[0] < 128 << 20
