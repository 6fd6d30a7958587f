// SPDX-License-Identifier: Apache-2.0
// One pass of a plan over parts of its input: partial sums that take up taps box by box, and become the pass's output.
// A sum begins as -0.0, which added to any number gives that number, and adds its products in ascending order of inputs, as
// in a whole run: so it has the same bits.
#pragma once

#include "backend/backend.h"
#include "plan/axis_table.h"
#include "plan/passes.h"

namespace tesela {

/// Partial sums of a box of a pass's output, and a box of the pass's input.
struct PassRun {
  size_t pass = 0;
  TensorView input;
  Extents input_lo;
  MutableTensorView sums;
  Extents sums_lo;
};

/// The taps that a task adds: of a box of sums, and of inputs whose box differs from it only along the pass's axis.
struct TapSums {
  size_t axis = 0;
  const AxisTable* table = nullptr;
  int64_t first_row = 0;  // of the table, for the first sum along the axis
  ComputeType compute = ComputeType::kNone;
  TensorView input;      // with strides, as the sums
  int64_t input_lo = 0;  // along the axis
  MutableTensorView sums;
  Watch* watch = nullptr;
};

/// The taps of one output that are inside an input box. weights: [count], from the first tap inside on. first: the input of that
/// tap, counted from the box's first. Weights of zero are absent taps.
struct TapRow {
  const double* weights = nullptr;
  int64_t first = 0;
  int64_t count = 0;
};
TapRow taps_inside(const TapSums& run, int64_t i);

/// A box of sums to round into the output.
struct FinishRun {
  size_t pass = 0;
  TensorView sums;
  MutableTensorView output;
  Extents lo;
  Watch* watch = nullptr;
};

/// Sets partial sums to -0.0. Errors: type, rank.
Status begin_sums(const Plan& plan, size_t pass, const MutableTensorView& sums);

/// Adds the taps whose inputs are in the box. The boxes of a sum's inputs must come in ascending order along the pass's axis.
/// Sums whose inputs are elsewhere stay as they are.
/// Errors: type, rank, shape (tensors that do not match the pass), cancelled (sums are then undefined).
Status add_to_sums(const Plan& plan, const Program& program, const PassRun& run, const Executor& executor,
                   const RunOptions& options);

/// Rounds complete sums to the pass's output, and writes extrapolation values to outputs of the last pass. The output may be
/// the sums' own memory if types agree. Errors: as add_to_sums.
Status finish_sums(const Plan& plan, const FinishRun& run, const Executor& executor, const RunOptions& options);

}  // namespace tesela
