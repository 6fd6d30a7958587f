// SPDX-License-Identifier: Apache-2.0
// Results and refusals of ONNX Runtime; results are those of its version 1.31.1.
#include "plan/emulation/onnxruntime.h"

#include <cmath>
#include <limits>

#include "plan/emulation/calls.h"

namespace tesela {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

const Attribute kLinear = text("mode", "linear");
const Attribute kCubic = text("mode", "cubic");
const Attribute kAntialias = integer("antialias", 1);
const Attribute kExclude = integer("exclude_outside", 1);

EmulatedRequest resize(const Extents& in, const std::vector<int64_t>& sizes, const std::vector<Attribute>& attributes,
                       DataType type = DataType::kFloat) {
  return {Rules::kOnnxRuntime, in, sizes, attributes, type};
}

TEST(OnnxRuntimeEmulation, LinearInEveryLayout) {
  EXPECT_EQ(run<float>(resize({1, 1, 3, 1, 1}, {1, 1, 5, 1, 1}, {kLinear})),
            (Floats{11, 25.7999992f, 48, 70.2000046f, 85}));
  EXPECT_EQ(run<uint8_t>(resize({1, 1, 2, 3}, {1, 1, 3, 4}, {kLinear}, DataType::kUint8)),
            (Bytes{11, 34, 61, 85, 16, 39, 66, 90, 21, 44, 71, 95}));
  EXPECT_EQ(run<uint8_t>(resize({1, 2, 3, 1}, {1, 3, 4, 1}, {kLinear}, DataType::kUint8)),
            (Bytes{11, 34, 61, 85, 16, 39, 66, 90, 21, 44, 71, 95}));
  EXPECT_EQ(run<float>(resize({1, 2, 3, 1}, {1, 3, 4, 1}, {kLinear})),
            (Floats{11, 34.125f, 61.875f, 85, 16, 39.125f, 66.875f, 90, 21, 44.125f, 71.875f, 95}));
}

TEST(OnnxRuntimeEmulation, LayoutOfFourAxesFollowsFromTheSecond) {
  const auto numbers = [](const Extents& in, const std::vector<int64_t>& sizes) {
    return std::get<EmulatedPlan>(plan_of(resize(in, sizes, {kLinear}, DataType::kUint8)).work).steps[0].numbers;
  };
  EXPECT_EQ(numbers({1, 1, 2, 3}, {1, 1, 4, 3}), EmulatedNumbers::kFloat);
  EXPECT_EQ(numbers({1, 2, 3, 1}, {1, 4, 3, 1}), EmulatedNumbers::kInt32);
}

TEST(OnnxRuntimeEmulation, AntialiasRoundsOnlyIntegers) {
  const auto attributes = {kLinear, kAntialias};
  EXPECT_EQ(run<int32_t>(resize({2, 2}, {2, 1}, attributes, DataType::kInt32), {0, 1, 0, -1}), (Integers{1, -1}));
  EXPECT_EQ(run<float>(resize({2, 2}, {2, 1}, attributes), {0, 1, 0, -1}), (Floats{0.5f, -0.5f}));
}

TEST(OnnxRuntimeEmulation, AntialiasWeights) {
  EXPECT_EQ(run<float>(resize({1, 8}, {1, 3}, {kLinear, kAntialias})), (Floats{40.0930252f, 56.3333321f, 60.0465088f}));
  EXPECT_EQ(run<float>(resize({1, 3}, {1, 5}, {kLinear, kAntialias})), (Floats{11, 25.7999992f, 48, 70.2000046f, 85}));
  EXPECT_EQ(run<float>(resize({1, 8}, {1, 3}, {kCubic, kAntialias})), (Floats{39.9295006f, 58.8714218f, 61.5205956f}));
}

TEST(OnnxRuntimeEmulation, AntialiasReadsNoMoreThanItsSupport) {
  std::vector<double> x = {HUGE_VAL};
  for (int k = 1; k < 12; ++k) x.push_back((k * 37 + 11) % 101);
  EXPECT_EQ(run<float>(resize({1, 12}, {1, 6}, {kCubic, kAntialias}), x),
            (Floats{kInfinity, -kInfinity, 65.0585938f, 49.5f, 34.5917969f, 45.2363281f}));
}

TEST(OnnxRuntimeEmulation, AntialiasKeepsWeightsWhoseSumIsZero) {
  // With a = -9 the first output's weights are 81/64 and -81/64.
  EXPECT_EQ(run<float>(resize({1, 2}, {1, 4}, {kCubic, kAntialias, kExclude, number("cubic_coeff_a", -9)}), {3, 5}),
            (Floats{-2.53125f, 4.0581398f, 3.9418602f, 2.53125f}));
}

TEST(OnnxRuntimeEmulation, CubicWeights) {
  EXPECT_EQ(run<float>(resize({3, 2}, {5, 3}, {kCubic})),
            (Floats{-0.157465935f, 27.2440109f, 54.6455116f, 42.4772034f, 36.9259872f, 31.374815f, 90.5555954f, 53,
                    15.4444523f, 74.625206f, 69.0740128f, 63.5228767f, 51.3545723f, 78.7560349f, 106.157562f}));
  EXPECT_EQ(run<float>(resize({3, 2}, {5, 3}, {kCubic, kExclude})),
            (Floats{-2.56395531f, 26.7621403f, 56.0882339f, 39.167675f, 36.2021637f, 33.2366562f, 91.4864883f, 53,
                    14.5135126f, 72.7633133f, 69.797821f, 66.8323288f, 49.9117699f, 79.2378693f, 108.563957f}));
}

TEST(OnnxRuntimeEmulation, CentresOfTheFirstAndLastOutput) {
  const Attribute corner = text("coordinate_transformation_mode", "tf_half_pixel_for_nn");
  EXPECT_EQ(centres_of(axis_of(resize({2, 4}, {2, 8}, {kLinear}), 0, 1)), (Centres{-0.25, 3.25}));
  // Positions of this mode are those of corners.
  EXPECT_EQ(centres_of(axis_of(resize({2, 4}, {2, 8}, {kLinear, corner}), 0, 1)), (Centres{-0.25, 3.25}));
  EXPECT_EQ(centres_of(axis_of(resize({2, 4}, {2, 8}, {kLinear, corner}), 0, 0)), (Centres{0, 1}));
}

TEST(OnnxRuntimeEmulation, RefusesSizesOfZero) {
  EXPECT_NE(refusal(resize({2, 2}, {0, 4}, {kLinear})).find("do not support a size of 0"), std::string::npos);
}

TEST(OnnxRuntimeEmulation, LinearOfThreeAxes) {
  EXPECT_EQ(run<float>(resize({2, 1, 3}, {3, 2, 4}, {kLinear})),
            (Floats{11, 34.125f, 61.875f, 85, 11, 34.125f, 61.875f, 85, 16, 39.125f, 66.875f, 90,
                    16, 39.125f, 66.875f, 90, 21, 44.125f, 71.875f, 95, 21, 44.125f, 71.875f, 95}));
  EXPECT_EQ(run<float>(resize({1, 1, 2, 2, 2}, {1, 1, 3, 3, 3}, {kLinear})),
            (Floats{11, 29.5f, 48,     48,    41.25f, 34.5f, 85, 53,    21, 34.5f, 53, 71.5f, 46.25f, 52.125f,
                    58, 58,    51.25f, 44.5f, 58,     76.5f, 95, 44.5f, 63, 81.5f, 31, 49.5f, 68}));
  EXPECT_EQ(run<float>(resize({1, 1, 2, 3, 2}, {1, 1, 1, 2, 3}, {kLinear, kAntialias})),
            (Floats{28.833334f, 38.9166641f, 49, 60.1666641f, 53.4166718f, 46.6666679f}));
}

TEST(OnnxRuntimeEmulation, CropsGiveTheExtrapolationValue) {
  const std::vector<Attribute> attributes = {kLinear, text("coordinate_transformation_mode", "tf_crop_and_resize"),
                                             number("extrapolation_value", -1)};
  EmulatedRequest request = resize({3, 4}, {2, 5}, attributes);
  request.roi = floats({0.1f, -0.1f, 0.7f, 1.2f});
  EXPECT_EQ(run<float>(request),
            (Floats{-1, 45.3750038f, 68.3200073f, 46.8249855f, -1, -1, 61.3750038f, 58.0599976f, 47.6749992f, -1}));
  request = resize({1, 1, 3, 4}, {1, 1, 2, 5}, attributes, DataType::kUint8);
  request.attributes.back() = number("extrapolation_value", 7.5f);
  request.roi = floats({0, 0, 0.1f, -0.1f, 1, 1, 0.7f, 1.2f});
  EXPECT_EQ(run<uint8_t>(request), (Bytes{7, 45, 68, 46, 7, 7, 61, 58, 47, 7}));
  request.roi = floats({});
  EXPECT_NE(refusal(request).find("an empty roi"), std::string::npos);
  request.roi = constant(DataType::kDouble, Doubles{0, 0, 0, 0, 1, 1, 1, 1});
  EXPECT_NE(refusal(request).find("a roi of another type than float"), std::string::npos);
}

TEST(OnnxRuntimeEmulation, CropsWithTheChannelsLast) {
  EmulatedRequest request = resize(
      {1, 3, 4, 2}, {1, 2, 5, 2},
      {kLinear, text("coordinate_transformation_mode", "tf_crop_and_resize"), number("extrapolation_value", -1)});
  request.roi = floats({0, 0.1f, -0.1f, 0, 1, 0.7f, 1.2f, 1});
  EXPECT_EQ(run<float>(request),
            (Floats{-1, -1, 59.5500031f, 28.375f,     66.0500031f, 67.7000122f, 39.7249908f, 76.7249908f, -1, -1,
                    -1, -1, 64.2799988f, 19.9749985f, 57.6499939f, 59.3000069f, 31.324995f,  68.3249969f, -1, -1}));
  request.attributes.push_back(kAntialias);  // takes the outputs for channels-first ones
  EXPECT_EQ(run<float>(request),
            (Floats{-1, 45.8695641f, 58.819561f,  27.6445675f, -1, -1, 38.9945564f, 75.9945526f, 28.869566f, -1,
                    -1, 38.3333321f, 65.3511887f, 20.1083355f, -1, -1, 31.4583244f, 68.4583282f, 21.333334f, -1}));
}

TEST(OnnxRuntimeEmulation, Versions) {
  const auto upsample = [](int64_t opset, const std::vector<Attribute>& attributes) {
    EmulatedRequest request{Rules::kOnnxRuntime, {1, 1, 2, 2}, {}, attributes};
    request.op = "Upsample";
    request.opset = opset;
    return request;
  };
  const Attribute scales = {"scales", AttributeKind::kFloats, Floats{1, 1, 2, 2}};
  EXPECT_EQ(run<float>(upsample(7, {scales})),
            (Floats{11, 11, 48, 48, 11, 11, 48, 48, 85, 85, 21, 21, 85, 85, 21, 21}));
  EXPECT_EQ(run<float>(upsample(7, {scales, kLinear})),
            (Floats{11, 29.5f, 48, 48, 48, 41.25f, 34.5f, 34.5f, 85, 53, 21, 21, 85, 53, 21, 21}));
  const std::string message = refusal(upsample(1, {number("height_scale", 2), number("width_scale", 2)}));
  EXPECT_NE(message.find("this version"), std::string::npos) << message;
  EmulatedRequest ten{Rules::kOnnxRuntime, {1, 1, 1, 4}, {}, {kLinear}};
  ten.scales = {1, 1, 1, 1.75f};
  ten.opset = 10;
  EXPECT_EQ(run<float>(ten), (Floats{11, 32.1428604f, 53.2857132f, 74.4285736f, 66.7142792f, 30.1428528f, 21}));
}

TEST(OnnxRuntimeEmulation, OnlyCropsReadRoi) {
  EmulatedRequest request = resize({1, 4}, {1, 7}, {kLinear});
  const Floats expected = {11, 24.2142849f, 45.3571434f, 66.5f, 80.4285736f, 43.8571472f, 21};
  request.roi = constant(DataType::kDouble, Doubles{0, 0, 1, 1});
  EXPECT_EQ(run<float>(request), expected);
  request.roi = floats({});
  EXPECT_EQ(run<float>(request), expected);
}

TEST(OnnxRuntimeEmulation, TypesOfRoi) {
  const auto crop = [](DataType type, const TensorInfo& roi) {
    EmulatedRequest request = resize(
        {1, 4}, {1, 5},
        {kLinear, text("coordinate_transformation_mode", "tf_crop_and_resize"), number("extrapolation_value", -1)},
        type);
    request.roi = roi;
    return request;
  };
  std::vector<Float16> narrow;
  for (const double end : {0.0, -0.1, 1.0, 1.2}) narrow.push_back(store_as<Float16>(end));
  const TensorInfo half = constant(DataType::kFloat16, narrow);
  EXPECT_EQ(run<Float16>(crop(DataType::kFloat16, half)), (Floats{-1, 35.96875f, 72.0625f, 44.96875f, -1}));
  EXPECT_EQ(run<Float16>(crop(DataType::kFloat16, floats({0, -0.1f, 1, 1.2f}))),
            (Floats{-1, 35.96875f, 72.0625f, 45, -1}));
  const std::string_view other = "a roi of another type than float";
  EXPECT_NE(refusal(crop(DataType::kFloat, half)).find(other), std::string::npos);
  const TensorInfo wide = constant(DataType::kDouble, Doubles{0, 0, 1, 1});
  EXPECT_NE(refusal(crop(DataType::kFloat16, wide)).find(other), std::string::npos);
}

TEST(OnnxRuntimeEmulation, ExcludeOutsideNeedsAFilter) {
  EXPECT_EQ(run<float>(resize({1, 8}, {1, 3}, {kLinear, kAntialias, kExclude})),
            (Floats{43.9210548f, 56.3333321f, 58.9999924f}));
  EXPECT_NE(refusal(resize({1, 8}, {1, 3}, {kLinear, kExclude})).find("exclude_outside without cubic or antialias"),
            std::string::npos);
}

TEST(OnnxRuntimeEmulation, CropsAlongTheFirstAxis) {
  EmulatedRequest request = resize(
      {3, 2}, {5, 2},
      {kLinear, text("coordinate_transformation_mode", "tf_crop_and_resize"), number("extrapolation_value", -1)});
  request.roi = floats({-0.5f, 0, 1, 1});
  EXPECT_EQ(run<float>(request), (Floats{-1, -1, -1, -1, 48, 34.5f, 78.25f, 39.5f, 58, 95}));
  const Plan plan = plan_of(request);
  const std::vector<EmulatedOutside>& outside = std::get<EmulatedPlan>(plan.work).outside;
  ASSERT_EQ(outside.size(), 2U);
  EXPECT_EQ(outside[0].flags, (std::vector<uint8_t>{0, 0}));
  EXPECT_EQ(outside[1].flags, (std::vector<uint8_t>{1, 1, 0, 0, 0}));
  EXPECT_EQ(outside[1].stride, 2);
  request = resize({4, 2}, {7, 2}, request.attributes);
  request.roi = floats({0, 0, 1, 1});  // the ends are inside
  EXPECT_EQ(run<float>(request), (Floats{11, 48, 48, 34.5f, 85, 21, 71.5f, 58, 58, 95, 44.5f, 81.5f, 31, 68}));
}

TEST(OnnxRuntimeEmulation, AntialiasOfCropsBeyondTheInput) {
  const auto two = [](float start, float end) {
    EmulatedRequest request = resize({1, 4}, {1, 2},
                                     {kLinear, kAntialias, number("extrapolation_value", -1),
                                      text("coordinate_transformation_mode", "tf_crop_and_resize")});
    request.roi = floats({0, start, 1, end});
    return run<float>(request);
  };
  EXPECT_EQ(two(1, 6), (Floats{37, -1}));  // the last input is inside
  EXPECT_EQ(two(5, 6), (Floats{-1, -1}));
  EXPECT_EQ(two(-3, 1), (Floats{-1, 37}));
}

TEST(OnnxRuntimeEmulation, WithoutAxesThereIsNothingToResize) {
  EXPECT_NE(refusal(resize({}, {}, {kLinear})).find("do not support an X without axes"), std::string::npos);
  EXPECT_NE(refusal(resize({4}, {}, {kLinear, list("axes", {})})).find("do not support calls without scales and sizes"),
            std::string::npos);
}

TEST(OnnxRuntimeEmulation, CopiesWhatKeepsItsExtents) {
  EmulatedRequest request = resize({2, 4}, {}, {kLinear});
  request.scales = {1.1f, 1.1f};
  EXPECT_EQ(run<float>(request), (Floats{11, 48, 85, 21, 58, 95, 31, 68}));
  request = resize({4, 4}, {}, {kCubic}, DataType::kInt32);
  request.scales = {0.1f, 2};
  EXPECT_EQ(plan_of(request).out, (Extents{0, 8}));  // an empty output is no cubic of integers
  EXPECT_EQ(run<float>(resize({1, 4}, {1, 7}, {})), (Floats{11, 11, 48, 48, 85, 21, 21}));
}

TEST(OnnxRuntimeEmulation, LinearOfTheLastInputReadsNoOther) {
  const auto two = [](const Doubles& x) {
    return run<float>(resize({1, 4}, {1, 2}, {kLinear, text("coordinate_transformation_mode", "align_corners")}), x);
  };
  EXPECT_EQ(two({1, 2, HUGE_VAL, 5}), (Floats{1, 5}));
  EXPECT_EQ(two({1, 2, 3, HUGE_VAL}), (Floats{1, kInfinity}));
  // No float is this extent less one: the last output's position is rounded up, beyond the input.
  constexpr int64_t kLong = (int64_t{1} << 24) + 4;
  const EmulatedAxis axis =
      axis_of(resize({1, kLong}, {1, 2}, {kLinear, text("coordinate_transformation_mode", "align_corners")}), 0, 1);
  EXPECT_EQ(axis.input, (std::vector<int64_t>{0, 1, kLong - 1, kLong - 1}));
  EXPECT_EQ(axis.weight, (Doubles{1, 0, 0.5, 0.5}));
}

TEST(OnnxRuntimeEmulation, CubicHasFourTaps) {
  EXPECT_EQ(most_taps(axis_of(resize({3, 2}, {5, 3}, {kCubic, kExclude}), 0, 0)), 4);
  EXPECT_EQ(most_taps(axis_of(resize({3, 2}, {5, 3}, {kCubic, kExclude}), 1, 0)), 4);
}

TEST(OnnxRuntimeEmulation, Limits) {
  EXPECT_TRUE(needs_output(resize({1, 4}, {1, 16}, {kLinear}), 64));
  EXPECT_TRUE(needs_taps(resize({1, 4}, {1, 16}, {kLinear}), 64));
  EXPECT_TRUE(needs_taps(resize({1, 28}, {1, 7}, {kLinear, kAntialias}), 7 * 9));
  EXPECT_TRUE(needs_taps(resize({1, 28}, {1, 7}, {kCubic, kAntialias}), 7 * 17));
}

}  // namespace
}  // namespace tesela
