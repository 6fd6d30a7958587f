"""Tensors of PyTorch and JAX come and go without a copy, and keep their library and dtype."""

import jax.numpy
import pytest
import torch

import tesela


@pytest.mark.parametrize("library, dtypes", [
    (torch, ["float32", "uint8", "int64", "bool", "float16", "bfloat16", "complex64"]),
    (jax.numpy, ["float32", "uint8", "int32", "float16", "bfloat16", "complex64", "float8_e4m3fn"]),
], ids=["torch", "jax"])
def test_tensors_keep_their_library_and_dtype(library, dtypes):
    for dtype in dtypes:
        x = library.ones((2, 3), dtype=getattr(library, dtype))
        # ONNX's Tile has no float8.
        result = tesela.tile(x, (2, 2), dialect="openvino" if dtype.startswith("float8") else None)
        assert type(result) is type(x) and result.dtype == x.dtype and tuple(result.shape) == (4, 6)
        assert bool((result == 1).all())
    plan = tesela.plan("resize", library.ones((2, 3)), sizes=(4, 4), mode="linear")
    assert type(plan(library.ones((2, 3)))) is type(x)


def test_memory_is_shared_with_pytorch():
    x = torch.zeros(4, 5)
    out = torch.empty(8, 5)
    assert tesela.tile(x, (2, 1), out=out) is out
    assert tesela._arrays.as_array(x).__array_interface__["data"][0] == x.data_ptr()


def test_a_gradient_is_not_dropped_in_silence():
    with pytest.raises(ValueError, match="detach"):
        tesela.tile(torch.ones(3, requires_grad=True), (2,))
