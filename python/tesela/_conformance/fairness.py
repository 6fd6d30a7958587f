# SPDX-License-Identifier: Apache-2.0
"""Whether a call has outputs that the rounding of positions or sums decides. Runtimes that compute with float32 round those
otherwise by no fault of a rule."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from .._compare.nodes import Node

_POSITION = 1e-3  # from where nearest changes the input that it takes
_INPUT = 1e-9  # from an input that windows begin at
_SUM = 4e-3  # from where an integer is rounded to the next
_EPSILON = float(np.finfo(np.float32).eps)
_INTEGERS = "iub"


def is_fair(node: Node, expected: np.ndarray) -> bool:
    if node.operator not in ("Resize", "Upsample"):
        return True
    if not _is_extent_fair(node) or _has_single_output(node, expected):
        return False
    if expected.size == 0:
        return True
    if not all(_is_axis_fair(node, axis, expected.shape[axis]) for axis in range(node.x.ndim)):
        return False
    return node.is_copy or node.x.dtype.kind not in _INTEGERS or _is_sum_fair(node)


def _has_single_output(node: Node, expected: np.ndarray) -> bool:
    """Of pytorch_half_pixel, which has a rule of its own for it and a feature."""
    return node.attribute("coordinate_transformation_mode") == "pytorch_half_pixel" and any(
        out == 1 != extent for extent, out in zip(node.x.shape, expected.shape))


def given_scales(node: Node) -> list[float] | None:
    """The scales of the listed axes."""
    if (scales := node.find("scales")) is not None and scales.size:
        return [float(scale) for scale in scales]
    if isinstance(listed := node.attributes.get("scales"), list):
        return [float(np.float32(scale)) for scale in listed]
    if "height_scale" in node.attributes:
        return [1.0, 1.0, *(float(np.float32(node.attributes[name])) for name in ("height_scale", "width_scale"))]
    return None


def _is_extent_fair(node: Node) -> bool:
    """Whether extent times scale is an integer only where it is one exactly, and no axis keeps its extent by another scale than 1,
    which has features of its own."""
    scales = given_scales(node)
    if scales is None:
        return True
    listed = [axis % node.x.ndim for axis in node.attributes.get("axes") or range(node.x.ndim)]
    products = [node.x.shape[axis] * scale for axis, scale in zip(listed, scales)]
    if any(scale != 1 and int(product) == node.x.shape[axis] > 0 for axis, product, scale in zip(listed, products, scales)):
        return False
    return all(product == round(product) and _is_dyadic(Fraction(scale)) or abs(product - round(product)) > _POSITION
               for product, scale in zip(products, scales))


def positions(node: Node, axis: int) -> np.ndarray:
    """Where outputs of an axis land, clamped to the input: a linear resize of the axis's indices. NaN where they are extrapolated."""
    shape = [1] * node.x.ndim
    shape[axis] = -1
    ramp = np.broadcast_to(np.arange(node.x.shape[axis], dtype=np.float64).reshape(shape), node.x.shape)
    plain = node.with_attributes(antialias=None, exclude_outside=None, nearest_mode=None)
    slot = plain.inputs[0]
    assert slot is not None
    plain = plain.with_inputs(**{slot.port: np.ascontiguousarray(ramp)}).with_attributes(
        mode="bilinear" if node.operator == "Upsample" and node.version == 1 else "linear")
    if node.attribute("coordinate_transformation_mode") == "tf_crop_and_resize":
        plain = plain.with_attributes(extrapolation_value=float("nan"))
    found = np.moveaxis(plain.reference(), axis, 0)
    return found.reshape(found.shape[0], -1)[:, 0]


def _is_axis_fair(node: Node, axis: int, out: int) -> bool:
    """Whether no output lands where nearest turns to the next input, or at an input that double arithmetic misses by one ulp."""
    extent = node.x.shape[axis]
    turns = 0.5 if str(node.attribute("nearest_mode") or "").startswith("round") else 0.0
    is_dyadic = _is_dyadic(_ratio(node, axis, extent, out))
    if extent == 1 or is_dyadic and (turns == 0 or not node.is_copy):
        return True
    where = positions(node, axis)
    where = where[(where > 0) & (where < extent - 1)]  # NaN is neither
    if node.is_copy and np.any(_from_whole(where - turns) <= _POSITION):
        return False
    return is_dyadic or _are_inputs_fair(node, extent, out, where)


def _are_inputs_fair(node: Node, extent: int, out: int, where: np.ndarray) -> bool:
    distances = _from_whole(where)
    if np.any((distances > 0) & (distances < _INPUT)):
        return False
    coordinates = str(node.attribute("coordinate_transformation_mode")).removeprefix("pytorch_")
    if coordinates not in ("half_pixel", "asymmetric", "align_corners") or given_scales(node) is not None or out < 2:
        return True
    computed = rounded(np.float64, coordinates, extent, out)
    return bool(np.all(np.isin(where[distances == 0], computed)))


def _from_whole(where: np.ndarray) -> np.ndarray:
    return np.abs(np.mod(where + 0.5, 1.0) - 0.5)


def rounded(dtype: type, coordinates: str, extent: int, out: int) -> np.ndarray:
    """Where outputs land, with sizes, in a floating-point type, as most programs compute it."""
    i: np.ndarray = np.arange(out).astype(dtype)
    if coordinates == "align_corners":
        return i * dtype(extent - 1) / dtype(out - 1)
    scale, half = dtype(out) / dtype(extent), dtype(0.5)
    return (i + half) / scale - half if coordinates == "half_pixel" else i / scale


def _ratio(node: Node, axis: int, extent: int, out: int) -> Fraction:
    """What an index is multiplied by."""
    coordinates = node.attribute("coordinate_transformation_mode")
    if coordinates == "align_corners" and out > 1:
        return Fraction(extent - 1, out - 1)
    if coordinates == "tf_crop_and_resize" or given_scales(node) is None and node.attribute("keep_aspect_ratio_policy") not in (None, "stretch"):
        return Fraction(1, 3)  # is looked at
    return Fraction(extent, out) if given_scales(node) is None else _given(node, axis)


def _given(node: Node, axis: int) -> Fraction:
    scales = given_scales(node) or []
    listed = [entry % node.x.ndim for entry in node.attributes.get("axes") or range(node.x.ndim)]
    return 1 / Fraction(scales[listed.index(axis)]) if axis in listed else Fraction(1)


def _is_dyadic(ratio: Fraction) -> bool:
    """Whether it is a power of two times or by a small one, so that no format rounds a position."""
    numerator, denominator = ratio.as_integer_ratio()
    return numerator.bit_count() == 1 and denominator.bit_count() == 1


def _is_sum_fair(node: Node) -> bool:
    """Whether no output lies where its rounding changes, unless every format has it exactly."""
    slot = node.inputs[0]
    assert slot is not None
    exact = node.with_inputs(**{slot.port: node.x.astype(np.float64)}).reference()
    margin = _SUM + 16 * _EPSILON * float(np.max(np.abs(node.x.astype(np.float64)), initial=0))
    distance = np.abs(np.mod(exact, 1.0) - 0.5)
    return bool(np.all(distance > margin))
