// SPDX-License-Identifier: Apache-2.0
// Sums of two by two pixels equal the reference in every bit, with every instruction set.
#include <gtest/gtest.h>

#include <array>

#include "backend/boxes.h"
#include "backend/cpu/each_instruction_set.h"
#include "backend/cpu/kernels.h"
#include "backend/cpu/resize/program.h"
#include "backend/cpu/resize/resize_cases.h"
#include "backend/cpu/sample_plan.h"
#include "backend/cpu/tuning.h"
#include "backend/reference/reference.h"
#include "plan/resolve.h"

namespace tesela::testing {
namespace {

constexpr const char* kTypes[] = {"float", "uint16", "int16", "uint8", "int8", "float16", "bfloat16"};

uint64_t pairs() {
  return cpu::kernel_tasks[static_cast<size_t>(cpu::Kernel::pixel_pairs)];
}

// heights: of the input and the output.
void expect_every_width(std::pair<int64_t, int64_t> heights) {
  for_each_instruction_set([heights](int64_t target) {
    const uint64_t before = pairs();
    for (const char* type : kTypes)
      for (const char* mode : {"", " align_corners", " asymmetric", " pytorch_half_pixel"})
        for (int64_t n = 1; n <= 36; ++n)
          for (const int64_t in : {2 * n + 1, 2 * n + 4, 3 * n + 1, 5 * n + 2}) {
            const int64_t channels = std::array{1, 3, 4, 5, 8, 11, 17, 32, 63, 64, 130}[static_cast<size_t>(n % 11)];
            const std::string sample = fmt::format("linear{} {} 2x{}x{}x{} -> 2x{}x{}x{}", mode, type, heights.first,
                                                   in, channels, heights.second, n, channels);
            SCOPED_TRACE(sample);
            Random random(static_cast<uint64_t>(n));
            const Plan plan = sample_plan(sample);
            ASSERT_TRUE(equals_the_reference(plan, random, 0x5a, false));
            if (in * channels > cpu::kMaxJoinedRow) continue;  // whole planes of shorter rows may be joined
            GuardedBytes input(product(plan.in) * element_bits(plan.type) / 8);
            fill_random(random, plan.type, input);
            ASSERT_TRUE(box_equals_the_reference(plan, input, {{0, 0, 0, 0}, {2, heights.second - 1, n, channels}}));
          }
    EXPECT_EQ(pairs() > before, target != HWY_SCALAR);
  });
}

// Rows end at the end of the memory, so that loads beyond them would be noticed.
TEST(PixelPairs, EqualTheReferenceAtEveryWidth) {
  expect_every_width({7, 3});
}

// A height that grows is resampled after the width.
TEST(PixelPairs, OfRowsEqualTheReferenceAtEveryWidth) {
  expect_every_width({3, 7});
}

// Crops that move backwards, leave the input or stay at its border.
void expect_crops(int64_t channels) {
  for_each_instruction_set([channels](int64_t target) {
    const uint64_t before = pairs();
    for (const auto& [start, end] : {std::pair{0.1, 0.9}, {0.9, 0.2}, {-0.3, 0.6}, {0.5, 1.4}, {0.0, 1.0}})
      for (const DataType type : {DataType::kFloat, DataType::kUint16, DataType::kUint8}) {
        ResizeParams params = {type, {9, 67, channels}, {}, {}};
        params.sampling.filter = Filter::kLinear;
        params.sampling.coordinates = CoordinateMode::kTfCropAndResize;
        params.sampling.extrapolation_value = 7;
        for (const auto& [axis, out] : {std::pair<size_t, int64_t>{0, 5}, {1, 16}})
          params.axes.push_back(cropped(axis, params.in[axis], out, start, end));
        Random random(5);
        ASSERT_TRUE(equals_the_reference(*make_resize_plan(params, Limits::none()), random, 0x5a, false)) << start;
      }
    EXPECT_EQ(pairs() > before, target != HWY_SCALAR);
  });
}

TEST(PixelPairs, CropsEqualTheReference) {
  expect_crops(3);
}
TEST(PixelPairs, CropsOfManyChannelsEqualTheReference) {
  expect_crops(17);
}

// Boxes begin anywhere, and may belong to a run whose output bypasses the caches.
void expect_boxes(int64_t channels) {
  const Plan plan = sample_plan(fmt::format("linear float 3x20x90x{0} -> 3x9x40x{0}", channels));
  Random random(3);
  GuardedBytes input(product(plan.in) * 4);
  fill_random(random, plan.type, input);
  BoxRun whole;
  whole.input = {input.data(), plan.type, plan.in, {}, 0};
  whole.input_lo = {0, 0, 0, 0};
  const Box boxes[] = {{{1, 2, 0, 0}, {2, 5, 40, channels}},
                       {{0, 0, 7, 0}, {3, 9, 20, channels}},
                       {{2, 8, 39, 0}, {1, 1, 1, channels}},
                       {{0, 3, 5, 1}, {2, 4, 33, channels - 1}}};
  BoxContext streamed;
  streamed.run_output_bytes = int64_t{1} << 40;
  for_each_instruction_set([&](int64_t target) {
    for (const BoxContext& context : {BoxContext{}, streamed}) {
      const uint64_t before = pairs();
      for (const Box& box : boxes) {
        GuardedBytes expected(product(box.n) * 4);
        GuardedBytes actual(product(box.n) * 4);
        whole.output = {expected.data(), plan.type, box.n, {}, 0};
        whole.output_lo = box.lo;
        const BoxRun part = part_of(plan, whole, box);
        reference::run_box(plan, part);
        BoxRun other = part;
        other.output.data = actual.data();
        bind(plan)->run_box(plan, other, context);
        EXPECT_TRUE(same(plan.type, expected.data(), actual.data(), expected.size()));
      }
      EXPECT_EQ(pairs() > before, target != HWY_SCALAR);
    }
  });
}

TEST(PixelPairs, BoxesEqualTheReference) {
  expect_boxes(4);
}
TEST(PixelPairs, BoxesOfManyChannelsEqualTheReference) {
  expect_boxes(21);
}
TEST(PixelPairs, BoxesOfMoreChannelsThanLookedUpEqualTheReference) {
  expect_boxes(100);
}

}  // namespace
}  // namespace tesela::testing
