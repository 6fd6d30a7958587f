// SPDX-License-Identifier: Apache-2.0
// Tests one instruction set of this machine at a time.
#pragma once

#include <gtest/gtest.h>

#include "backend/cpu/instruction_sets.h"

namespace tesela::testing {

/// Calls f(target) for each instruction set; failures name it.
template <class F>
void for_each_instruction_set(F&& f) {
  for (const int64_t target : instruction_sets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    const OnlyInstructionSet only(target);
    f(target);
  }
}

}  // namespace tesela::testing
