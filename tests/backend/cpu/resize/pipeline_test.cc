// Whole resizes equal the reference in every bit, with every instruction set.
#include <gtest/gtest.h>

#include "backend/cpu/cpu.h"
#include "backend/cpu/each_instruction_set.h"
#include "backend/cpu/resize/resize_cases.h"
#include "backend/cpu/sample_plan.h"
#include "backend/reference/reference.h"

namespace tesela::testing {
namespace {

TEST(ResizePipeline, EqualsTheReferenceOnRandomPlansOfEveryInstructionSet) {
  const uint64_t cases = random_cases(400);
  for_each_instruction_set([&](int64_t) {
    for (uint64_t seed = 0; seed < cases; ++seed) {
      Random random(seed);
      const ResizeParams params = random_params(random);
      const Result<Plan> plan = make_resize_plan(params, Limits::none());
      ASSERT_TRUE(plan.ok()) << plan.status().message();
      SCOPED_TRACE(fmt::format("seed {}: {}", seed, description(params)));
      EXPECT_TRUE(equals_the_reference(*plan, random, 0x5a, seed % 2 == 0));
      if (::testing::Test::HasFailure()) return;
    }
  });
}

// Inputs larger than a cache, which are prefetched.
TEST(ResizePipeline, EqualsTheReferenceOnLargeInputs) {
  for_each_instruction_set([&](int64_t) {
    for (const char* sample : {"linear antialias float 600x530 -> 100x90", "linear float 700x450 -> 60x40",
                               "linear uint8 1100x1000 -> 120x100", "cubic antialias float 300x1024 -> 150x512"}) {
      SCOPED_TRACE(sample);
      Random random(7);
      EXPECT_TRUE(equals_the_reference(sample_plan(sample), random, 0x3c, true));
    }
  });
}

// One axis of every length up to several vectors, at any alignment of a row.
TEST(ResizePipeline, EqualsTheReferenceAtEveryShortLength) {
  for_each_instruction_set([&](int64_t) {
    for (int64_t n = 1; n <= 70; ++n)
      for (const Filter filter : {Filter::kLinear, Filter::kCubic}) {
        Random random(static_cast<uint64_t>(n));
        ResizeParams params;
        params.type = kComputedTypes[static_cast<size_t>(n) % std::size(kComputedTypes)];
        params.sampling.filter = filter;
        params.in = {3, n};
        for (size_t d = 0; d < 2; ++d) {
          const int64_t out = d == 0 ? 5 : n + n / 3 + 1;
          params.axes.push_back({d, params.in[d], out, true, out, params.in[d]});
        }
        SCOPED_TRACE(description(params));
        EXPECT_TRUE(
            equals_the_reference(*make_resize_plan(params, Limits::none()), random, n % 2 ? 0xff : 0x00, n % 3 == 0));
        if (::testing::Test::HasFailure()) return;
      }
  });
}

// Kernels may read beyond a row where more rows follow in memory. In reverse order none follow the first one.
TEST(ResizePipeline, ReadsRowsInReverseOrderWithinTheirMemory) {
  const ResizeParams params = {
      DataType::kFloat, {3, 5, 5}, {.filter = Filter::kLinear}, {{0, 3, 8, true, 8, 3}, {2, 5, 4, true, 4, 5}}};
  const Plan plan = *make_resize_plan(params, Limits::none());
  Random random(1);
  GuardedBytes input(3 * 5 * 5 * 4);
  fill_random(random, plan.type, input);
  std::vector<std::byte> expected(8 * 5 * 4 * 4);
  std::vector<std::byte> actual(expected.size());
  const Extents zero = {0, 0, 0};
  BoxRun run;
  run.input = {input.data() + 2 * 100, plan.type, plan.in, {-100, 20, 4}, 0};
  run.output = {expected.data(), plan.type, plan.out, {}, 0};
  run.input_lo = run.output_lo = zero;
  reference::run_box(plan, run);
  run.output.data = actual.data();
  for_each_instruction_set([&](int64_t) {
    cpu::run_box(plan, *cpu::make_program(plan), run, false);
    EXPECT_TRUE(same(plan.type, expected.data(), actual.data(), std::ssize(actual)));
  });
}

}  // namespace
}  // namespace tesela::testing
