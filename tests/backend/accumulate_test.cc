// SPDX-License-Identifier: Apache-2.0
// Partial sums of passes, carried over random boxes of their input, equal whole runs of the reference in every bit.
#include "backend/accumulate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "backend/by_parts.h"
#include "backend/cpu/each_instruction_set.h"
#include "backend/cpu/resize/resize_cases.h"
#include "backend/cpu/sample_plan.h"
#include "backend/reference/reference.h"
#include "plan/axis_table.h"

namespace tesela::testing {
namespace {

// With plan fields of fixed point too, and other orders of the passes.
ResizeParams random_params_with_fields(Random& random) {
  ResizeParams params = random_params(random);
  if (one_in(random, 4)) params.type = one_in(random, 2) ? DataType::kUint8 : DataType::kInt8;
  const bool is_byte = params.type == DataType::kUint8 || params.type == DataType::kInt8;
  if (is_byte && one_in(random, 2)) {
    params.sampling.grid = static_cast<WeightGrid>(pick(random, 0, 3));
    params.rounds_passes = params.sampling.grid != WeightGrid::kFree && one_in(random, 2);
  }
  if (one_in(random, 4)) params.order = one_in(random, 2) ? PassOrder::kFirstAxisFirst : PassOrder::kLastAxisFirst;
  if (one_in(random, 4))
    for (AxisRequest& axis : params.axes) std::swap(axis.roi_start, axis.roi_end);
  return params;
}

void compare_random_plans(Backend backend, uint64_t cases) {
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Random random(seed);
    const ResizeParams params = random_params_with_fields(random);
    const Result<Plan> plan = make_resize_plan(params, Limits::none());
    ASSERT_TRUE(plan.ok()) << plan.status().message();
    SCOPED_TRACE(fmt::format("seed {}: {}", seed, description(params)));
    expect_equal_by_parts(*plan, backend, random);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(Accumulate, RandomPartitionsEqualTheWholeWithEveryInstructionSet) {
  const uint64_t cases = random_cases(150);
  for_each_instruction_set([&](int64_t) { compare_random_plans(kDefaultBackend, cases); });
}

TEST(Accumulate, RandomPartitionsOfTheReferenceEqualTheWhole) {
  compare_random_plans(Backend::reference, random_cases(150));
}

// Long rows for vectors, windows of more than 1,024 taps (which are summed in doubles), strong reductions.
TEST(Accumulate, LargePlansEqualTheWhole) {
  for (const char* sample : {"linear antialias uint8 300x700 -> 15x40", "linear antialias float 2x4000x9 -> 2x3x9",
                             "cubic antialias float16 900x130 -> 31x40", "linear uint8 60x600 -> 130x1300",
                             "linear antialias complex64 400x70 -> 21x70", "linear antialias bool 90x300 -> 9x30",
                             "linear antialias int64 90x64 -> 4x64", "linear antialias bfloat16 64x3000 -> 64x2",
                             "linear uint8 40x70 -> 81x75 weights=fixed8 intermediate=uint8"}) {
    SCOPED_TRACE(sample);
    for_each_instruction_set([&](int64_t) {
      Random random(11);
      expect_equal_by_parts(sample_plan(sample), kDefaultBackend, random);
    });
  }
}

// Output 2 is at position 4; the cubic filter, stretched twice, is zero at a distance of 2.
TEST(Accumulate, TapsOfWeightZeroAreAbsent) {
  const Plan plan = sample_plan("cubic antialias asymmetric float 12 -> 6");
  Tensor input = *Tensor::allocate(plan.type, plan.in);
  auto* x = reinterpret_cast<float*>(input.mutable_data());
  std::fill_n(x, 12, 1.0F);
  x[2] = INFINITY;
  const Tensor whole = run_whole(plan, input);
  for (const Backend backend : {kDefaultBackend, Backend::reference}) {
    Random random(3);
    const Tensor output = run_pass(plan, *bind(plan, backend), 0, input, random);
    EXPECT_TRUE(std::isfinite(output.as<float>()[2]));
    EXPECT_FALSE(std::isfinite(output.as<float>()[1]));
    EXPECT_TRUE(same(plan.type, whole.data(), output.data(), whole.bytes()));
  }
}

TEST(Accumulate, SumsBeginAsNegativeZero) {
  const Plan plan = sample_plan("linear antialias complex64 8 -> 3");
  Tensor sums = *Tensor::allocate(DataType::kComplex64, {3});
  ASSERT_TRUE(begin_sums(plan, 0, sums.mutable_view()).ok());
  const auto* numbers = reinterpret_cast<const float*>(sums.data());
  for (int k = 0; k < 6; ++k) EXPECT_TRUE(numbers[k] == 0 && std::signbit(numbers[k]));
}

TEST(Accumulate, CopiesHaveNoPassesAndEmulationsRefuse) {
  EXPECT_EQ(*pass_count(sample_plan("nearest float 4 -> 8")), 0u);
  EXPECT_EQ(*pass_count(sample_plan("tile float 4 -> 8")), 0u);
  EXPECT_EQ(*pass_count(sample_plan("linear float 4x3 -> 4x3")), 0u);
  EmulatedPlan emulated;
  emulated.rules = Rules::kOnnxRuntime;
  const Result<size_t> refused = pass_count({DataType::kFloat, {4}, {9}, emulated});
  EXPECT_EQ(refused.status().code(), TESELA_ERROR_UNSUPPORTED);
  EXPECT_EQ(refused.status().message(),
            "the plan follows the rules of onnxruntime, whose sums cannot be carried from box to box");
}

TEST(Accumulate, PassesHaveTheTensorsBetweenThem) {
  const Plan plan = sample_plan("linear antialias uint8 40x60x3 -> 80x20x3");
  const PassTensors first = tensors_of(plan, 0);  // the axis that shrinks
  EXPECT_EQ(first.in, (Extents{40, 60, 3}));
  EXPECT_EQ(first.out, (Extents{40, 20, 3}));
  EXPECT_EQ(first.input, DataType::kUint8);
  EXPECT_EQ(first.output, DataType::kFloat);
  const PassTensors second = tensors_of(plan, 1);
  EXPECT_EQ(second.in, (Extents{40, 20, 3}));
  EXPECT_EQ(second.out, (Extents{80, 20, 3}));
  EXPECT_EQ(second.input, DataType::kFloat);
  EXPECT_EQ(second.output, DataType::kUint8);
  EXPECT_EQ(tensors_of(sample_plan("linear antialias uint8 5000 -> 2"), 0).sums, DataType::kDouble);
  const Box region = pass_input_region(plan, 0, {{0, 5, 0}, {40, 2, 3}});
  // Positions 16 and 19; weights are not zero at distances below 3.
  EXPECT_TRUE(std::ranges::equal(region.lo, Extents{0, 14, 0}));
  EXPECT_TRUE(std::ranges::equal(region.n, Extents{40, 8, 3}));
}

// Each output outside output_range has no tap among the inputs.
TEST(Accumulate, OutputRangeHoldsEveryOutputWithTaps) {
  for (uint64_t seed = 0; seed < 400; ++seed) {
    Random random(seed);
    const ResizeParams params = random_params_with_fields(random);
    const Plan plan = *make_resize_plan(params, Limits::none());
    for (const Pass& pass : std::get<ResizePlan>(plan.work).passes) {
      const int64_t lo = pick(random, 0, pass.map.in - 1);
      const IndexRange inputs = {lo, pick(random, 1, pass.map.in - lo)};
      const IndexRange found = output_range(pass.map, {0, pass.map.out}, inputs);
      const AxisTable table = make_axis_table(pass.map, {0, pass.map.out}, ComputeType::kDouble);
      for (int64_t i = 0; i < pass.map.out; ++i) {
        if (i >= found.lo && i < found.lo + found.n) continue;
        const auto row = static_cast<size_t>(i);
        const bool has_taps = table.count[row] > 0 && table.first[row] < inputs.lo + inputs.n &&
                              table.first[row] + table.count[row] > inputs.lo;
        ASSERT_FALSE(has_taps) << "seed " << seed << ": " << description(params) << " output " << i;
      }
    }
  }
}

}  // namespace
}  // namespace tesela::testing
