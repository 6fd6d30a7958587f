// The option semantics=onnxruntime: nodes under the rules of ONNX Runtime 1.31's own CPU kernels.
#pragma once

#include <cstdint>

#include "node.h"

namespace tesela::ort {

/// Has a Resize or Upsample follow those rules. Failure: rules that Tesela does not have, so that ONNX
/// Runtime keeps the node: antialias of integers and crops; what is cubic, too, where the channels may be
/// last and no shapes are known.
void follow_stock_rules(const Runtime& runtime, const OrtNode* node, Node& ours);

/// Integers that those kernels compute are computed as floats and cut off; what does not fit wraps, as it
/// does there.
void widen_to_float(const tesela_tensor& from, size_t begin, size_t end, float* to);
void cut_from_float(const float* from, size_t begin, size_t end, const tesela_tensor& to);

}  // namespace tesela::ort
