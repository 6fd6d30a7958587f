// SPDX-License-Identifier: Apache-2.0
// Small planes, many at a time, equal the reference in every bit, with every instruction set.
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
#include "types/elements.h"

namespace tesela::testing {
namespace {

uint64_t joined_tasks() {
  return cpu::kernel_tasks[static_cast<size_t>(cpu::Kernel::joined_planes)];
}

// Random parameters for so many planes of few elements.
ResizeParams small_planes(Random& random, int64_t planes) {
  ResizeParams params = random_params(random);
  Extents in = {planes};
  for (const int64_t extent : params.in) in.push_back(1 + extent % 9);
  params.in = in;
  for (AxisRequest& axis : params.axes) {
    ++axis.axis;
    axis.in = in[axis.axis];
    axis.out = 1 + axis.out % 17;
    axis.scale_num = axis.out;
    axis.scale_den = axis.in;
    axis.scale = static_cast<double>(static_cast<float>(axis.out) / static_cast<float>(axis.in));
  }
  if (params.type == DataType::kUint8 && random() % 2 == 0) params.sampling.grid = WeightGrid::kFixed8;
  return params;
}

TEST(JoinedPlanes, EqualTheReferenceOnRandomPlans) {
  const uint64_t cases = random_cases(300);
  for_each_instruction_set([&](int64_t) {
    const uint64_t before = joined_tasks();
    for (uint64_t seed = 0; seed < cases; ++seed) {
      Random random(seed);
      const ResizeParams params = small_planes(random, 16 + static_cast<int64_t>(random() % 150));
      const Result<Plan> plan = make_resize_plan(params, Limits::none());
      if (!plan.ok()) continue;                                                     // a plane of nothing
      if (!cpu::has_arithmetic(*plan, std::get<ResizePlan>(plan->work))) continue;  // the reference backend's
      SCOPED_TRACE(fmt::format("seed {}: {}", seed, description(params)));
      ASSERT_TRUE(equals_the_reference(*plan, random, 0x5a, seed % 2 == 0));
    }
    EXPECT_GT(joined_tasks() - before, cases / 4);
  });
}

// Runs a box of the output by both backends.
void expect_box_equals_the_reference(const Plan& plan, const Box& box, int threads) {
  Random random(5);
  GuardedBytes input(product(plan.in) * element_bits(plan.type) / 8);
  fill_random(random, plan.type, input);
  const int64_t bytes = product(box.n) * element_bits(plan.type) / 8;
  GuardedBytes expected(bytes);
  GuardedBytes actual(bytes);
  std::memset(actual.data(), 0x5a, static_cast<size_t>(bytes));
  BoxRun run;
  run.input = {input.data(), plan.type, plan.in, {}, 0};
  run.input_lo = Extents(plan.in.size(), 0);
  run.output = {expected.data(), plan.type, box.n, {}, 0};
  run.output_lo = box.lo;
  ASSERT_TRUE(run_plan(plan, *bind(plan, Backend::reference), run, Executor(), {}).ok());
  run.output.data = actual.data();
  ASSERT_TRUE(run_plan(plan, *bind(plan), run, Executor::on_threads(threads), {}).ok());
  EXPECT_TRUE(same(plan.type, expected.data(), actual.data(), bytes));
}

// Their input is cut to what the outputs need: the columns and rows at the borders are not.
TEST(JoinedPlanes, OfSeveralTasks) {
  for (const char* sample : {"linear float 3000x16x8 -> 3000x3x2", "linear uint8 3000x5x6 -> 3000x9x11",
                             "cubic float16 2x1500x7x7 -> 2x1500x5x14", "linear float 7x900x9 -> 7x2000x18",
                             "linear double 3000x3x4x5 -> 3000x2x4x6", "linear float 3000x5x8 -> 3000x14x1",
                             "cubic uint8 3000x5x20 -> 3000x4x2", "linear antialias float16 3000x5x10 -> 3000x4x2"}) {
    SCOPED_TRACE(sample);
    const Plan plan = sample_plan(sample);
    const uint64_t before = joined_tasks();
    for (const int threads : {1, 2})
      expect_box_equals_the_reference(plan, {Extents(plan.out.size(), 0), plan.out}, threads);
    EXPECT_GT(joined_tasks(), before);
  }
}

TEST(JoinedPlanes, OfBoxes) {
  const Plan plan = sample_plan("linear float 5x40x5x6 -> 5x40x9x11");
  uint64_t before = joined_tasks();
  expect_box_equals_the_reference(plan, {{1, 0, 0, 0}, {3, 40, 9, 11}}, 1);
  expect_box_equals_the_reference(plan, {{2, 7, 0, 0}, {1, 30, 9, 11}}, 1);
  EXPECT_EQ(joined_tasks(), before + 2);
  expect_box_equals_the_reference(plan, {{0, 0, 2, 0}, {5, 40, 6, 11}}, 1);  // parts of planes
  expect_box_equals_the_reference(plan, {{0, 0, 0, 1}, {5, 40, 9, 3}}, 1);
  EXPECT_EQ(joined_tasks(), before + 2);
}

// Of crops, only what outputs need is read: some rows, some columns, both, some rows of some planes; or all of it; or rows in place.
TEST(JoinedPlanes, OfCrops) {
  for (const char* sample : {
           "linear tf_crop_and_resize float16 7x40x12 -> 7x9x11 roi=0,0.2,0,1,0.5,1",
           "linear tf_crop_and_resize float 7x40x30 -> 7x9x11 roi=0,0.9,0.7,1,0.8,0.5",
           "cubic tf_crop_and_resize uint8 7x12x30 -> 7x9x11 roi=0,0,0.5,1,1,0.6",
           "linear tf_crop_and_resize double 3x30x20x9 -> 3x9x11x8 roi=0,0.1,0.1,0,1,0.4,0.2,1",
           "linear tf_crop_and_resize bfloat16 3x30x20x40 -> 3x9x11x8 roi=0,0.1,0.1,0.3,1,0.4,0.2,0.4",
           "cubic tf_crop_and_resize complex64 5x30x40 -> 5x9x11 roi=0,0.1,0.1,1,0.2,0.3",
           "linear tf_crop_and_resize float 7x20x30x3 -> 7x9x11x3 roi=0,0.6,0.4,0,1,0.7,0.9,1",
           "linear tf_crop_and_resize int16 7x40x30 -> 7x9x11 roi=0,-0.3,0.9,1,0.1,1.2 extrapolation_value=3",
           "linear tf_crop_and_resize float 7x5x6 -> 7x9x11 roi=0,0,0.1,1,1,0.9",
           "linear tf_crop_and_resize float 200x15x10 -> 200x8x2 roi=0,0.56,0.33,1,0.81,0.93",
           "linear tf_crop_and_resize float 300x20x6 -> 300x9x4 roi=0,0.5,0,1,1.2,1",
           "cubic tf_crop_and_resize double 90x30x7 -> 90x9x5 roi=0,0.3,0.1,1,0.7,0.9",
           "linear antialias tf_crop_and_resize float 200x40x12 -> 200x5x2 roi=0,0.3,0,1,0.7,1",
           "cubic tf_crop_and_resize complex64 60x30x5 -> 60x7x3 roi=0,0.9,0,1,0.4,1",
       }) {
    SCOPED_TRACE(sample);
    const Plan plan = sample_plan(sample);
    Box planes = {Extents(plan.out.size(), 0), plan.out};
    planes.lo[0] = 1;
    planes.n[0] = 2;
    for_each_instruction_set([&](int64_t) {
      const uint64_t before = joined_tasks();
      expect_box_equals_the_reference(plan, {Extents(plan.out.size(), 0), plan.out}, 1);
      expect_box_equals_the_reference(plan, planes, 1);
      EXPECT_EQ(joined_tasks(), before + 2);
    });
  }
}

TEST(JoinedPlanes, AreNotJoinedWhereGapsSeparateThem) {
  const Plan plan = sample_plan("linear float 40x5x6 -> 40x9x11");
  Random random(5);
  GuardedBytes input(40 * 32 * 4);
  fill_random(random, plan.type, input);
  std::vector<std::byte> expected(40 * 99 * 4);
  std::vector<std::byte> actual(expected.size());
  BoxRun run;
  run.input = {input.data(), plan.type, plan.in, {32 * 4, 6 * 4, 4}, 0};
  run.output = {expected.data(), plan.type, plan.out, {}, 0};
  run.input_lo = run.output_lo = {0, 0, 0};
  reference::run_box(plan, run);
  run.output.data = actual.data();
  const uint64_t before = joined_tasks();
  ASSERT_TRUE(run_plan(plan, *bind(plan), run, Executor(), {}).ok());
  EXPECT_EQ(joined_tasks(), before);
  EXPECT_TRUE(same(plan.type, expected.data(), actual.data(), std::ssize(actual)));
}

}  // namespace
}  // namespace tesela::testing
