// Nodes of ONNX models as nodes of ours.
#pragma once

#include <openvino/core/extension.hpp>
#include <vector>

namespace tesela::openvino {

/// What the frontend for ONNX asks instead of its own translation.
std::vector<ov::Extension::Ptr> onnx_extensions();

}  // namespace tesela::openvino
