"""dask arrays: lazy, one task for each chunk of the output, equal to the whole result in every bit."""

import dask.array as da
import distributed
import numpy as np
import pytest
import tesela


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


def test_cluster_processes_are_bit_identical():
    x = np.random.default_rng(5).random((90, 70), dtype=np.float32)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1",
                                  dashboard_address=None) as cluster, distributed.Client(cluster):
        lazy = tesela.resize(chunked(x, (31, 17)), sizes=(55, 131), mode="cubic", antialias=True)
        assert lazy.compute().tobytes() == tesela.resize(x, sizes=(55, 131), mode="cubic", antialias=True).tobytes()


def test_unsupported_dask_arguments_are_rejected():
    x = chunked(np.zeros((4, 4)), 2)
    with pytest.raises(ValueError, match="out"):
        tesela.resize(x, sizes=(2, 2), out=np.zeros((2, 2)))
    with pytest.raises(ValueError, match="compute_chunk_sizes"):
        tesela.resize(x[x[:, 0] >= 0], sizes=(2, 2))
