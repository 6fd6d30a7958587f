# SPDX-License-Identifier: Apache-2.0
"""dask arrays: lazy, one task for each chunk of the output, equal to the whole result in every bit."""

import pathlib
import pickle
import random
import subprocess
import sys

import dask.array as da
import dask.graph_manipulation
import ml_dtypes
import numpy as np
import pytest
import tesela
from cli_program import UNSANITIZED


def chunked(array, chunks):
    return da.from_array(array, chunks=chunks)


@pytest.mark.parametrize("chunks", [(7, 11), (1, 50), (40, 3), ((13, 1, 26), (9, 41)), (40, 50)])
@pytest.mark.parametrize("parameters", [
    dict(sizes=(33, 71)),
    dict(sizes=(33, 71), mode="linear"),
    dict(sizes=(13, 90), mode="cubic", antialias=True),
    dict(scales=(0.3, 2.5), mode="linear", antialias=True, exclude_outside=True),
    dict(scales=(1.7,), axes=(1,), mode="cubic", coordinate_transformation_mode="align_corners"),
    dict(sizes=(33, 71), roi=(-0.1, 0.2, 0.5, 1.3), coordinate_transformation_mode="tf_crop_and_resize", mode="linear"),
    dict(sizes=(20, 25), like="opencv:cubic"),
], ids=str)
def test_chunks_are_bit_identical_to_the_whole(chunks, parameters):
    x = np.random.default_rng(3).random((40, 50), dtype=np.float32)
    lazy = tesela.resize(chunked(x, chunks), **parameters)
    whole = tesela.resize(x, **parameters)
    assert isinstance(lazy, da.Array) and lazy.shape == whole.shape and lazy.dtype == whole.dtype
    assert lazy.compute(scheduler="threads").tobytes() == whole.tobytes()


@pytest.mark.parametrize("dtype", ["uint8", "int64", "float16", "bool", "complex64", ">f4", "O"])
def test_dtypes(dtype):
    x = np.arange(42).reshape(6, 7).astype(dtype)
    mode = "nearest" if dtype in ("O", "bool") else "linear"
    lazy = tesela.resize(chunked(x, (4, 3)), sizes=(9, 5), mode=mode).compute(scheduler="sync")
    whole = tesela.resize(x, sizes=(9, 5), mode=mode)
    assert lazy.dtype == whole.dtype.newbyteorder("=") and lazy.tolist() == whole.tolist()


@pytest.mark.parametrize("repeats", [(2, 3), (0, 2), (1, 1), (5, 1)])
def test_tile(repeats):
    x = np.arange(20).reshape(4, 5)
    lazy = tesela.tile(chunked(x, (3, 2)), repeats)
    assert np.array_equal(lazy.compute(scheduler="sync"), np.tile(x, repeats))


@pytest.mark.parametrize("preset", ["pillow:bicubic", "pytorch:bicubic-antialias", "opencv:linear-exact"])
def test_presets_for_bytes(preset):
    x = np.random.default_rng(4).integers(0, 256, (40, 50), np.uint8)
    lazy = tesela.resize(chunked(x, (13, 17)), sizes=(23, 71), like=preset)
    assert np.array_equal(lazy.compute(scheduler="sync"), tesela.resize(x, sizes=(23, 71), like=preset))


def test_the_graph_is_linear_in_chunks_and_reads_only_what_it_needs():
    for side in (8, 16):
        x = da.zeros((side * 100, side * 100), chunks=100, dtype=np.float32)
        lazy = tesela.resize(x, scales=(0.5, 0.5), mode="linear")
        layer = lazy.dask.layers[lazy.name]
        assert len(layer) == lazy.npartitions == (side // 2) ** 2
        corner = lazy[:100, :100]
        culled = corner.dask.cull(corner.__dask_keys__())
        zeros = [key for key in culled if isinstance(key, tuple) and key[0] == x.name]
        assert len(zeros) <= 4


def test_graphs_cost_nothing_until_chunks_are_asked_for():
    x = da.zeros((10**6, 10**6), chunks=1000, dtype=np.uint8)
    lazy = tesela.resize(x, scales=(0.5, 2), mode="linear")
    assert lazy.npartitions == 1_000_000
    layer = lazy.dask.layers[lazy.name]
    assert not layer.is_materialized()
    assert sum(len(pickle.dumps(part)) for part in lazy.dask.layers.values()) < 200_000  # 0.2 bytes a task
    corner = lazy[7000:7500, 11000:12000]
    culled = corner.dask.cull(set(corner.__dask_keys__()[0])).layers.values()
    assert sum(len(part) for part in culled) <= 10 and not corner.compute(scheduler="sync").any()


def test_tasks_are_small_and_the_plan_is_a_node_of_its_own():
    lazy = tesela.resize(da.zeros((6400, 6400), chunks=100, dtype=np.float32), sizes=(6000, 6000), mode="cubic")
    tasks = dict(lazy.dask.layers[lazy.name])
    assert len(tasks) == 60 * 60 and len(pickle.dumps(tasks)) < 200 * len(tasks)
    plan = pickle.dumps(lazy.dask.layers["tesela-plan-" + lazy.name.rpartition("-")[2]].mapping)
    assert all(b"Plan" not in pickle.dumps(task) for task in list(tasks.values())[:10]) and b"Plan" not in pickle.dumps(tasks)
    assert b"_plan" in plan


def random_cut(draw, extent):
    chunks = []
    while sum(chunks) < extent:
        chunks.append(draw.randint(1, extent - sum(chunks)))
    return tuple(chunks)


@pytest.mark.parametrize("seed", range(40))
def test_random_chunks_in_and_out(seed):
    draw = random.Random(seed)
    shape = [draw.randint(1, 30) for _ in range(draw.randint(1, 3))]
    x = np.random.default_rng(seed).random(shape).astype(draw.choice(["f4", "f8", "u1", "i8"]))
    given = chunked(x, tuple(random_cut(draw, extent) for extent in shape))
    if draw.random() < 0.3:
        repeats = [draw.randint(1, 4) for _ in shape]
        out = tuple(random_cut(draw, extent * count) for extent, count in zip(shape, repeats))
        whole, lazy = tesela.tile(x, repeats), tesela.tile(given, repeats, chunks=out)
    else:
        sizes = [draw.randint(1, 40) for _ in shape]
        out = tuple(random_cut(draw, extent) for extent in sizes)
        call = dict(sizes=sizes, mode=draw.choice(["nearest", "linear", "cubic"]))
        call["antialias"] = call["mode"] != "nearest" and draw.random() < 0.5
        whole, lazy = tesela.resize(x, **call), tesela.resize(given, chunks=out, **call)
    assert lazy.chunks == out, seed
    assert lazy.compute(scheduler="sync").tobytes() == whole.tobytes(), f"seed {seed}"


def test_chunks_of_the_result():
    x = da.zeros((100, 60), chunks=(30, 60), dtype=np.float32)
    assert tesela.resize(x, sizes=(200, 60)).chunks == ((30,) * 6 + (20,), (60,))
    assert tesela.resize(x, sizes=(200, 30), chunks=(50, "auto")).chunks == ((50,) * 4, (30,))
    assert tesela.resize(x, sizes=(200, 30), chunks=-1).chunks == ((200,), (30,))
    assert tesela.tile(x, (2, 1)).chunks == ((30, 30, 30, 10) * 2, (60,))  # each chunk is an input chunk
    assert tesela.tile(da.zeros((1, 2), chunks=2), (10**6, 3)).npartitions == 1
    many = da.zeros((2**14, 2**14), chunks=2**10, dtype=np.float64)
    assert tesela.resize(many, scales=(1 / 16, 1 / 16)).chunks[0][:2] == (64, 64)  # nearest: a whole chunk would read all


@pytest.mark.parametrize("chunks, message", [
    ((3, 4), "resize: chunks has length 2; expected 1"),
    (((3, 4),), "the chunks of axis 0 have 7 elements; expected 40"),
    (0, "is 0; expected a whole number from 1"),
    ("small", "is 'small'; expected a length, a tuple of lengths, -1 or 'auto'"),
    (2.5, "is 2.5; expected a length"),
    (True, "is True; expected a length"),
])
def test_chunks_that_do_not_fit_are_rejected(chunks, message):
    with pytest.raises(tesela.Error, match=message):
        tesela.resize(da.zeros(100, chunks=10), sizes=(40,), chunks=chunks)


def test_clones_have_other_names_and_the_same_bits():
    lazy = tesela.resize(da.ones((40, 30), chunks=(10, 30), dtype=np.float32), sizes=(33, 30), mode="linear")
    twin = dask.graph_manipulation.clone(lazy)
    assert not set(twin.dask.layers) & set(lazy.dask.layers)
    assert twin.compute(scheduler="sync").tobytes() == lazy.compute(scheduler="sync").tobytes()
    bound = dask.graph_manipulation.bind(lazy, da.zeros(3))
    assert bound.compute(scheduler="sync").tobytes() == lazy.compute(scheduler="sync").tobytes()


def test_constant_of_shape_is_lazy_with_chunks():
    lazy = tesela.constant_of_shape((10**6, 10**9), np.uint8(3), chunks="auto")
    assert isinstance(lazy, da.Array) and lazy.dtype == np.uint8 and max(map(max, lazy.chunks)) <= 2**27
    assert lazy[5:7, 10**8:10**8 + 3].compute(scheduler="sync").tolist() == [[3] * 3] * 2
    negative_nan = np.uint32(0xFFC12345).view(np.float32)
    small = tesela.constant_of_shape((5, 4), negative_nan, chunks=(2, 3))
    assert small.chunks == ((2, 2, 1), (3, 1))
    assert small.compute(scheduler="sync").tobytes() == tesela.constant_of_shape((5, 4), negative_nan).tobytes()
    assert tesela.constant_of_shape((), chunks="auto").compute() == 0
    assert tesela.constant_of_shape((0, 3), chunks=2).compute().shape == (0, 3)
    with pytest.raises(tesela.InvalidValueError, match="engine is 'ray'; expected 'dask', 'cubed'"):
        tesela.constant_of_shape((5,), chunks=2, engine="ray")
    with pytest.raises(tesela.UsageError, match="out is not supported for lazy arrays"):
        tesela.constant_of_shape((5,), chunks=2, out=np.zeros(5, np.float32))


def test_tile_of_openvino():
    x = np.arange(5)
    lazy = tesela.tile(chunked(x, 2), (2, 3), dialect="openvino")
    assert isinstance(lazy, da.Array)
    assert np.array_equal(lazy.compute(scheduler="sync"), np.tile(x, (2, 3)))
    small = x.astype(ml_dtypes.float8_e4m3fn)
    lazy = tesela.tile(chunked(small, 2), (2, -1), dialect="openvino")
    assert lazy.dtype == small.dtype and lazy.shape == (2, 0)
    lazy = tesela.tile(chunked(small, 2), (3,), dialect="openvino").compute(scheduler="sync")
    assert lazy.dtype == small.dtype and lazy.tobytes() == np.tile(small, 3).tobytes()
    with pytest.raises(tesela.UsageError, match="out is not supported"):
        tesela.tile(chunked(small, 2), (3,), dialect="openvino", out=np.zeros(15, small.dtype))


def test_blocks_that_differ_from_the_declared_ones_are_rejected():
    x = chunked(np.zeros((4, 4)), 2)
    other = x.map_blocks(lambda block: block.astype("f4"), dtype="f8", meta=np.empty((0, 0)))
    with pytest.raises(tesela.ElementTypeError, match=r"chunk \(0, 0\) of x holds float32; x says float64"):
        tesela.resize(other, sizes=(2, 2)).compute(scheduler="sync")
    short = x.map_blocks(lambda block: block[:1], meta=np.empty((0, 0)))
    with pytest.raises(tesela.ShapeError, match=r"chunk \(0, 0\) of x has the shape \(1, 2\); its chunks say \(2, 2\)"):
        tesela.resize(short, sizes=(2, 2)).compute(scheduler="sync")


def test_unsupported_dask_arguments_are_rejected():
    x = chunked(np.zeros((4, 4)), 2)
    with pytest.raises(ValueError, match="out"):
        tesela.resize(x, sizes=(2, 2), out=np.zeros((2, 2)))
    with pytest.raises(ValueError, match="compute_chunk_sizes"):
        tesela.resize(x[x[:, 0] >= 0], sizes=(2, 2))
    with pytest.raises(tesela.UsageError, match="numpy.ndarray has no chunks; leave out 'chunks'"):
        tesela.resize(np.zeros((4, 4)), sizes=(2, 2), chunks=1)


def chained(x, **call):
    """Whether the result is made by chains of partial sums."""
    return any("-pass-" in name for name in tesela.resize(x, **call).dask.layers)


def test_strong_reductions_are_chains_of_partial_sums():
    x = da.zeros((20_000, 20_000), chunks=1000, dtype=np.float64)
    call = dict(sizes=(1000, 1000), mode="linear", antialias=True)
    lazy = tesela.resize(x, **call)
    assert lazy.chunks == ((1000,), (1000,)) and chained(x, **call)
    for name, layer in lazy.dask.layers.items():
        if name.startswith("tesela-resize"):
            assert max(len(task.dependencies) for task in layer.values()) == 3  # the plan, the sums before and a chunk
            assert len(layer) in (400, 20) and len(pickle.dumps(dict(layer))) < 200 * len(layer)
    assert not chained(x, sizes=(10_000, 10_000), mode="linear")  # few chunks
    assert not chained(x, sizes=(1000, 1000))  # nearest has no sums; its chunks are shorter


@pytest.mark.parametrize("seed", range(40))
def test_random_chains(seed, monkeypatch):
    monkeypatch.setattr("tesela._lazy.chunks.reads_too_much", lambda layout: True)
    draw = random.Random(seed)
    shape = [draw.randint(1, 40) for _ in range(draw.randint(1, 3))]
    sizes = [extent if draw.random() < 0.2 else draw.randint(1, 30) for extent in shape]
    x = np.random.default_rng(seed).random(shape).astype(draw.choice(["f4", "f8", "f2"]))
    x = (x * 200).astype(draw.choice([x.dtype, "u1", "i4", ">f4"]))
    call = dict(sizes=sizes, mode=draw.choice(["linear", "cubic"]), antialias=draw.random() < 0.7)
    if draw.random() < 0.3:
        call |= dict(coordinate_transformation_mode="tf_crop_and_resize", extrapolation_value=7.0,
                     roi=[draw.uniform(-0.2, 0.4) for _ in shape] + [draw.uniform(0.5, 1.2) for _ in shape])
    lazy = tesela.resize(chunked(x, tuple(random_cut(draw, extent) for extent in shape)), **call)
    whole = tesela.resize(x, **call)
    assert lazy.compute(scheduler="threads").tobytes() == whole.astype(lazy.dtype).tobytes(), f"seed {seed}"
    box = tuple(slice(draw.randint(0, extent - 1), None) for extent in sizes)
    assert lazy[box].compute(scheduler="sync").tobytes() == whole[box].astype(lazy.dtype).tobytes(), f"seed {seed}"


def test_links_leave_their_inputs_as_they_are(monkeypatch):
    monkeypatch.setattr("tesela._lazy.chunks.reads_too_much", lambda layout: True)
    x = np.random.default_rng(1).random((60, 8))
    lazy = tesela.resize(chunked(x, (10, 8)), sizes=(3, 8), mode="linear", antialias=True)
    (layer,) = (layer for name, layer in lazy.dask.layers.items() if name == lazy.name)
    sums = layer.grid.compute((0, 0, 0), [x[:10]])
    kept = sums.copy()
    again = [layer.grid.compute((0, 0, 1), [sums, x[10:20]]) for _ in range(2)]
    assert sums.tobytes() == kept.tobytes() and again[0].tobytes() == again[1].tobytes()


_REDUCED = """
import numpy as np, dask.array as da, tesela
from petabyte import peak
x = da.map_blocks(lambda block_id: np.full((500, 500), block_id[0], np.float64), chunks=((500,) * 20,) * 2, dtype="f8",
                  meta=np.empty((0, 0)))
call = dict(mode="linear", antialias=True)
tesela.resize(x[:500, :500], sizes=(25, 25), **call).compute(scheduler="threads")
before = peak()
y = tesela.resize(x, sizes=(500, 500), **call)
assert y.npartitions == 1
y.compute(scheduler="threads", num_workers=2)
print(peak() - before)
"""


def test_a_strong_reduction_holds_few_chunks():
    env = UNSANITIZED | {"PYTHONPATH": str(pathlib.Path(__file__).parent)}
    done = subprocess.run([sys.executable, "-c", _REDUCED], capture_output=True, text=True, check=True, env=env)
    assert int(done.stdout) < 50 * 2_000_000  # of 400 chunks of 2 MB
