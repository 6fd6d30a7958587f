// SPDX-License-Identifier: Apache-2.0
// Reads ONNX Runtime's graphs: nodes, their inputs and outputs, and the constants among these.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime.h"
#include "tensors.h"

namespace tesela::ort {

/// In topological order.
std::vector<const OrtNode*> nodes_of(const OrtApi& api, const OrtGraph* graph);

/// Null for an omitted one.
using Values = std::vector<const OrtValueInfo*>;
Values inputs_of(const OrtApi& api, const OrtNode* node);
Values outputs_of(const OrtApi& api, const OrtNode* node);

/// Empty for an omitted one.
std::string name_of(const OrtApi& api, const OrtValueInfo* value);

/// none if a run decides the value.
std::optional<Constant> read_constant(const Runtime& runtime, const OrtValueInfo* value);

}  // namespace tesela::ort
