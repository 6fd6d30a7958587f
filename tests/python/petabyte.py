# SPDX-License-Identifier: Apache-2.0
"""A petabyte without a petabyte: an array that is a function of its index, halved along its three axes. Random chunks of the
output are computed by worker processes with a limit of memory, one of which is killed, and compared with a closed form.

Usage: petabyte.py [CHUNKS [SEED]]"""

import os
import pathlib
import random
import signal
import sys
import time

import dask.array as da
import distributed
import numpy as np
import tesela

SIDE, CHUNK = 50_000, 50  # 50,000^3 elements of 8 bytes are 1 PB in 1e9 chunks
SLOPES = (1.0, 3.0, 5.0)
MEMORY = 512 << 20


def ramp(block_id):
    """The elements of a chunk: at (i, j, k) the sum of the slopes times the indices."""
    first, second, third = (slope * np.arange(i * CHUNK, (i + 1) * CHUNK) for i, slope in zip(block_id, SLOPES))
    return first[:, None, None] + second[:, None] + third


def expected(lo, shape):
    """Halving puts the output i at 2 * i + 0.5. Every number here is exact in doubles."""
    first, second, third = (slope * (2.0 * np.arange(start, start + extent) + 0.5)
                            for start, extent, slope in zip(lo, shape, SLOPES))
    return first[:, None, None] + second[:, None] + third


def make():
    """(lazy output, seconds to make its plan and graph)."""
    chunks = ((CHUNK,) * (SIDE // CHUNK),) * 3
    x = da.map_blocks(ramp, chunks=chunks, dtype=np.float64, meta=np.empty((0, 0, 0)))
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


def kill_one(client, name=""):
    """Kills a worker process as soon as it holds a chunk of the array of this name; its nanny starts another. Returns its id."""
    holding = []
    while not holding:
        time.sleep(0.02)
        holding = [addresses[0] for key, addresses in client.who_has().items() if name in str(key) and addresses]
    pid = client.run(os.getpid, workers=holding[:1])[holding[0]]
    os.kill(pid, signal.SIGKILL)
    return pid


def compare(client, y, count, seed, batch=50):
    """How many chunks of y equal the closed form in every bit. A worker is killed in the first batch."""
    drawn = list(draw_chunks(y, count, seed))
    equal = 0
    for begin in range(0, count, batch):
        futures = client.compute([part for _, part in drawn[begin:begin + batch]])
        if begin == 0:
            kill_one(client, "tesela-resize")
        for (lo, part), future in zip(drawn[begin:begin + batch], futures):
            equal += future.result(timeout=600).tobytes() == expected(lo, part.shape).tobytes()
    return equal


def peak():
    """The most memory that this process had, in bytes. ru_maxrss would have its parent's, too."""
    status = pathlib.Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) << 10


def main(count=1000, seed=1):
    y, seconds = make()
    with distributed.LocalCluster(n_workers=3, threads_per_worker=1, processes=True, host="127.0.0.1", memory_limit=MEMORY,
                                  dashboard_address=None) as cluster, distributed.Client(cluster) as client:
        begin = time.perf_counter()
        equal = compare(client, y, count, seed)
        peaks = [peak(), *client.run(peak).values()]
    print(f"{SIDE**3 * 8 / 1e15:g} PB in, {y.npartitions:.3g} chunks out: plan and graph in {seconds:.3f} s; "
          f"{equal} of {count} chunks equal in {time.perf_counter() - begin:.0f} s with a worker killed; "
          f"peaks of client and workers {', '.join(f'{bytes_ >> 20} MiB' for bytes_ in peaks)}")
    return 0 if equal == count and max(peaks) < MEMORY and seconds < y.npartitions / 1e6 else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
