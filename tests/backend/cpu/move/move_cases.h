// SPDX-License-Identifier: Apache-2.0
// Cases of moves: a plan, a box of it, and the layout of its tensors; every byte is compared with the reference.
#pragma once

#include "backend/cpu/kernels.h"
#include "backend/cpu/random.h"
#include "plan/plan.h"

namespace tesela::testing {

/// A plan, a box of it, and the layout of its tensors.
struct Case {
  Plan plan;
  Box output;
  Box input;
  Extents input_strides;  // empty: dense
  Extents output_strides;
  int64_t input_bit = 0;
  int64_t output_bit = 0;
  int64_t input_shift = 0;
  int64_t output_shift = 0;
  bool at_end = true;
  bool stream = false;    // as in runs larger than the caches
  int64_t run_bytes = 0;  // of the outputs of a thread in a run that is not
};

/// The whole of a plan, dense.
Case whole(Plan plan);

Case random_case(Random& random);

/// Runs the case twice, over outputs filled with two different canaries, and checks the bytes between outputs, too.
void expect_equal_to_reference(const Case& c);

/// Also expects that this kernel ran.
void expect_kernel(const Case& c, cpu::Kernel kernel);

// ---- Plans ----------------------------------------------------------------------------------------------------------

/// One type of each width.
inline constexpr DataType kWidths[] = {DataType::kUint8, DataType::kFloat16, DataType::kFloat, DataType::kInt64,
                                       DataType::kComplex128};

Plan fill_plan(DataType type, Extents out, Random& random);
Plan tile_plan(DataType type, const Extents& in, const Extents& repeats);
Plan nearest_plan(DataType type, Extents in, const Extents& out, SamplingParams sampling = {});

SamplingParams random_sampling(Random& random, bool crops);
AxisRequest random_request(Random& random, size_t axis, int64_t in);
void set_random_roi(Random& random, AxisRequest& request);

}  // namespace tesela::testing
