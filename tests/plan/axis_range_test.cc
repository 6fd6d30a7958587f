// SPDX-License-Identifier: Apache-2.0
// Which axes stretch their filter, the widest allowed window, and the outputs with taps in a part of the input.
#include <gtest/gtest.h>

#include <limits>

#include "plan/axis_map.h"

#include "plan/axis_requests.h"

namespace tesela {
namespace {

SamplingParams antialiased(CoordinateMode mode, PositionArithmetic arithmetic = PositionArithmetic::kContract) {
  SamplingParams params;
  params.filter = Filter::kLinear;
  params.coordinates = mode;
  params.antialias = true;
  params.arithmetic = arithmetic;
  return params;
}

// ---- Antialias --------------------------------------------------------------------------------------------

TEST(AxisAntialias, StretchesTheFilterOnlyOfAxesThatShrink) {
  const auto stretches = [](const AxisRequest& request, CoordinateMode mode) {
    return make_axis_map(request, antialiased(mode))->antialias;
  };
  using enum CoordinateMode;
  EXPECT_TRUE(stretches(by_sizes(4, 3), kHalfPixel));
  EXPECT_TRUE(stretches(by_scale(4, 3, 0.75), kHalfPixel));
  EXPECT_FALSE(stretches(by_sizes(4, 6), kHalfPixel));
  EXPECT_FALSE(stretches(by_scale(4, 6, 1.5), kHalfPixel));
  // A crop is no identity, even with scale 1.
  EXPECT_FALSE(stretches(with_roi(by_sizes(4, 4), 0.25, 0.75), kTfCropAndResize));
  EXPECT_FALSE(stretches(with_roi(by_scale(4, 4, 1), 0.25, 0.75), kTfCropAndResize));
}

TEST(AxisAntialias, WindowOfOnnxRuntimeIsTheWidestOfAnOutput) {
  const AxisMap map =
      *make_axis_map(by_scale(8, 2, 0.25), antialiased(CoordinateMode::kHalfPixel, PositionArithmetic::kOnnxRuntime));
  const TapWindow window = tap_window(map, 0);  // 1.5 - 4 to 1.5 + 4, widened to integers
  EXPECT_EQ(window.lo, -3);
  EXPECT_EQ(window.hi, 6);
  EXPECT_EQ(window_of(map), 10);
}

TEST(AxisAntialias, WindowsHaveLessThanTwoToThe31Taps) {
  const SamplingParams params = antialiased(CoordinateMode::kHalfPixel);
  const int64_t most = (int64_t{1} << 30) - 1;
  const Result<AxisMap> map = make_axis_map(by_sizes(most, 1), params);
  ASSERT_TRUE(map.ok());
  EXPECT_EQ(window_of(*map), 2147483646);
  const Status status = make_axis_map(by_sizes(most + 1, 1), params).status();
  EXPECT_EQ(status.code(), TESELA_ERROR_LIMIT);
  EXPECT_EQ(status.message(),
            "axis 0: from extent 1073741824 to 1 an output has 2147483648 taps; the limit is 2^31 - 1");
}

// ---- output_range -----------------------------------------------------------------------------------------

// By trying every output.
IndexRange outputs_among(const std::vector<IndexRange>& windows, IndexRange outputs, IndexRange inputs) {
  IndexRange found = {outputs.lo, 0};
  for (int64_t i = outputs.lo; i < outputs.lo + outputs.n; ++i) {
    const IndexRange& window = windows[static_cast<size_t>(i)];
    if (window.lo >= inputs.lo + inputs.n || window.lo + window.n <= inputs.lo) continue;
    if (found.n == 0) found.lo = i;
    found.n = i + 1 - found.lo;
  }
  return found;
}

void check_output_ranges(const AxisMap& map) {
  std::vector<IndexRange> windows;
  for (int64_t i = 0; i < map.out; ++i) windows.push_back(input_range(map, {i, 1}));
  for (int64_t lo = 0; lo < map.out; ++lo)
    for (int64_t n = 1; lo + n <= map.out; ++n)
      for (int64_t first = 0; first < map.in; ++first)
        for (int64_t count = 1; first + count <= map.in; ++count) {
          const IndexRange expected = outputs_among(windows, {lo, n}, {first, count});
          const IndexRange found = output_range(map, {lo, n}, {first, count});
          ASSERT_EQ(found.n, expected.n) << lo << "+" << n << " among " << first << "+" << count;
          if (found.n > 0) {
            ASSERT_EQ(found.lo, expected.lo) << lo << "+" << n << " among " << first << "+" << count;
          }
        }
}

void check_every_filter(const AxisRequest& request, CoordinateMode mode) {
  for (const PositionArithmetic arithmetic : {PositionArithmetic::kContract, PositionArithmetic::kOnnxRuntime})
    for (const Filter filter : {Filter::kLinear, Filter::kCubic})
      for (const bool antialias : {false, true}) {
        SamplingParams params = antialiased(mode, arithmetic);
        params.filter = filter;
        params.antialias = antialias;
        SCOPED_TRACE(fmt::format("{}->{} roi {} {} mode {} arithmetic {} filter {} antialias {}", request.in,
                                 request.out, request.roi_start, request.roi_end, static_cast<int>(mode),
                                 static_cast<int>(arithmetic), static_cast<int>(filter), antialias));
        ASSERT_NO_FATAL_FAILURE(check_output_ranges(*make_axis_map(request, params)));
      }
}

TEST(OutputRange, IsThatOfASearchOnSmallAxes) {
  for (const CoordinateMode mode :
       {CoordinateMode::kHalfPixel, CoordinateMode::kAlignCorners, CoordinateMode::kTfHalfPixelForNn})
    for (const auto& [in, out] : {std::pair(1, 1), {1, 6}, {7, 1}, {5, 5}, {3, 9}, {9, 3}, {7, 8}, {8, 5}}) {
      ASSERT_NO_FATAL_FAILURE(check_every_filter(by_sizes(in, out), mode));
      const double scale = static_cast<double>(out) / static_cast<double>(in);
      ASSERT_NO_FATAL_FAILURE(check_every_filter(by_scale(in, out, scale), mode));
    }
}

TEST(OutputRange, IsThatOfASearchOnCropsInEveryDirection) {
  for (const auto& [in, out] : {std::pair(1, 4), {6, 1}, {4, 7}, {8, 4}, {7, 7}})
    for (const auto& [start, end] :
         {std::pair(0.0, 1.0), {1.0, 0.0}, {-0.3, 1.2}, {0.2, 0.7}, {0.9, 0.1}, {1.5, -0.5}, {0.5, 0.5}, {3.0, 4.0}})
      ASSERT_NO_FATAL_FAILURE(
          check_every_filter(with_roi(by_sizes(in, out), start, end), CoordinateMode::kTfCropAndResize));
}

TEST(OutputRange, IsEmptyWithoutOutputsOrInputs) {
  const AxisMap map = *make_axis_map(by_sizes(4, 8), antialiased(CoordinateMode::kHalfPixel));
  for (const auto& [outputs, inputs] : {std::pair(IndexRange{2, 0}, IndexRange{0, 4}), {{2, 6}, {2, 0}}}) {
    const IndexRange found = output_range(map, outputs, inputs);
    EXPECT_EQ(found.lo, 2);
    EXPECT_EQ(found.n, 0);
  }
}

TEST(OutputRange, IsEveryOutputWherePositionsOverflow) {
  const double huge = std::numeric_limits<double>::max();
  for (const auto& [start, end] : {std::pair(0.0, huge), {0.0, -huge}, {huge, huge}, {-huge, huge}}) {
    const AxisMap map =
        *make_axis_map(with_roi(by_sizes(4, 5), start, end), antialiased(CoordinateMode::kTfCropAndResize));
    const IndexRange found = output_range(map, {1, 4}, {0, 2});
    EXPECT_EQ(found.lo, 1) << start << " " << end;
    EXPECT_EQ(found.n, 4) << start << " " << end;
    EXPECT_EQ(output_range(map, {0, 5}, {1, 1}).n, 5) << start << " " << end;
  }
}

}  // namespace
}  // namespace tesela
