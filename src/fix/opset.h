// SPDX-License-Identifier: Apache-2.0
// Raises the opset of ONNX's domain: what else in a model it concerns, and where its imports are.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "fix/wire.h"
#include "model/graph.h"
#include "types/limits.h"

namespace tesela::fix {

/// The first opset above `from`, up to `to`, in which this operator of ONNX's domain means something else, or may no longer
/// have a node as it is; 0 if there is none. Errors: unsupported (an operator, or an opset, that is not in the list).
Result<int64_t> first_change(std::string_view type, int64_t from, int64_t to);

/// The opset of ONNX's domain that the file imports; 0 if it imports none. Errors: unsupported (the model was read with
/// another one).
Result<int64_t> imported_opset(const Model& model);

/// Edits of the imports, of the model and its functions. Errors: value (an opset below an import), unsupported (another
/// operator changes in between; training graphs, which are not read).
Result<std::vector<Edit>> raise_opset(const Model& model, const Limits& limits, int64_t opset);

}  // namespace tesela::fix
