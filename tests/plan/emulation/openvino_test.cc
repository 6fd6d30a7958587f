// SPDX-License-Identifier: Apache-2.0
// Results and refusals of OpenVINO's CPU plugin; results are those of its version 2026.4.1.
#include "plan/emulation/openvino.h"

#include <cmath>

#include "plan/emulation/calls.h"

namespace tesela {
namespace {

const Attribute kLinear = text("mode", "linear");
const Attribute kCubic = text("mode", "cubic");

Attribute positions(const std::string& mode) {
  return text("coordinate_transformation_mode", mode);
}

EmulatedRequest resize(const Extents& in, const std::vector<int64_t>& sizes, const std::vector<Attribute>& attributes,
                       DataType type = DataType::kFloat) {
  return {Rules::kOpenvino, in, sizes, attributes, type};
}

EmulatedRequest by_scale(std::string_view op, int64_t opset, int64_t in, float scale, const std::string& mode) {
  return {Rules::kOpenvino, {1, 1, 1, in}, {}, {text("mode", mode)}, DataType::kFloat, {1, 1, 1, scale}, {}, op, opset};
}

TEST(OpenvinoEmulation, LinearInEveryCoordinateMode) {
  const auto seven = [](const std::string& mode) { return run<float>(resize({4}, {7}, {kLinear, positions(mode)})); };
  EXPECT_EQ(seven("half_pixel"), (Floats{11, 24.2142849f, 45.3571434f, 66.5f, 80.4285736f, 43.8571472f, 21}));
  EXPECT_EQ(seven("asymmetric"), (Floats{11, 32.1428604f, 53.285717f, 74.4285736f, 66.7142792f, 30.1428528f, 21}));
  EXPECT_EQ(seven("align_corners"), (Floats{11, 29.5f, 48, 66.5f, 85, 53, 21}));
  EXPECT_EQ(seven("tf_half_pixel_for_nn"), (Floats{21.5714302f, 42.7142868f, 63.8571434f, 85, 48.4285736f, 21, 21}));
}

TEST(OpenvinoEmulation, OneOutputIsTheFirstInputInTwoModes) {
  for (const char* mode : {"align_corners", "pytorch_half_pixel"})
    for (const char* filter : {"linear", "nearest"})
      EXPECT_EQ(run<float>(resize({4}, {1}, {text("mode", filter), positions(mode)})), Floats{11}) << mode << filter;
}

TEST(OpenvinoEmulation, OldVersionsHaveModesOfTheirOwn) {
  EXPECT_EQ(run<float>(by_scale("Upsample", 9, 4, 1.75f, "nearest")), (Floats{11, 11, 48, 48, 85, 21, 21}));
  EXPECT_EQ(run<float>(by_scale("Upsample", 9, 4, 1.75f, "linear")),
            (Floats{11, 32.1428604f, 53.285717f, 74.4285736f, 66.7142792f, 30.1428528f, 21}));
  EXPECT_EQ(run<float>(by_scale("Resize", 10, 4, 1.75f, "nearest")), (Floats{11, 11, 48, 48, 85, 85, 21}));
  EXPECT_EQ(run<float>(by_scale("Resize", 10, 7, 0.6f, "nearest")), (Floats{11, 85, 58, 95}));
  EXPECT_EQ(run<float>(by_scale("Resize", 10, 7, 0.6f, "linear")), (Floats{11, 72.6666641f, 33.3333282f, 95}));
}

TEST(OpenvinoEmulation, CubicWeightsOfItsKernel) {
  EXPECT_EQ(run<float>(resize({5}, {8}, {kCubic})), (Floats{7.56512451f, 23.9152222f, 51.5383911f, 83.1356812f,
                                                            68.5247803f, 22.756958f, 36.9290771f, 61.4348755f}));
  EXPECT_EQ(run<float>(resize({2, 3}, {3, 5}, {kCubic})),
            (Floats{6.57994509f, 21.8239441f, 47.1319466f, 72.4399567f, 87.6839447f, 12.448f, 27.6920013f, 53,
                    78.3080063f, 93.552002f, 18.3160572f, 33.5600548f, 58.8680573f, 84.1760635f, 99.4200592f}));
}

TEST(OpenvinoEmulation, CubicOfFiveAxesIsRoundedByType) {
  const auto six = [](DataType type) { return resize({1, 1, 1, 1, 4}, {6}, {kCubic, list("axes", {4})}, type); };
  EXPECT_EQ(run<float>(six(DataType::kFloat)),
            (Floats{7.78819847f, 26.03125f, 57.63311f, 85.8877335f, 56.46875f, 15.4444599f}));
  EXPECT_EQ(run<Bfloat16>(six(DataType::kBfloat16)), (Floats{7.78125f, 26, 57.5f, 86, 56.5f, 15.4375f}));
  EXPECT_EQ(run<uint8_t>(six(DataType::kUint8)), (Bytes{7, 26, 57, 85, 56, 15}));
  EXPECT_EQ(run<int8_t>(six(DataType::kInt8)), (std::vector<int8_t>{7, 26, 57, 85, 56, 15}));
  EXPECT_EQ(run<int8_t>(six(DataType::kInt8), {-11, -48, -85, -21}),
            (std::vector<int8_t>{-7, -26, -57, -85, -56, -15}));
}

TEST(OpenvinoEmulation, CubicAlongChannelsNeedsOneRow) {
  EXPECT_EQ(run<float>(resize({1, 2, 1, 3}, {1, 3, 1, 4}, {kCubic})),
            (Floats{7.47618389f, 29.7339973f, 64.529892f, 86.7877045f, 13.3442383f, 35.6020508f, 70.3979492f,
                    92.6557617f, 19.2122936f, 41.470108f, 76.2660065f, 98.523819f}));
  EXPECT_NE(refusal(resize({1, 2, 2, 3}, {1, 3, 1, 4}, {kCubic})).find("mode cubic along three axes"),
            std::string::npos);
}

TEST(OpenvinoEmulation, OnlyBfloat16LosesDenormals) {
  const double small = 0x1p-130;
  EXPECT_EQ(run<Bfloat16>(resize({3}, {3}, {}, DataType::kBfloat16), {small, 1, 1}), (Floats{0, 1, 1}));
  EXPECT_EQ(run<Bfloat16>(resize({2}, {4}, {kLinear}, DataType::kBfloat16), {small, small}), Floats(4, 0));
  EXPECT_EQ(run<float>(resize({2}, {4}, {kLinear}), {small, small}), Floats(4, 0x1p-130f));
}

TEST(OpenvinoEmulation, CentresOfTheFirstAndLastOutput) {
  const auto centres = [](const std::vector<int64_t>& sizes, const std::string& mode) {
    return centres_of(axis_of(resize({4}, sizes, {kLinear, positions(mode)}), 0, 0));
  };
  EXPECT_EQ(centres({8}, "half_pixel"), (Centres{-0.25, 3.25}));
  EXPECT_EQ(centres({8}, "tf_half_pixel_for_nn"), (Centres{-0.25, 3.25}));  // its positions are those of corners
  EXPECT_EQ(centres({4}, "tf_half_pixel_for_nn"), (Centres{0, 3}));
  EXPECT_EQ(centres({8}, "align_corners"), (Centres{0, 3}));
}

TEST(OpenvinoEmulation, TablesCountAgainstTheLimits) {
  Limits limits;
  limits.max_working_bytes = 1024;  // 64 taps
  EXPECT_TRUE(planned(resize({4}, {16}, {kLinear}), limits).ok());
  for (const Attribute& mode : {kLinear, kCubic, text("mode", "nearest")})
    EXPECT_EQ(planned(resize({4}, {17}, {mode}), limits).status().code(), TESELA_ERROR_LIMIT);
}

TEST(OpenvinoEmulation, NearestModes) {
  const auto eight = [](const std::string& mode) {
    return run<float>(resize({4}, {8}, {text("nearest_mode", mode), positions("asymmetric")}));
  };
  const auto three = [](const std::string& mode) { return run<float>(resize({7}, {3}, {text("nearest_mode", mode)})); };
  EXPECT_EQ(eight("round_prefer_floor"), (Floats{11, 11, 48, 48, 85, 85, 21, 21}));
  EXPECT_EQ(three("round_prefer_floor"), (Floats{48, 21, 95}));
  EXPECT_EQ(eight("round_prefer_ceil"), (Floats{11, 48, 48, 85, 85, 21, 21, 21}));
  EXPECT_EQ(three("round_prefer_ceil"), (Floats{48, 21, 95}));
  EXPECT_EQ(eight("floor"), (Floats{11, 11, 48, 48, 85, 85, 21, 21}));
  EXPECT_EQ(three("floor"), (Floats{11, 21, 95}));
  EXPECT_EQ(eight("ceil"), (Floats{11, 48, 48, 85, 85, 21, 21, 21}));
  EXPECT_EQ(three("ceil"), (Floats{48, 21, 31}));
}

TEST(OpenvinoEmulation, LinearOfSeveralAxes) {
  EXPECT_EQ(run<float>(resize({2, 3}, {3, 5}, {kLinear})),
            (Floats{11, 25.8000011f, 48, 70.2000046f, 85, 16, 30.8000031f, 53, 75.2000046f, 90, 21, 35.8000031f, 58,
                    80.2000046f, 95}));
  EXPECT_EQ(run<float>(resize({1, 1, 2, 2, 2}, {1, 1, 3, 3, 3}, {kLinear})),
            (Floats{11, 29.5f, 48,     48,    41.25f, 34.5f, 85, 53,    21, 34.5f, 53, 71.5f, 46.25f, 52.125f,
                    58, 58,    51.25f, 44.5f, 58,     76.5f, 95, 44.5f, 63, 81.5f, 31, 49.5f, 68}));
}

TEST(OpenvinoEmulation, VersionElevenHasAttributes) {
  EmulatedRequest request{Rules::kOpenvino, {4}, {}, {text("nearest_mode", "ceil")}};
  request.scales = {2};
  request.opset = 11;
  request.roi = floats({});
  EXPECT_EQ(run<float>(request), (Floats{11, 48, 48, 85, 85, 21, 21, 21}));
}

TEST(OpenvinoEmulation, Refusals) {
  const auto says = [](const EmulatedRequest& request, std::string_view why) {
    EXPECT_NE(refusal(request).find(why), std::string::npos) << refusal(request);
  };
  for (const DataType type : {DataType::kInt32, DataType::kInt64}) {
    says(resize({1, 1, 1, 1, 1, 2}, {1, 1, 1, 1, 1, 4}, {}, type), "int32 and int64 with 6 or more axes");
    says(resize({2, 1, 1, 1, 1, 1}, {4}, {list("axes", {0})}, type), "int32 and int64 with 6 or more axes");
    says(resize({1, 1, 1, 1, 2}, {1, 1, 1, 1, 4}, {kCubic}, type), "cubic of int32 and int64 with 5 or more axes");
  }
  EXPECT_EQ(run<float>(resize({2, 1, 1, 1, 1, 1}, {4}, {list("axes", {0})})), (Floats{11, 11, 48, 48}));
  says(resize({2}, {4}, {kLinear, list("axes", {-1})}), "negative axes");
  says(resize({1, 1, 2, 2}, {2, 1, 2, 2}, {kLinear}), "resizing the first of 4 axes");
  says(resize({2}, {4}, {kLinear, positions("half_pixel_symmetric")}), "does not support half_pixel_symmetric");
  says(resize({2}, {4}, {kLinear, positions("tf_crop_and_resize")}), "does not support tf_crop_and_resize");
  says(resize({}, {}, {kLinear}), "does not support an X without axes");
  says(resize({4}, {}, {kLinear, list("axes", {})}), "does not support calls without scales and sizes");
}

TEST(OpenvinoEmulation, MovesListedAxesToTheEnd) {
  const auto axes_of = [](const Extents& in, const std::vector<int64_t>& sizes, const std::vector<int64_t>& listed) {
    return axes_of_steps(resize(in, sizes, {kLinear, list("axes", listed)}));
  };
  using Axes = std::vector<size_t>;
  EXPECT_EQ(run<float>(resize({2, 1, 2, 2}, {3}, {kLinear, list("axes", {0})})),
            (Floats{11, 48, 85, 21, 34.5f, 71.5f, 58, 44.5f, 58, 95, 31, 68}));
  EXPECT_EQ(axes_of({2, 1, 2, 2}, {3}, {0}), Axes{0});
  EXPECT_EQ(axes_of({1, 1, 2, 2}, {3}, {2}), (Axes{3, 2}));                 // spatial already
  EXPECT_EQ(axes_of({1, 2, 2, 2}, {3, 3, 3}, {3, 1, 2}), (Axes{1, 3, 2}));  // more than two
}

TEST(OpenvinoEmulation, LinearAddsTheSecondNeighbourFirstButAlongTheMiddleOfThreeAxes) {
  const EmulatedRequest request = resize({1, 1, 3, 3, 3}, {1, 1, 4, 2, 5}, {kLinear});
  Doubles x;
  for (int k = 0; k < 27; ++k) x.push_back((k * 37 + 11) % 101 / 7.0);
  EXPECT_EQ(
      run<float>(request, x),
      (Floats{1.92857146f, 4.04285717f, 7.21428585f, 10.3857145f, 12.5f,       4.0714283f,  6.18571424f, 9.3571434f,
              6.0357132f,  3.82142854f, 4.60714293f, 6.72142839f, 9.89285755f, 7.65357065f, 6.16071415f, 6.75f,
              8.86428547f, 12.0357132f, 7.36160612f, 4.24553585f, 7.82142878f, 7.77142859f, 7.69642878f, 5.45714188f,
              3.96428609f, 9.96428585f, 9.91428566f, 9.8392849f,  7.5999999f,  6.1071434f,  10.5f,       6.84285736f,
              1.35714293f, 4.52857208f, 6.64285755f, 12.6428566f, 8.98571396f, 3.5f,        6.67142963f, 8.7857151f}));
  const auto second_first = [&request](size_t step) {
    const EmulatedAxis axis = axis_of(request, step, 0);
    return axis.input[2] > axis.input[3];
  };
  EXPECT_EQ(axes_of_steps(request), (std::vector<size_t>{4, 3, 2}));
  EXPECT_TRUE(second_first(0));
  EXPECT_FALSE(second_first(1));
  EXPECT_TRUE(second_first(2));
}

TEST(OpenvinoEmulation, AlignedCornersOfItsKernelsRoundTheScale) {
  const Attribute floor = text("nearest_mode", "floor");
  EXPECT_EQ(run<float>(resize({4}, {2}, {kLinear, positions("align_corners")})), (Floats{11, 21}));
  // 37 * (3 / 37) is less than 3 in float, and 37 * 3 / 37 is 3: only the plain functions of six axes reach the last input.
  EXPECT_EQ(run<float>(resize({4}, {38}, {floor, positions("align_corners")})).back(), 85);
  EXPECT_EQ(run<float>(resize({1, 1, 1, 1, 1, 4}, {1, 1, 1, 1, 1, 38}, {floor, positions("align_corners")})).back(),
            21);
}

TEST(OpenvinoEmulation, CopiesAxesThatKeepTheirExtent) {
  for (const char* mode : {"half_pixel", "tf_half_pixel_for_nn"}) {
    EmulatedRequest request = resize({4}, {}, {kLinear, positions(mode)});
    request.scales = {1.2f};
    EXPECT_EQ(run<float>(request), (Floats{11, 48, 85, 21})) << mode;
    EXPECT_EQ(centres_of(axis_of(request, 0, 0)), (Centres{0, 3})) << mode;
  }
}

TEST(OpenvinoEmulation, PositionsBeyondInt32AreTheFirstInput) {
  EmulatedRequest request =
      resize({int64_t{1} << 32}, {}, {text("nearest_mode", "floor"), positions("asymmetric")}, DataType::kUint8);
  request.scales = {0x1p-30f};
  EXPECT_EQ(axis_of(request, 0, 0).input, (std::vector<int64_t>{0, int64_t{1} << 30, 0, 0}));
}

TEST(OpenvinoEmulation, CubicOfOneAxisPassesOverAnotherOneWithTheWeightsOfItsPosition) {
  Doubles x;
  for (const int k : {11, 48, 85}) x.push_back(k / 7.0);
  // These weights are 0, 1, 0, 0; those of the next position are not exact with this a.
  EXPECT_EQ(run<float>(resize({3}, {5}, {kCubic, number("cubic_coeff_a", -0.65f)}), x),
            (Floats{1.13165736f, 3.26708603f, 6.85714293f, 10.4472008f, 12.5826302f}));
  EXPECT_EQ(most_taps(axis_of(resize({3}, {5}, {kCubic}), 0, 0)), 4);
  EXPECT_EQ(most_taps(axis_of(resize({3}, {5}, {kCubic}), 1, 0)), 4);
}

TEST(OpenvinoEmulation, LinearOfTheLastInputReadsNoOther) {
  const auto two = [](const Doubles& x) {
    return run<float>(resize({1, 4}, {1, 2}, {kLinear, positions("align_corners")}), x);
  };
  EXPECT_EQ(two({1, 2, HUGE_VAL, 5}), (Floats{1, 5}));
  EXPECT_EQ(two({1, 2, 3, HUGE_VAL}), (Floats{1, HUGE_VALF}));
  // No float is this extent less one: the last output's position is rounded up, beyond the input.
  constexpr int64_t kLong = (int64_t{1} << 24) + 4;
  const EmulatedAxis axis = axis_of(resize({kLong}, {2}, {kLinear, positions("align_corners")}), 0, 0);
  EXPECT_EQ(axis.input, (std::vector<int64_t>{1, 0, kLong - 1, kLong - 1}));
  EXPECT_EQ(axis.weight, (Doubles{0, 1, 0.5, 0.5}));
}

TEST(OpenvinoEmulation, Limits) {
  EXPECT_TRUE(needs_output(resize({4}, {16}, {kLinear}), 64));
  EXPECT_TRUE(needs_taps(resize({1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}, {kCubic}), 1024));  // 4^5
}

}  // namespace
}  // namespace tesela
