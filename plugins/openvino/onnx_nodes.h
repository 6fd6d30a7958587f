// Nodes of ONNX models as nodes of ours.
#pragma once

#include <openvino/core/extension.hpp>
#include <vector>

#include "recipe.h"

namespace tesela::openvino {

/// What the frontend for ONNX asks instead of its own translation.
/// fields: of the plans of operators that have scales.
std::vector<ov::Extension::Ptr> onnx_extensions(const Attributes& fields);

}  // namespace tesela::openvino
