# SPDX-License-Identifier: Apache-2.0
"""A dask array resized by ome-zarr and by Tesela: how far chunks shift the result."""

import dask.array as da
import numpy as np
import pytest
import tesela
from ome_zarr.dask_utils import resize

SIDE, CHUNK = 1024, 250


def shifts(side: int) -> tuple[np.ndarray, np.ndarray]:
    """The shift of each output column caused by chunks, in input columns, for ome-zarr and Tesela."""
    ramp = np.broadcast_to(np.arange(float(SIDE)), (SIDE, SIDE))  # the value of an element is its column
    chunked, whole = (da.from_array(ramp, chunks=chunk) for chunk in (CHUNK, SIDE))
    options = dict(order=1, preserve_range=True, anti_aliasing=False)
    theirs = resize(chunked, (side, side), **options).compute() - resize(whole, (side, side), **options).compute()
    ours = tesela.resize(chunked, sizes=(side, side), mode="linear").compute()
    ours -= tesela.resize(ramp, sizes=(side, side), mode="linear")
    return np.abs(theirs).max(0), np.abs(ours).max(0)


@pytest.mark.parametrize("side, documented", [(500, 3.98), (700, 1.39), (1500, 1.31)])
def test_chunks_shift_ome_zarr_but_not_tesela(side, documented):
    theirs, ours = shifts(side)
    assert theirs.max() == pytest.approx(documented, abs=0.005)
    assert ours.max() == 0
