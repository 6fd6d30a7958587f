# SPDX-License-Identifier: Apache-2.0
"""onnx's own node tests of the four operators, and the four former tests of opset 10.

Copies and integers are compared exactly, floats with onnx's tolerances.
"""

from __future__ import annotations

import collections
import functools

import library
import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnx.backend.test.case import node as onnx_cases

OPERATORS = {"Tile": 2, "ConstantOfShape": 3, "Resize": 39, "Upsample": 1}


@functools.cache
def node_tests() -> dict:
    with np.errstate(all="ignore"):
        tests = onnx_cases.collect_testcases()
    return {
        test.name: test
        for test in tests
        if len(test.model.graph.node) == 1 and test.model.graph.node[0].op_type in OPERATORS
    }


def attribute_value(attribute):
    """An AttributeProto as library.Op takes it."""
    value = helper.get_attribute_value(attribute)
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, TensorProto):
        array = numpy_helper.to_array(value)
        return array, library.LIBRARY.tesela_dtype_name(value.data_type).decode()
    if isinstance(value, list) and value and isinstance(value[0], float):
        return np.array(value, dtype=np.float32)
    return value


def run_node(node, opset: int, inputs: list) -> np.ndarray:
    """Runs one NodeProto on its inputs that are not omitted, in the node's order."""
    given = iter(inputs)
    present = []
    for name in node.input:
        array = np.asarray(next(given)) if name else None
        dtype = None if array is None else str(array.dtype)
        names = {"float32": "float", "float64": "double"}
        present.append(None if array is None else (array, names.get(dtype, dtype)))
    assert next(given, None) is None
    attributes = {a.name: attribute_value(a) for a in node.attribute}
    op = library.Op(node.op_type, opset, attributes, node.name, node.domain)
    plan = library.Plan(op, present)
    x = None if node.op_type == "ConstantOfShape" else present[0][0]
    return plan.run(x)


def compare(found: np.ndarray, expected: np.ndarray, is_computed: bool) -> None:
    assert found.shape == expected.shape and found.dtype == expected.dtype
    if is_computed:
        np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-7)
    else:
        assert found.tobytes() == expected.tobytes()


def test_there_are_45():
    seen = collections.Counter(t.model.graph.node[0].op_type for t in node_tests().values())
    assert seen == OPERATORS and sum(OPERATORS.values()) == 45


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", sorted(node_tests()))
def test_node(name):
    test = node_tests()[name]
    node = test.model.graph.node[0]
    opset = next(o.version for o in test.model.opset_import if o.domain == "")
    modes = [helper.get_attribute_value(a) for a in node.attribute if a.name == "mode"]
    is_computed = bool(modes) and modes[0] != b"nearest"
    assert test.data_sets
    for inputs, outputs in test.data_sets:
        found = run_node(node, opset, inputs)
        compare(found, np.asarray(outputs[0]), is_computed)


ROWS = [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]
SQUARE = [[1.0, 2.0], [3.0, 4.0]]

# Source: onnx at b605eafb, onnx/backend/test/case/node/resize.py: (mode, X, scales, Y).
HISTORIC = {
    "test_resize_upsample_nearest": (
        "nearest",
        SQUARE,
        [1, 1, 2, 3],
        [[1, 1, 1, 2, 2, 2]] * 2 + [[3, 3, 3, 4, 4, 4]] * 2,
    ),
    "test_resize_downsample_nearest": ("nearest", ROWS, [1, 1, 0.6, 0.6], [[1, 3]]),
    "test_resize_upsample_linear": (
        "linear",
        SQUARE,
        [1, 1, 2, 2],
        [[1, 1.5, 2, 2], [2, 2.5, 3, 3], [3, 3.5, 4, 4], [3, 3.5, 4, 4]],
    ),
    "test_resize_downsample_linear": ("linear", ROWS, [1, 1, 0.6, 0.6], [[1, 2.66666651]]),
}


@pytest.mark.parametrize("name", HISTORIC)
def test_historic_node_of_opset_10(name):
    mode, x, scales, y = HISTORIC[name]
    node = helper.make_node("Resize", ["X", "scales"], ["Y"], mode=mode)
    x = np.array([[x]], dtype=np.float32)
    found = run_node(node, 10, [x, np.array(scales, dtype=np.float32)])
    compare(found, np.array([[y]], dtype=np.float32), mode == "linear")
