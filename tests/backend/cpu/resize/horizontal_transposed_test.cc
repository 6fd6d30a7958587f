// SPDX-License-Identifier: Apache-2.0
// Rows that are transposed, in chunks of outputs, equal the reference in every bit, with every instruction set.
#include <gtest/gtest.h>

#include "backend/cpu/each_instruction_set.h"
#include "backend/cpu/kernels.h"
#include "backend/cpu/resize/resize_cases.h"
#include "backend/cpu/sample_plan.h"
#include "plan/resolve.h"

namespace tesela::testing {
namespace {

uint64_t transposed() {
  return cpu::kernel_tasks[static_cast<size_t>(cpu::Kernel::horizontal_transposed)];
}

// Windows of many inputs, up to half of the row, with one to three channels: chunks overlap, and the last one is short.
TEST(HorizontalTransposed, EqualsTheReferenceAtEveryWidth) {
  for_each_instruction_set([](int64_t target) {
    const uint64_t before = transposed();
    for (const char* type : {"float", "uint8", "float16"})
      for (int64_t out = 1; out <= 70; out += 3)
        for (const int64_t in : {9 * out + 40, 23 * out + 7}) {
          const int64_t channels = 1 + out % 3;
          const std::string sample = fmt::format("{} antialias {} 20x{}x{} -> 20x{}x{}",
                                                 out % 2 == 0 ? "linear" : "cubic", type, in, channels, out, channels);
          SCOPED_TRACE(sample);
          Random random(static_cast<uint64_t>(out));
          ASSERT_TRUE(equals_the_reference(sample_plan(sample), random, 0x5a, false));
        }
    EXPECT_EQ(transposed() > before, target != HWY_SCALAR);
  });
}

// Crops that move backwards, whose outputs outside have no taps, and whose cubic weights are zero where outputs lie on inputs.
TEST(HorizontalTransposed, CropsEqualTheReference) {
  for_each_instruction_set([](int64_t target) {
    const uint64_t before = transposed();
    for (const auto& [start, end] : {std::pair{0.1, 0.9}, {0.9, 0.2}, {-0.3, 0.6}, {0.5, 1.4}, {1.2, 1.6}, {0.0, 1.0}})
      for (const Filter filter : {Filter::kLinear, Filter::kCubic})
        for (const bool antialias : {false, true}) {
          ResizeParams params = {DataType::kFloat, {20, 1001}, {}, {}};
          params.sampling.filter = filter;
          params.sampling.coordinates = CoordinateMode::kTfCropAndResize;
          params.sampling.extrapolation_value = 7;
          params.sampling.antialias = antialias;
          params.axes.push_back(cropped(1, 1001, 101, start, end));
          Random random(5);
          ASSERT_TRUE(equals_the_reference(*make_resize_plan(params, Limits::none()), random, 0x5a, false)) << start;
        }
    EXPECT_EQ(transposed() > before, target != HWY_SCALAR);
  });
}

}  // namespace
}  // namespace tesela::testing
