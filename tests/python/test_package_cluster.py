# SPDX-License-Identifier: Apache-2.0
"""dask.distributed: several worker processes on loopback with limits of memory, one of which is killed in the middle."""

import time

import dask
import dask.array as da
import distributed
import numpy as np
import petabyte
import pytest
import tesela


@pytest.fixture(scope="module")
def client():
    # A worker that asks a killed one for a chunk waits for this long.
    with (dask.config.set({"distributed.comm.timeouts.connect": "3s"}),
          distributed.LocalCluster(n_workers=3, threads_per_worker=1, processes=True, host="127.0.0.1", memory_limit="400MiB",
                                   dashboard_address=None) as cluster, distributed.Client(cluster) as client):
        yield client


def slow_and_mortal(block, calls, last):
    time.sleep(0.02)
    petabyte.die_once(calls, last)
    return block


def test_processes_are_bit_identical(client):
    x = np.random.default_rng(5).random((90, 70), dtype=np.float32)
    lazy = tesela.resize(da.from_array(x, chunks=(31, 17)), sizes=(55, 131), mode="cubic", antialias=True)
    assert lazy.compute().tobytes() == tesela.resize(x, sizes=(55, 131), mode="cubic", antialias=True).tobytes()


def test_a_killed_worker_changes_no_bit(client, tmp_path):
    x = np.random.default_rng(6).random((160, 160), dtype=np.float32)
    source = da.from_array(x, chunks=20).map_blocks(slow_and_mortal, str(tmp_path / "calls"), 30, dtype=x.dtype)
    lazy = tesela.resize(source, sizes=(240, 200), mode="cubic", antialias=True)
    first = petabyte.pids(client)
    future = client.compute(lazy)
    assert future.result(timeout=120).tobytes() == tesela.resize(x, sizes=(240, 200), mode="cubic", antialias=True).tobytes()
    assert len(first - petabyte.pids(client)) == 1


def test_random_chunks_of_a_petabyte_equal_a_closed_form(client, tmp_path):
    y, seconds = petabyte.make(str(tmp_path / "calls"), last=20)
    assert y.npartitions == 125_000_000 and seconds < 125
    first = petabyte.pids(client)
    assert petabyte.compare(client, y, count=8, seed=2) == 8
    assert len(first - petabyte.pids(client)) == 1
