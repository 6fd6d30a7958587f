// SPDX-License-Identifier: Apache-2.0
// Results of PyTorch's interpolate; they are those of its version 2.15.0.
#include "plan/emulation/pytorch.h"

#include <cmath>

#include "plan/emulation/calls.h"

namespace tesela {
namespace {

const Attribute kLinear = text("mode", "linear");
const Attribute kCubic = text("mode", "cubic");
const Attribute kAntialias = integer("antialias", 1);
const Attribute kExclude = integer("exclude_outside", 1);
const Attribute kCorners = text("coordinate_transformation_mode", "align_corners");

EmulatedRequest resize(const Extents& in, const std::vector<int64_t>& sizes, const std::vector<Attribute>& attributes,
                       DataType type = DataType::kFloat) {
  return {Rules::kPytorch, in, sizes, attributes, type};
}

// One row of an image.
EmulatedRequest row(int64_t in, int64_t out, const std::vector<Attribute>& attributes,
                    DataType type = DataType::kFloat) {
  return resize({1, 1, 1, in}, {1, 1, 1, out}, attributes, type);
}

TEST(PytorchEmulation, NearestRepeatsWhatDoublesInSmallImagesOnly) {
  const std::vector<Attribute> floor = {text("coordinate_transformation_mode", "asymmetric"),
                                        text("nearest_mode", "floor")};
  EmulatedRequest request = resize({1, 1, 1, 3}, {}, floor);
  request.scales = {1, 1, 1, 2.3f};
  EXPECT_EQ(run<float>(request), (Floats{11, 11, 48, 48, 85, 85}));
  request = resize({1, 1, 3}, {}, floor);
  request.scales = {1, 1, 2.3f};
  EXPECT_EQ(run<float>(request), (Floats{11, 11, 11, 48, 48, 85}));
}

TEST(PytorchEmulation, LinearWeights) {
  EXPECT_EQ(run<float>(resize({1, 1, 4}, {1, 1, 7}, {kLinear})),
            (Floats{11, 24.2142887f, 45.3571434f, 66.5f, 80.4285583f, 43.857132f, 21}));
  EXPECT_EQ(run<double>(resize({1, 1, 4}, {1, 1, 7}, {kLinear}, DataType::kDouble)),
            (Doubles{11, 24.214285714285712, 45.357142857142854, 66.5, 80.428571428571445, 43.857142857142861, 21}));
  EXPECT_EQ(run<float>(resize({1, 1, 4}, {1, 1, 7}, {kLinear, kCorners})), (Floats{11, 29.5f, 48, 66.5f, 85, 53, 21}));
}

TEST(PytorchEmulation, CubicWeights) {
  EXPECT_EQ(run<float>(row(5, 8, {kCubic})), (Floats{7.56512451f, 23.9152222f, 51.5383911f, 83.1356812f, 68.5247803f,
                                                     22.756958f, 36.9290771f, 61.4348755f}));
  EXPECT_EQ(run<double>(row(5, 8, {kCubic}, DataType::kDouble)),
            (Doubles{7.56512451171875, 23.91522216796875, 51.53839111328125, 83.13568115234375, 68.5247802734375,
                     22.7569580078125, 36.9290771484375, 61.43487548828125}));
}

TEST(PytorchEmulation, AntialiasedCubicWeights) {
  const std::vector<Attribute> attributes = {kCubic, kAntialias, kExclude};
  EXPECT_EQ(run<float>(row(8, 3, attributes)), (Floats{42.7500381f, 57.137001f, 60.4505234f}));
  EXPECT_EQ(run<float>(row(3, 5, attributes)), (Floats{8.20754814f, 22.3208961f, 48, 73.6791077f, 87.79245f}));
  EXPECT_EQ(run<double>(row(8, 3, attributes, DataType::kDouble)),
            (Doubles{42.750036976778574, 57.137002866356148, 60.450525070255885}));
}

TEST(PytorchEmulation, AntialiasAddsAVectorsTapsUnfused) {  // of 128 bits
  const auto unfused = [](DataType type) {
    const Plan plan = plan_of(row(8, 3, {kLinear, kAntialias, kExclude}, type));
    return std::get<EmulatedPlan>(plan.work).steps.at(0).unfused_taps;
  };
  EXPECT_EQ(unfused(DataType::kFloat), 4);
  EXPECT_EQ(unfused(DataType::kDouble), 2);
}

TEST(PytorchEmulation, BytesHaveWholeWeights) {
  const auto bytes = [](int64_t in, int64_t out, const std::vector<Attribute>& attributes) {
    return run<uint8_t>(row(in, out, attributes, DataType::kUint8));
  };
  EXPECT_EQ(bytes(4, 7, {kLinear}), (Bytes{11, 24, 45, 67, 80, 44, 21}));
  EXPECT_EQ(bytes(5, 8, {kCubic}), (Bytes{8, 24, 52, 83, 69, 23, 37, 61}));
  EXPECT_EQ(bytes(3, 5, {kCubic}), (Bytes{7, 23, 48, 73, 89}));
  EXPECT_EQ(bytes(8, 3, {kLinear, kAntialias, kExclude}), (Bytes{44, 56, 59}));
  EXPECT_EQ(bytes(8, 3, {kCubic, kAntialias, kExclude}), (Bytes{43, 57, 60}));
}

TEST(PytorchEmulation, BytesHaveNoMoreTapsThanInputs) {
  EXPECT_EQ(most_taps(axis_of(row(3, 5, {kCubic}, DataType::kUint8), 0, 0)), 3);
  EXPECT_EQ(most_taps(axis_of(row(9, 5, {kCubic}, DataType::kUint8), 0, 0)), 4);
}

TEST(PytorchEmulation, ColumnsOfOneHaveTheTapsOfTheFirstOutput) {
  const EmulatedAxis axis = axis_of(resize({1, 1, 8, 1}, {1, 1, 4, 1}, {kLinear, kAntialias, kExclude}), 0, 0);
  const int64_t taps = axis.first[1];
  for (int64_t i = 0; i < 4; ++i) {
    EXPECT_EQ(axis.first[static_cast<size_t>(i + 1)], (i + 1) * taps);
    EXPECT_EQ(axis.input[static_cast<size_t>(i * taps)], axis.input[0]);
  }
}

TEST(PytorchEmulation, CentresOfTheFirstAndLastOutput) {
  EXPECT_EQ(centres_of(axis_of(resize({1, 1, 4}, {1, 1, 8}, {kLinear}), 0, 0)), (Centres{-0.25, 3.25}));
  EXPECT_EQ(centres_of(axis_of(resize({1, 1, 4}, {1, 1, 7}, {kLinear, kCorners}), 0, 0)), (Centres{0, 3}));
}

TEST(PytorchEmulation, NearestAndNearestExact) {
  const Attribute ceil = text("nearest_mode", "round_prefer_ceil");  // nearest-exact
  const std::vector<Attribute> floor = {text("coordinate_transformation_mode", "asymmetric"),
                                        text("nearest_mode", "floor")};
  EXPECT_EQ(run<float>(row(5, 8, {ceil})), (Floats{11, 11, 48, 85, 85, 21, 58, 58}));
  EXPECT_EQ(run<float>(resize({1, 1, 5}, {1, 1, 8}, {ceil})), (Floats{11, 11, 48, 85, 85, 21, 58, 58}));
  EXPECT_EQ(run<double>(resize({1, 1, 5}, {1, 1, 3}, {ceil}, DataType::kDouble)), (Doubles{11, 85, 58}));
  EXPECT_EQ(run<double>(resize({1, 1, 5}, {1, 1, 8}, floor, DataType::kDouble)),
            (Doubles{11, 11, 48, 48, 85, 21, 21, 58}));
  EXPECT_EQ(run<float>(row(5, 8, floor)), (Floats{11, 11, 48, 48, 85, 21, 21, 58}));
}

TEST(PytorchEmulation, LinearOfSeveralAxes) {
  EXPECT_EQ(run<float>(resize({1, 1, 2, 3}, {1, 1, 2, 5}, {kLinear})),
            (Floats{11, 25.8000011f, 48, 70.2000046f, 85, 21, 35.8000031f, 58, 80.2000046f, 95}));
  EXPECT_EQ(run<float>(resize({1, 1, 2, 2, 2}, {1, 1, 3, 3, 3}, {kLinear})),
            (Floats{11, 29.5f, 48,     48,    41.25f, 34.5f, 85, 53,    21, 34.5f, 53, 71.5f, 46.25f, 52.125f,
                    58, 58,    51.25f, 44.5f, 58,     76.5f, 95, 44.5f, 63, 81.5f, 31, 49.5f, 68}));
  EXPECT_EQ(run<float>(resize({1, 1, 4}, {1, 1, 1}, {kLinear, kCorners})), Floats{11});
}

TEST(PytorchEmulation, BytesOfFiveChannelsRepeatTheFirstRowOfOneColumn) {
  const std::vector<Attribute> attributes = {kLinear, kAntialias, kExclude};
  EXPECT_EQ(run<uint8_t>(resize({1, 5, 4, 1}, {1, 5, 2, 1}, attributes, DataType::kUint8)),
            (Bytes{37, 37, 70, 70, 30, 30, 63, 63, 67, 67}));
  EXPECT_EQ(run<uint8_t>(resize({1, 4, 4, 1}, {1, 4, 2, 1}, attributes, DataType::kUint8)),
            (Bytes{37, 52, 70, 56, 30, 45, 63, 49}));
}

TEST(PytorchEmulation, AntialiasedLinearWeights) {
  const std::vector<Attribute> attributes = {kLinear, kAntialias, kExclude};
  EXPECT_EQ(run<float>(row(9, 4, attributes)), (Floats{41.6571426f, 50.0731659f, 65.9268265f, 36.8285713f}));
  EXPECT_EQ(run<float>(resize({1, 1, 5, 1}, {1, 1, 2, 1}, attributes)), (Floats{43.4090919f, 43.4090919f}));
}

TEST(PytorchEmulation, BytesOfThreeColoursToOnePixel) {
  const auto why = [](const Extents& in, const std::vector<int64_t>& sizes) {
    return refusal(resize(in, sizes, {kLinear}, DataType::kUint8));
  };
  EXPECT_NE(why({1, 3, 2, 1}, {1, 3, 1, 1}).find("3 channels of uint8 to 1 x 1"), std::string::npos);
  EXPECT_EQ(why({1, 3, 1, 2}, {1, 3, 1, 1}), "");
  EXPECT_EQ(why({1, 3, 2, 2}, {1, 3, 1, 2}), "");
  EXPECT_EQ(why({1, 3, 2, 2}, {1, 3, 2, 1}), "");
  EXPECT_EQ(why({0, 3, 2, 2}, {0, 3, 1, 1}), "");
  EXPECT_NE(why({1, 3, 2}, {1, 3, 1}).find("mode linear of uint8 without 4 axes"), std::string::npos);
  EXPECT_NE(refusal(resize({1, 1, 2}, {2, 1, 2}, {kLinear})).find("resizing the first two axes"), std::string::npos);
}

TEST(PytorchEmulation, TablesCountAgainstTheLimits) {
  Limits limits;
  limits.max_working_bytes = 1024;  // 64 taps
  EXPECT_TRUE(planned(row(4, 16, {kLinear}), limits).ok());
  EXPECT_EQ(planned(row(4, 17, {kLinear}), limits).status().code(), TESELA_ERROR_LIMIT);
  const std::vector<Attribute> attributes = {kLinear, kAntialias, kExclude};  // 3 taps
  EXPECT_TRUE(planned(row(4, 21, attributes), limits).ok());
  EXPECT_EQ(planned(row(4, 22, attributes), limits).status().code(), TESELA_ERROR_LIMIT);
}

TEST(PytorchEmulation, SixAxesAreTooMany) {
  EXPECT_NE(refusal(resize({1, 1, 1, 1, 1, 2}, {1, 1, 1, 1, 1, 4}, {})).find("an X without 3 to 5 axes"),
            std::string::npos);
}

TEST(PytorchEmulation, OnlyHalfPixelAndRoundPreferCeilAreNearestExact) {
  const Floats plain = {11, 11, 48, 48, 85, 21, 21, 58};
  EXPECT_EQ(run<float>(resize({1, 1, 5}, {1, 1, 8}, {})), plain);
  EXPECT_EQ(run<float>(resize(
                {1, 1, 5}, {1, 1, 8},
                {text("nearest_mode", "round_prefer_ceil"), text("coordinate_transformation_mode", "asymmetric")})),
            plain);
}

TEST(PytorchEmulation, ListedAxes) {
  const Floats expected = {11, 27.1875f, 50.3125f, 73.4375f, 65, 25, 41.8125f, 58};
  EXPECT_EQ(run<float>(resize({1, 1, 1, 5}, {8}, {kLinear, list("axes", {3})})), expected);
  EXPECT_EQ(run<float>(resize({1, 1, 5}, {8}, {kLinear, list("axes", {2})})), expected);
}

TEST(PytorchEmulation, ProductsOfWeightsBySizeAndLayout) {
  const auto at_once = [](const Extents& in, const std::vector<int64_t>& sizes) {
    const Plan plan = plan_of(resize(in, sizes, {kLinear}));
    return std::get<EmulatedPlan>(plan.work).steps.at(0).vector_channels > 0;
  };
  // Images with rows and columns of up to 128 together.
  EXPECT_TRUE(at_once({1, 1, 5, 5}, {1, 1, 28, 100}));
  EXPECT_FALSE(at_once({1, 1, 5, 5}, {1, 1, 30, 100}));
  EXPECT_FALSE(at_once({1, 1, 5, 5}, {1, 1, 100, 30}));
  // And tensors of 1 x 1 with at least four channels.
  EXPECT_TRUE(at_once({1, 4, 1, 1}, {1, 4, 1, 200}));
  EXPECT_FALSE(at_once({1, 3, 1, 1}, {1, 3, 1, 200}));
  EXPECT_FALSE(at_once({1, 4, 2, 2}, {1, 4, 2, 200}));
  EXPECT_TRUE(at_once({1, 4, 1, 1, 1}, {1, 4, 1, 1, 3}));
  EXPECT_FALSE(at_once({1, 3, 1, 1, 1}, {1, 3, 1, 1, 3}));
  EXPECT_FALSE(at_once({1, 4, 1}, {1, 4, 3}));
}

TEST(PytorchEmulation, OrderOfProductsByType) {
  const auto order = [](DataType type) {
    const Plan plan = plan_of(resize({1, 1, 2, 2}, {1, 1, 3, 3}, {kLinear}, type));
    return std::get<EmulatedPlan>(plan.work).steps.at(0).order;
  };
  EXPECT_EQ(order(DataType::kFloat16), EmulatedOrder::kAscending);
  EXPECT_EQ(order(DataType::kBfloat16), EmulatedOrder::kSecondFirst);
  EXPECT_EQ(order(DataType::kFloat), EmulatedOrder::kSecondFirst);
}

TEST(PytorchEmulation, FusesPositionsButAlongTheLastOfFiveAxesInFloat) {
  const Doubles x = {1.0 / 7, 3.0 / 7, 1, 9.0 / 7};
  const auto fifth = [&x](const std::vector<int64_t>& sizes) {  // of the second channel
    return run<float>(resize({1, 4, 1, 1, 1}, sizes, {kLinear}), x)[11];
  };
  EXPECT_EQ(fifth({1, 4, 7, 1, 1}), 0.428571403f);
  EXPECT_EQ(fifth({1, 4, 1, 1, 7}), 0.428571433f);
  const auto weights = [](size_t axis, DataType type) {
    return axis_of(resize({1, 4, 1, 1, 1}, {1, 4, 7, 7, 7}, {kLinear}, type), 0, axis).weight;
  };
  // Of the fifth output's second tap: its position is rounded once or twice.
  EXPECT_EQ(weights(0, DataType::kFloat)[9], 0x1.24924cp-3);
  EXPECT_EQ(weights(2, DataType::kFloat)[9], 0x1.24925p-3);
  EXPECT_EQ(weights(0, DataType::kDouble), weights(2, DataType::kDouble));
}

TEST(PytorchEmulation, NearestOfLargeImagesFollowsTheScale) {
  EmulatedRequest request =
      resize({1, 1, 1, 70}, {}, {text("coordinate_transformation_mode", "asymmetric"), text("nearest_mode", "floor")});
  request.scales = {1, 1, 1, 2.01f};
  const Floats y = run<float>(request);
  ASSERT_EQ(y.size(), 140U);
  EXPECT_EQ(Floats(y.begin(), y.begin() + 8), (Floats{11, 11, 11, 48, 48, 85, 85, 21}));
}

TEST(PytorchEmulation, NearestComputesPositionsInTheTypeOfX) {
  // Output 23 of 46 is at input 7 of 14, and a little less in float.
  const auto at = [](DataType type) {
    const Attribute floor = text("nearest_mode", "floor");
    return axis_of(resize({1, 1, 14}, {1, 1, 46}, {text("coordinate_transformation_mode", "asymmetric"), floor}, type),
                   0, 0)
        .input[23];
  };
  EXPECT_EQ(at(DataType::kFloat), 6);
  EXPECT_EQ(at(DataType::kDouble), 7);
}

TEST(PytorchEmulation, CornersOfFewOutputs) {
  EXPECT_EQ(run<float>(resize({1, 1, 4}, {1, 1, 2}, {kLinear, kCorners})), (Floats{11, 21}));
  EXPECT_EQ(run<float>(row(4, 1, {kLinear, kAntialias, kExclude, kCorners})), Floats{11});
  EXPECT_EQ(run<float>(row(4, 1, {kCubic, kAntialias, kExclude, kCorners})), Floats{6.375f});
  EXPECT_EQ(run<float>(row(5, 2, {kLinear, kAntialias, kExclude, kCorners})), (Floats{46.8518524f, 48.6666679f}));
}

TEST(PytorchEmulation, AntialiasStretchesItsFilterWhereverItShrinks) {
  const std::vector<Attribute> linear = {kLinear, kAntialias, kExclude};
  const std::vector<Attribute> cubic = {kCubic, kAntialias, kExclude};
  EXPECT_EQ(run<float>(row(6, 4, linear)), (Floats{24.8750019f, 65.5555573f, 40.4444389f, 81.125f}));
  EXPECT_EQ(run<double>(row(6, 4, cubic, DataType::kDouble)),
            (Doubles{22.474110032362464, 69.59418070444103, 36.40581929555897, 83.525889967637539}));
}

TEST(PytorchEmulation, AntialiasGivesInputsBeyondTheFilterNoWeight) {
  // In float these inputs are a little more than 1 and 2 away.
  EXPECT_EQ(run<float>(row(5, 3, {kLinear, kAntialias, kExclude}), {0, 0, 1e8, 0, 0}), (Floats{0, 55555560, 0}));
  EXPECT_EQ(run<float>(row(10, 6, {kCubic, kAntialias, kExclude}), {0, 0, 0, 0, 0, 0, 0, 1e20, 0, 0}),
            (Floats{0, 0, 0, -7.19862576e+12f, 5.86854524e+19f, 1.52832427e+13f}));
}

TEST(PytorchEmulation, CubicComputesInTheTypeOfX) {
  EXPECT_EQ(run<float>(row(4, 7, {kCubic})),
            (Floats{7.3289957f, 21.3320656f, 44.1739044f, 75.9687576f, 83.0472794f, 45.0829887f, 14.6501465f}));
  EXPECT_EQ(run<double>(row(4, 7, {kCubic}, DataType::kDouble)),
            (Doubles{7.3289905247813358, 21.332088192419789, 44.173924927113681, 75.96875, 83.047284985422749,
                     45.082999271137005, 14.650145772594769}));
  EXPECT_EQ(most_taps(axis_of(row(4, 7, {kCubic}), 0, 0)), 4);
}

TEST(PytorchEmulation, RoundsLargePositionsDownInFloat) {
  // The last input's index is no float, and the next one is the extent.
  constexpr int64_t kLong = (int64_t{1} << 24) + 4;
  const EmulatedAxis cubic = axis_of(row(kLong, 2, {kCubic, kCorners}, DataType::kDouble), 0, 0);
  EXPECT_EQ(std::vector<int64_t>(cubic.input.begin() + 4, cubic.input.end()),
            (std::vector<int64_t>{kLong - 2, kLong - 1, kLong - 1, kLong - 1}));
  // The last position is 2^25 + 2, which rounds to 2^25: the upper neighbour of that has all weight.
  constexpr int64_t kBase = int64_t{1} << 25;
  const EmulatedAxis linear =
      axis_of(resize({1, 1, kBase + 3}, {1, 1, 2}, {kLinear, kCorners}, DataType::kDouble), 0, 0);
  EXPECT_EQ(linear.input, (std::vector<int64_t>{0, 1, kBase, kBase + 1}));
  EXPECT_EQ(linear.weight, (Doubles{1, 0, 0, 1}));
}

TEST(PytorchEmulation, BytesRoundWeightsHalfAwayFromZero) {
  const auto first = [](const EmulatedRequest& request, int64_t i) {
    const EmulatedAxis axis = axis_of(request, 0, 0);
    const auto at = [&axis](int64_t k) { return axis.weight.begin() + axis.first[static_cast<size_t>(k)]; };
    return Doubles(at(i), at(i + 1));
  };
  // 1.096 and -0.096 times 2^14: 17956.86 and -1572.86.
  EXPECT_EQ(first(row(3, 5, {kCubic}, DataType::kUint8), 0), (Doubles{17957, -1573}));
  EmulatedRequest request = row(3, 0, {kLinear}, DataType::kUint8);
  request.scales = {1, 1, 1, 2.9998f};
  EXPECT_EQ(run<uint8_t>(request), (Bytes{11, 11, 23, 36, 48, 60, 73, 85}));
  EXPECT_EQ(first(request, 0), (Doubles{16384, 0}));
  EXPECT_EQ(first(request, 1), (Doubles{16383, 1}));  // 16383.45 and 0.55
}

TEST(PytorchEmulation, WeightsOfBytesHaveAtMost22Bits) {
  const EmulatedRequest request = row(1024, 1, {kLinear, kAntialias, kExclude}, DataType::kUint8);
  const Plan plan = plan_of(request);
  EXPECT_EQ(std::get<EmulatedPlan>(plan.work).steps.at(0).shift, 22);
  Doubles x;
  for (int k = 0; k < 1024; ++k) x.push_back(k % 256);
  EXPECT_EQ(run<uint8_t>(request, x), Bytes{128});
}

TEST(PytorchEmulation, Limits) {
  EXPECT_TRUE(needs_output(row(4, 16, {kLinear}), 64));
  EXPECT_TRUE(needs_taps(row(4, 12, {kCubic, kAntialias, kExclude}), 12 * 5));
  // 1 / 0.04f is a little more than 25, and 25 in float.
  const auto shrinks = [](DataType type) {
    EmulatedRequest request = row(101, 0, {kLinear, kAntialias, kExclude}, type);
    request.scales = {1, 1, 1, 0.04f};
    return request;
  };
  EXPECT_TRUE(needs_taps(shrinks(DataType::kFloat), 4 * 51));
  EXPECT_TRUE(needs_taps(shrinks(DataType::kDouble), 4 * 53));
}

}  // namespace
}  // namespace tesela
