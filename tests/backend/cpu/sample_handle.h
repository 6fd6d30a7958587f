// SPDX-License-Identifier: Apache-2.0
// Makes C-interface plans of cases. A separate file, because names of tesela.hpp clash with those of the plan's header.
#pragma once

#include <functional>

#include "case_words.h"

namespace tesela::testing {

/// Calls `use` with the case's plan, which lives until `use` returns.
void use_handle(const cli::CaseWords& words, const std::function<void(const tesela_plan&)>& use);

}  // namespace tesela::testing
