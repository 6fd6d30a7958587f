// SPDX-License-Identifier: Apache-2.0
// Which function makes the plans of which library.
#include "plan/emulation/emulate.h"

namespace tesela {

Result<Plan> emulate(Rules rules, const EmulatedCall& call) {
  switch (rules) {
    case Rules::kOnnxRuntime: return emulate_onnxruntime(call);
    case Rules::kOnnxReference: return emulate_onnx_reference(call);
    case Rules::kOpenvino: return emulate_openvino(call);
    case Rules::kPytorch: return emulate_pytorch(call);
    case Rules::kStandard:
    case Rules::kOnnxRuntimePositions: break;
  }
  return internal_error("rules {} are not an emulation", name_of(rules));
}

}  // namespace tesela
