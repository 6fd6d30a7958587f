// SPDX-License-Identifier: Apache-2.0
// Views whose axes lie in another order in memory: the order that is chosen, and equal results.
#include "backend/axis_order.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "backend/backend.h"
#include "backend/cpu/each_instruction_set.h"
#include "backend/cpu/resize/resize_cases.h"
#include "backend/cpu/sample_plan.h"
#include "backend/reference/reference.h"
#include "types/elements.h"

namespace tesela::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Strides in bytes of a dense tensor with its axes in this order, and `gap` unused bytes after each line of them along
// the axis `place` in memory.
Extents strides_in(DataType type, const Extents& extents, const Extents& order, size_t place = 0, int64_t gap = 0) {
  Extents strides(extents.size());
  int64_t step = element_bits(type) / 8;
  for (size_t p = order.size(); p-- > 0;) {
    const auto d = static_cast<size_t>(order[p]);
    strides[d] = step;
    step = step * extents[d] + (p == place ? gap : 0);
  }
  return strides;
}

Extents order_for(const std::string& sample, const Extents& input_order, const Extents& output_order, size_t place = 0,
                  int64_t gap = 0) {
  const Plan plan = sample_plan(sample);
  std::byte data = {};
  BoxRun run;
  run.input = {&data, plan.type, plan.in, {}, 0};
  run.output = {&data, plan.type, plan.out, {}, 0};
  if (!input_order.empty()) run.input.strides_bytes = strides_in(plan.type, plan.in, input_order, place, gap);
  if (!output_order.empty()) run.output.strides_bytes = strides_in(plan.type, plan.out, output_order);
  return find_order(plan, run);
}

TEST(AxisOrder, IsOfTheLargerTensor) {
  EXPECT_THAT(order_for("linear float 1x3x50x60 -> 1x3x20x30", {0, 2, 3, 1}, {}), ElementsAre(0, 2, 3, 1));
  EXPECT_THAT(order_for("linear float 1x3x50x60 -> 1x3x90x90", {0, 2, 3, 1}, {}), IsEmpty());
  EXPECT_THAT(order_for("linear float 1x3x50x60 -> 1x3x90x90", {}, {0, 2, 3, 1}), ElementsAre(0, 2, 3, 1));
  EXPECT_THAT(order_for("linear float 1x3x50x60 -> 1x3x20x30", {}, {0, 2, 3, 1}), IsEmpty());
}

TEST(AxisOrder, IsOfBothTensorsWhereTheyAgree) {
  EXPECT_THAT(order_for("cubic uint8 2x3x50x60 -> 2x3x90x90", {0, 2, 3, 1}, {0, 2, 3, 1}), ElementsAre(0, 2, 3, 1));
  EXPECT_THAT(order_for("cubic uint8 2x3x50x60 -> 2x3x90x90", {2, 0, 3, 1}, {0, 2, 3, 1}),
              ElementsAre(2, 0, 3, 1));  // rows of both
}

TEST(AxisOrder, IsThePlansWhereItIsDense) {
  EXPECT_THAT(order_for("linear float 1x3x50x60 -> 1x3x20x30", {}, {}), IsEmpty());
  EXPECT_THAT(order_for("linear float 1x3x50x60 -> 1x3x20x30", {0, 1, 2, 3}, {0, 1, 2, 3}), IsEmpty());
  EXPECT_THAT(order_for("linear float 2x3x50x60 -> 2x3x20x30", {1, 0, 2, 3}, {}), IsEmpty());  // rows are contiguous
}

TEST(AxisOrder, AllowsGapsBetweenRows) {
  const char* const sample = "linear float 1x3x50x60 -> 1x3x20x30";
  EXPECT_THAT(order_for(sample, {0, 2, 3, 1}, {}, 2, 40), ElementsAre(0, 2, 3, 1));  // a part of a wider image
  EXPECT_THAT(order_for(sample, {0, 2, 3, 1}, {}, 3, 4), IsEmpty());                 // three of four channels
}

// Rows before columns in memory is what the passes expect.
TEST(AxisOrder, KeepsTheOrderOfThePasses) {
  EXPECT_THAT(order_for("linear float 3x50x60 -> 3x20x30", {0, 2, 1}, {}), IsEmpty());
  EXPECT_THAT(order_for("linear float 3x50x60 -> 3x50x30", {0, 2, 1}, {}), ElementsAre(0, 2, 1));
}

TEST(AxisOrder, IgnoresStridesOfAxesOfOneElement) {
  const Plan plan = sample_plan("linear float 1x3x50x60 -> 1x3x20x30");
  std::byte data = {};
  BoxRun run;
  run.input = {&data, plan.type, plan.in, {1, 4, 720, 12}, 0};
  run.output = {&data, plan.type, plan.out, {}, 0};
  EXPECT_THAT(find_order(plan, run), ElementsAre(0, 2, 3, 1));
  run.input.strides_bytes = {0, 4, -720, 12};  // upside down
  EXPECT_THAT(find_order(plan, run), ElementsAre(0, 2, 3, 1));
  run.input.strides_bytes = {0, 4, 720, -12};  // its rows are not contiguous in any order
  EXPECT_THAT(find_order(plan, run), IsEmpty());
}

TEST(AxisOrder, ReordersPlansAndRuns) {
  const Plan plan = sample_plan("linear float 1x3x50x60 -> 1x3x20x30");
  const Extents order = {0, 2, 3, 1};
  const Plan other = in_order(plan, order);
  EXPECT_THAT(other.in, ElementsAre(1, 50, 60, 3));
  EXPECT_THAT(other.out, ElementsAre(1, 20, 30, 3));
  const auto& passes = std::get<ResizePlan>(plan.work).passes;
  const auto& others = std::get<ResizePlan>(other.work).passes;
  ASSERT_EQ(passes.size(), others.size());
  for (size_t p = 0; p < passes.size(); ++p) EXPECT_EQ(others[p].axis + 1, passes[p].axis);
  BoxRun run;
  run.input = {nullptr, plan.type, plan.in, strides_in(plan.type, plan.in, order), 0};
  run.output = {nullptr, plan.type, {1, 3, 10, 5}, {}, 0};
  run.input_lo = {0, 0, 0, 0};
  run.output_lo = {0, 0, 7, 9};
  const BoxRun same = in_order(run, order);
  EXPECT_THAT(same.input.extents, ElementsAre(1, 50, 60, 3));
  EXPECT_THAT(same.input.strides_bytes, ElementsAre(36000, 720, 12, 4));
  EXPECT_THAT(same.output.extents, ElementsAre(1, 10, 5, 3));
  EXPECT_THAT(same.output.strides_bytes, ElementsAre(600, 20, 4, 200));
  EXPECT_THAT(same.output_lo, ElementsAre(0, 7, 9, 0));
}

Extents random_order(Random& random, size_t rank) {
  Extents order(rank);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::shuffle(order, random);
  return order;
}

TEST(AxisOrder, ResultsEqualTheReference) {
  const uint64_t cases = random_cases(300);
  for_each_instruction_set([&](int64_t) {
    uint64_t reordered = 0;
    for (uint64_t seed = 0; seed < cases; ++seed) {
      Random random(seed);
      const ResizeParams params = random_params(random);
      const Plan plan = *make_resize_plan(params, Limits::none());
      if (product(plan.out) == 0 || std::get<ResizePlan>(plan.work).compute == ComputeType::kNone) continue;
      SCOPED_TRACE(fmt::format("seed {}: {}", seed, description(params)));
      const Extents order = random_order(random, plan.in.size());
      const int64_t out_bytes = product(plan.out) * element_bits(plan.type) / 8;
      GuardedBytes input(product(plan.in) * element_bits(plan.type) / 8);
      fill_random(random, plan.type, input);
      GuardedBytes expected(out_bytes);
      GuardedBytes actual(out_bytes, 0, false);
      std::memset(actual.data(), 0x5a, static_cast<size_t>(out_bytes));
      BoxRun run;
      run.input_lo = run.output_lo = Extents(plan.in.size(), 0);
      run.input = {input.data(), plan.type, plan.in, {}, 0};
      run.output = {expected.data(), plan.type, plan.out, {}, 0};
      if (seed % 3 != 0) run.input.strides_bytes = strides_in(plan.type, plan.in, order);
      if (seed % 3 != 1) run.output.strides_bytes = strides_in(plan.type, plan.out, order);
      reference::run_box(plan, run);
      run.output.data = actual.data();
      const ProgramPtr program = bind(plan);
      const Executor executor = Executor::on_threads(static_cast<int>(seed % 2) + 1);
      ASSERT_TRUE(run_plan(plan, *program, run, executor, {}).ok());
      ASSERT_TRUE(same(plan.type, expected.data(), actual.data(), out_bytes));
      reordered += program->find_reordered(plan, run) != nullptr;
    }
    EXPECT_GT(reordered, cases / 10);
  });
}

// A program keeps a few orders; with more, tensors are copied.
TEST(AxisOrder, MoreOrdersThanAProgramKeeps) {
  const Plan plan = sample_plan("linear float 2x3x2x3x9x8 -> 2x3x2x3x5x6");
  const ProgramPtr program = bind(plan);
  Random random(3);
  GuardedBytes input(product(plan.in) * 4);
  fill_random(random, plan.type, input);
  const int64_t out_bytes = product(plan.out) * 4;
  GuardedBytes expected(out_bytes);
  GuardedBytes actual(out_bytes);
  BoxRun run;
  run.input_lo = run.output_lo = Extents(plan.in.size(), 0);
  int64_t kept = 0;
  for (int64_t inner = 0; inner < 4; ++inner) {
    Extents order = {0, 1, 2, 3, 4, 5};
    std::rotate(order.begin() + inner, order.begin() + inner + 1, order.end());
    for (int repeat = 0; repeat < 2; ++repeat, std::swap(order[0], order[1])) {
      run.input = {input.data(), plan.type, plan.in, strides_in(plan.type, plan.in, order), 0};
      run.output = {expected.data(), plan.type, plan.out, {}, 0};
      reference::run_box(plan, run);
      run.output.data = actual.data();
      ASSERT_TRUE(run_plan(plan, *program, run, Executor(), {}).ok());
      ASSERT_TRUE(same(plan.type, expected.data(), actual.data(), out_bytes));
      kept += program->find_reordered(plan, run) != nullptr;
    }
  }
  EXPECT_EQ(kept, 4);
}

}  // namespace
}  // namespace tesela::testing
