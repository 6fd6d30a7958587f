"""Tesela inside OpenVINO: its operators compute what their documents say, in models that OpenVINO reads, compiles and
runs.

    core = openvino.Core()
    tesela.openvino.register(core)                  # ONNX models: Resize, Upsample and Tile become Tesela's
    compiled = core.compile_model("model.onnx", "CPU")

    model = core.read_model("model.xml")            # any model: Tile-1 and Interpolate-1, -4, -11 become Tesela's
    tesela.openvino.replace(model)
    compiled = core.compile_model(model, "CPU")
"""

from __future__ import annotations

import atexit
import weakref
from typing import Any, NamedTuple

import numpy as np
import openvino as ov
from openvino import passes
from openvino.frontend.onnx import ConversionExtension

from . import _core

_CACHED_PLANS = 64

# Element types that OpenVINO hands over as elements, not as bits inside bytes.
_WHOLE = ("boolean", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "bf16", "f32", "f64", "f8e4m3",
          "f8e5m2", "f8e8m0")
_BYTES = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


class _Wish(NamedTuple):
    """An operator as _core.Plan takes it, and which of its ports the node's inputs are: others are omitted."""

    type: str
    opset: int
    name: str
    attributes: dict[str, Any]
    ports: tuple[int, ...]


class _Plans:
    """The plans of recent runs of a node and its clones: at most _CACHED_PLANS, the oldest leaves first."""

    def __init__(self) -> None:
        self.by_key: dict[Any, Any] = {}

    def remember(self, key: Any, plan: Any) -> None:
        while len(self.by_key) >= _CACHED_PLANS:
            self.by_key.pop(next(iter(self.by_key)), None)
        self.by_key[key] = plan


# OpenVINO keeps nodes until the process ends, when it is too late for plans to go.
_all_plans: weakref.WeakSet[Any] = weakref.WeakSet()


@atexit.register
def _forget_plans() -> None:
    for plans in list(_all_plans):
        plans.by_key.clear()


def _bits_of(tensor: Any) -> np.ndarray:
    data = tensor.data
    return data.view(_BYTES[data.dtype.itemsize])


class TeselaOperator(ov.Op):
    """One of Tesela's operators as a node of an OpenVINO model."""

    def __init__(self, inputs: Any, wish: _Wish, plans: _Plans | None = None):
        super().__init__(self)
        self._wish = wish
        self._plans = _Plans() if plans is None else plans  # of clones too: the runtime makes them as it likes
        _all_plans.add(self._plans)
        self.set_arguments(inputs)
        self.constructor_validate_and_infer_types()

    def clone_with_new_inputs(self, new_inputs: Any) -> TeselaOperator:
        return TeselaOperator(new_inputs, self._wish, self._plans)

    def has_evaluate(self) -> bool:
        return True

    def validate_and_infer_types(self) -> None:
        self.set_output_type(0, self.get_input_element_type(0), self._output_shape())

    def evaluate(self, outputs: Any, inputs: Any) -> bool:
        data = _bits_of(inputs[0])
        plan = self._plan(inputs[0].element_type.get_type_name(), data.shape,
                          [(each.element_type.get_type_name(), np.array(each.data)) for each in inputs[1:]])
        outputs[0].shape = list(plan.output_shape)
        if 0 not in plan.output_shape:
            plan.run(data, _bits_of(outputs[0]), 0)
        return True

    def _plan(self, type_: str, shape: tuple[int, ...], controls: list[Any]) -> Any:
        key = (type_, tuple(shape), *((name, array.shape, array.tobytes()) for name, array in controls))
        plan = self._plans.by_key.get(key)
        if plan is None:
            ports: list[Any] = [None] * (max(self._wish.ports) + 1)
            ports[self._wish.ports[0]] = (_core.dtype_from_name(type_), None, tuple(shape))
            for port, (name, array) in zip(self._wish.ports[1:], controls):
                if name == "i32" and not self._wish.type.startswith("openvino."):
                    name, array = "i64", array.astype(np.int64)  # the CPU plugin has made it narrow
                ports[port] = (_core.dtype_from_name(name), np.ascontiguousarray(array))
            plan = _core.Plan(self._wish.type, self._wish.opset, self._wish.name, self._wish.attributes, ports)
            self._plans.remember(key, plan)
        return plan

    def _output_shape(self) -> Any:
        data = self.get_input_partial_shape(0)
        sources = [self.input_value(k).get_node() for k in range(1, self.get_input_size())]
        constants = [node for node in sources if node.get_type_name() == "Constant"]
        if data.is_static and len(constants) == len(sources):
            controls = [(node.get_element_type().get_type_name(), np.array(node.data)) for node in constants]
            plan = self._plan(self.get_input_element_type(0).get_type_name(), tuple(data.to_shape()), controls)
            return ov.PartialShape(list(plan.output_shape))
        if data.rank.is_dynamic:
            return ov.PartialShape.dynamic()
        rank = data.rank.get_length()
        if self._wish.type == "openvino.Tile":
            repeats = self.get_input_partial_shape(1)
            if repeats.is_dynamic:
                return ov.PartialShape.dynamic()
            rank = max(rank, repeats.to_shape()[0])
        return ov.PartialShape([-1] * rank)


def _is_whole(type_: Any) -> bool:
    return type_.is_dynamic() or type_.get_type_name() in _WHOLE


# ---- Any model ----------------------------------------------------------------------------------------------------

_REPLACED = {"Tile": {"opset1": 1}, "Interpolate": {"opset1": 1, "opset4": 4, "opset11": 11}}
_FLAGS = ("antialias", "align_corners")
_LISTS = ("axes", "pads_begin", "pads_end")


def _attributes_of(node: Any) -> dict[str, Any]:
    given = dict(node.get_attributes())
    for name in _FLAGS:
        if name in given:
            given[name] = int(given[name])
    for name in _LISTS:
        if name in given:
            values = given[name]
            given[name] = [int(value) for value in (values if np.iterable(values) else [values])]
    if "cube_coeff" in given:
        given["cube_coeff"] = float(given["cube_coeff"])
    return {name: value for name, value in given.items() if value != []}


def _version_of(node: Any) -> int | None:
    info = node.get_type_info()
    return _REPLACED.get(info.name, {}).get(info.version_id)


class Replacement(passes.MatcherPass):
    """The pass that replace() runs, for a passes.Manager of one's own. `count`: nodes replaced so far."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0
        names = [f"{version}.{name}" for name, versions in _REPLACED.items() for version in versions]
        self.register_matcher(passes.Matcher(passes.WrapType(names), "TeselaReplacement"), self._replace)

    def _replace(self, matcher: Any) -> bool:
        node = matcher.get_match_root()
        version = _version_of(node)
        if version is None or not _is_whole(node.get_input_element_type(0)):
            return False
        ports = tuple(range(node.get_input_size()))
        wish = _Wish(f"openvino.{node.get_type_info().name}", version, node.get_friendly_name(),
                     _attributes_of(node), ports)
        made = TeselaOperator([node.input_value(k) for k in ports], wish)
        made.set_friendly_name(node.get_friendly_name())
        ov.utils.replace_node(node, made)
        self.count += 1
        return True


def replace(model: Any) -> int:
    """Makes each Tile-1 and Interpolate-1, -4 and -11 of the model Tesela's, and says how many there were. Nodes on
    element types of less than a byte, and on strings, stay OpenVINO's.

    Errors: what Tesela's rules refuse, for nodes whose shapes and inputs are known already; others at the first run.
    """
    manager = passes.Manager()
    replacement = manager.register_pass(Replacement())
    manager.run_passes(model)
    return replacement.count


# ---- ONNX models through the frontend ------------------------------------------------------------------------------

# The attributes of each operator, with what stands for an absent one.
_STRINGS = ("mode", "coordinate_transformation_mode", "nearest_mode", "keep_aspect_ratio_policy")
_NUMBERS = ("antialias", "exclude_outside", "cubic_coeff_a", "extrapolation_value", "axes")
_ONNX = {"Tile": (), "Resize": _STRINGS + _NUMBERS, "Upsample": ("mode", "scales", "height_scale", "width_scale")}


def _opset_of(operator: str, attributes: dict[str, Any], inputs: int) -> int:
    """The frontend does not say which version a node has; what it is made of does."""
    if operator == "Tile":
        return 1 if inputs == 3 else 13
    if operator == "Upsample":
        return 9 if inputs == 2 else 7 if "scales" in attributes else 1
    return 10 if inputs == 2 else 19


def _converter(operator: str) -> Any:
    def convert(context: Any) -> Any:
        attributes = {name: context.get_attribute(name) for name in _ONNX[operator] if context.has_attribute(name)}
        count = context.get_input_size()
        given = [(k, context.get_input(k)) for k in range(count)]
        given = [(k, value) for k, value in given if value.get_node().get_type_name() != "NullNode"]
        opset = _opset_of(operator, attributes, count)
        wish = _Wish(operator, opset, "", attributes, tuple(k for k, _ in given))
        return TeselaOperator([value for _, value in given], wish).outputs()

    return convert


def register(core: Any) -> None:
    """Makes each Resize, Upsample and Tile of the ONNX models that this core reads Tesela's. ConstantOfShape stays
    OpenVINO's, whose frontend shows a tensor attribute to no extension in Python."""
    for operator in _ONNX:
        core.add_extension(ConversionExtension(operator, _converter(operator)))
