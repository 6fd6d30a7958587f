# SPDX-License-Identifier: Apache-2.0
"""PyTorch: results have the class of the input, in-place writes follow PyTorch's rules, tensors without elements are rejected."""

import numpy as np
import pytest
import tesela
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx
from torchvision import tv_tensors
from torchvision.transforms.v2.functional import resize

DTYPES = ["bool", "uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64", "float16", "bfloat16", "float32",
          "float64", "complex64", "complex128"]
FLOATS_OF_8_BITS = ["float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu"]


@pytest.mark.parametrize("dtype", DTYPES + FLOATS_OF_8_BITS)
def test_tensors_keep_their_dtype(dtype):
    x = torch.ones((2, 3)).to(getattr(torch, dtype))
    dialect = "openvino" if dtype in FLOATS_OF_8_BITS else None  # ONNX's Tile does not support float8
    result = tesela.tile(x, (2, 2), dialect=dialect)
    assert type(result) is torch.Tensor and result.dtype == x.dtype and result.shape == (4, 6)
    assert bool((result.to(torch.complex128) == 1).all())


def test_memory_is_shared():
    x = torch.arange(20.0).reshape(4, 5)
    assert tesela._libraries.read(x).__array_interface__["data"][0] == x.data_ptr()
    out = torch.empty(8, 5)
    assert tesela.tile(x, (2, 1), out=out) is out and torch.equal(out, x.repeat(2, 1))
    plan = tesela.plan("tile", x, repeats=(2, 1))
    assert torch.equal(plan(x), out) and torch.equal(plan.run_region(x, (0, 0), (4, 0), (4, 5)), x)


def test_views_are_resolved():
    x = torch.tensor([1 + 2j, 3 - 4j])
    assert tesela.tile(x.conj(), (1,)).tolist() == [1 - 2j, 3 + 4j]
    assert tesela.tile(x.conj().imag, (1,)).tolist() == [-2, 4]
    assert tesela.resize(x.conj().imag, sizes=(4,), mode="linear").tolist() == [-2, -0.5, 2.5, 4]
    for out in (torch.zeros(2, dtype=torch.complex64).conj(), torch.zeros(2, dtype=torch.complex64).conj().imag):
        with pytest.raises(tesela.UsageError, match="conjugate or negative view"):
            tesela.tile(torch.ones(2, dtype=out.dtype), (1,), out=out)
    strided = torch.arange(12.0).reshape(3, 4).t()[::2]
    assert torch.equal(tesela.tile(strided, (2, 1)), strided.repeat(2, 1))
    assert tesela.tile(torch.tensor(5), ()).item() == 5 and tesela.tile(torch.zeros(0, 3), (2, 2)).shape == (0, 6)
    assert tesela.tile(torch.zeros(0, 3), (2, 2), out=torch.zeros(0, 6)).shape == (0, 6)


def test_tensors_with_gradients_are_rejected():
    x = torch.ones(3, requires_grad=True)
    for tensor in (x, x * 2, x[:2]):
        with pytest.raises(tesela.UsageError, match=r"x.detach\(\).*no_grad"):
            tesela.tile(tensor, (2,))
    with torch.no_grad():
        assert not tesela.tile(x, (2,)).requires_grad
    with torch.inference_mode():
        assert tesela.tile(x, (2,)).is_inference()
    with torch.autograd.forward_ad.dual_level():
        dual = torch.autograd.forward_ad.make_dual(torch.ones(3), torch.ones(3))
        with pytest.raises(tesela.UsageError, match="tangent"):
            tesela.tile(dual, (2,))


@pytest.mark.parametrize("alias", [lambda saved: saved, lambda saved: saved[:], lambda saved: saved.detach()])
def test_backward_pass_detects_in_place_write(alias):
    weight, saved = torch.ones(6, requires_grad=True), torch.zeros(6)
    loss = (weight * saved).sum()
    tesela.tile(torch.ones(3), (2,), out=alias(saved))
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()


def test_outputs_follow_the_rules_of_in_place_writes():
    parameter = torch.nn.Parameter(torch.zeros(6))
    for out in (parameter, parameter[:], parameter * 1):
        with pytest.raises(tesela.UsageError, match=r"out.detach\(\)"):
            tesela.tile(torch.ones(3), (2,), out=out)
    version = parameter._version
    with torch.no_grad():
        tesela.tile(torch.ones(3), (2,), out=parameter)
    assert parameter._version > version and bool((parameter == 1).all())
    with torch.inference_mode():
        frozen = torch.zeros(6)
        tesela.tile(torch.ones(3), (2,), out=frozen)
    with pytest.raises(tesela.UsageError, match="inference mode"):
        tesela.tile(torch.ones(3), (2,), out=frozen)
    with pytest.raises(tesela.UsageError, match="share memory"):
        tesela.tile(torch.ones(3), (2,), out=torch.zeros(1).expand(6))
    both = torch.zeros(6)
    with pytest.raises(tesela.UsageError, match="overlaps"):
        tesela.tile(both[:3], (2,), out=both)


class Own(torch.Tensor):
    pass


class Tagged(torch.Tensor):
    """Passes its tag on to results, like classes of MONAI and others."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        result = super().__torch_function__(func, types, args, kwargs or {})
        if isinstance(result, cls):
            result.tag = getattr(args[0], "tag", None)
        return result


class Picky(torch.Tensor):
    """Supports one function."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return super().__torch_function__(func, types, args, kwargs or {}) if func is torch.add else NotImplemented


class Wrapped(torch.Tensor):
    """A wrapper without elements."""

    @staticmethod
    def __new__(cls, inner):
        return torch.Tensor._make_wrapper_subclass(cls, inner.shape, dtype=inner.dtype)

    @classmethod
    def __torch_dispatch__(cls, func, types, args, kwargs=None):
        raise NotImplementedError(func)


def test_subclasses_are_kept():
    for kind in (tv_tensors.Image, tv_tensors.Video, tv_tensors.Mask):
        result = tesela.resize(kind(torch.zeros((1, 3, 4, 4), dtype=torch.uint8)), sizes=(8, 8), axes=(2, 3))
        assert type(result) is kind and result.shape == (1, 3, 8, 8)
    image = tv_tensors.Image(torch.randint(0, 256, (3, 8, 10), dtype=torch.uint8))
    assert torch.equal(tesela.resize(image, sizes=5, like="torchvision:bilinear"), resize(image, [5]))
    assert type(tesela.tile(torch.ones(3).as_subclass(Own), (2,))) is Own
    tagged = torch.ones(3).as_subclass(Tagged)
    tagged.tag = "kept"
    assert tesela.tile(tagged, (2,)).tag == "kept"
    assert tesela.tile(torch.ones(3).as_subclass(Picky), (2,)).as_subclass(torch.Tensor).tolist() == [1] * 6
    assert type(tesela.tile(torch.nn.Parameter(torch.ones(3), requires_grad=False), (2,))) is torch.Tensor
    with pytest.raises(tesela.UnsupportedError, match="Wrapped has no elements of its own"):
        tesela.tile(Wrapped(torch.ones(3)), (2,))
    for boxes in (tv_tensors.BoundingBoxes(torch.zeros((1, 4)), format="XYXY", canvas_size=(4, 4)),
                  tv_tensors.KeyPoints(torch.zeros((1, 2)), canvas_size=(4, 4))):
        with pytest.raises(tesela.ElementTypeError, match="coordinates, not pixels"):
            tesela.resize(boxes, sizes=(2, 4))


@pytest.mark.parametrize("rank, format", [(4, torch.channels_last), (5, torch.channels_last_3d)])
@pytest.mark.parametrize("extent", [4, 1])
def test_channels_last_is_kept(rank, format, extent):
    x = torch.rand(2, 3, *[extent] * (rank - 2))
    sizes, axes = (5, 6, 7)[: rank - 2], range(2, rank)
    mode = "bilinear" if rank == 4 else "trilinear"
    for given in (x, x.to(memory_format=format)):
        result = tesela.resize(given, sizes=sizes, axes=[*axes], mode="linear")
        assert result.stride() == torch.nn.functional.interpolate(given, sizes, mode=mode).stride()
        assert torch.equal(result, tesela.resize(x, sizes=sizes, axes=[*axes], mode="linear"))


def refused():
    ones = torch.ones(3)
    yield "layout sparse_coo; pass x.to_dense", lambda: tesela.tile(ones.to_sparse(), (2,))
    yield "layout sparse_csr", lambda: tesela.tile(torch.eye(3).to_sparse_csr(), (2, 2))
    yield "layout mkldnn", lambda: tesela.tile(ones.to_mkldnn(), (2,))
    yield r"quantized; pass x.dequantize\(\)", lambda: tesela.tile(
        torch.quantize_per_tensor(ones, 0.1, 0, torch.quint8), (2,))
    yield "device meta and has no elements", lambda: tesela.tile(ones.to("meta"), (2,))
    yield r"nested; pass the tensors of x.unbind\(\)", lambda: tesela.tile(torch.nested.nested_tensor([ones, ones[:2]]), (2,))
    yield "nested", lambda: tesela.tile(torch.nested.nested_tensor([ones, ones[:2]], layout=torch.jagged), (2,))
    yield "torch.complex32", lambda: tesela.tile(ones.to(torch.complex32), (2,))
    yield "torch.float4_e2m1fn_x2", lambda: tesela.tile(torch.zeros(2, dtype=torch.uint8).view(torch.float4_e2m1fn_x2), (2,))
    yield "torch.func", lambda: torch.func.vmap(lambda x: tesela.tile(x, (2,)))(torch.ones(2, 3))
    yield "torch.func", lambda: torch.func.grad(lambda x: tesela.tile(x, (2,)).sum())(ones)
    yield "torch.func", lambda: torch.func.jvp(lambda x: tesela.tile(x, (2,)), (ones,), (ones,))
    yield "record the result as a constant", lambda: torch.jit.trace(lambda x: tesela.tile(x, (2,)), ones)
    yield "record the result as a constant", lambda: make_fx(lambda x: tesela.tile(x, (2,)))(ones)
    yield "record the result as a constant", lambda: torch.export.export(Tiles(), (ones,))
    yield "no elements of its own", lambda: tesela.tile(torch._efficientzerotensor(3), (2,))
    with FakeTensorMode():
        fake = torch.ones(3)
    yield "FakeTensor is traced", lambda: tesela.tile(fake, (2,))


class Tiles(torch.nn.Module):
    def forward(self, x):
        return tesela.tile(x, (2,))


@pytest.mark.filterwarnings("ignore")
def test_tensors_without_data_are_rejected_with_a_fix():
    for words, call in refused():
        with pytest.raises(tesela.Error, match=words) as caught:
            call()
        assert len(str(caught.value)) <= 300


def test_other_torch_objects_are_lists_or_rejected():
    assert tesela.tile(torch.Size([1, 2]), (2,)).tolist() == [1, 2, 1, 2]
    for x in (torch.Tensor, torch.float32, torch.nn.Linear(2, 2)):
        with pytest.raises(tesela.ElementTypeError, match="is not an array"):
            tesela.tile(x, (2,))


def test_plans_need_no_elements():
    plan = tesela.plan("resize", torch.ones((2, 3), device="meta", dtype=torch.bfloat16), sizes=(4, 6))
    assert plan.output_shape == (4, 6) and plan(torch.ones((2, 3), dtype=torch.bfloat16)).dtype == torch.bfloat16
    assert tesela.plan("resize", torch.ones((2, 3), requires_grad=True), sizes=(4, 6)).output_shape == (4, 6)
    with torch.device("meta"):  # the default device of new tensors
        x = torch.ones((2, 3), device="cpu")
        assert tesela.plan("resize", x, sizes=(4, 6))(x).device.type == "cpu"


@pytest.mark.filterwarnings("ignore")
def test_works_in_compiled_functions():
    compiled = torch.compile(lambda x: tesela.resize(x * 2, sizes=(4,), mode="linear") + 1, backend="eager")
    assert compiled(torch.tensor([1.0, 2.0])).tolist() == [3, 3.5, 4.5, 5]


def test_arrays_may_be_written_to_tensors():
    out = torch.zeros(4)
    assert tesela.tile(np.float32([1, 2]), (2,), out=out) is out and out.tolist() == [1, 2, 1, 2]
    bytes_out = torch.zeros(4, dtype=torch.float8_e5m2)
    tesela.tile(torch.ones(2).to(torch.float8_e5m2), (2,), dialect="openvino", out=bytes_out)
    assert bytes_out.float().tolist() == [1] * 4
    assert tesela.constant_of_shape((4,), np.float32(3), out=out) is out and out.tolist() == [3] * 4
