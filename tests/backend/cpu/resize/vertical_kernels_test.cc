// SPDX-License-Identifier: Apache-2.0
// Sums of rows equal sums of one column at a time, for each number of taps and outputs, and on each instruction set.
#include "backend/cpu/resize/vertical_kernels.h"

#include <gtest/gtest.h>

#include <cstring>
#include <utility>

#include "backend/cpu/each_instruction_set.h"
#include "backend/cpu/resize/arithmetic_cases.h"

namespace tesela::testing {
namespace {

using cpu::VerticalKernels;

template <class C, class In, class Out>
void expect_sums(cpu::VerticalSumFn sum, int64_t taps, int64_t outputs, bool steps, int64_t n, Random& random) {
  std::vector<std::vector<In>> rows(static_cast<size_t>(taps + steps), std::vector<In>(static_cast<size_t>(n)));
  std::vector<const void*> row_pointers;
  for (auto& row : rows) {
    for (In& element : row) element = random_element<C, In>(random);
    row_pointers.push_back(row.data());
  }
  std::vector<C> weights(static_cast<size_t>(outputs * taps));
  for (C& weight : weights) weight = random_weight<C>(random);
  const auto untouched = random_element<C, Out>(random);
  // Rows begin in different places of a cache line, if n is odd.
  std::vector<std::vector<Out>> outs;
  std::vector<size_t> begins;
  std::vector<void*> out_pointers;
  for (size_t r = 0; r < static_cast<size_t>(outputs); ++r) {
    begins.push_back(n % 2 == 0 ? static_cast<size_t>(n / 2 % 16) : 5 * r % 16);
    outs.emplace_back(begins[r] + static_cast<size_t>(n) + 1, untouched);
  }
  for (size_t r = 0; r < outs.size(); ++r) out_pointers.push_back(outs[r].data() + begins[r]);

  cpu::VerticalSum call;
  call.rows = row_pointers.data();
  call.taps = call.pitch = taps;
  call.weights = weights.data();
  call.outs = out_pointers.data();
  call.outputs = outputs;
  call.steps = steps;
  call.n = n;
  call.stream = n % 4 < 2;
  call.leaves_l2 = n % 5 < 3;
  call.prefetched = row_pointers.data();
  call.prefetches = n % 3 == 0 ? taps : 0;
  call.rounding = rounding_of<C, Out>();
  sum(call);

  for (size_t r = 0; r < outs.size(); ++r) {
    const C* const weight = weights.data() + r * static_cast<size_t>(taps);
    const std::vector<In>* const row = rows.data() + (steps && r >= outs.size() / 2 ? 1 : 0);
    for (size_t i = 0; i < static_cast<size_t>(n); ++i) {
      C all = cpu::product(weight[0], cpu::to_number<C>(row[0][i]));
      for (int64_t k = 1; k < taps; ++k) all = cpu::sum(all, cpu::product(weight[k], cpu::to_number<C>(row[k][i])));
      const auto expected = cpu::to_element<Out>(all, call.rounding);
      ASSERT_EQ(std::memcmp(&outs[r][begins[r] + i], &expected, sizeof expected), 0)
          << taps << " taps, output " << r << " of " << outputs << ", column " << i << " of " << n;
    }
    EXPECT_EQ(std::memcmp(&outs[r].back(), &untouched, sizeof untouched), 0) << "wrote behind the row";
    for (size_t i = 0; i < begins[r]; ++i)
      EXPECT_EQ(std::memcmp(&outs[r][i], &untouched, sizeof untouched), 0) << "wrote before the row";
  }
}

template <class C, class In, class Out>
void expect_shapes(const cpu::VerticalSumFn (&sums)[cpu::kVerticalShapes]) {
  Random random(3);
  const cpu::VerticalSumFn stepping = sums[static_cast<size_t>(cpu::VerticalShape::kTwoTapsTwiceTwice)];
  for (const auto& [taps, outputs] : {std::pair{1, 1}, {2, 1}, {3, 1}, {4, 1}, {8, 1}, {2, 2}, {2, 4}, {4, 2}})
    for (const int64_t n : {0, 1, 3, 8, 15, 16, 17, 31, 64, 65, 130, 200, 257, 259, 272, 274, 301, 513, 572}) {
      const cpu::VerticalSumFn sum = sums[static_cast<size_t>(cpu::shape_of(taps, outputs))];
      ASSERT_NE(sum, nullptr);
      ASSERT_NO_FATAL_FAILURE((expect_sums<C, In, Out>(sum, taps, outputs, false, n, random)));
      if (taps != 2 || outputs != 4 || stepping == nullptr) continue;
      ASSERT_NO_FATAL_FAILURE((expect_sums<C, In, Out>(stepping, taps, outputs, true, n, random)));
    }
}

template <class C, class T>
void expect_kernels(const VerticalKernels& kernels) {
  expect_shapes<C, T, C>(kernels.sum[0][0]);
  expect_shapes<C, T, T>(kernels.sum[0][1]);
  expect_shapes<C, C, C>(kernels.sum[1][0]);
  expect_shapes<C, C, T>(kernels.sum[1][1]);
}

TEST(VerticalKernels, SumElementsAndNumbersInFloat) {
  for_each_instruction_set([](int64_t) {
    const auto kernels = [](DataType type) { return cpu::vertical_kernels(type, ComputeType::kFloat); };
    expect_kernels<float, float>(kernels(DataType::kFloat));
    expect_kernels<float, Float16>(kernels(DataType::kFloat16));
    expect_kernels<float, Bfloat16>(kernels(DataType::kBfloat16));
    expect_kernels<float, uint8_t>(kernels(DataType::kUint8));
    expect_kernels<float, int8_t>(kernels(DataType::kInt8));
    expect_kernels<float, uint16_t>(kernels(DataType::kUint16));
    expect_kernels<float, int16_t>(kernels(DataType::kInt16));
    expect_kernels<float, BoolByte>(kernels(DataType::kBool));
  });
}

TEST(VerticalKernels, SumElementsAndNumbersInDouble) {
  for_each_instruction_set([](int64_t) {
    expect_kernels<double, double>(cpu::vertical_kernels(DataType::kDouble, ComputeType::kDouble));
    expect_kernels<double, int32_t>(cpu::vertical_kernels(DataType::kInt32, ComputeType::kDouble));
    // Rows of other types are converted separately.
    const VerticalKernels converted = cpu::vertical_kernels(DataType::kInt64, ComputeType::kDouble);
    expect_shapes<double, double, double>(converted.sum[1][0]);
    EXPECT_EQ(converted.sum[0][0][0], nullptr);
    EXPECT_EQ(converted.sum[1][1][0], nullptr);
  });
}

TEST(VerticalKernels, StepWhereThereAreRegisters) {
  for_each_instruction_set([](int64_t target) {
    const VerticalKernels kernels = cpu::vertical_kernels(DataType::kFloat, ComputeType::kFloat);
    const cpu::VerticalSumFn sum = kernels.sum[1][1][static_cast<size_t>(cpu::VerticalShape::kTwoTapsTwiceTwice)];
    EXPECT_EQ(sum != nullptr, (target & (HWY_AVX3 | HWY_AVX3_DL)) != 0);
  });
}

TEST(VerticalKernels, SumBytesInIntegers) {
  for_each_instruction_set([](int64_t) {
    using enum cpu::Arithmetic;
    expect_kernels<uint16_t, uint8_t>(cpu::vertical_kernels_of_integers(DataType::kUint8, kPowerOfTwo));
    expect_kernels<uint16_t, int8_t>(cpu::vertical_kernels_of_integers(DataType::kInt8, kPowerOfTwo));
    expect_kernels<int32_t, uint8_t>(cpu::vertical_kernels_of_integers(DataType::kUint8, kFixedPoint));
    expect_kernels<int32_t, int8_t>(cpu::vertical_kernels_of_integers(DataType::kInt8, kFixedPoint));
  });
}

TEST(VerticalKernels, TakeAsManyOutputsAsShapesHave) {
  for (int64_t taps = 1; taps <= 9; ++taps)
    for (int64_t available = 1; available <= 6; ++available) {
      const int64_t outputs = cpu::outputs_per_call(taps, available);
      ASSERT_LE(outputs, available);
      EXPECT_TRUE(outputs == 1 || cpu::shape_of(taps, outputs) != cpu::VerticalShape::kAny) << taps << " taps";
    }
}

}  // namespace
}  // namespace tesela::testing
