# SPDX-License-Identifier: Apache-2.0
"""PyTorch: views are resolved, gradients are rejected, and in-place writes follow PyTorch's rules."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import torch

from .. import _arrays, _core
from .base import Call, Library, refuse
from .dlpack import exported, read_capsule


def _internal(name: str, otherwise: Any) -> Any:
    """An internal attribute of torch._C, or `otherwise` if this version does not have it."""
    found = torch._C
    for part in name.split("."):
        found = getattr(found, part, None)
    return otherwise if found is None else found


_is_of_functorch = _internal("_functorch.is_functorch_wrapped_tensor", lambda x: False)
_tracing_state = _internal("_get_tracing_state", lambda: None)
_dispatch_mode = _internal("_get_dispatch_mode", lambda key: None)
_TRACING_MODES = [_internal(f"_TorchDispatchModeKey.{name}", None) for name in ("FAKE", "PROXY")]
_CHANNELS_LAST = {4: torch.channels_last, 5: torch.channels_last_3d}


class Tensors(Library):
    def claims(self, cls: type) -> bool:
        return issubclass(cls, torch.Tensor)  # torch.Size is a tuple

    def read(self, x: Any) -> np.ndarray:
        plain = _dense(x)
        _refuse_gradient(x, plain, "x")
        return _memory(plain.detach().resolve_conj().resolve_neg())

    def describe(self, x: Any, call: Call) -> tuple[tuple[int, ...], np.dtype, dict[str, Any]]:
        with torch._C.DisableTorchFunctionSubclass():
            return tuple(x.shape), _memory(torch.empty(0, dtype=x.dtype, device="cpu")).dtype, call.parameters  # also works for meta tensors

    def room(self, x: Any, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray | None:
        """channels_last memory if x is channels_last, as in PyTorch's own functions."""
        rank = len(shape)
        if rank not in _CHANNELS_LAST:
            return None
        with torch._C.DisableTorchFunctionSubclass():
            if x.ndim != rank:
                return None
            channels = x.shape[1]
            # A tensor with an extent of 1 may be contiguous in both layouts; the strides decide.
            is_last = x.is_contiguous(memory_format=_CHANNELS_LAST[rank]) and channels > 1 and x.stride(-1) == channels
        if not is_last:
            return None
        channels_last = _arrays.empty((shape[0], *shape[2:], shape[1]), dtype)
        return np.moveaxis(channels_last, -1, 1)

    def give_back(self, x: Any, result: np.ndarray) -> Any:
        return _of_class_of(x, torch.from_dlpack(exported(result)))

    def open(self, out: Any) -> np.ndarray:
        plain = _dense(out)
        if plain.is_conj() or plain.is_neg():
            refuse(out, "as out is a conjugate or negative view of other memory", "pass another tensor and out.copy_ the result",
                   _core.UsageError)
        _refuse_gradient(out, plain, "out")
        if plain.is_inference() and not torch.is_inference_mode_enabled():
            refuse(out, "as out was made in inference mode", "call within torch.inference_mode(), or pass out.clone()",
                   _core.UsageError)
        return _memory(plain.detach())

    def written(self, out: Any) -> None:
        """Increments the version, so that a backward pass that saved the tensor detects the change."""
        with torch._C.DisableTorchFunctionSubclass():
            if out.is_inference():
                return
            torch.autograd.graph.increment_version(out)


def _refuse_gradient(x: Any, plain: torch.Tensor, what: str) -> None:
    if plain.requires_grad and torch.is_grad_enabled():
        refuse(x, "requires a gradient, which Tesela does not compute",
               f"pass {what}.detach(), or call under torch.no_grad()", _core.UsageError)
    level = getattr(torch.autograd.forward_ad, "_current_level", -1)
    if level >= 0 and torch.autograd.forward_ad.unpack_dual(plain, level=level).tangent is not None:
        refuse(x, "has a tangent, which Tesela does not compute", f"pass {what}.detach()", _core.UsageError)


def _dense(x: Any) -> torch.Tensor:
    """x as a torch.Tensor with elements in CPU memory. Raises ElementTypeError, UnsupportedError."""
    _refuse_traced(x)
    with torch._C.DisableTorchFunctionSubclass():
        _refuse_layout(x)
        if hasattr(x, "canvas_size"):  # torchvision's boxes and key points
            refuse(x, "holds coordinates, not pixels", "pass x.as_subclass(torch.Tensor)")
        try:
            plain = x if type(x) is torch.Tensor else x.as_subclass(torch.Tensor)
            has_elements = plain.untyped_storage().data_ptr() != 0 or plain.numel() == 0
        except Exception:  # subclasses may raise anything
            has_elements = False
        if not has_elements:
            refuse(x, "has no elements of its own", "pass the torch.Tensor that it wraps", _core.UnsupportedError)
        return plain


def _refuse_traced(x: Any) -> None:
    if _is_of_functorch(x):
        refuse(x, "is traced by torch.func (vmap, grad, jvp)", "call Tesela outside; its operators take any rank at once",
               _core.UnsupportedError)
    traces = _tracing_state() is not None or any(_dispatch_mode(key) is not None for key in _TRACING_MODES)
    fake = sys.modules.get("torch._subclasses.fake_tensor")
    if traces or fake is not None and isinstance(x, fake.FakeTensor):
        refuse(x, "is traced by torch.jit, torch.export or similar, which would record the result as a constant",
               "call Tesela outside, or in a torch.library.custom_op", _core.UnsupportedError)


def _refuse_layout(x: Any) -> None:
    if x.is_nested:
        refuse(x, "is nested", "pass the tensors of x.unbind() one by one")
    if x.layout != torch.strided:
        refuse(x, f"has the layout {str(x.layout).rpartition('.')[2].strip('_')}", "pass x.to_dense()")
    if x.is_quantized:
        refuse(x, "is quantized", "pass x.dequantize(), or x.int_repr() for its integers")
    if x.device.type == "meta":
        refuse(x, "is on the device meta and has no elements", "tesela.plan(...).output_shape gives the shape of a result",
               _core.UnsupportedError)
    if x.device.type != "cpu":
        refuse(x, f"is on the device {x.device}", "pass x.cpu()", _core.UnsupportedError)


def _memory(plain: torch.Tensor) -> np.ndarray:
    try:
        return read_capsule(torch.utils.dlpack.to_dlpack(plain))
    except (BufferError, RuntimeError, _core.ElementTypeError):
        refuse(plain, f"holds {plain.dtype}, which is not an ONNX element type", "pass x.to(...) of another dtype")


def _of_class_of(x: Any, tensor: torch.Tensor) -> Any:
    """The tensor as an instance of x's class, converted as for results of PyTorch's own functions."""
    cls = type(x)
    if cls is torch.Tensor or cls.__torch_function__ is torch._C._disabled_torch_function_impl:
        return tensor
    vision = sys.modules.get("torchvision.tv_tensors")
    if vision is not None and isinstance(x, vision.TVTensor):
        return vision.wrap(tensor, like=x)

    def tesela(x: Any) -> torch.Tensor:
        return tensor

    result = cls.__torch_function__(tesela, (cls,), (x,), {})
    return tensor if result is NotImplemented else result


LIBRARY = Tensors()
