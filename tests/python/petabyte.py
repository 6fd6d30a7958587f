# SPDX-License-Identifier: Apache-2.0
"""A petabyte without a petabyte: an array that is a function of its index, halved along its three axes. Random chunks of the
output are computed by worker processes with a limit of memory, one of which is killed, and compared with a closed form.

Usage: petabyte.py [CHUNKS [SEED]]"""

import os
import pathlib
import random
import signal
import sys
import tempfile
import time

import dask.array as da
import distributed
import numpy as np
import tesela

SIDE, CHUNK = 50_000, 50  # 50,000^3 elements of 8 bytes are 1 PB in 1e9 chunks
SLOPES = (1.0, 3.0, 5.0)
MEMORY = 512 << 20


def die_once(calls, last):
    """Appends a byte to the file `calls`, and kills this worker process when it wrote byte number `last`; its nanny starts
    another. Bytes are appended one after the other, so one call dies whatever the number of processes."""
    file = os.open(calls, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(file, b".")
    if os.lseek(file, 0, os.SEEK_CUR) == last:
        os.kill(os.getpid(), signal.SIGKILL)
    os.close(file)


def ramp(block_id, calls, last):
    """The elements of a chunk: at (i, j, k) the sum of the slopes times the indices."""
    die_once(calls, last)
    first, second, third = (slope * np.arange(i * CHUNK, (i + 1) * CHUNK) for i, slope in zip(block_id, SLOPES))
    return first[:, None, None] + second[:, None] + third


def expected(lo, shape):
    """Halving puts the output i at 2 * i + 0.5. Every number here is exact in doubles."""
    first, second, third = (slope * (2.0 * np.arange(start, start + extent) + 0.5)
                            for start, extent, slope in zip(lo, shape, SLOPES))
    return first[:, None, None] + second[:, None] + third


def make(calls, last):
    """(lazy output, seconds to make its plan and graph). The worker that makes input chunk number `last` dies: see die_once."""
    chunks = ((CHUNK,) * (SIDE // CHUNK),) * 3
    x = da.map_blocks(ramp, calls=calls, last=last, chunks=chunks, dtype=np.float64, meta=np.empty((0, 0, 0)))
    begin = time.perf_counter()
    y = tesela.resize(x, scales=(0.5, 0.5, 0.5), mode="linear")
    return y, time.perf_counter() - begin


def draw_chunks(y, count, seed):
    """(lo, lazy chunk) of random chunks of y."""
    draw = random.Random(seed)
    for _ in range(count):
        index = [draw.randrange(len(sizes)) for sizes in y.chunks]
        lo = [sizes[0] * i for sizes, i in zip(y.chunks, index)]
        yield lo, y[tuple(slice(start, start + sizes[i]) for start, sizes, i in zip(lo, y.chunks, index))]


def compare(client, y, count, seed, batch=50):
    """How many chunks of y equal the closed form in every bit."""
    drawn = list(draw_chunks(y, count, seed))
    equal = 0
    for begin in range(0, count, batch):
        futures = client.compute([part for _, part in drawn[begin:begin + batch]])
        for (lo, part), future in zip(drawn[begin:begin + batch], futures):
            equal += future.result(timeout=600).tobytes() == expected(lo, part.shape).tobytes()
    return equal


def peak():
    """The most memory that this process had, in bytes. ru_maxrss would have its parent's, too."""
    status = pathlib.Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) << 10


def pids(client):
    return set(client.run(os.getpid).values())


def main(count=1000, seed=1):
    with (tempfile.TemporaryDirectory() as folder,
          distributed.LocalCluster(n_workers=3, threads_per_worker=1, processes=True, host="127.0.0.1", memory_limit=MEMORY,
                                   dashboard_address=None) as cluster, distributed.Client(cluster) as client):
        y, seconds = make(os.path.join(folder, "calls"), last=100)
        first = pids(client)
        begin = time.perf_counter()
        equal = compare(client, y, count, seed)
        elapsed = time.perf_counter() - begin
        killed = len(first - pids(client))
        peaks = [peak(), *client.run(peak).values()]
    print(f"{SIDE**3 * 8 / 1e15:g} PB in, {y.npartitions:.3g} chunks out: plan and graph in {seconds:.3f} s; "
          f"{equal} of {count} chunks equal in {elapsed:.0f} s, workers killed: {killed}; "
          f"peaks of client and workers {', '.join(f'{bytes_ >> 20} MiB' for bytes_ in peaks)}")
    return 0 if equal == count and killed == 1 and max(peaks) < MEMORY and seconds < y.npartitions / 1e6 else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
