// Where versions end: an operator's description and its inputs become numbers.
#pragma once

#include <span>

#include "plan/plan.h"
#include "schema/infer.h"

namespace tesela {

/// Checks everything, and plans. inputs: nullptr for an omitted one; dims all known; every input but the first with
/// its constant value (ConstantOfShape: the first too).
/// fields: departures that presets ask for; of Resize alone.
/// Errors: everything that the operator's rules refuse; the text begins with the operator and its node.
Result<Plan> make_plan(const OpDesc& op, std::span<const TensorInfo* const> inputs, const Limits& limits,
                       const PlanFields& fields = {});

}  // namespace tesela
