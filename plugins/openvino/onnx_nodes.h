// SPDX-License-Identifier: Apache-2.0
// Converts nodes of ONNX models to Tesela's nodes.
#pragma once

#include <openvino/core/extension.hpp>
#include <vector>

#include "operator_description.h"

namespace tesela::openvino {

/// Extensions that the ONNX frontend uses instead of its own conversions.
/// fields: plan fields of operators that have scales.
std::vector<ov::Extension::Ptr> onnx_extensions(const Attributes& fields);

}  // namespace tesela::openvino
