// SPDX-License-Identifier: Apache-2.0
// The tensors that the passes of a plan read and write: what callers need who run passes one by one.
#pragma once

#include "plan/plan.h"

namespace tesela {

/// Of one pass. Sums are numbers of the compute type, complex ones in two parts. The first pass reads elements, the others
/// sums; the last one's output are elements.
struct PassTensors {
  Extents in;
  Extents out;  // also of the sums
  DataType input = DataType::kUndefined;
  DataType sums = DataType::kUndefined;
  DataType output = DataType::kUndefined;
};

/// The number of passes; 0 for a plan that copies elements.
/// Errors: unsupported (a plan with the results of another library, whose sums have other orders).
Result<size_t> pass_count(const Plan& plan);

/// p: below pass_count.
PassTensors tensors_of(const Plan& plan, size_t p);

/// The box of the pass's input that a box of its output needs; empty if it needs none.
/// The box must be inside the pass's output.
Box pass_input_region(const Plan& plan, size_t p, const Box& output);

}  // namespace tesela
