// SPDX-License-Identifier: Apache-2.0
// Passes over random boxes of their input, whose partial sums are carried from box to box.
#pragma once

#include "backend/cpu/resize/resize_cases.h"
#include "backend/program.h"

namespace tesela::testing {

/// A pass: each box of the output takes all boxes of the input, which come in any order that ascends along the axis.
Tensor run_pass(const Plan& plan, const Program& program, size_t p, const Tensor& input, Random& random);

/// A whole run of the reference.
Tensor run_whole(const Plan& plan, const Tensor& input);

/// All passes by parts. Expects the bits of a whole run of the reference.
void expect_equal_by_parts(const Plan& plan, Backend backend, Random& random);

}  // namespace tesela::testing
