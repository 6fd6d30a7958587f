"""Whether a call has outputs that the rounding of positions or sums decides. Runtimes that compute with float32 round those
otherwise by no fault of a rule."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from .._compare.nodes import Node

_POSITION = 1e-3  # from where nearest changes the input that it takes
_SUM = 4e-3  # from where an integer is rounded to the next
_EPSILON = float(np.finfo(np.float32).eps)
_INTEGERS = "iub"


def is_fair(node: Node, expected: np.ndarray) -> bool:
    if node.operator not in ("Resize", "Upsample") or expected.size == 0:
        return True
    if not _is_extent_fair(node):
        return False
    if node.is_copy:
        return all(_is_copy_fair(node, axis, expected.shape[axis]) for axis in range(node.x.ndim))
    return node.x.dtype.kind not in _INTEGERS or _is_sum_fair(node)


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


def _is_copy_fair(node: Node, axis: int, out: int) -> bool:
    extent = node.x.shape[axis]
    turns = 0.5 if str(node.attribute("nearest_mode") or "").startswith("round") else 0.0
    if extent == 1 or turns == 0 and _is_dyadic(_ratio(node, axis, extent, out)):
        return True
    where = positions(node, axis)
    where = where[(where > 0) & (where < extent - 1)]  # NaN is neither
    return bool(np.all(np.abs(np.mod(where - turns + 0.5, 1.0) - 0.5) > _POSITION))


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
