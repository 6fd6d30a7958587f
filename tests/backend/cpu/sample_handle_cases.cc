// SPDX-License-Identifier: Apache-2.0
// Makes C-interface plans of cases.
#include "backend/cpu/sample_handle.h"

#include "case_call.h"

namespace tesela::testing {

void use_handle(const cli::CaseWords& words, const std::function<void(const tesela_plan&)>& use) {
  use(*cli::make_plan(words, cli::make_op(words)).get());
}

}  // namespace tesela::testing
