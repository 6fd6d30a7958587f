// SPDX-License-Identifier: Apache-2.0
// Rows of bytes in fixed point, summed without conversions, equal the reference in every bit, with every instruction set.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backend/cpu/each_instruction_set.h"
#include "backend/cpu/kernels.h"
#include "backend/cpu/resize/resize_cases.h"
#include "backend/cpu/sample_plan.h"

namespace tesela::testing {
namespace {

constexpr const char* kFields = " weights=int16 intermediate=uint8 order=last_axis_first";

uint64_t tasks_of_bytes() {
  return cpu::kernel_tasks[static_cast<size_t>(cpu::Kernel::horizontal_bytes)];
}

// Windows of one to several vectors, of every number of outputs up to two groups.
TEST(HorizontalBytes, EqualTheReferenceAtEveryLength) {
  for_each_instruction_set([](int64_t target) {
    const uint64_t before = tasks_of_bytes();
    uint64_t runs = 0;
    for (const char* filter : {"linear", "linear antialias", "cubic antialias"})
      for (int64_t out = 1; out <= 18; ++out)
        for (const int64_t step : {6, 11, 23, 47}) {
          const std::string sample = fmt::format("{} uint8 3x17x{} -> 3x5x{}{}", filter, out * step + 1, out, kFields);
          SCOPED_TRACE(sample);
          Random random(static_cast<uint64_t>(out));
          ASSERT_TRUE(equals_the_reference(sample_plan(sample), random, 0x5a, out % 2 == 0));
          ++runs;
        }
    if (target != HWY_SCALAR) {
      EXPECT_GT(tasks_of_bytes() - before, runs / 3);
    }
  });
}

// Rows that begin after the axis's beginning are copied, as are those at the input's end.
TEST(HorizontalBytes, BoxesEqualTheReference) {
  const Plan plan = sample_plan(fmt::format("linear antialias uint8 3x40x1100 -> 3x13x90{}", kFields));
  Random random(3);
  GuardedBytes input(product(plan.in));
  fill_random(random, plan.type, input);
  const Box boxes[] = {
      {{0, 0, 0}, {3, 13, 90}}, {{1, 2, 7}, {2, 5, 60}}, {{2, 12, 89}, {1, 1, 1}}, {{0, 5, 40}, {1, 8, 50}}};
  for_each_instruction_set([&](int64_t) {
    for (const Box& box : boxes) EXPECT_TRUE(box_equals_the_reference(plan, input, box));
  });
}

}  // namespace
}  // namespace tesela::testing
