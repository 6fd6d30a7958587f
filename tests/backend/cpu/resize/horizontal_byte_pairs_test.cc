// SPDX-License-Identifier: Apache-2.0
// Rows of bytes in fixed point, looked up in pairs, equal the reference in every bit, with every instruction set.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backend/cpu/each_instruction_set.h"
#include "backend/cpu/kernels.h"
#include "backend/cpu/resize/resize_cases.h"
#include "backend/cpu/sample_plan.h"

namespace tesela::testing {
namespace {

constexpr const char* kFields = " weights=int16 intermediate=uint8 order=last_axis_first";

uint64_t tasks_of_pairs() {
  return cpu::kernel_tasks[static_cast<size_t>(cpu::Kernel::horizontal_byte_pairs)];
}

// One to more pairs than registers hold, of outputs in one load, in one for each four, and in two vectors.
TEST(HorizontalBytePairs, EqualTheReferenceAtEveryScale) {
  for_each_instruction_set([](int64_t target) {
    const uint64_t before = tasks_of_pairs();
    uint64_t runs = 0;
    for (const char* filter : {"linear", "linear antialias", "cubic antialias"})
      for (const int channels : {1, 3, 4})
        for (const int64_t in : {9, 27, 61, 97, 190, 290}) {
          const std::string sample =
              fmt::format("{} uint8 17x{}x{} -> 5x53x{}{}", filter, in, channels, channels, kFields);
          SCOPED_TRACE(sample);
          Random random(static_cast<uint64_t>(in));
          ASSERT_TRUE(equals_the_reference(sample_plan(sample), random, 0x5a, in % 2 == 0));
          ++runs;
        }
    if (target != HWY_SCALAR) {
      EXPECT_GT(tasks_of_pairs() - before, runs / 6);
    }
  });
}

TEST(HorizontalBytePairs, EqualTheReferenceAtEveryLength) {
  for_each_instruction_set([](int64_t target) {
    const uint64_t before = tasks_of_pairs();
    for (int64_t out = 16; out <= 50; ++out) {
      const std::string sample = fmt::format("linear antialias uint8 1000x{} -> 5x{}{}", 2 * out + 1, out, kFields);
      SCOPED_TRACE(sample);
      Random random(static_cast<uint64_t>(out));
      ASSERT_TRUE(equals_the_reference(sample_plan(sample), random, 0x5a, out % 2 == 0));
    }
    if (target != HWY_SCALAR) {
      EXPECT_GE(tasks_of_pairs() - before, 35u);
    }
  });
}

// A box's rows begin after the axis's beginning, and end where the input does.
TEST(HorizontalBytePairs, BoxesEqualTheReference) {
  for (const char* sizes : {"40x200x3 -> 13x90x3", "40x30x3 -> 13x90x3", "40x500x1 -> 13x90x1"}) {
    SCOPED_TRACE(sizes);
    const Plan plan = sample_plan(fmt::format("linear antialias uint8 {}{}", sizes, kFields));
    const int64_t channels = plan.out[2];
    Random random(3);
    GuardedBytes input(product(plan.in));
    fill_random(random, plan.type, input);
    const Box boxes[] = {{{0, 0, 0}, {13, 90, channels}},
                         {{1, 7, 0}, {5, 60, channels}},
                         {{12, 89, channels - 1}, {1, 1, 1}},
                         {{5, 40, 0}, {8, 50, channels}}};
    for_each_instruction_set([&](int64_t) {
      for (const Box& box : boxes) EXPECT_TRUE(box_equals_the_reference(plan, input, box));
    });
  }
}

}  // namespace
}  // namespace tesela::testing
