// SPDX-License-Identifier: Apache-2.0
// Operators of the C interface, made of what Python says of them.
#pragma once

#include <memory>
#include <string>

#include "module.h"

namespace tesela_python {

struct DestroyOp {
  void operator()(tesela_op* op) const { tesela_op_destroy(op); }
};
using Op = std::unique_ptr<tesela_op, DestroyOp>;

/// type: "Resize" of ONNX, "openvino.Tile" of another domain. node: a name for messages. attributes: by name, numbers,
/// strings and lists of numbers, or tensors as tuples (code, array) or (code, elements, extents).
Op make_op(const std::string& type, int64_t opset, const std::string& node, nanobind::dict attributes);

}  // namespace tesela_python
