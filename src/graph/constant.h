// SPDX-License-Identifier: Apache-2.0
// The value of a Constant node.
#pragma once

#include "model/graph.h"

namespace tesela {

/// The node's value, from any of its attributes. opset: of ONNX's domain.
/// Errors: count (no attribute or several), attribute, type, unsupported (sparse_value), the fault of its tensor.
/// Messages do not name the node.
Result<Tensor> constant_value(const Node& node, int64_t opset);

}  // namespace tesela
