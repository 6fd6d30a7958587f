// SPDX-License-Identifier: Apache-2.0
// Resolves versions: converts an operator's description and its inputs to numbers.
#pragma once

#include <span>

#include "plan/plan.h"
#include "schema/infer.h"

namespace tesela {

/// Checks the operator and plans it. inputs: nullptr for an omitted one; all dims known; every input but the first with
/// its constant value (for ConstantOfShape the first, too). fields: set by presets, for Resize only.
/// Errors: any violation of the operator's rules; messages begin with the operator and its node.
Result<Plan> make_plan(const OpDesc& op, std::span<const TensorInfo* const> inputs, const Limits& limits,
                       const PlanFields& fields = {});

/// Whether everything that planning reads is known. inputs: as for make_plan, with unknown types, dims and values.
bool is_plannable(const OpDesc& op, std::span<const TensorInfo* const> inputs);

/// How a valid Resize or Upsample samples each axis.
Result<SamplingParams> resolve_sampling(const OpDesc& op);

}  // namespace tesela
