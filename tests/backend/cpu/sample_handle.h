// Cases as plans of the C interface. A file of its own, because tesela.hpp has names that the plan's header has, too.
#pragma once

#include <functional>

#include "case_words.h"

namespace tesela::testing {

/// Calls `use` with the case's plan, which lives as long as the call.
void use_handle(const cli::CaseWords& words, const std::function<void(const tesela_plan&)>& use);

}  // namespace tesela::testing
