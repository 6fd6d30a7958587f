# SPDX-License-Identifier: Apache-2.0
"""Combinations of libraries: xarray with arrays of each library, and SciPy's sparse arrays."""

import jax.numpy
import numpy as np
import pytest
import scipy.sparse
import tesela
import torch
import xarray


def test_labelled_arrays_keep_their_library():
    for array in (jax.numpy.ones((2, 3)), np.ones((2, 3), np.float32)):
        result = tesela.resize(xarray.DataArray(array, dims=("y", "x")), sizes=(4, 6), mode="linear")
        assert result.dims == ("y", "x") and result.shape == (4, 6) and type(result.data) is type(array)


@pytest.mark.parametrize("make", [scipy.sparse.csr_matrix, scipy.sparse.coo_array, scipy.sparse.dia_array])
def test_sparse_matrices_are_refused(make):
    with pytest.raises(tesela.ElementTypeError, match=r"sparse; pass x.toarray\(\)"):
        tesela.tile(make(np.eye(3)), (2, 2))


def test_lists_of_tensors_are_read_or_refused():
    assert tesela.tile([torch.tensor(1.0), torch.tensor(2.0)], (2,)).tolist() == [1, 2, 1, 2]
    with pytest.raises(tesela.ElementTypeError, match="list is not an array.*resolve_conj"):
        tesela.tile([torch.tensor(1 + 2j).conj()], (2,))
