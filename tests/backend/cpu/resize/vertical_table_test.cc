// SPDX-License-Identifier: Apache-2.0
// Tables of vertical passes say which outputs have the same inputs, and so are summed together.
#include "backend/cpu/resize/vertical_table.h"

#include <gtest/gtest.h>

namespace tesela::testing {
namespace {

AxisTable taps(std::vector<int64_t> first, std::vector<int32_t> count, int64_t pitch) {
  AxisTable table;
  table.pitch = pitch;
  for (size_t i = 0; i < first.size(); ++i) {
    table.first.push_back(first[i]);
    table.count.push_back(count[i]);
    for (int64_t k = 0; k < pitch; ++k) table.weights.push_back(k < count[i] ? 0.25 : 0.0);
  }
  return table;
}

TEST(VerticalTable, CountsOutputsWithTheSameInputs) {
  const auto table = cpu::make_vertical_table<float>(taps({0, 0, 0, 1, 1, 4}, {2, 2, 2, 2, 3, 1}, 3));
  EXPECT_EQ(table.alike, (std::vector<uint8_t>{3, 2, 1, 1, 1, 1}));
  EXPECT_EQ(table.last(4), 3);
  EXPECT_EQ(table.most_taps, 3);
  EXPECT_EQ(table.weights_of(4)[2], 0.25F);
}

TEST(VerticalTable, SumsAtMostFourOutputsTogether) {
  const auto table = cpu::make_vertical_table<double>(taps({7, 7, 7, 7, 7, 7}, {2, 2, 2, 2, 2, 2}, 2));
  EXPECT_EQ(table.alike, (std::vector<uint8_t>{4, 4, 4, 3, 2, 1}));
}

TEST(VerticalTable, OutputsWithoutTapsOrWithAbsentOnesAreAlone) {
  AxisTable from = taps({0, 0, 0, 0}, {3, 3, 0, 3}, 3);
  from.weights[1 * 3 + 1] = 0;  // between two taps
  const auto table = cpu::make_vertical_table<float>(from);
  EXPECT_EQ(table.alike, (std::vector<uint8_t>{1, 0, 0, 1}));
}

TEST(VerticalTable, OfNoTapsHasRoomForOneRow) {
  EXPECT_EQ(cpu::make_vertical_table<float>(taps({0}, {0}, 0)).most_taps, 1);
}

}  // namespace
}  // namespace tesela::testing
