// SPDX-License-Identifier: Apache-2.0
// Makes plans of cases in the grammar of tests/cases.txt and kernels.def.
#pragma once

#include <string>

#include "case_words.h"
#include "plan/plan.h"

namespace tesela::testing {

Plan plan_of(const cli::CaseWords& words);

/// text: "linear antialias float 33x900 -> 33x97".
Plan sample_plan(const std::string& text);

}  // namespace tesela::testing
