// SPDX-License-Identifier: Apache-2.0
// Long axes are divided into strips at the same places whatever box is computed.
#include "backend/cpu/resize/strips.h"

#include <gtest/gtest.h>

#include "backend/cpu/sample_plan.h"

namespace tesela::testing {
namespace {

Division division_of(const Plan& plan) {
  cpu::ResizeProgram program;
  cpu::bind_resize(plan, *plan.interpolation(), program);
  return cpu::resize_division(plan, *plan.interpolation(), program.layout);
}

TEST(Strips, AreAlongHorizontalPasses) {
  const Division division = division_of(sample_plan("linear float 2x30000x1 -> 2x50000x1"));
  EXPECT_EQ(division.strips, (Extents{1, cpu::kStrip, 1}));
  EXPECT_EQ(division.order, (Extents{1, 0, 2}));
  EXPECT_EQ(division_of(sample_plan("linear float 2x300 -> 2x500")).strips, (Extents{1, 500}));
  EXPECT_EQ(division_of(sample_plan("linear float 2x300 -> 2x500")).order, Extents{});
  EXPECT_EQ(division_of(sample_plan("linear float 30x300x3 -> 30x500x3")).strips, (Extents{1, 500, 3}));
  EXPECT_EQ(division_of(sample_plan("linear antialias float 90x900 -> 90x200")).strips,
            (Extents{cpu::kHorizontalBatch, 200}));
  EXPECT_EQ(division_of(sample_plan("linear float 90x900 -> 90x200")).strips, (Extents{1, 200}));  // windows of two
  EXPECT_EQ(division_of(sample_plan("linear float 30000x500 -> 50000x500")).strips, Extents{});    // vertical
}

TEST(Strips, TasksHaveAllColumnsAndChannels) {
  const Plan plan = sample_plan("linear float 4x707x22 -> 3x2001x22");
  const BoxCutter cutter({{0, 0, 0}, plan.out}, 5000, plan.type, division_of(plan));
  EXPECT_EQ(cutter.count(), 3);
  for (int64_t i = 0; i < cutter.count(); ++i) EXPECT_EQ(cutter.box(i).n, (Extents{1, 2001, 22}));
}

TEST(Strips, PartsOfABoxCoverItOnce) {
  const Plan plan = sample_plan("linear float 2x30000 -> 2x50000");
  cpu::ResizeProgram program;
  cpu::bind_resize(plan, *plan.interpolation(), program);
  std::vector<float> in(60000);
  std::vector<float> out(100000);
  for (const auto& columns :
       {std::pair<int64_t, int64_t>{0, 50000}, {100, 40000}, {cpu::kStrip, cpu::kStrip}, {5, 1}, {49999, 1}}) {
    const int64_t lo = columns.first, n = columns.second;  // clang 14 does not capture structured bindings
    BoxRun run;
    run.input = {reinterpret_cast<std::byte*>(in.data()), plan.type, plan.in, {}, 0};
    run.input_lo = {0, 0};
    run.output = {reinterpret_cast<std::byte*>(out.data()), plan.type, {2, n}, {}, 0};
    run.output_lo = {0, lo};
    int64_t next = lo;
    cpu::for_each_strip(plan, *plan.interpolation(), program.layout, run, [&](const BoxRun& part) {
      EXPECT_EQ(part.output_lo, (Extents{0, next}));
      EXPECT_EQ(part.output.extents[0], 2);
      next += part.output.extents[1];
      EXPECT_TRUE(next == lo + n || next % cpu::kStrip == 0) << next;
      EXPECT_EQ(static_cast<float*>(static_cast<void*>(part.output.data)) - out.data(), part.output_lo[1] - lo);
    });
    EXPECT_EQ(next, lo + n);
  }
}

}  // namespace
}  // namespace tesela::testing
