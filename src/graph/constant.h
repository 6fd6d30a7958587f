// What a Constant node holds.
#pragma once

#include "model/graph.h"

namespace tesela {

/// The node's one value, whichever of its attributes carries it. opset: of ONNX's domain.
/// Errors: count (no attribute or several), attribute, type, unsupported (sparse_value), the fault of its
/// tensor. Texts without the node.
Result<Tensor> constant_value(const Node& node, int64_t opset);

}  // namespace tesela
