// SPDX-License-Identifier: Apache-2.0
// Gets the plan of a C-interface handle.
#include "backend/cpu/sample_plan.h"

#include <optional>

#include "api/op_handles.h"
#include "backend/cpu/sample_handle.h"

namespace tesela::testing {

Plan plan_of(const cli::CaseWords& words) {
  std::optional<Plan> plan;
  use_handle(words, [&plan](const tesela_plan& handle) { plan = handle.plan; });
  return *plan;
}

Plan sample_plan(const std::string& text) {
  return plan_of(cli::parse_case(text));
}

}  // namespace tesela::testing
