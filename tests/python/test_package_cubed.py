# SPDX-License-Identifier: Apache-2.0
"""Cubed arrays: lazy, equal to the whole result in every bit, and within the memory that they say beforehand."""

import pathlib
import random
import subprocess
import sys

import cubed
import numpy as np
import pytest
import tesela
from cli_program import UNSANITIZED


@pytest.fixture
def spec(tmp_path):
    return cubed.Spec(tmp_path, allowed_mem="100MB", reserved_mem="10MB", executor_name="single-threaded")


@pytest.mark.parametrize("chunks", [(13, 21), (40, 50)])
@pytest.mark.parametrize("parameters", [
    dict(sizes=(33, 71)),
    dict(sizes=(13, 90), mode="cubic", antialias=True),
    dict(sizes=(33, 71), roi=(-0.1, 0.2, 0.5, 1.3), coordinate_transformation_mode="tf_crop_and_resize", mode="linear"),
    dict(sizes=(20, 25), like="opencv:cubic"),
    dict(sizes=(20, 25), mode="linear", chunks=(6, 25)),
], ids=str)
def test_chunks_are_bit_identical_to_the_whole(spec, chunks, parameters):
    x = np.random.default_rng(3).random((40, 50), dtype=np.float32)
    lazy = tesela.resize(cubed.from_array(x, chunks=chunks, spec=spec), **parameters)
    parameters.pop("chunks", None)
    assert isinstance(lazy, cubed.Array)
    assert lazy.compute().tobytes() == tesela.resize(x, **parameters).tobytes()


def test_random_tiles_and_sizes(spec):
    draw = random.Random(1)
    for _ in range(5):
        shape = [draw.randint(1, 12) for _ in range(draw.randint(1, 3))]
        x = np.random.default_rng(1).integers(0, 99, shape).astype(draw.choice(["f4", "i8", "u1"]))
        lazy = cubed.from_array(x, chunks=tuple(draw.randint(1, extent) for extent in shape), spec=spec)
        repeats = [draw.randint(0, 3) for _ in shape]
        assert np.array_equal(tesela.tile(lazy, repeats).compute(), np.tile(x, repeats)), (shape, repeats, lazy.chunks)
        sizes = [draw.randint(1, 20) for _ in shape]
        assert np.array_equal(tesela.resize(lazy, sizes=sizes, mode="linear").compute(), tesela.resize(x, sizes=sizes, mode="linear"))


def test_results_join_other_operations(spec):
    x = np.arange(48, dtype=np.float32).reshape(6, 8)
    lazy = cubed.from_array(x, chunks=(2, 3), spec=spec) + 1
    total = cubed.array_api.sum(tesela.resize(lazy, sizes=(12, 16), mode="linear") * 2)
    assert total.compute() == (tesela.resize(x + 1, sizes=(12, 16), mode="linear") * 2).sum()


def test_constant_of_shape_and_the_dialect(spec):
    lazy = tesela.constant_of_shape((5, 4), np.int16(-3), chunks=(2, 4), engine=spec)
    assert lazy.chunks == ((2, 2, 1), (4,)) and lazy.dtype == np.int16 and (lazy.compute() == -3).all()
    assert isinstance(tesela.constant_of_shape((5,), chunks="auto", engine="cubed"), cubed.Array)
    tiled = tesela.tile(cubed.from_array(np.arange(5), chunks=2, spec=spec), (2, 3), dialect="openvino")
    assert np.array_equal(tiled.compute(), np.tile(np.arange(5), (2, 3)))


def test_too_little_memory_is_an_error_before_the_run(spec):
    x = cubed.array_api.ones((4000, 4000), dtype=np.float64, chunks=(500, 500), spec=spec)
    large = tesela.resize(x, sizes=(2000, 2000), mode="linear", chunks=(2000, 2000))
    with pytest.raises(ValueError, match="exceeds allowed_mem"):
        large.compute()
    assert tesela.resize(x, sizes=(2000, 2000), mode="linear").compute().sum() == 2000 * 2000


_MEASURED = """
import sys, cubed, numpy as np, tesela
from cubed.runtime.create import create_executor
from petabyte import peak
spec = cubed.Spec(sys.argv[1], allowed_mem="2GB", reserved_mem=0)
call = dict(mode="cubic", antialias=True)
small = cubed.from_array(np.ones((40, 40), np.float32), chunks=(20, 20), spec=spec)
tesela.resize(small, sizes=(30, 30), **call).compute(executor=create_executor("single-threaded"))
before = peak()
x = cubed.random.random((4000, 3000), chunks=(1000, 1000), spec=spec)
cubed.to_zarr(x, sys.argv[1] + "/x.zarr", executor=create_executor("single-threaded"))
lazy = tesela.resize(cubed.from_zarr(sys.argv[1] + "/x.zarr", spec=spec), sizes=(2600, 1900), **call)
operations = (node["primitive_op"] for _, node in lazy.plan().dag.nodes(data=True) if "primitive_op" in node)
said = max(operation.projected_mem for operation in operations)
cubed.to_zarr(lazy, sys.argv[1] + "/y.zarr", executor=create_executor("single-threaded"))
print(before, peak(), said)
"""


def test_a_task_takes_no_more_memory_than_it_says(tmp_path):
    # The allocator gives freed arrays back, so that the peak is what a task holds at a time.
    env = UNSANITIZED | {"MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": "1000000", "PYTHONPATH": str(pathlib.Path(__file__).parent)}
    done = subprocess.run([sys.executable, "-c", _MEASURED, str(tmp_path)], capture_output=True, text=True, check=True, env=env)
    before, peak, said = map(int, done.stdout.split())
    assert 8_000_000 * 4 < said < 8_000_000 * 16  # a chunk takes 8 MB; a task reads four and writes one
    assert said / 3 < peak - before <= said, (before, peak, said)


def test_what_cubed_cannot_hold_is_rejected(spec):
    x = cubed.from_array(np.zeros((4, 4)), chunks=2, spec=spec)
    with pytest.raises(tesela.InvalidValueError, match="chunks of axis 0 are .1, 3, 4.; Cubed needs chunks of one length"):
        tesela.resize(x, sizes=(8, 8), chunks=((1, 3, 4), 8))
    with pytest.raises(tesela.UsageError, match="out is not supported for cubed arrays"):
        tesela.resize(x, sizes=(2, 2), out=np.zeros((2, 2)))
    with pytest.raises(tesela.ArgumentError, match="engine is a int; expected 'dask', 'cubed' or a cubed.Spec"):
        tesela.constant_of_shape((5,), chunks=2, engine=3)


def test_strong_reductions_hold_one_chunk_at_a_time(spec, monkeypatch):
    x = np.random.default_rng(7).random((90, 70), dtype=np.float32)
    lazy = cubed.from_array(x, chunks=(13, 11), spec=spec)
    call = dict(sizes=(5, 7), mode="linear", antialias=True)
    plain = tesela.resize(lazy, **call)
    monkeypatch.setattr("tesela._lazy.chunks.reads_too_much", lambda layout: True)
    streamed = tesela.resize(lazy, **call)
    assert streamed.compute().tobytes() == plain.compute().tobytes() == tesela.resize(x, **call).tobytes()
    monkeypatch.undo()
    large = cubed.array_api.ones((20_000, 20_000), dtype=np.float64, chunks=(1000, 1000), spec=spec)
    operations = tesela.resize(large, sizes=(1000, 1000), mode="linear", antialias=True).plan().dag.nodes(data=True)
    assert max(node["primitive_op"].projected_mem for _, node in operations if "primitive_op" in node) <= 160_000_000
