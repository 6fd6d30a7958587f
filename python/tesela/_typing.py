# SPDX-License-Identifier: Apache-2.0
"""Types for type checkers: literals for names, and the parameters of each operator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Protocol, Required, SupportsFloat, SupportsIndex, TypeAlias, TypedDict, TypeVar

import numpy as np
from numpy.typing import NDArray

Mode: TypeAlias = Literal["nearest", "linear", "cubic"]
CoordinateMode: TypeAlias = Literal[
    "half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_half_pixel_for_nn",
    "tf_crop_and_resize",
]
NearestMode: TypeAlias = Literal["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"]
AspectPolicy: TypeAlias = Literal["stretch", "not_larger", "not_smaller"]
ExtentRule: TypeAlias = Literal["standard", "host", "openvino"]
Rules: TypeAlias = Literal["onnxruntime", "onnxruntime_positions", "onnx_reference", "openvino", "pytorch"]
Dialect: TypeAlias = Literal["onnx", "openvino"]
Preset: TypeAlias = Literal[
    "pytorch:nearest", "pytorch:nearest-exact", "pytorch:bilinear", "pytorch:bilinear-align-corners",
    "pytorch:bilinear-antialias", "pytorch:bicubic", "pytorch:bicubic-align-corners", "pytorch:bicubic-antialias",
    "pytorch:trilinear", "pytorch:trilinear-align-corners", "torchvision:nearest", "torchvision:nearest-exact",
    "torchvision:bilinear", "torchvision:bicubic", "pillow:bilinear", "pillow:bicubic", "pillow-12:bilinear",
    "pillow-12:bicubic", "pillow-11:bilinear", "pillow-11:bicubic", "opencv:nearest", "opencv:linear",
    "opencv:linear-exact", "opencv:cubic", "tensorflow:nearest", "tensorflow:bilinear",
    "tensorflow:bilinear-antialias", "tensorflow:bicubic-antialias", "tensorflow-v1:nearest",
    "tensorflow-v1:nearest-align-corners", "tensorflow-v1:bilinear", "tensorflow-v1:bilinear-align-corners",
    "jax:linear", "jax:linear-no-antialias", "jax:cubic", "jax:cubic-no-antialias", "skimage:nearest",
    "skimage:linear",
]

Integers: TypeAlias = Sequence[SupportsIndex | float] | NDArray[np.integer[Any] | np.floating[Any]]
Reals: TypeAlias = Sequence[SupportsFloat] | NDArray[np.integer[Any] | np.floating[Any]]
Axes: TypeAlias = SupportsIndex | Sequence[SupportsIndex] | NDArray[np.integer[Any]]
Switch: TypeAlias = bool | Literal[0, 1] | np.bool_


class Shaped(Protocol):
    """An array of another library."""

    @property
    def shape(self) -> Any: ...


class Exchanged(Protocol):
    """An array that supports DLPack."""

    def __dlpack__(self) -> Any: ...


class Picture(Protocol):
    """A Pillow image."""

    def getbands(self) -> tuple[str, ...]: ...


Scalar = TypeVar("Scalar", bound=np.generic)
Array = TypeVar("Array", bound="Shaped | Exchanged | Picture")
Lists: TypeAlias = complex | str | bytes | Sequence[Any]


class Running(TypedDict, total=False):
    """Parameters of every call."""

    out: Any
    num_threads: SupportsIndex | None
    chunks: Any


class Attributes(TypedDict, total=False):
    """Parameters of Resize without a preset."""

    scales: Reals | SupportsFloat | None
    axes: Axes | None
    roi: Reals | None
    mode: Mode | None
    coordinate_transformation_mode: CoordinateMode | None
    nearest_mode: NearestMode | None
    cubic_coeff_a: float | None
    antialias: Switch | None
    exclude_outside: Switch | None
    extrapolation_value: float | None
    keep_aspect_ratio_policy: AspectPolicy | None
    extents: ExtentRule | None
    opset: SupportsIndex | None


class ResizeCall(Attributes, Running, total=False):
    """Parameters of tesela.resize after sizes."""

    like: None


class PresetCall(Attributes, Running, total=False):
    """The same with a preset, which determines the result's dtype."""

    like: Required[Preset]


class ResizeParameters(Attributes, total=False):
    """Parameters of a plan of Resize, with plan fields; see the documentation of presets."""

    sizes: Integers | SupportsIndex | None
    like: Preset | None
    coordinates: Literal["float32", "float64", "reciprocal64", "rounded64"] | None
    weights: Literal["fixed8", "fixed22", "int16"] | None
    intermediate: Literal["uint8"] | None
    order: Literal["first_axis_first", "last_axis_first"] | None
    position_scales: str | None
    rules: Rules | None


class TileParameters(TypedDict, total=False):
    """Parameters of a plan of Tile."""

    repeats: Required[Integers]
    opset: SupportsIndex | None


class UpsampleParameters(TypedDict, total=False):
    """Parameters of a plan of Upsample."""

    scales: Required[Reals]
    mode: Literal["nearest", "linear", "bilinear"]
    rules: Rules | None
    opset: SupportsIndex | None


class FillParameters(TypedDict, total=False):
    """Parameters of a plan of ConstantOfShape."""

    value: Any
    opset: SupportsIndex | None
