// SPDX-License-Identifier: Apache-2.0
// Plans with the results of other libraries, the plan field `rules`: one file per library. They follow the libraries'
// published sources and results; nothing here calls them. Where a library reports an error, or its result depends on
// uninitialised memory, the plan is refused.
#pragma once

#include <span>

#include "plan/plan.h"
#include "schema/infer.h"
#include "schema/resize_request.h"

namespace tesela {

/// A valid call of Resize or Upsample, resolved as for the standard.
struct EmulatedCall {
  const OpDesc& op;
  std::span<const TensorInfo* const> inputs;
  const ResizeRequest& request;
  const ResizeParams& params;
  const Limits& limits;
};

/// Errors: unsupported (what the library does not compute), shape, limit.
Result<Plan> emulate(Rules rules, const EmulatedCall& call);

Result<Plan> emulate_onnxruntime(const EmulatedCall& call);
Result<Plan> emulate_onnx_reference(const EmulatedCall& call);
Result<Plan> emulate_openvino(const EmulatedCall& call);
Result<Plan> emulate_pytorch(const EmulatedCall& call);

}  // namespace tesela
