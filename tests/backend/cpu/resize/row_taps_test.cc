// SPDX-License-Identifier: Apache-2.0
// Weighted rows that are added to partial sums equal sums of one column at a time, on each instruction set.
#include "backend/cpu/resize/row_taps.h"

#include <gtest/gtest.h>

#include <cstring>

#include "backend/cpu/each_instruction_set.h"
#include "backend/cpu/resize/arithmetic_cases.h"

namespace tesela::testing {
namespace {

template <class C, class T>
void expect_added(DataType type, ComputeType compute) {
  SCOPED_TRACE(name(type));
  Random random(5);
  for (const int64_t n : {0, 1, 2, 7, 8, 9, 31, 33, 100})
    for (const int64_t taps : {1, 2, 5}) {
      const int64_t pitch = n + 3;
      std::vector<T> rows(static_cast<size_t>(taps * pitch));
      for (T& element : rows) element = random_element<C, T>(random);
      std::vector<double> weights;
      for (int64_t k = 0; k < taps; ++k)
        weights.push_back(k == 1 ? 0.0 : static_cast<double>(random_weight<C>(random)));
      std::vector<C> sums(static_cast<size_t>(n) + 1, C{7});
      std::vector<C> expected = sums;
      if (taps > 1)
        rows[static_cast<size_t>(pitch)] = store_as<T>(std::numeric_limits<double>::infinity());  // is absent
      for (int64_t k = 0; k < taps; ++k)
        for (int64_t i = 0; i < n && weights[static_cast<size_t>(k)] != 0; ++i) {
          const C x = cpu::to_number<C>(rows[static_cast<size_t>(k * pitch + i)]);
          C& all = expected[static_cast<size_t>(i)];
          all = cpu::sum(all, cpu::product(static_cast<C>(weights[static_cast<size_t>(k)]), x));
        }
      cpu::RowTaps call;
      call.weights = weights.data();
      call.taps = taps;
      call.rows = reinterpret_cast<const std::byte*>(rows.data());
      call.pitch_bytes = pitch * static_cast<int64_t>(sizeof(T));
      call.sums = reinterpret_cast<std::byte*>(sums.data());
      call.n = n;
      cpu::row_taps(type, compute)(call);
      EXPECT_EQ(sums, expected) << taps << " taps, " << n << " columns";
    }
}

TEST(RowTaps, AddRowsToPartialSums) {
  for_each_instruction_set([](int64_t) {
    expect_added<float, float>(DataType::kFloat, ComputeType::kFloat);
    expect_added<float, Float16>(DataType::kFloat16, ComputeType::kFloat);
    expect_added<float, Bfloat16>(DataType::kBfloat16, ComputeType::kFloat);
    expect_added<float, uint8_t>(DataType::kUint8, ComputeType::kFloat);
    expect_added<float, int16_t>(DataType::kInt16, ComputeType::kFloat);
    expect_added<double, uint16_t>(DataType::kUint16, ComputeType::kDouble);
    expect_added<double, float>(DataType::kFloat, ComputeType::kDouble);
    expect_added<double, double>(DataType::kDouble, ComputeType::kDouble);
    expect_added<double, int32_t>(DataType::kInt32, ComputeType::kDouble);
    expect_added<double, int64_t>(DataType::kInt64, ComputeType::kDouble);
  });
}

}  // namespace
}  // namespace tesela::testing
