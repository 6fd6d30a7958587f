# SPDX-License-Identifier: Apache-2.0
"""Tensors of other libraries through DLPack: no copy, results in the caller's library, immutable tensors are not written."""

import sys
import types

import ml_dtypes
import numpy as np
import pytest
import tesela
from tesela import _core, _libraries, _types


class Tensor:
    """A stand-in for libraries that may not be installed: a class with a NumPy array that supports only DLPack."""

    device = (1, 0)

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        if not self.array.flags.writeable:
            return self.array.__dlpack__(**options)
        code = _types.code_of(self.array.dtype)
        return _core.to_dlpack(self.array.view(f"u{self.array.itemsize}"), code).__dlpack__()

    def __dlpack_device__(self):
        return self.device


Tensor.__module__ = "tiny_arrays.core"
library = types.ModuleType("tiny_arrays")
library.from_dlpack = lambda source: Tensor(_libraries.read(source))
sys.modules["tiny_arrays"] = library

EXPORTED = ["bool", "int8", "int64", "uint16", "float16", "float32", "float64", "complex64", ml_dtypes.bfloat16]


@pytest.mark.parametrize("dtype", EXPORTED, ids=str)
def test_tensors_are_exchanged_by_dlpack(dtype):
    x = np.arange(12).reshape(3, 4).astype(dtype)
    result = tesela.tile(Tensor(x), (2, 1))
    assert isinstance(result, Tensor)
    assert result.array.dtype == x.dtype and np.array_equal(result.array, np.tile(x, (2, 1)))
    strided = tesela.resize(Tensor(x[::-1, ::2]), sizes=(3, 2))
    assert np.array_equal(strided.array, x[::-1, ::2])


def test_memory_is_shared_in_both_directions():
    x = np.arange(6, dtype=np.float32)
    assert np.shares_memory(_libraries.read(Tensor(x)), x)
    assert np.shares_memory(_libraries.find(Tensor(x)).give_back(Tensor(x), x).array, x)
    out = Tensor(np.empty(12, np.float32))
    assert tesela.tile(Tensor(x), (2,), out=out) is out
    assert out.array.tolist() == [*range(6)] * 2


def test_read_only_memory_is_read_but_not_written():
    frozen = np.zeros(4)
    frozen.flags.writeable = False
    assert tesela.tile(Tensor(frozen), (1,)).array.tolist() == [0, 0, 0, 0]
    with pytest.raises(tesela.UsageError, match="read-only"):
        tesela.tile(np.ones(2), (2,), out=Tensor(frozen))
    assert frozen.tolist() == [0, 0, 0, 0]


def test_subclass_uses_the_library_of_its_base():
    class Image(Tensor):
        pass

    assert type(tesela.tile(Image(np.ones(2)), (2,))) is Tensor


def test_tensor_of_unknown_library_gives_an_array():
    class Lone:
        def __dlpack__(self, **options):
            return np.arange(3.0).__dlpack__(**options)

        def __dlpack_device__(self):
            return (1, 0)

    result = tesela.tile(Lone(), (2,))
    assert type(result) is np.ndarray and result.tolist() == [0, 1, 2, 0, 1, 2]


def test_tensor_on_another_device_is_rejected_by_name():
    class OnDevice(Tensor):
        device = (2, 0)

    with pytest.raises(tesela.UnsupportedError, match="OnDevice is on another device; copy it"):
        tesela.tile(OnDevice(np.ones(2)), (2,))


@pytest.mark.parametrize("error", [BufferError, RuntimeError, TypeError, ValueError])
def test_error_of_the_other_library_is_quoted(error):
    class Refusing(Tensor):
        def __dlpack__(self, **options):
            raise error("the library's own reason")

    for call in (dict(x=Refusing(np.ones(2))), dict(x=np.ones(2), out=Refusing(np.ones(4)))):
        with pytest.raises(tesela.ElementTypeError, match="Refusing cannot be read: the library's own reason"):
            tesela.tile(repeats=(2,), **call)


def test_invalid_dlpack_is_rejected():
    class Odd(Tensor):
        def __dlpack__(self, **options):
            return self.array

    used = np.ones(2).__dlpack__()
    assert tesela.tile(Odd(used), (1,)).array.tolist() == [1, 1]
    for x, words in [(Odd(used), "does not hold a DLPack tensor"), (Odd(5), "not a capsule"), (Odd(None), "not a capsule")]:
        with pytest.raises(tesela.ElementTypeError, match=words):
            tesela.tile(x, (1,))
