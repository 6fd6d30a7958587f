# SPDX-License-Identifier: Apache-2.0
"""Tesela inside OpenVINO: replaces operators of models that OpenVINO reads, compiles and runs. Results follow the
operators' specifications.

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

try:
    import openvino as ov
    from openvino import Op, opset3, opset11, passes
    from openvino.frontend.onnx import ConversionExtension
except ImportError as error:
    raise ImportError(f"tesela.openvino needs OpenVINO 2026.4 or newer ({error}): pip install 'tesela[openvino]'",
                      name="openvino") from error

from . import _core

_KEPT_PLANS = 64

# Element types of at least a byte per element.
_WHOLE = ("boolean", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "bf16", "f32", "f64", "f8e4m3",
          "f8e5m2", "f8e8m0")
_BYTES = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


class _OperatorDescription(NamedTuple):
    """The arguments of _core.Plan, and the ports that the node's inputs belong to. Other inputs are omitted."""

    type: str
    opset: int
    name: str
    attributes: dict[str, Any]
    ports: tuple[int, ...]


class _Plans:
    """The plans of recent runs of a node and its clones."""

    def __init__(self) -> None:
        self.kept = _core.KeptPlans(_KEPT_PLANS)


# OpenVINO keeps nodes until the process ends, when it is too late to destroy plans.
_all_plans: weakref.WeakSet[Any] = weakref.WeakSet()


@atexit.register
def _forget_plans() -> None:
    for plans in list(_all_plans):
        plans.kept.clear()


def _bits_of(tensor: Any) -> np.ndarray:
    data = tensor.data
    return data.view(_BYTES[data.dtype.itemsize])


class TeselaOperator(Op):
    """A Tesela operator as a node of an OpenVINO model."""

    def __init__(self, inputs: Any, description: _OperatorDescription, plans: _Plans | None = None):
        super().__init__(self)
        self._description = description
        self._plans = _Plans() if plans is None else plans  # shared with clones, which the runtime creates at any time
        _all_plans.add(self._plans)
        self.set_arguments(inputs)
        self.constructor_validate_and_infer_types()

    def clone_with_new_inputs(self, new_inputs: Any) -> TeselaOperator:
        return TeselaOperator(new_inputs, self._description._replace(name=self._node_name()), self._plans)

    def has_evaluate(self) -> bool:
        return True

    def validate_and_infer_types(self) -> None:
        try:
            shape = self._output_shape()
        except _core.Error as error:
            raise _named(error) from None
        self.set_output_type(0, self.get_input_element_type(0), shape)

    def evaluate(self, outputs: Any, inputs: Any) -> bool:
        data = _bits_of(inputs[0])
        try:
            plan = self._plan(inputs[0].element_type.get_type_name(), data.shape,
                              [(each.element_type.get_type_name(), np.array(each.data)) for each in inputs[1:]])
            outputs[0].shape = list(plan.output_shape)
            if 0 not in plan.output_shape:
                plan.run(data, _bits_of(outputs[0]), 0)
        except _core.Error as error:
            raise _named(error) from None
        return True

    def _plan(self, type_: str, shape: tuple[int, ...], controls: list[Any]) -> Any:
        known = [_value_of(name, array, self._description) for name, array in controls]
        inputs = self._at_ports((_core.dtype_from_name(type_), None, tuple(shape)), known)
        return self._plans.kept.plan(self._description.type, self._description.opset, self._node_name(),
                                     self._description.attributes, inputs)

    def _node_name(self) -> str:
        """The name for messages. The ONNX frontend sets it after creation; until then its own messages include it."""
        name = self._description.name or self.get_friendly_name()
        return "" if name == self.get_name() else name

    def _at_ports(self, data: Any, controls: list[Any]) -> list[Any]:
        """The operator's inputs; None for omitted ones."""
        ports: list[Any] = [None] * (max(self._description.ports) + 1)
        for port, value in zip(self._description.ports, [data, *controls]):
            ports[port] = value
        return ports

    def _output_shape(self) -> Any:
        data = self.get_input_partial_shape(0)
        type_ = self.get_input_element_type(0).get_type_name()
        sources = [self.input_value(k) for k in range(1, self.get_input_size())]
        constants = [_constant_of(source) for source in sources]
        if data.is_static and None not in constants:
            return ov.PartialShape(list(self._plan(type_, tuple(data.to_shape()), constants).output_shape))
        extents = _Extents()
        known = [extents.describe(source, constant, self._description) for source, constant in zip(sources, constants)]
        inputs = self._at_ports((_core.dtype_from_name(type_), extents.names_of(data), None, None), known)
        return extents.shape_of(_core.infer(self._description.type, self._description.opset, self._node_name(),
                                            self._description.attributes, inputs))


def _named(error: _core.Error) -> _core.Error:
    """Adds a prefix: OpenVINO shows the message without its origin."""
    return type(error)(f"Tesela: {error}")


def _constant_of(source: Any) -> tuple[str, np.ndarray] | None:
    node = source.get_node()
    if node.get_type_name() != "Constant":
        return None
    return node.get_element_type().get_type_name(), np.array(node.data)


def _dtype_of(name: str, description: _OperatorDescription) -> int:
    """The type of a list input. ONNX uses int64; the CPU plugin computes such lists in int32."""
    return _core.dtype_from_name("i64" if name == "i32" and not description.type.startswith("openvino.") else name)


def _value_of(name: str, array: np.ndarray, description: _OperatorDescription) -> tuple[int, np.ndarray]:
    dtype = _dtype_of(name, description)
    if dtype != _core.dtype_from_name(name):
        array = array.astype(np.int64)
    return dtype, np.asarray(array, order="C")


class _Extents:
    """Converts partial shapes to the lists of _core.infer and back. Unknown extents get names, so that their bounds and
    OpenVINO's symbols are kept in the output shape."""

    def __init__(self) -> None:
        self._named: list[Any] = []

    def names_of(self, shape: Any) -> list[int | str] | None:
        if shape.rank.is_dynamic:
            return None
        return [dim.get_length() if dim.is_static else self._name(dim) for dim in shape]

    def _name(self, dim: Any) -> str:
        self._named.append(dim)
        return str(len(self._named) - 1)

    def shape_of(self, extents: Any) -> Any:
        if extents is None:
            return ov.PartialShape.dynamic()
        return ov.PartialShape([self._named[int(each)] if isinstance(each, str) else ov.Dimension(each)
                                for each in extents])

    def describe(self, source: Any, constant: Any, description: _OperatorDescription) -> tuple[Any, ...]:
        """The known type, shape and value of a list input."""
        dtype = _dtype_of(source.get_element_type().get_type_name(), description)
        dims = self.names_of(source.get_partial_shape())
        constant = _known_floats(source) if constant is None else constant
        if constant is not None:
            name, array = constant
            return dtype, dims, _value_of(name, array, description), None
        return dtype, dims, None, self.names_of(_entries_of(source))


# OpenVINO has no interface for evaluating values at shape inference, but nodes whose shapes depend on them do it.


def _entries_of(source: Any) -> Any:
    """What OpenVINO knows about the entries of a list of integers, for example from Shape -> Slice -> Concat."""
    shape = source.get_partial_shape()
    if source.get_element_type().is_real() or shape.rank.is_dynamic or shape.rank.get_length() != 1:
        return ov.PartialShape.dynamic()
    try:
        return opset3.broadcast(ov.op.Constant(np.array(0, np.uint8)), source).get_output_partial_shape(0)
    except RuntimeError:
        return ov.PartialShape.dynamic()  # entries that are not extents; the plan reports the error


def _known_floats(source: Any) -> tuple[str, np.ndarray] | None:
    """The value of a list of floats computed from constants and known extents."""
    shape, type_ = source.get_partial_shape(), source.get_element_type()
    if not type_.is_real() or shape.is_dynamic or len(shape) != 1:
        return None
    image = ov.op.Parameter(ov.Type.f32, ov.PartialShape([1] * shape[0].get_length()))
    try:
        opset11.interpolate(image, source, mode="nearest", shape_calculation_mode="scales", axes=np.arange(len(image.shape)))
        lower, upper = (np.array(tensor.data) for tensor in (source.get_tensor().get_lower_value(),
                                                             source.get_tensor().get_upper_value()))
    except RuntimeError:
        return None  # unknown, or not valid scales; the plan reports the error
    return (type_.get_type_name(), lower) if np.array_equal(lower, upper) else None


def _is_whole(type_: Any) -> bool:
    return type_.is_dynamic() or type_.get_type_name() in _WHOLE


# ---- Any model ----------------------------------------------------------------------------------------------------

_REPLACED = {"Tile": {"opset1": 1}, "Interpolate": {"opset1": 1, "opset4": 4, "opset11": 11}}


def _attributes_of(node: Any, type_: str, version: int) -> dict[str, Any]:
    kinds = _core.attribute_kinds(type_, version)
    given = dict(node.get_attributes())
    for name, value in given.items():
        if kinds.get(name) == "int":
            given[name] = int(value)
        elif kinds.get(name) == "ints":
            given[name] = [int(entry) for entry in (value if np.iterable(value) else [value])]
    if "cube_coeff" in given:
        # OpenVINO's nodes compute bicubic_pillow with -0.5 and ignore the attribute. Its PyTorch frontend relies on this
        # and leaves the attribute at its default of -0.75.
        given["cube_coeff"] = -0.5 if given["mode"] == "bicubic_pillow" else float(given["cube_coeff"])
    return {name: value for name, value in given.items() if value != []}


def _version_of(node: Any) -> int | None:
    info = node.get_type_info()
    return _REPLACED.get(info.name, {}).get(info.version_id)


class Replacement(passes.MatcherPass):
    """The pass that replace() runs, for use in your own passes.Manager. `count`: nodes replaced so far."""

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
        type_ = f"openvino.{node.get_type_info().name}"
        description = _OperatorDescription(type_, version, node.get_friendly_name(),
                                           _attributes_of(node, type_, version), ports)
        made = TeselaOperator([node.input_value(k) for k in ports], description)
        made.set_friendly_name(node.get_friendly_name())
        ov.utils.replace_node(node, made)
        self.count += 1
        return True


def replace(model: Any) -> int:
    """Replaces each Tile-1 and Interpolate-1, -4 and -11 of the model by Tesela's node, and returns their number. Nodes on
    strings and on element types of less than a byte are not replaced.

    Errors: those of the operators, for nodes whose shapes and inputs are known; for others they are raised at the first run.
    """
    manager = passes.Manager()
    replacement = manager.register_pass(Replacement())
    manager.run_passes(model)
    return replacement.count


# ---- ONNX models through the frontend ------------------------------------------------------------------------------

def _list_from(source: Any) -> Any:
    """Undoes the frontend's conversion of empty constants to a scalar zero. Lists have rank 1, so a scalar is never one."""
    constant = _constant_of(source)
    if constant is not None and constant[1].shape == () and constant[1] == 0:
        return ov.op.Constant(source.get_element_type(), ov.Shape([0]), []).output(0)
    return source


def _converter(operator: str, fields: dict[str, str]) -> Any:
    def convert(context: Any) -> Any:
        attributes = {name: context.get_attribute(name) for name in _core.operator_attributes(operator)
                      if context.has_attribute(name)}
        count = context.get_input_size()
        given = [(k, context.get_input(k)) for k in range(count)]
        given = [(k, value) for k, value in given if value.get_node().get_type_name() != "NullNode"]
        if (operator, count) != ("Tile", 3):  # its inputs are scalars
            given = [(k, _list_from(value) if k > 0 else value) for k, value in given]
        opset = _core.operator_version(operator, count, list(attributes))  # the frontend does not provide it
        description = _OperatorDescription(operator, opset, "", attributes | fields, tuple(k for k, _ in given))
        return TeselaOperator([value for _, value in given], description).outputs()

    return convert


# The argument extents of register -> plan fields.
_FIELDS: dict[str, dict[str, str]] = {"host": {"tesela.extents": "openvino"}, "standard": {}}


def register(core: Any, *, extents: str = "host") -> None:
    """Makes the core read Resize, Upsample and Tile of ONNX models as Tesela's nodes. ConstantOfShape stays
    OpenVINO's, because its frontend does not pass tensor attributes to Python extensions.

    extents: how scales give extents. "host" (the default): as OpenVINO's own nodes do, so that the shapes of the other nodes fit;
    "standard": extent * scale in double, rounded down. Errors: InvalidValueError.
    """
    if extents not in _FIELDS:
        raise _core.InvalidValueError(f"extents is {extents!r}; expected 'host' or 'standard'")
    for operator in ("Tile", "Resize", "Upsample"):
        fields = {} if operator == "Tile" else _FIELDS[extents]
        core.add_extension(ConversionExtension(operator, _converter(operator, fields)))
