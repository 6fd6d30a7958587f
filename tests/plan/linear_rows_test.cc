// SPDX-License-Identifier: Apache-2.0
// Which axes have the weights of two neighbours computed in one loop, and weights where that loop does not apply.
#include "plan/linear_rows.h"

#include <gtest/gtest.h>

#include "plan/axis_requests.h"

namespace tesela {
namespace {

AxisMap linear(const AxisRequest& request, SamplingParams sampling = {}) {
  sampling.filter = Filter::kLinear;
  return *make_axis_map(request, sampling);
}

TEST(LinearRows, AreThoseOfPlainLinearAxes) {
  for (const AxisRequest& request : {by_scale(4, 2), by_scale(9, 0.7), by_sizes(4, 7), by_sizes(9, 4)}) {
    EXPECT_TRUE(has_linear_rows(linear(request)));
    EXPECT_FALSE(has_linear_rows(linear(request, {.exclude_outside = true})));
    EXPECT_FALSE(has_linear_rows(linear(request, {.coordinates = CoordinateMode::kTfCropAndResize})));
    EXPECT_FALSE(has_linear_rows(*make_axis_map(request, {.filter = Filter::kCubic})));
  }
  EXPECT_FALSE(has_linear_rows(linear(by_sizes(9, 4), {.antialias = true})));
  EXPECT_FALSE(has_linear_rows(linear(by_scale(9, 0.7), {.antialias = true})));
  EXPECT_FALSE(has_linear_rows(linear(by_sizes(int64_t{1} << 40, (int64_t{1} << 40) - 1)))) << "integers above 2^53";
}

TEST(LinearRows, WeightsOfAGridAreItsMultiples) {  // 4 -> 7, output 1 is at 5/14: weights of 9/14 and 5/14
  AxisMap map = linear(by_sizes(4, 7));
  map.weight_bits = 1;
  const AxisTable halves = make_axis_table(map, {1, 1}, ComputeType::kDouble);
  ASSERT_EQ(halves.count[0], 2);
  EXPECT_EQ(halves.row(0)[0], 0.5);
  EXPECT_EQ(halves.row(0)[1], 0.5);
  map.weight_bits = 0;
  EXPECT_FALSE(has_linear_rows(map));
  const AxisTable whole = make_axis_table(map, {1, 1}, ComputeType::kDouble);
  EXPECT_EQ(whole.first[0], 0);
  ASSERT_EQ(whole.count[0], 1);
  EXPECT_EQ(whole.row(0)[0], 1);
}

TEST(LinearRows, NumeratorsBeyond64BitsAreExact) {
  const int64_t in = int64_t{1} << 40;
  const int64_t out = in - 1;
  const AxisMap map = linear(by_sizes(in, out));
  ASSERT_FALSE(map.narrow);
  EXPECT_FALSE(has_linear_rows(map));
  const AxisTable table = make_axis_table(map, {out - 4, 4}, ComputeType::kDouble);
  for (size_t k = 0; k < 4; ++k) {
    const int64_t i = out - 4 + static_cast<int64_t>(k);
    // (i + 1/2) * in / out - 1/2
    const Int128 num = Int128{2 * i + 1} * in - out;
    const Int128 den = Int128{2} * out;
    const auto whole = static_cast<int64_t>(num / den);
    ASSERT_LT(whole, in - 1);
    EXPECT_EQ(table.first[k], whole) << i;
    ASSERT_EQ(table.count[k], 2) << i;
    const double* const row = table.row(static_cast<int64_t>(k));
    EXPECT_EQ(row[0], static_cast<double>(den - num % den) / static_cast<double>(den)) << i;
    EXPECT_EQ(row[1], static_cast<double>(num % den) / static_cast<double>(den)) << i;
  }
}

}  // namespace
}  // namespace tesela
