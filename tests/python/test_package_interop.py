"""Tensors of other libraries by DLPack: no copy, and the result in the caller's library."""

import importlib.util
import sys
import types

import ml_dtypes
import numpy as np
import pytest

import tesela
from tesela import _core, _types


class Tensor:
    """A library of one class, for what an installation may lack: it holds a NumPy array and speaks only DLPack."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        code = _types.code_of(self.array.dtype)
        return _core.to_dlpack(self.array.view(f"u{self.array.itemsize}"), code).__dlpack__()

    def __dlpack_device__(self):
        return (1, 0)


Tensor.__module__ = "tiny_arrays.core"
library = types.ModuleType("tiny_arrays")
library.from_dlpack = lambda source: Tensor(tesela._arrays.as_array(source))
sys.modules["tiny_arrays"] = library

EXPORTED = ["bool", "int8", "int64", "uint16", "float16", "float32", "float64", "complex64", ml_dtypes.bfloat16]


@pytest.mark.parametrize("dtype", EXPORTED, ids=str)
def test_tensors_come_and_go_by_dlpack(dtype):
    x = np.arange(12).reshape(3, 4).astype(dtype)
    result = tesela.tile(Tensor(x), (2, 1))
    assert isinstance(result, Tensor)
    assert result.array.dtype == x.dtype and np.array_equal(result.array, np.tile(x, (2, 1)))
    strided = tesela.resize(Tensor(x[::-1, ::2]), sizes=(3, 2))
    assert np.array_equal(strided.array, x[::-1, ::2])


def test_memory_is_shared_both_ways():
    x = np.arange(6, dtype=np.float32)
    assert np.shares_memory(tesela._arrays.as_array(Tensor(x)), x)
    assert np.shares_memory(tesela._arrays.in_library_of(Tensor(x), x).array, x)
    out = Tensor(np.empty(12, np.float32))
    assert tesela.tile(Tensor(x), (2,), out=out) is out
    assert out.array.tolist() == [*range(6)] * 2


def test_a_module_without_from_dlpack_is_not_needed_for_numpy():
    assert importlib.util.find_spec("tesela") is not None
    assert type(tesela.tile(np.ones(2), (2,))) is np.ndarray
