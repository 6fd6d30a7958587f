// SPDX-License-Identifier: Apache-2.0
// Sums of rows whose last one is resampled in the same loop equal the reference in every bit, with every instruction set.
#include <gtest/gtest.h>

#include "backend/boxes.h"
#include "backend/cpu/each_instruction_set.h"
#include "backend/cpu/kernels.h"
#include "backend/cpu/resize/horizontal_kernels.h"
#include "backend/cpu/resize/resize_cases.h"
#include "backend/cpu/sample_plan.h"

namespace tesela::testing {
namespace {

uint64_t resampled() {
  return cpu::kernel_tasks[static_cast<size_t>(cpu::Kernel::resampled_sum)];
}

// Whether a vector contains the inputs of a vector of outputs, pixels of so many numbers, as rows grow by a factor.
template <class C>
bool fits_vector(int64_t channels, int64_t taps, int64_t factor) {
  const int64_t pixels = cpu::horizontal_kernels<C>().lanes / channels;
  return (pixels + factor - 1) / factor + taps <= pixels;
}

Plan grown(const std::string& words, const std::string& type, int64_t rows, int64_t width, int64_t factor) {
  return sample_plan(fmt::format("{} {} 2x{}x{} -> 2x{}x{}", words, type, rows, width, factor * rows, factor * width));
}

// Rows of some widths begin within cache lines and end within vectors.
void expect_growth(int64_t factor) {
  for (const std::string words : {"linear", "cubic", "cubic exclude_outside", "linear antialias"})
    for (const std::string type : {"float", "double", "complex64", "float16"})
      for (const int64_t width : {256, 264, 280, 520, 263}) {
        const int64_t taps = words.starts_with("cubic") ? 4 : 2;
        const bool fits = type == "double" ? fits_vector<double>(1, taps, factor)
                                           : fits_vector<float>(type == "complex64" ? 2 : 1, taps, factor);
        const uint64_t before = resampled();
        for (const int64_t rows : {1, 2, 9}) {
          const Plan plan = grown(words, type, rows, width, factor);
          SCOPED_TRACE(fmt::format("{} {} {}x{}", words, type, rows, width));
          Random random(static_cast<uint64_t>(width + rows));
          for (const bool stream : {false, true}) ASSERT_TRUE(equals_the_reference(plan, random, 0x5a, stream));
        }
        EXPECT_EQ(resampled() > before, fits) << words << " " << type << " " << width;
      }
}

TEST(ResampledSum, EqualsTheReference) {
  for_each_instruction_set([](int64_t /*target*/) {
    for (const int64_t factor : {2, 4}) expect_growth(factor);
  });
}

// Rows between those of a box, and columns that begin within a vector.
TEST(ResampledSum, BoxesEqualTheReference) {
  for_each_instruction_set([](int64_t /*target*/) {
    const uint64_t before = resampled();
    const Plan plan = grown("cubic", "float", 12, 320, 2);
    GuardedBytes input(product(plan.in) * 4);
    Random random(7);
    fill_random(random, plan.type, input);
    for (int64_t lo = 0; lo < 5; ++lo) {
      ASSERT_TRUE(box_equals_the_reference(plan, input, {{0, lo, 0}, {2, 24 - 2 * lo, 640}}));
      ASSERT_TRUE(box_equals_the_reference(plan, input, {{1, lo, 3 * lo}, {1, 7, 512}}));
    }
    EXPECT_EQ(resampled() > before, fits_vector<float>(1, 4, 2));
  });
}

// Crops of rows that move backwards, leave the input or stay at its border; outputs outside have no taps. Columns are doubled.
TEST(ResampledSum, CropsEqualTheReference) {
  for_each_instruction_set([](int64_t /*target*/) {
    const uint64_t before = resampled();
    for (const auto& [start, end] : {std::pair{0.1, 0.9}, {0.9, 0.2}, {-0.3, 0.6}, {0.5, 1.4}, {0.0, 1.0}, {0.0, 0.5}})
      for (const DataType type : {DataType::kFloat, DataType::kDouble, DataType::kFloat16}) {
        ResizeParams params = {type, {17, 257}, {}, {}};
        params.sampling.filter = Filter::kLinear;
        params.sampling.coordinates = CoordinateMode::kTfCropAndResize;
        params.sampling.extrapolation_value = 7;
        params.axes.push_back(cropped(0, 17, 33, start, end));
        params.axes.push_back(cropped(1, 257, 512, 0.25 / 256, 255.75 / 256));
        Random random(5);
        for (const bool stream : {false, true})
          ASSERT_TRUE(equals_the_reference(*make_resize_plan(params, Limits::none()), random, 0x5a, stream)) << start;
      }
    EXPECT_EQ(resampled() > before, fits_vector<float>(1, 2, 2));
  });
}

}  // namespace
}  // namespace tesela::testing
