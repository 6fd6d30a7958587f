// SPDX-License-Identifier: Apache-2.0
// The CPU backend: which tensors its kernels support.
#include <gtest/gtest.h>

#include "backend/cpu/resize/resize_cases.h"
#include "backend/program.h"
#include "backend/reference/reference.h"

namespace tesela::testing {
namespace {

// With misaligned and strided tensors the result is the same, and the bytes between elements do not change.
TEST(CpuBackend, GappedAndMisalignedTensorsAreRight) {
  ResizeParams params;
  params.type = DataType::kFloat;
  params.in = {4, 6, 20};
  params.sampling.filter = Filter::kCubic;
  for (size_t d = 0; d < 3; ++d)
    params.axes.push_back({d, params.in[d], params.in[d] + 3, true, params.in[d] + 3, params.in[d]});
  const Plan plan = *make_resize_plan(params, Limits::none());
  const ProgramPtr program = cpu::bind(plan);
  Random random(1);
  GuardedBytes dense(4 * 6 * 20 * 4);
  fill_random(random, DataType::kFloat, dense);
  std::vector<std::byte> spread(4 * 6 * 20 * 12 + 1);
  const Extents strides = {6 * 20 * 12, 20 * 12, 12};
  const MutableTensorView gapped = {spread.data() + 1, DataType::kFloat, plan.in, strides, 0};
  copy_elements({dense.data(), DataType::kFloat, plan.in, {}, 0}, gapped);

  const auto count = static_cast<size_t>(product(plan.out));
  std::vector<std::byte> expected(count * 4);
  std::vector<std::byte> actual(count * 8 + 1, std::byte{0x77});
  const Extents zero = {0, 0, 0};
  Extents out_strides = dense_strides(DataType::kDouble, plan.out);  // eight bytes for each element of four
  const BoxRun plain = {{dense.data(), DataType::kFloat, plan.in, {}, 0},
                        zero,
                        {expected.data(), DataType::kFloat, plan.out, {}, 0},
                        zero};
  const BoxRun odd = {gapped.as_const(), zero, {actual.data() + 1, DataType::kFloat, plan.out, out_strides, 0}, zero};
  reference::run_box(plan, plain);
  program->run_box(plan, odd, {});
  for (size_t i = 0; i < count; ++i) {
    EXPECT_TRUE(same(plan.type, &expected[i * 4], &actual[1 + i * 8], 4)) << i;
    EXPECT_EQ(actual[1 + i * 8 + 4], std::byte{0x77}) << i;
  }
}

}  // namespace
}  // namespace tesela::testing
