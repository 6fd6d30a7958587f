// SPDX-License-Identifier: Apache-2.0
// Integer sums, with power-of-two weights and in fixed point, equal the reference in every bit.
#include <gtest/gtest.h>

#include "backend/cpu/each_instruction_set.h"
#include "backend/cpu/kernels.h"
#include "backend/cpu/resize/program.h"
#include "backend/cpu/resize/resize_cases.h"
#include "plan/describe.h"

namespace tesela::testing {
namespace {

uint64_t tasks(cpu::Kernel kernel) {
  return cpu::kernel_tasks[static_cast<size_t>(kernel)];
}

// A plan of 8-bit elements whose axes grow by powers of two, or shrink by them with antialias.
ResizeParams random_dyadic_params(Random& random) {
  ResizeParams params;
  params.type = pick(random, 0, 1) ? DataType::kUint8 : DataType::kInt8;
  params.sampling.filter = Filter::kLinear;
  params.sampling.antialias = pick(random, 0, 1);
  params.sampling.coordinates = pick(random, 0, 2) ? CoordinateMode::kHalfPixel : CoordinateMode::kAsymmetric;
  const size_t rank = static_cast<size_t>(pick(random, 1, 4));
  int64_t room = 4000;
  int64_t bits = 0;
  for (size_t d = 0; d < rank; ++d) {
    int64_t in = pick(random, 1, std::clamp<int64_t>(room, 1, d + 1 == rank ? 300 : 20));
    int64_t out = in;
    if (bits < 6 && pick(random, 0, 3) > 0) {
      const bool shrinks = params.sampling.antialias && params.sampling.coordinates == CoordinateMode::kHalfPixel &&
                           bits < 4 && pick(random, 0, 1);
      const int64_t factor = !shrinks && bits < 4 && pick(random, 0, 2) == 0 ? 4 : 2;
      out = shrinks ? in : in * factor;
      in = shrinks ? in * factor : in;
      bits += shrinks || factor == 4 ? 3 : 2;
    }
    if (d + 1 == rank && std::min(in, out) < 32) out *= 32, in *= 32;
    params.in.push_back(in);
    room /= std::max(in, out);
    if (out == in) continue;
    const bool exact = pick(random, 0, 1);
    params.axes.push_back({d, in, out, exact, out, in, static_cast<double>(out) / static_cast<double>(in)});
  }
  return params;
}

TEST(Arithmetic, DyadicSumsEqualTheReference) {
  const uint64_t cases = random_cases(300);
  for_each_instruction_set([&](int64_t target) {
    const uint64_t before = tasks(cpu::Kernel::sum_power_of_two);
    for (uint64_t seed = 0; seed < cases; ++seed) {
      Random random(seed);
      const ResizeParams params = random_dyadic_params(random);
      const Result<Plan> plan = make_resize_plan(params, Limits::none());
      ASSERT_TRUE(plan.ok()) << plan.status().message();
      SCOPED_TRACE(fmt::format("seed {}: {}", seed, description(params)));
      EXPECT_TRUE(equals_the_reference(*plan, random, 0x5a, seed % 2 == 0));
      if (::testing::Test::HasFailure()) return;
    }
    // Plans without a pass, or with sums that exceed 16 bits, do not count.
    EXPECT_GT(tasks(cpu::Kernel::sum_power_of_two) - before, cases / 2) << hwy::TargetName(target);
  });
}

TEST(Arithmetic, DyadicSumsEqualTheReferenceAtEveryShortLength) {
  for_each_instruction_set([](int64_t) {
    for (int64_t n = 30; n <= 140; ++n)
      for (const DataType type : {DataType::kUint8, DataType::kInt8}) {
        Random random(static_cast<uint64_t>(n));
        ResizeParams params;
        params.type = type;
        params.sampling.filter = Filter::kLinear;
        params.in = {5, n};
        for (size_t d = 0; d < 2; ++d)
          params.axes.push_back({d, params.in[d], 2 * params.in[d], true, 2 * params.in[d], params.in[d]});
        SCOPED_TRACE(description(params));
        const uint64_t before = tasks(cpu::Kernel::sum_power_of_two);
        EXPECT_TRUE(
            equals_the_reference(*make_resize_plan(params, Limits::none()), random, n % 2 ? 0xff : 0x00, n % 3 == 0));
        EXPECT_EQ(tasks(cpu::Kernel::sum_power_of_two), before + (n >= 32));  // shorter rows do not fill a vector
        if (::testing::Test::HasFailure()) return;
      }
  });
}

// A plan of 8-bit elements with the fixed point of plan fields.
ResizeParams random_fixed_point_params(Random& random) {
  ResizeParams params = random_params(random);
  params.type = DataType::kUint8;
  const PassOrder orders[] = {PassOrder::kShrinkingFirst, PassOrder::kFirstAxisFirst, PassOrder::kLastAxisFirst};
  const WeightGrid grids[] = {WeightGrid::kFixed8, WeightGrid::kFixed22, WeightGrid::kInt16};
  params.sampling.grid = grids[pick(random, 0, 2)];
  params.rounds_passes = params.sampling.grid != WeightGrid::kFixed8 || pick(random, 0, 1);
  params.order = orders[pick(random, 0, 2)];
  return params;
}

TEST(Arithmetic, FixedPointSumsEqualTheReference) {
  const uint64_t cases = random_cases(400);
  for_each_instruction_set([&](int64_t target) {
    const uint64_t before = tasks(cpu::Kernel::sum_fixed_point);
    uint64_t fixed = 0;
    for (uint64_t seed = 0; seed < cases; ++seed) {
      Random random(seed);
      const ResizeParams params = random_fixed_point_params(random);
      const Result<Plan> plan = make_resize_plan(params, Limits::none());
      ASSERT_TRUE(plan.ok()) << plan.status().message();
      const auto& work = std::get<ResizePlan>(plan->work);
      if (!work.fixed_point || !cpu::has_arithmetic(*plan, work)) continue;
      fixed += product(plan->out) > 0;
      SCOPED_TRACE(fmt::format("seed {}: {} {}", seed, description(params), describe_plain(*plan)));
      EXPECT_TRUE(equals_the_reference(*plan, random, 0x5a, seed % 2 == 0));
      if (::testing::Test::HasFailure()) return;
    }
    EXPECT_EQ(tasks(cpu::Kernel::sum_fixed_point) - before, fixed) << hwy::TargetName(target);
    EXPECT_GT(fixed, cases / 3);
  });
}

// Long axes, with tables made for each box, and wide windows.
TEST(Arithmetic, FixedPointSumsEqualTheReferenceOnLargeAxes) {
  for_each_instruction_set([](int64_t) {
    for (const auto& [in, out] : {std::pair<int64_t, int64_t>{3000, 20000}, {9000, 300}, {20000, 30000}})
      for (const WeightGrid grid : {WeightGrid::kFixed22, WeightGrid::kInt16})
        for (const size_t axis : {size_t{0}, size_t{1}}) {
          ResizeParams params;
          params.type = DataType::kUint8;
          params.sampling = {.filter = Filter::kCubic, .cubic_a = -0.5, .antialias = true, .exclude_outside = true};
          params.sampling.grid = grid;
          params.rounds_passes = true;
          params.in = axis == 0 ? Extents{in, 3} : Extents{3, in};
          params.axes.push_back({axis, in, out, true, out, in});
          SCOPED_TRACE(description(params));
          Random random(static_cast<uint64_t>(in));
          const Plan plan = *make_resize_plan(params, Limits::none());
          ASSERT_TRUE(cpu::has_arithmetic(plan, std::get<ResizePlan>(plan.work)));
          EXPECT_TRUE(equals_the_reference(plan, random, 0x5a, false));
        }
  });
}

// The plans of every library's presets run in this backend, not in the reference.
TEST(Arithmetic, FixedPointOfPresetsFits32Bits) {
  const auto fits = [](WeightGrid grid, bool rounds_passes, double cubic_a) {
    ResizeParams params;
    params.type = DataType::kUint8;
    params.sampling = {.filter = Filter::kCubic, .cubic_a = cubic_a, .antialias = true, .exclude_outside = true};
    params.sampling.grid = grid;
    params.rounds_passes = rounds_passes;
    params.in = {500, 700};
    params.axes = {{0, 500, 1333, true, 1333, 500}, {1, 700, 299, true, 299, 700}};
    const Plan plan = *make_resize_plan(params, Limits::none());
    return cpu::has_arithmetic(plan, std::get<ResizePlan>(plan.work));
  };
  EXPECT_TRUE(fits(WeightGrid::kFixed22, true, -0.5));
  EXPECT_TRUE(fits(WeightGrid::kInt16, true, -0.5));
  EXPECT_TRUE(fits(WeightGrid::kFixed8, false, -0.75));
  EXPECT_FALSE(fits(WeightGrid::kFixed22, false, -0.5));  // 8 + 2 * 22 bits
}

}  // namespace
}  // namespace tesela::testing
