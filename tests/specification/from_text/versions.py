# SPDX-License-Identifier: Apache-2.0
"""What each version of an operator declares, and the rules COM-VER, COM-ATTR and COM-IN on it."""

from dataclasses import dataclass, field

import numpy as np

from .tensors import BITS, INTEGERS, Refused, Tensor, check_size, require

FLOATS = ["float16", "float", "double"]
THE_15 = ["bool", "complex64", "complex128", "string", *FLOATS, *INTEGERS]
THE_16 = [*THE_15, "bfloat16"]
OPENVINO_FLOATS = [*FLOATS, "bfloat16"]
OPENVINO_TILE = [dtype for dtype in BITS if dtype not in ("complex64", "complex128", "float8e4m3fnuz", "float8e5m2fnuz")]
COUNTS = ["uint2", "int4", "uint4", *INTEGERS]  # of OpenVINO's repeats, sizes and axes

FLAG, INTS, FLOAT, LIST_OF_FLOATS, TENSOR = "0 or 1", "integers", "float", "floats", "tensor"
NO_DEFAULT = object()


@dataclass
class Version:
    """inputs: the types of each, the first `required` of which are required.

    attributes: the kind, or the list of values, and the default of each.
    """

    inputs: list[list[str]]
    required: int
    attributes: dict[str, tuple] = field(default_factory=dict)


def one_of(names: str) -> tuple[list[str], str]:
    """Strings of which the first is the default."""
    return names.split(), names.split()[0]


def tiles() -> dict[int, Version]:
    number = [*FLOATS, "int64"]
    return {1: Version([FLOATS, number, number], 3), 6: Version([THE_15, ["int64"]], 2), 13: Version([THE_16, ["int64"]], 2)}


def types_of_value(version: int) -> list[str]:
    since = {
        9: ["bool", *FLOATS, *INTEGERS], 20: ["bfloat16", "float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz"],
        21: ["int4", "uint4"], 23: ["float4e2m1"], 24: ["float8e8m0"], 25: ["int2", "uint2"],
    }  # fmt: skip
    return [dtype for first, dtypes in since.items() if first <= version for dtype in dtypes]


def resizes() -> dict[int, Version]:
    ten = Version([THE_15, ["float"]], 2, {"mode": one_of("nearest linear")})
    coordinates = "half_pixel pytorch_half_pixel align_corners asymmetric tf_crop_and_resize tf_half_pixel_for_nn"
    eleven = {
        "mode": one_of("nearest linear cubic"),
        "coordinate_transformation_mode": one_of(coordinates),
        "nearest_mode": one_of("round_prefer_floor round_prefer_ceil floor ceil"),
        "cubic_coeff_a": (FLOAT, -0.75),
        "exclude_outside": (FLAG, 0),
        "extrapolation_value": (FLOAT, 0.0),
    }
    policies = one_of("stretch not_larger not_smaller")
    eighteen = eleven | {"antialias": (FLAG, 0), "axes": (INTS, None), "keep_aspect_ratio_policy": policies}
    nineteen = eighteen | {"coordinate_transformation_mode": one_of(coordinates + " half_pixel_symmetric")}
    others = [FLOATS, ["float"], ["int64"]]  # roi, scales, sizes
    return {
        10: ten, 11: Version([THE_15, *others], 3, eleven), 13: Version([THE_16, *others], 1, eleven),
        18: Version([THE_16, *others], 1, eighteen), 19: Version([THE_16, *others], 1, nineteen),
    }  # fmt: skip


def upsamples() -> dict[int, Version]:
    one = {"mode": one_of("nearest bilinear"), "height_scale": (FLOAT, NO_DEFAULT), "width_scale": (FLOAT, NO_DEFAULT)}
    mode = one_of("nearest linear")
    return {
        1: Version([["bool", "int32", "int64", *FLOATS]], 1, one),
        7: Version([THE_15], 1, {"mode": mode, "scales": (LIST_OF_FLOATS, NO_DEFAULT)}),
        9: Version([THE_15, ["float"]], 2, {"mode": mode}),
    }


def interpolates() -> dict[int, Version]:
    data = [*OPENVINO_FLOATS, *INTEGERS]
    every = {"antialias": (FLAG, 0), "pads_begin": (INTS, []), "pads_end": (INTS, [])}
    modes = ["nearest", "linear", "cubic"]
    one = every | {"mode": (modes, NO_DEFAULT), "align_corners": (FLAG, 1), "axes": (INTS, NO_DEFAULT)}
    four = every | {
        "mode": ([*modes, "linear_onnx"], NO_DEFAULT),
        "shape_calculation_mode": (["sizes", "scales"], NO_DEFAULT),
        "coordinate_transformation_mode": one_of("half_pixel pytorch_half_pixel asymmetric tf_half_pixel_for_nn align_corners"),
        "nearest_mode": one_of("round_prefer_floor round_prefer_ceil floor ceil simple"),
        "cube_coeff": (FLOAT, -0.75),
    }
    eleven = four | {"mode": ([*modes, "linear_onnx", "bilinear_pillow", "bicubic_pillow"], NO_DEFAULT)}
    return {
        1: Version([data, COUNTS], 2, one), 4: Version([data, COUNTS, OPENVINO_FLOATS, COUNTS], 3, four),
        11: Version([data, [*COUNTS, *OPENVINO_FLOATS], COUNTS], 2, eleven),
    }  # fmt: skip


VERSIONS: dict[tuple[str, str], dict[int, Version]] = {
    ("", "Tile"): tiles(),
    ("", "ConstantOfShape"): {since: Version([["int64"]], 1, {"value": (TENSOR, None)}) for since in (9, 20, 21, 23, 24, 25)},
    ("", "Resize"): resizes(),
    ("", "Upsample"): upsamples(),
    ("openvino", "Tile"): {1: Version([OPENVINO_TILE, COUNTS], 2)},
    ("openvino", "Interpolate"): interpolates(),
}
NEWEST = {"": 28, "openvino": 17}


def version_of(domain: str, operator: str, opset: int) -> int:
    """COM-VER-1 and COM-VER-2."""
    known = VERSIONS.get((domain, operator), {})
    require(known and opset <= NEWEST[domain], "COM-VER-2")
    require(operator != "Upsample" or opset < 10, "COM-VER-2")
    since = [version for version in known if version <= opset]
    require(since, "COM-VER-2")
    return max(since)


def read_attributes(version: Version, given: dict) -> dict:
    """All attributes of the version (COM-ATTR-1)."""
    require(set(given) <= set(version.attributes), "COM-ATTR-1")
    values = {}
    for name, (kind, default) in version.attributes.items():
        require(name in given or default is not NO_DEFAULT, "COM-ATTR-1")
        values[name] = read_attribute(kind, given[name]) if name in given else default
    return values


def read_attribute(kind: str | list[str], value: object) -> object:
    """From its form in the vectors' file, where a tensor is a Tensor already."""
    if isinstance(kind, list):
        require(isinstance(value, str), "COM-ATTR-1")
        require(value in kind, "COM-ATTR-2")
        return value
    if kind == FLOAT:
        return number(value)
    if kind == LIST_OF_FLOATS and isinstance(value, list):
        return [number(entry) for entry in value]
    if kind == FLAG and type(value) is int:
        require(value in (0, 1), "COM-ATTR-2")
        return value
    if kind == INTS and isinstance(value, list) and all(type(entry) is int for entry in value):
        return value
    if kind == TENSOR and isinstance(value, Tensor):
        return value
    raise Refused("COM-ATTR-1")


def number(value: object) -> float:
    """COM-ATTR-3: the binary32 number, as a double."""
    value = float(value) if value in ("NaN", "Infinity", "-Infinity") else value
    require(type(value) is float, "COM-ATTR-1")
    return float(np.float32(value))


def read_inputs(version: Version, given: list[Tensor | None]) -> list[Tensor | None]:
    """All inputs of the version, None for those that are omitted (COM-IN-1)."""
    require(len(given) <= len(version.inputs), "COM-IN-1")
    inputs = given + [None] * (len(version.inputs) - len(given))
    require(None not in inputs[: version.required], "COM-IN-1")
    for tensor, types in zip(inputs, version.inputs):
        if tensor is not None:
            require(tensor.dtype in types, "COM-IN-1")
            check_size(tensor.dtype, tensor.shape)
    return inputs
