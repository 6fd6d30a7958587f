# SPDX-License-Identifier: Apache-2.0
"""Verbs of the command line on files that only the Python package reads, or that are larger than memory."""

from __future__ import annotations

import os

import cli_program
import numpy as np
import pytest
import tesela
from cli_program import BAD, DONE, LIMIT, UNSUPPORTED, USAGE, PackageVerb, save_model, save_npy, save_pb, tile_model, two_by_two_model
from onnx import TensorProto, helper
from streams import assert_equal, left, read, save
from tesela._streaming import formats

resize, tile, fill, run = map(PackageVerb, ("resize", "tile", "fill", "run"))


@pytest.fixture
def x():
    return np.random.default_rng(5).integers(0, 999, (60, 70)).astype(np.float32)


def test_resize(x, tmp_path):
    source, target = save_npy(tmp_path / "x.npy", x), tmp_path / "y.zarr"
    done = resize(source, target, "--scales=1.5,0.75", "--mode", "cubic", "--antialias", "1", "--cubic_coeff_a=-0.5", "--chunks", "16,16",
                  "--memory=2MB")
    assert done.returncode == DONE and not done.stdout and done.stderr.startswith("resize: 60x70 -> 90x52 float32, "), done
    assert_equal(read(target), tesela.resize(x, scales=(1.5, 0.75), mode="cubic", antialias=True, cubic_coeff_a=-0.5))
    done = resize(target, tmp_path / "z.tif", "--sizes=20,30", "--roi", "0,0.1,0.9,1", "--quiet",
                  "--coordinate-transformation-mode", "tf_crop_and_resize", "--extrapolation-value", "3", "--threads", "1")
    assert done.returncode == DONE and not done.stderr, done
    assert_equal(read(tmp_path / "z.tif"), tesela.resize(read(target), sizes=(20, 30), roi=(0, 0.1, 0.9, 1), extrapolation_value=3,
                                                         coordinate_transformation_mode="tf_crop_and_resize"))


def test_every_option_of_resize_reaches_the_package(x, tmp_path):
    """The call that the program prints has each of them by its name in Python."""
    import inspect
    import json

    known = inspect.signature(tesela.resize).parameters
    words = {"sizes": "3,4", "roi": "0,0,1,1", "axes": "0,1", "antialias": "1", "exclude-outside": "1", "cubic-coeff-a": "-0.5",
             "extrapolation-value": "2", "extents": "host", "opset": "18", "rules": "openvino"}
    named = {"mode": "cubic", "nearest-mode": "floor", "coordinate-transformation-mode": "asymmetric", "keep-aspect-ratio-policy": "stretch"}
    given = [f"--{name}={value}" for name, value in (words | named).items()]
    call = json.loads(cli_program.succeed("resize", "x.npy", "y.zarr", "--print-call", *given))
    names = {name.replace("-", "_") for name in words | named}
    assert set(call["parameters"]) == names <= {*known, "rules"}
    # --threads; presets are Python's; the other of sizes; chunks of lazy results
    left_out = {"out", "num_threads", "like", "scales", "x", "unknown", "chunks"}
    assert set(known) - left_out <= names


def test_tile_fill_and_run(x, tmp_path):
    source = save(tmp_path / "x.tif", x)
    assert tile(source, tmp_path / "y.npy", "--repeats", "2,3").returncode == DONE
    assert_equal(read(tmp_path / "y.npy"), tesela.tile(x, (2, 3)))
    words = ["--shape", "40,30", "--dtype", "int16", "--value", "-7", "--chunks=20,30", "--shards", "40,30"]
    assert fill(tmp_path / "f.zarr", *words).returncode == DONE
    assert_equal(read(tmp_path / "f.zarr"), np.full((40, 30), np.int16(-7)))
    model = tile_model(tmp_path / "m.onnx")
    assert run(model, "-i", f"x={source}", "-o", tmp_path / "z.zarr").returncode == DONE
    assert_equal(read(tmp_path / "z.zarr"), tesela.tile(x, (2, 3)))


def test_outputs_by_name(x, tmp_path):
    """Two inputs, and two outputs one after the other; what names are for is checked."""
    model = two_by_two_model(tmp_path / "m.onnx")
    a, b = save_npy(tmp_path / "a.npy", np.arange(7, dtype=np.int32)), save(tmp_path / "b.tif", x)
    larger, doubled = tmp_path / "larger.zarr", tmp_path / "doubled.npy"
    done = run(model, "-i", f"a={a}", "-i", f"b={b}", "-o", f"larger={larger}", "-o", f"doubled={doubled}", "--memory", "2MB")
    assert done.returncode == DONE and not done.stdout, done
    assert [line.partition(", ")[0] for line in done.stderr.splitlines()] == ["run: 60x70 -> 120x140 float32", "run: 7 -> 14 int32"]
    assert_equal(read(larger), np.repeat(np.repeat(x, 2, 0), 2, 1))
    assert_equal(read(doubled), np.tile(np.arange(7, dtype=np.int32), 2))
    # One output needs only its own input.
    assert run(model, "-i", f"b={b}", "-o", f"larger={tmp_path / 'again.npy'}", "--quiet").returncode == DONE
    assert_equal(read(tmp_path / "again.npy"), read(larger))
    names = sorted(os.listdir(tmp_path))
    target = tmp_path / "y.zarr"
    for status, words, message in [
            (USAGE, ["-i", f"a={a}", "-o", f"wider={target}"], "-o: the model has no 'wider'; it has doubled, larger"),
            (USAGE, ["-i", f"a={a}", "-o", target], "-o needs a name, as in doubled=FILE; the model has doubled, larger"),
            (USAGE, ["-i", b, "-o", f"larger={target}"], "-i needs a name, as in a=FILE; the model has a, b"),
            (USAGE, ["-i", f"a={a}", "-i", f"b={b}", "--memory", "1MB"], "a run that streams takes -o with an output: doubled, larger"),
            (USAGE, ["-i", f"a={a}", "-o", f"larger={target}"], "'larger' is computed from the model's input 'b'")]:
        assert message in run.fail(status, model, *words), words
        assert sorted(os.listdir(tmp_path)) == names, words


def test_numbers_of_a_model_from_other_files(x, tmp_path):
    """Inputs that do not stream may be in files that do not."""
    model = save_model(tmp_path / "m.onnx", [helper.make_node("Tile", ["x", "repeats"], ["y"])],
                       {"x": (TensorProto.FLOAT, ["h", "w"]), "repeats": (TensorProto.INT64, [2])}, {"y": (TensorProto.FLOAT, [None, None])})
    source, target = save(tmp_path / "x.zarr", x, chunks=(30, 30)), tmp_path / "y.npy"
    for repeats in (save_pb(tmp_path / "repeats.pb", np.array([2, 3])), save_npy(tmp_path / "repeats.npy", np.array([2, 3]))):
        assert run(model, "-i", f"x={source}", "-i", f"repeats={repeats}", "-o", f"y={target}", "--quiet").returncode == DONE
        assert_equal(read(target), np.tile(x, (2, 3)))


def test_constants_that_are_refused(tmp_path):
    target = tmp_path / "y.zarr"
    for status, words, message in [
            (USAGE, ["--shape", "3,-1"], "--shape: '-1' is not an integer of at least 0"), (USAGE, ["--shape", "3,a"], "--shape"),
            (USAGE, ["--shape", "3,3", "--dtype", "int5"], "int5"), (LIMIT, ["--shape", "90,90", "--memory", "64"], "which is the minimum"),
            (LIMIT, ["--shape", "90,90", "--max-output", "5"], "the output has 32400 bytes; --max-output is 5"),
            (BAD, ["--shape", "9,9", "--dtype", "int4"], "expected elements of whole bytes"),
            (BAD, ["--shape", "9,9", "--chunks", "3"], "2 entries, one for each axis")]:
        done = fill(target, *words)
        assert done.returncode == status and message in done.stderr and done.stderr.count("\n") == 1, done
        assert not os.listdir(tmp_path), words


def test_wrong_calls(x, tmp_path):
    source, target = save_npy(tmp_path / "x.npy", x), tmp_path / "y.zarr"
    model = tile_model(tmp_path / "m.onnx")
    calls = [
        (resize, BAD, [source, target, "--sizes", "1,2,3"], "Resize-19: input 'sizes' has length 3"),
        (resize, USAGE, [source, target, "--sizes", "1,a"], "--sizes"),
        (resize, BAD, [source, target, "--sizes", "1,2", "--memory", "lots"], "memory is 'lots'; expected a number of bytes"),
        (resize, LIMIT, [source, target, "--sizes", "90,90", "--memory", "1KiB"], "which is the minimum"),
        (resize, LIMIT, [source, target, "--sizes", "90,90", "--max-output", "5"], "the output has 32400 bytes; --max-output is 5"),
        (resize, USAGE, ["-", target, "--sizes", "1,2"], "'-' cannot stream"),
        (resize, USAGE, [source, target, "--sizes", "1,2", "--format", "npy"], "--format is not for streams"),
        (run, USAGE, [model, "-i", f"z={source}", "-o", target], "-i: the model has no 'z'; it has x"),
    ]
    for verb, status, words, message in calls:
        assert message in verb.fail(status, *words)
        assert not target.exists() and not left(target), words


def test_the_program_says_how_to_get_streams(x, tmp_path):
    source = save_npy(tmp_path / "x.npy", x)
    others = [ending for ending, format in formats.OF_ENDING.items() if not format.in_program]
    for words in (["resize", source, "y.zarr", "--sizes", "1,2"], ["tile", "x.TIF", "y.npy", "--repeats", "1"], ["fill", "y.zarr/", "--shape", "1"],
                  ["run", "m.onnx", "-i", "x=x.tiff"], ["resize", source, "y.npy", "--sizes", "1,2", "--memory", "1GB"],
                  *(["tile", f"x{ending}", "y.npy", "--repeats", "1"] for ending in others)):
        message = cli_program.fail(UNSUPPORTED, *words)
        assert "for the Python package: install that with 'pip install .'" in message and f"python -m tesela {words[0]} ..." in message
