// SPDX-License-Identifier: Apache-2.0
// Images of bytes at half the size equal the reference in every bit, with every instruction set.
#include <gtest/gtest.h>

#include <cstring>

#include "backend/backend.h"
#include "backend/boxes.h"
#include "backend/cpu/each_instruction_set.h"
#include "backend/cpu/kernels.h"
#include "backend/cpu/resize/program.h"
#include "backend/cpu/resize/resize_cases.h"
#include "backend/cpu/sample_plan.h"
#include "backend/reference/reference.h"

namespace tesela::testing {
namespace {

uint64_t halves() {
  return cpu::kernel_tasks[static_cast<size_t>(cpu::Kernel::halves)];
}

TEST(Halves, EqualTheReferenceAtEveryWidth) {
  for_each_instruction_set([](int64_t) {
    for (int64_t channels = 1; channels <= 5; ++channels)
      for (int64_t n = 1; n <= 70; ++n)
        for (const char* rounding : {"", " weights=fixed8"}) {
          const std::string sample =
              fmt::format("linear uint8 2x6x{}x{} -> 2x3x{}x{}{}", 2 * n, channels, n, channels, rounding);
          SCOPED_TRACE(sample);
          Random random(static_cast<uint64_t>(n));
          const uint64_t before = halves();
          ASSERT_TRUE(equals_the_reference(sample_plan(sample), random, 0x5a, false));
          ASSERT_EQ(halves() - before, channels <= 4);
        }
  });
}

// Every sum of four bytes, next to every remainder: sums that lie between two bytes are rounded as the plan asks.
TEST(Halves, RoundEverySum) {
  for (const char* sample : {"linear uint8 2x2048 -> 1x1024", "linear uint8 2x2048 -> 1x1024 weights=fixed8"}) {
    const Plan plan = sample_plan(sample);
    std::vector<std::byte> input(2 * 2048);
    for (int i = 0; i < 1024; ++i)
      for (int k = 0; k < 4; ++k)
        input[static_cast<size_t>(k / 2 * 2048 + 2 * i + k % 2)] =
            static_cast<std::byte>(i / 4 + (k < i % 4 ? i / 4 < 255 : 0));
    std::vector<std::byte> expected(1024);
    BoxRun run;
    run.input = {input.data(), plan.type, plan.in, {}, 0};
    run.output = {expected.data(), plan.type, plan.out, {}, 0};
    run.input_lo = run.output_lo = {0, 0};
    reference::run_box(plan, run);
    for_each_instruction_set([&](int64_t) {
      std::vector<std::byte> actual(1024);
      run.output.data = actual.data();
      ASSERT_TRUE(run_plan(plan, *bind(plan), run, Executor(), {}).ok());
      EXPECT_EQ(actual, expected) << sample;
    });
  }
}

// Boxes begin anywhere; those that cut pixels are computed in other ways.
TEST(Halves, BoxesEqualTheReference) {
  const Plan plan = sample_plan("linear uint8 3x20x90x4 -> 3x10x45x4");
  Random random(3);
  GuardedBytes input(product(plan.in));
  fill_random(random, plan.type, input);
  BoxRun whole;
  whole.input = {input.data(), plan.type, plan.in, {}, 0};
  const Box boxes[] = {{{1, 2, 0, 0}, {2, 5, 45, 4}},
                       {{0, 0, 7, 0}, {3, 10, 20, 4}},
                       {{2, 9, 44, 0}, {1, 1, 1, 4}},
                       {{0, 3, 5, 1}, {2, 4, 33, 2}}};
  for_each_instruction_set([&](int64_t) {
    for (const Box& box : boxes) {
      GuardedBytes expected(product(box.n));
      GuardedBytes actual(product(box.n));
      whole.output = {expected.data(), plan.type, box.n, {}, 0};
      whole.output_lo = box.lo;
      whole.input_lo = {0, 0, 0, 0};
      ASSERT_TRUE(run_plan(plan, *bind(plan, Backend::reference), whole, Executor(), {}).ok());
      whole.output.data = actual.data();
      const uint64_t before = halves();
      ASSERT_TRUE(run_plan(plan, *bind(plan), whole, Executor(), {}).ok());
      EXPECT_TRUE(same(plan.type, expected.data(), actual.data(), actual.size()));
      EXPECT_EQ(halves() - before, box.n[3] == 4);
    }
  });
}

TEST(Halves, OthersAreComputedInOtherWays) {
  for (const char* sample :
       {"linear uint8 40x74 -> 20x36", "linear uint8 40x74 -> 19x37", "linear uint8 40x74 -> 20x74",
        "linear int8 40x74 -> 20x37", "cubic uint8 40x74 -> 20x37", "linear antialias uint8 40x74 -> 20x37",
        "linear align_corners uint8 40x74 -> 20x37", "linear asymmetric uint8 40x74 -> 20x37",
        "linear uint8 40x74x8 -> 20x37x4", "linear uint8 40x74 -> 20x37 weights=int16 intermediate=uint8",
        "linear uint8 40x74 -> 20x37 coordinates=float32"}) {
    SCOPED_TRACE(sample);
    Random random(3);
    const uint64_t before = halves();
    EXPECT_TRUE(equals_the_reference(sample_plan(sample), random, 0x5a, false));
    EXPECT_EQ(halves(), before);
  }
}

}  // namespace
}  // namespace tesela::testing
