# SPDX-License-Identifier: Apache-2.0
"""What versions of operators declare, and the checks of it (COM-VER, COM-ATTR and COM-IN)."""

import dataclasses

import numpy as np

from .tensors import BITS, FLOAT8, INTEGERS, Refused, Tensor, require

PLAIN = ["bool", "complex64", "complex128", "double", "float", "float16", "string", *INTEGERS]  # "the 15 types"
FLOATS = ["float16", "float", "double"]
FLAG = [0, 1]
FLOAT, INTS, FLOAT_LIST, TENSOR = "float", "ints", "floats", "tensor"  # kinds of attributes; a list enumerates values
REQUIRED = object()


@dataclasses.dataclass
class Version:
    """inputs: types of each; needed: how many are required; attributes: kind and default by name."""

    inputs: list[list[str]]
    needed: int
    attributes: dict[str, tuple]


def resize_versions() -> dict[int, Version]:
    old = {"mode": (["nearest", "linear"], "nearest")}
    coordinates = ["half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_crop_and_resize",
                   "tf_half_pixel_for_nn"]  # fmt: skip
    eleven = {
        "mode": (["nearest", "linear", "cubic"], "nearest"),
        "coordinate_transformation_mode": (coordinates, "half_pixel"),
        "nearest_mode": (["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"], "round_prefer_floor"),
        "cubic_coeff_a": (FLOAT, -0.75),
        "exclude_outside": (FLAG, 0),
        "extrapolation_value": (FLOAT, 0.0),
    }
    policies = ["stretch", "not_larger", "not_smaller"]
    eighteen = eleven | {
        "antialias": (FLAG, 0),
        "axes": (INTS, None),
        "keep_aspect_ratio_policy": (policies, "stretch"),
    }
    nineteen = eighteen | {"coordinate_transformation_mode": ([*coordinates, "half_pixel_symmetric"], "half_pixel")}
    controls = [FLOATS, ["float"], ["int64"]]
    later = [[*PLAIN, "bfloat16"], *controls]
    return {
        10: Version([PLAIN, ["float"]], 2, old),
        11: Version([PLAIN, *controls], 3, eleven),
        13: Version(later, 1, eleven),
        18: Version(later, 1, eighteen),
        19: Version(later, 1, nineteen),
    }


def upsample_versions() -> dict[int, Version]:
    mode = (["nearest", "linear"], "nearest")
    one = {"height_scale": (FLOAT, REQUIRED), "width_scale": (FLOAT, REQUIRED), "mode": (["nearest", "bilinear"], "nearest")}
    return {
        1: Version([["bool", "int32", "int64", *FLOATS]], 1, one),
        7: Version([PLAIN], 1, {"scales": (FLOAT_LIST, REQUIRED), "mode": mode}),
        9: Version([PLAIN, ["float"]], 2, {"mode": mode}),
    }


def tile_versions() -> dict[int, Version]:
    number = [*FLOATS, "int64"]
    return {
        1: Version([FLOATS, number, number], 3, {}),
        6: Version([PLAIN, ["int64"]], 2, {}),
        13: Version([[*PLAIN, "bfloat16"], ["int64"]], 2, {}),
    }


def fill_versions() -> dict[int, list[str]]:
    """Types of the value."""
    nine = ["bool", *FLOATS, *INTEGERS]
    twenty = [*nine, "bfloat16", *FLOAT8]
    one = [*twenty, "int4", "uint4"]
    three = [*one, "float4e2m1"]
    four = [*three, "float8e8m0"]
    return {9: nine, 20: twenty, 21: one, 23: three, 24: four, 25: [*four, "int2", "uint2"]}


COUNTS = ["uint2", "int4", "uint4", *INTEGERS]
NOT_IN_OPENVINO = ["complex64", "complex128", "float8e4m3fnuz", "float8e5m2fnuz"]
OPENVINO_TILE = [name for name in BITS if name not in NOT_IN_OPENVINO]


def interpolate_versions() -> dict[int, Version]:
    data = [*FLOATS, "bfloat16", *INTEGERS]
    scales = [*FLOATS, "bfloat16"]
    shared = {"antialias": (FLAG, 0), "pads_begin": (INTS, []), "pads_end": (INTS, [])}
    coordinates = ["half_pixel", "pytorch_half_pixel", "asymmetric", "tf_half_pixel_for_nn", "align_corners"]
    four = shared | {
        "mode": (["nearest", "linear", "linear_onnx", "cubic"], REQUIRED),
        "coordinate_transformation_mode": (coordinates, "half_pixel"),
        "nearest_mode": (["round_prefer_floor", "round_prefer_ceil", "floor", "ceil", "simple"], "round_prefer_floor"),
        "shape_calculation_mode": (["sizes", "scales"], REQUIRED),
        "cube_coeff": (FLOAT, -0.75),
    }
    eleven = four | {"mode": ([*four["mode"][0], "bilinear_pillow", "bicubic_pillow"], REQUIRED)}
    one = shared | {"mode": (["nearest", "linear", "cubic"], REQUIRED), "axes": (INTS, REQUIRED), "align_corners": (FLAG, 1)}
    return {
        1: Version([data, COUNTS], 2, one),
        4: Version([data, COUNTS, scales, COUNTS], 3, four),
        11: Version([data, COUNTS + scales, COUNTS], 2, eleven),
    }


VERSIONS = {
    ("", "Resize"): resize_versions(),
    ("", "Upsample"): upsample_versions(),
    ("", "Tile"): tile_versions(),
    ("", "ConstantOfShape"): {
        version: Version([["int64"]], 1, {"value": (TENSOR, None)}) for version in fill_versions()
    },
    ("openvino", "Tile"): {1: Version([OPENVINO_TILE, COUNTS], 2, {})},
    ("openvino", "Interpolate"): interpolate_versions(),
}


NEWEST = {"": 28, "openvino": 17}


def since_version(domain: str, operator: str, opset: int) -> int:
    """COM-VER-1 and COM-VER-2."""
    known = [version for version in VERSIONS.get((domain, operator), []) if version <= opset]
    require(bool(known) and opset <= NEWEST[domain], "opset below the operator's first version, or unknown")
    require(operator != "Upsample" or opset < 10, "Upsample from opset 10 on")
    return max(known)


def checked(domain: str, operator: str, version: int, attributes: dict, inputs: list[Tensor | None]) -> dict:
    """All attributes of the version, with defaults; refuses what the version does not declare."""
    declared = VERSIONS[domain, operator][version]
    require(set(attributes) <= set(declared.attributes), "unknown attribute")  # COM-ATTR-1
    values = {}
    for name, (kind, default) in declared.attributes.items():
        require(name in attributes or default is not REQUIRED, "missing attribute")
        values[name] = attribute(kind, attributes[name]) if name in attributes else default
    require(len(inputs) <= len(declared.inputs), "too many inputs")  # COM-IN-1
    for index, types in enumerate(declared.inputs):
        tensor = inputs[index] if index < len(inputs) else None
        require(tensor is not None or index >= declared.needed, "missing input")
        require(tensor is None or tensor.type in types, "type of an input")
    return values


def attribute(kind: str | list, value: object) -> object:
    """COM-ATTR-1 to COM-ATTR-3. Values are those of the vectors' file."""
    if kind == FLOAT:
        value = float(value) if value in ("NaN", "Infinity", "-Infinity") else value
        require(isinstance(value, float), "kind of an attribute")
        return float(np.float32(value))
    if kind == INTS or kind == FLOAT_LIST:
        element = int if kind == INTS else (float, str)
        require(isinstance(value, list) and all(isinstance(entry, element) for entry in value), "kind of an attribute")
        return value if kind == INTS else [attribute(FLOAT, entry) for entry in value]
    if kind == TENSOR:
        require(isinstance(value, Tensor), "kind of an attribute")
        return value
    if type(value) is not type(kind[0]) or value not in kind:
        raise Refused("value of an attribute")
    return value
