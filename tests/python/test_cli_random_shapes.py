# SPDX-License-Identifier: Apache-2.0
"""Random models of operators with shape inference: inspect infers the actual shapes, and at least as much as onnx."""

import functools
import json
import warnings
from collections import Counter

import numpy as np
import onnx
import pytest
from cli_program import succeed
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64
MODELS, NODES = 80, 24
UNARY = ["Relu", "LeakyRelu", "Sigmoid", "Tanh", "Exp", "Abs", "Neg", "Floor", "Ceil", "Softmax", "Elu", "Identity", "Sqrt",
         "Round", "HardSigmoid"]


class Maker:
    """A model that is built node by node, with the value of each node for one input."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.opset = int(self.rng.choice([11, 12, 13, 15, 18, 21]))
        self.nodes, self.initializers = [], {}
        rank = int(self.rng.choice([3, 4, 4, 4, 5]))
        shape = [int(self.rng.integers(1, 7)) for _ in range(rank)]
        self.bound = {f"D{d}": extent for d, extent in enumerate(shape)}
        known = [self.pick([extent, extent, f"D{d}", None]) for d, extent in enumerate(shape)]
        self.values = {"x": self.rng.normal(size=shape).astype(np.float32)}
        self.inputs = [helper.make_tensor_value_info("x", FLOAT, known)]

    def pick(self, choices):
        return choices[int(self.rng.integers(len(choices)))]

    def named(self, test):
        """The name of a random value that passes the test; prefers newer ones."""
        names = [name for name, value in self.values.items() if isinstance(value, np.ndarray) and test(value)]
        return names[-1 - min(int(self.rng.exponential(3)), len(names) - 1)] if names else None

    def constant(self, value, dtype=np.int64):
        name = f"c{len(self.initializers)}"
        self.initializers[name] = self.values[name] = np.asarray(value, dtype)
        return name

    def add(self, operator, inputs, outputs=1, **attributes):
        """False if the node is invalid."""
        if None in inputs:
            return False
        names = [f"v{len(self.nodes)}_{k}" for k in range(outputs)]
        node = helper.make_node(operator, inputs, names, name=names[0], **attributes)
        graph = helper.make_graph([node], "g", [helper.make_tensor_value_info(name, _type(self.values[name]), None)
                                                for name in dict.fromkeys(inputs) if name],
                                  [helper.make_empty_tensor_value_info(name) for name in names])
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=8)
        try:
            with np.errstate(all="ignore"):
                made = ReferenceEvaluator(model).run(None, {name: self.values[name] for name in inputs if name})
        except Exception:  # any error of the evaluator for an invalid node
            return False
        made = [np.asarray(value) for value in made]
        if any(value.size > 20_000 or value.ndim > 6 or value.dtype.kind not in "fib" for value in made):
            return False
        self.nodes.append(node)
        self.values.update(zip(names, made))
        return True

    # --- One method a kind of node

    def elementwise(self):
        return self.add(self.pick(UNARY), [self.named(_is_float)])

    def arithmetic(self):
        test = self.pick([_is_float, _is_integer, _is_integer])
        a, b = self.named(test), self.named(test)
        if test is _is_integer and self.rng.random() < 0.6:
            b = self.constant(self.pick([0, 1, 2, 3, 7]))
        return self.add(self.pick(["Add", "Sub", "Mul", "Div", "Min", "Max"]), self.pick([[a, b], [b, a]]))

    def comparison(self):
        test = self.pick([_is_float, _is_integer])
        return self.add(self.pick(["Equal", "Less", "Greater"]), [self.named(test), self.named(test)])

    def choice(self):
        test = self.pick([_is_float, _is_integer])
        return self.add("Where", [self.named(lambda value: value.dtype == bool), self.named(test), self.named(test)])

    def cast(self):
        test = self.pick([_is_float, _is_integer, _is_integer, _is_floats])
        return self.add("Cast", [self.named(test)], to=self.pick([FLOAT, INT64, TensorProto.INT32, TensorProto.DOUBLE]))

    def shape(self):
        part = {"start": int(self.rng.integers(-3, 3)), "end": int(self.rng.integers(-1, 6))}
        return self.add(self.pick(["Shape", "Shape", "Shape", "Size"]), [self.named(_is_any)],
                        **(part if self.opset >= 15 and self.rng.random() < 0 else {}))

    def part_of_shape(self):
        attributes = {"start": int(self.rng.integers(-3, 3)), "end": int(self.rng.integers(-1, 6))}
        return self.opset >= 15 and self.add("Shape", [self.named(_is_any)], **attributes)

    def gather(self):
        data = self.named(self.pick([_is_list, _is_any]))
        axis = 0 if data is None else int(self.rng.integers(max(self.values[data].ndim, 1)))
        return self.add("Gather", [data, self.constant(self.pick([0, 1, -1, [0], [1, 0], [-1]]))], axis=axis)

    def slice(self):
        data = self.named(self.pick([_is_list, _is_any]))
        axis = 0 if data is None else int(self.rng.integers(-1, max(self.values[data].ndim, 1)))
        bounds = [self.constant([int(self.rng.integers(-3, 4))]), self.constant([self.pick([-1, 1, 2, 4, 2**63 - 1])])]
        return self.add("Slice", [data, *bounds, self.constant([axis]), self.constant([self.pick([1, 1, 1, 2, -1])])])

    def concat(self):
        test = self.pick([_is_list, _is_float])
        parts = [self.named(test) for _ in range(int(self.rng.integers(1, 4)))]
        if test is _is_list and self.rng.random() < 0.5:
            parts.append(self.constant([self.pick([1, 2, 3])]))
        return self.add("Concat", parts, axis=0 if test is _is_list else int(self.rng.integers(-1, 3)))

    def unsqueeze(self):
        return self.with_axes("Unsqueeze", self.named(_is_any), self.pick([[0], [0], [-1], [0, 2]]))

    def squeeze(self):
        data = self.named(lambda value: 1 in value.shape)
        return data is not None and self.with_axes("Squeeze", data, [self.values[data].shape.index(1)])

    def with_axes(self, operator, data, axes, since=13, **attributes):
        if self.opset >= since:
            return self.add(operator, [data, self.constant(axes)], **attributes)
        return self.add(operator, [data], axes=axes, **attributes)

    def reduce(self):
        operator = self.pick(["ReduceMean", "ReduceSum", "ReduceMax", "ReduceProd"])
        since = 13 if operator == "ReduceSum" else 18
        return self.with_axes(operator, self.named(_is_float), self.pick([[0], [-1], [1], [0, 1]]), since,
                              keepdims=int(self.rng.integers(2)))

    def reshape(self):
        target = self.pick([[-1], [0, -1], [1, -1], [0, 0, -1], [-1, 1]])
        shape = self.named(_is_list) if self.rng.random() < 0.3 else self.constant(target)
        return self.add("Reshape", [self.named(_is_any), shape])

    def flatten(self):
        return self.add("Flatten", [self.named(_is_float)], axis=int(self.rng.integers(-1, 3)))

    def transpose(self):
        data = self.named(_is_float)
        rank = 0 if data is None else self.values[data].ndim
        return self.add("Transpose", [data], **({"perm": self.rng.permutation(rank).tolist()} if self.rng.random() < 0.7 else {}))

    def expand(self):
        return self.add("Expand", [self.named(_is_float), self.named(_is_list)])

    def range(self):
        limit = self.named(lambda value: _is_integer(value) and value.ndim == 0 and value < 1000)
        return self.add("Range", [self.constant(0), limit, self.constant(self.pick([1, 1, 2]))])

    def fill(self):
        return self.add("ConstantOfShape", [self.named(_is_list)])

    def split(self):
        data = self.named(_is_float)
        if self.opset >= 18:
            return self.add("Split", [data], 2, axis=0, num_outputs=2)
        return self.add("Split", [data], 2, axis=0)

    def pad(self):
        data = self.named(_is_float)
        rank = 0 if data is None else self.values[data].ndim
        return self.add("Pad", [data, self.constant(self.rng.integers(0, 3, 2 * rank))])

    def convolution(self):
        data = self.named(_is_image)
        channels = 1 if data is None else self.values[data].shape[1]
        rank = 2 if data is None else self.values[data].ndim - 2
        kernel = [int(k) for k in self.rng.integers(1, 4, rank)]
        transposed = self.rng.random() < 0.3
        shape = [channels, 2, *kernel] if transposed else [4, channels, *kernel]
        pads = [k // 2 for k in kernel] * 2 if self.rng.random() < 0.6 else [0] * 2 * rank
        return self.add("ConvTranspose" if transposed else "Conv", [data, self.constant(np.ones(shape), np.float32)],
                        strides=[int(self.rng.integers(1, 3))] * rank, pads=pads)

    def pool(self):
        data = self.named(_is_image)
        rank = 2 if data is None else self.values[data].ndim - 2
        if self.rng.random() < 0.2:
            return self.add("GlobalAveragePool", [data])
        return self.add(self.pick(["MaxPool", "AveragePool"]), [data], kernel_shape=[int(self.rng.integers(1, 4))] * rank,
                        strides=[int(self.rng.integers(1, 3))] * rank, ceil_mode=int(self.rng.integers(2)))

    def product(self):
        return self.add("MatMul", [self.named(_is_float), self.named(_is_float)])

    def blocks(self):
        return self.add(self.pick(["DepthToSpace", "SpaceToDepth"]), [self.named(_is_image)], blocksize=self.pick([1, 2]))

    def resize(self):
        data = self.named(_is_image)
        rank = 0 if data is None else self.values[data].ndim
        sizes = self.named(lambda value: _is_list(value) and value.size == rank and (value > 0).all() and (value < 30).all())
        return self.add("Resize", [data, self.constant([], np.float32), self.constant([], np.float32), sizes])

    def tile(self):
        data = self.named(_is_float)
        rank = 0 if data is None else self.values[data].ndim
        return self.add("Tile", [data, self.named(lambda value: _is_list(value) and value.size == rank and (value >= 0).all())])

    # --- The whole

    KINDS = [elementwise, arithmetic, arithmetic, comparison, choice, cast, shape, shape, part_of_shape, gather, gather, slice,
             slice, concat, concat, unsqueeze, squeeze, reduce, reshape, flatten, transpose, expand, range, fill, split, pad,
             convolution, pool, product, blocks, resize, resize, tile]

    def model(self):
        for _ in range(20 * NODES):
            self.pick(self.KINDS)(self)
            if len(self.nodes) == NODES:
                break
        outputs = [helper.make_tensor_value_info(name, _type(self.values[name]), None)
                   for node in self.nodes for name in node.output]
        initializers = [numpy_helper.from_array(value, name) for name, value in self.initializers.items()]
        graph = helper.make_graph(self.nodes, "random", self.inputs, outputs, initializers)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=8)


@functools.cache
def made(seed):
    maker = Maker(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # means of empty tensors
        return maker, maker.model()


def _type(value):
    return helper.np_dtype_to_tensor_dtype(value.dtype)


def _is_any(value):
    return True


def _is_float(value):
    return value.dtype == np.float32 and value.ndim > 0


def _is_floats(value):
    return value.dtype == np.float32 and value.ndim < 2 and value.size < 9


def _is_integer(value):
    return value.dtype == np.int64 and value.ndim < 2 and value.size < 9


def _is_list(value):
    return value.dtype == np.int64 and value.ndim == 1 and value.size < 9


def _is_image(value):
    return value.dtype == np.float32 and 3 <= value.ndim <= 5 and value.size > 0


def wrong(found, value, bound):
    """Statements of inspect about a value that are wrong."""
    if found["type"] is not None and found["type"] != onnx.helper.tensor_dtype_to_string(_type(value)).split(".")[1].lower():
        return f"type {found['type']}"
    if found["dims"] is None:
        return None
    numbers = [bound.get(dim, dim) for dim in found["dims"]]
    if len(numbers) != value.ndim or any(dim not in (None, extent) for dim, extent in zip(numbers, value.shape)):
        return f"dims {found['dims']}"
    if "value" in found and [float(entry) for entry in found["value"]] != value.reshape(-1).astype(float).tolist():
        return f"value {found['value']}"
    return None


def is_left_open(node):
    """Windows larger than their input, or that begin after it; runtimes (and parts of onnx) disagree about these."""
    attributes = {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}
    return node.op_type in ("Conv", "MaxPool", "AveragePool") and (attributes.get("ceil_mode") or not any(attributes.get("pads", [0])))


@pytest.mark.parametrize("seed", range(MODELS))
def test_inferred_shapes_match_the_run(tmp_path, seed):
    maker, model = made(seed)
    (tmp_path / "m.onnx").write_bytes(model.SerializeToString())
    document = json.loads(succeed("inspect", tmp_path / "m.onnx", "--json"))
    makers = {name: node for node in maker.nodes for name in node.output}
    inferred = onnx.shape_inference.infer_shapes(model, data_prop=True)
    theirs = {output.name: output.type.tensor_type for output in inferred.graph.output}
    open_values = set()
    for found in document["outputs"]:
        name, value = found["name"], maker.values[found["name"]]
        error = wrong(found, value, maker.bound)
        assert error is None, (error, value.shape, value, makers[name])
        if is_left_open(makers[name]) or open_values.intersection(makers[name].input):
            open_values.add(name)
        elif theirs[name].HasField("shape"):
            known = [dim.dim_value if dim.HasField("dim_value") else None for dim in theirs[name].shape.dim]
            ours = found["dims"] or [None] * len(known)
            assert all(a is None or isinstance(b, int) for a, b in zip(known, ours)), (known, ours, makers[name])


def test_random_models_reach_every_kind_of_node():
    operators = Counter(node.op_type for seed in range(MODELS) for node in made(seed)[0].nodes)
    for operator in ["Shape", "Size", "Gather", "Slice", "Concat", "Unsqueeze", "Squeeze", "Cast", "Mul", "Add", "Sub", "Div",
                     "Floor", "Ceil", "Range", "ConstantOfShape", "Identity", "Relu", "Conv", "ConvTranspose", "MaxPool",
                     "AveragePool", "Reshape", "Transpose", "Flatten", "MatMul", "Split", "Pad", "Expand", "Where", "Equal",
                     "Resize", "Tile", "ReduceMean", "DepthToSpace"]:
        assert operators[operator] >= 1, (operator, operators)
