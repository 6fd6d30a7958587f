// SPDX-License-Identifier: Apache-2.0
// The option semantics=onnxruntime: applies the rules of ONNX Runtime 1.31's own CPU kernels.
#pragma once

#include <cstdint>

#include "node.h"

namespace tesela::ort {

/// Applies those rules to a Resize or Upsample. Failure: antialias of integers or crops, which Tesela does not compute
/// by those rules, so ONNX Runtime keeps the node. Sets needs_shapes for cubic on integers or crops, where channels may
/// be last.
void apply_onnxruntime_semantics(const Runtime& runtime, const OrtNode* node, Node& tesela_node);

/// Those kernels compute integers as floats and truncate the results; values that do not fit wrap.
void widen_to_float(const tesela_tensor& from, size_t begin, size_t end, float* to);
void truncate_from_float(const float* from, size_t begin, size_t end, const tesela_tensor& to);

}  // namespace tesela::ort
