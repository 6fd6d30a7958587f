# SPDX-License-Identifier: Apache-2.0
"""The cost of one tiny node in ONNX Runtime, with its own kernels and with Tesela's execution provider, in microseconds.

Models are chains of nodes on 2 x 2 floats, on one thread; the cost of a node is the slope of the processor time between two
lengths of chain, the best of several rounds.
"""

import time

import numpy as np
import onnxruntime
import tesela.onnxruntime
from onnx import TensorProto, helper, numpy_helper

ROUNDS, CALLS, SHORT, LONG = 30, 300, 2, 42
CONSTANTS = {"repeats": np.ones(4, np.int64), "twice": np.float32([1, 1, 1, 2]), "half": np.float32([1, 1, 1, 0.5])}


def chain(operator, length):
    nodes = []
    for k in range(length):
        inputs = ["repeats"] if operator == "Tile" else ["", ("twice", "half")[k % 2]]
        nodes.append(helper.make_node(operator, [f"v{k}", *inputs], [f"v{k + 1}"]))
    used = {name for node in nodes for name in node.input}
    graph = helper.make_graph(
        nodes, operator, [helper.make_tensor_value_info("v0", TensorProto.FLOAT, [1, 1, 2, 2])],
        [helper.make_tensor_value_info(f"v{length}", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(x, name) for name, x in CONSTANTS.items() if name in used])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=10).SerializeToString()


def seconds(model, with_tesela):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    make = tesela.onnxruntime.make_session if with_tesela else onnxruntime.InferenceSession
    session = make(model, options)
    binding = session.io_binding()
    binding.bind_ortvalue_input("v0", onnxruntime.OrtValue.ortvalue_from_numpy(np.ones((1, 1, 2, 2), np.float32)))
    binding.bind_output(session.get_outputs()[0].name)
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        for _ in range(CALLS):
            session.run_with_iobinding(binding)
        best = min(best, (time.process_time() - start) / CALLS)
    return best


def main():
    for operator in ("Tile", "Resize"):
        stock, ours = (
            (seconds(chain(operator, LONG), own) - seconds(chain(operator, SHORT), own)) / (LONG - SHORT) * 1e6
            for own in (False, True))
        print(f"{operator:8} stock {stock:5.2f} us   tesela {ours:5.2f} us   more {ours - stock:5.2f} us")


if __name__ == "__main__":
    main()
