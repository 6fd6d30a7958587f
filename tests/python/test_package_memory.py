# SPDX-License-Identifier: Apache-2.0
"""The memory of large results is kept for later results, and never shared by two arrays."""

import concurrent.futures
import gc
import sys

import numpy as np
import pytest
import tesela

HUGE_PAGE = 2 << 20


def address(x):
    return x.__array_interface__["data"][0]


@pytest.fixture(autouse=True)
def nothing_is_kept():
    gc.collect()
    assert tesela.trim_memory() == 0
    yield
    tesela.trim_memory()


def calls():
    """Calls with a large result, each twice: the second time with a cached plan."""
    x = np.arange(600 * 1000, dtype=np.float32).reshape(600, 1000)
    swapped = x.astype(x.dtype.newbyteorder())
    plan = tesela.plan("tile", x, repeats=(2, 2))
    yield lambda: tesela.resize(x, sizes=(900, 1500), mode="linear")
    yield lambda: tesela.tile(x, (2, 2))
    yield lambda: tesela.constant_of_shape((900, 1500), np.float32(3))
    yield lambda: plan(x)
    yield lambda: plan.run_region(x, (0, 0), (0, 0), (1200, 2000))
    yield lambda: tesela.tile(swapped, (2, 2))


@pytest.mark.parametrize("call", list(calls()))
def test_results_reuse_memory_of_freed_results(call):
    expected = call().copy()
    for _ in range(2):
        y = call()
        assert y.flags.writeable and y.flags.c_contiguous and y.flags.aligned
        assert np.array_equal(y, expected)
        y[...] = 0
        del y
    assert tesela.trim_memory(1 << 40) > 0


def test_result_memory_is_reused_and_huge_page_aligned():
    x = np.zeros((600, 1000), np.float32)
    y = tesela.resize(x, sizes=(900, 1500))
    first = address(y)
    assert first % HUGE_PAGE == 0
    del y
    kept = tesela.trim_memory(1 << 40)
    assert 900 * 1500 * 4 <= kept < 900 * 1500 * 4 + HUGE_PAGE
    assert address(tesela.resize(x, sizes=(900, 1500))) == first
    assert tesela.trim_memory(0) == 0


def test_a_view_holds_the_memory():
    x = np.ones((600, 1000), np.float32)
    view = tesela.resize(x, sizes=(900, 1500))[3:5, 7]
    other = tesela.resize(x * 2, sizes=(900, 1500))
    assert view.tolist() == [1, 1] and not np.shares_memory(view, other)
    assert tesela.trim_memory(1 << 40) == 0


def test_small_results_use_numpy_memory():
    y = tesela.tile(np.zeros((100, 100), np.float32), (2, 2))
    assert y.flags.owndata
    del y
    assert tesela.trim_memory(1 << 40) == 0


def test_threads_do_not_share_memory():
    x = np.zeros((300, 1000), np.float32)

    def work(seed):
        wrong = 0
        for step in range(20):
            value = np.float32(100 * seed + step)
            y = tesela.tile(x + value, (2 + step % 3, 1))
            wrong += not (y == value).all()
        return wrong

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(work, range(8))) == 0


def test_impossible_size_is_a_memory_error():
    with pytest.raises((MemoryError, tesela.NoMemoryError)):
        tesela.constant_of_shape((1 << 50,), np.uint8(0))
    assert sys.getrefcount(tesela._core.Memory(1)) < 4
