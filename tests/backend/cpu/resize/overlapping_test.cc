// SPDX-License-Identifier: Apache-2.0
// Windows that overlap are summed together, and the sums equal those of each window.
#include "backend/cpu/resize/overlapping.h"

#include <gtest/gtest.h>

#include <cstring>

#include "backend/cpu/each_instruction_set.h"
#include "backend/cpu/resize/arithmetic_cases.h"
#include "backend/cpu/tuning.h"

namespace tesela::testing {
namespace {

using cpu::kOverlapped;

template <class C, class T>
void expect_sums(DataType type, ComputeType compute, int64_t taps, int64_t step, bool to_elements, bool from_memory) {
  SCOPED_TRACE(name(type));
  Random random(11);
  const auto table = cpu::make_vertical_table<C>(random_taps<C>(random, kOverlapped, taps, step));
  ASSERT_TRUE(cpu::windows_overlap(table, 0, kOverlapped, from_memory));
  for (const int64_t n : {cpu::kMinOverlappingNumbers, cpu::kMinOverlappingNumbers + 1, int64_t{77}, int64_t{200}}) {
    const auto count = static_cast<size_t>(table.last(kOverlapped - 1) + 1);
    std::vector<T> source(count * static_cast<size_t>(n));
    for (T& element : source) element = random_element<C, T>(random);
    const int64_t stride = n * static_cast<int64_t>(sizeof(T));
    const cpu::OverlappingLists<C> lists(table, 0, reinterpret_cast<const std::byte*>(source.data()), stride);
    EXPECT_EQ(lists.count, static_cast<int64_t>(count));
    std::vector<std::vector<C>> outs(kOverlapped, std::vector<C>(static_cast<size_t>(n) + 1));
    void* pointers[kOverlapped];
    for (size_t r = 0; r < kOverlapped; ++r) pointers[r] = outs[r].data();
    cpu::OverlappingSum call = {};
    call.rows = lists.rows;
    call.count = lists.count;
    call.active = lists.active;
    call.weights = lists.weights;
    call.outs = pointers;
    call.n = n;
    call.prefetched = lists.rows;
    call.prefetches = lists.count;
    call.from_memory = from_memory;
    call.by_row = from_memory && lists.most_active <= 2;
    const cpu::OverlappingSumFn sum = cpu::overlapping_kernels(type, compute).sum[to_elements];
    ASSERT_NE(sum, nullptr);
    sum(call);
    for (size_t r = 0; r < kOverlapped; ++r)
      for (int64_t i = 0; i < n; ++i) {
        const auto x = [&](int64_t k) {
          return cpu::to_number<C>(source[static_cast<size_t>((table.first[r] + k) * n + i)]);
        };
        C all = cpu::product(table.weights_of(r)[0], x(0));
        for (int64_t k = 1; k < taps; ++k) all = cpu::sum(all, cpu::product(table.weights_of(r)[k], x(k)));
        if (to_elements) {
          const auto expected = cpu::to_element<T>(all, {});
          ASSERT_EQ(std::memcmp(reinterpret_cast<const T*>(outs[r].data()) + i, &expected, sizeof expected), 0);
        } else {
          ASSERT_EQ(outs[r][static_cast<size_t>(i)], all) << "output " << r << ", column " << i << " of " << n;
        }
      }
  }
}

TEST(Overlapping, SumsEqualThoseOfEachWindow) {
  for_each_instruction_set([](int64_t target) {
    if (target == HWY_SCALAR) {  // one lane gains nothing from shared loads
      EXPECT_EQ(cpu::overlapping_kernels(DataType::kFloat, ComputeType::kFloat).sum[0], nullptr);
      return;
    }
    for (const bool from_memory : {false, true})
      for (const bool to_elements : {false, true})
        for (const auto& [taps, step] : {std::pair<int64_t, int64_t>{4, 2}, {8, 2}, {8, 1}, {12, 6}, {30, 9}}) {
          if (4 * (taps + 3 * step) > 3 * 4 * taps) continue;  // they overlap too little
          if (taps == 4 && !from_memory) continue;             // too few
          expect_sums<float, float>(DataType::kFloat, ComputeType::kFloat, taps, step, to_elements, from_memory);
          expect_sums<float, uint8_t>(DataType::kUint8, ComputeType::kFloat, taps, step, to_elements, from_memory);
          expect_sums<double, double>(DataType::kDouble, ComputeType::kDouble, taps, step, to_elements, from_memory);
        }
  });
}

TEST(Overlapping, IsForLongWindowsThatOverlapALot) {
  Random random(1);
  const auto overlap = [&](int64_t taps, int64_t step, int64_t available, bool from_memory = false) {
    return cpu::windows_overlap(cpu::make_vertical_table<float>(random_taps<float>(random, 4, taps, step)), 0,
                                available, from_memory);
  };
  EXPECT_TRUE(overlap(8, 2, 4));
  EXPECT_FALSE(overlap(8, 2, 3));  // fewer outputs
  EXPECT_FALSE(overlap(4, 1, 4));  // few taps
  EXPECT_TRUE(overlap(4, 1, 4, true));
  EXPECT_FALSE(overlap(3, 1, 4, true));
  EXPECT_FALSE(overlap(8, 7, 4));   // few rows in common
  EXPECT_FALSE(overlap(8, 9, 4));   // none
  EXPECT_FALSE(overlap(95, 2, 4));  // more rows than lists hold
}

}  // namespace
}  // namespace tesela::testing
