// SPDX-License-Identifier: Apache-2.0
// Results and refusals of the onnx reference evaluator; results are those of onnx 1.23.2.
#include "plan/emulation/onnx_reference.h"

#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "plan/emulation/calls.h"

namespace tesela {
namespace {

const Attribute kLinear = text("mode", "linear");
const Attribute kCubic = text("mode", "cubic");
const Attribute kAntialias = integer("antialias", 1);

EmulatedRequest resize(const Extents& in, const std::vector<int64_t>& sizes, const std::vector<Attribute>& attributes,
                       DataType type = DataType::kDouble) {
  return {Rules::kOnnxReference, in, sizes, attributes, type};
}

EmulatedRequest crop(const TensorInfo& roi, const std::vector<int64_t>& sizes) {
  EmulatedRequest request = resize(
      {3, 4}, sizes,
      {kLinear, text("coordinate_transformation_mode", "tf_crop_and_resize"), number("extrapolation_value", -1)});
  request.roi = roi;
  return request;
}

TEST(OnnxReferenceEmulation, CropsInTheTypeOfRoi) {
  const Floats ends = {0.1f, -0.1f, 0.7f, 1.2f};
  EXPECT_EQ(run<double>(crop(floats(ends), {2, 5})),
            (Doubles{-1, 45.375001683831215, 68.320001546591499, 46.824993500486059, -1, -1, 61.37500524520874,
                     58.059996950774725, 47.675000598655181, -1}));
  EXPECT_EQ(run<double>(crop(floats(ends), {1, 5})),
            (Doubles{-1, 73.575000002980232, 57.129996434301454, 52.300002204253779, -1}));
  std::vector<Float16> narrow;
  for (const float end : ends) narrow.push_back(store_as<Float16>(static_cast<double>(end)));
  EXPECT_EQ(run<double>(crop(constant(DataType::kFloat16, narrow), {2, 5})),
            (Doubles{-1, 45.37451171875, 68.31926953792572, 46.835249006748199, -1, -1, 61.368896484375,
                     58.064009785652161, 47.673471629619598, -1}));
}

TEST(OnnxReferenceEmulation, CubicWeights) {
  EXPECT_EQ(run<double>(resize({5}, {8}, {kCubic})),
            (Doubles{7.56512451171875, 23.91522216796875, 51.53839111328125, 83.13568115234375, 68.5247802734375,
                     22.7569580078125, 36.9290771484375, 61.43487548828125}));
  EXPECT_EQ(run<double>(resize({5}, {8}, {kCubic, number("cubic_coeff_a", -0.5f), integer("exclude_outside", 1)})),
            (Doubles{8.3376383763837651, 23.744491380294555, 50.4974365234375, 80.8966064453125, 69.068603515625,
                     22.410888671875, 40.170339079803632, 60.662361623616242}));
}

TEST(OnnxReferenceEmulation, AntialiasedCubicWeights) {
  EXPECT_EQ(run<double>(resize({8}, {3}, {kCubic, kAntialias})),
            (Doubles{39.929497587413387, 58.871417434768652, 61.520592741658852}));
}

TEST(OnnxReferenceEmulation, AntialiasDividesInDoubleIfATapIsBeyondTheFilter) {
  // The first tap of outputs 0 and 2 is at distance 2 exactly: its weight is a Python integer.
  const Attribute asymmetric = text("coordinate_transformation_mode", "asymmetric");
  EXPECT_EQ(run<double>(resize({10}, {4}, {kCubic, kAntialias, asymmetric, number("cubic_coeff_a", -0.6f)})),
            (Doubles{25.381466701274185, 55.423077222054999, 64.667739923527037, 35.142304172404607}));
}

TEST(OnnxReferenceEmulation, SumsInPairsAlongTheLastAxisThatIsLongerThanOne) {
  const auto orders = [](const Extents& in, const std::vector<int64_t>& sizes) {
    std::vector<EmulatedOrder> found;
    const Plan plan = plan_of(resize(in, sizes, {kLinear, kAntialias}));
    for (const EmulatedStep& step : std::get<EmulatedPlan>(plan.work).steps) found.push_back(step.order);
    return found;
  };
  using Orders = std::vector<EmulatedOrder>;
  EXPECT_EQ(orders({9, 8}, {3, 2}), (Orders{EmulatedOrder::kAscending, EmulatedOrder::kPairwise}));
  EXPECT_EQ(orders({9, 8}, {3, 8}), Orders{EmulatedOrder::kAscending});
  EXPECT_EQ(orders({9, 1}, {3, 1}), Orders{EmulatedOrder::kPairwise});
}

TEST(OnnxReferenceEmulation, UpsampleRepeatsElements) {
  const auto upsample = [](const Floats& scales, int64_t opset = 9, const std::string& mode = "nearest") {
    EmulatedRequest request{Rules::kOnnxReference, {2, 2}, {}, {text("mode", mode)}};
    request.scales = scales;
    request.op = "Upsample";
    request.opset = opset;
    return request;
  };
  EXPECT_EQ(run<float>(upsample({1, 2})), (Floats{11, 11, 48, 48, 85, 85, 21, 21}));
  EXPECT_NE(refusal(upsample({1, 1.5f})).find("scales that are not whole numbers"), std::string::npos);
  EXPECT_NE(refusal(upsample({1, 2}, 9, "linear")).find("Upsample in mode linear"), std::string::npos);
  EmulatedRequest seven = upsample({}, 7);
  seven.attributes.push_back({"scales", AttributeKind::kFloats, Floats{1, 2}});
  EXPECT_NE(refusal(seven).find("this version"), std::string::npos) << refusal(seven);
}

TEST(OnnxReferenceEmulation, UpsampleOfAScalarHasNoScales) {
  const TensorInfo x = shaped({});
  const TensorInfo scales = floats({});
  PlanFields fields;
  fields.rules = Rules::kOnnxReference;
  const std::array<const TensorInfo*, 2> inputs = {&x, &scales};
  const Result<Plan> plan = make_plan(make_op("Upsample", 9), inputs, Limits::none(), fields);
  ASSERT_TRUE(plan.ok()) << plan.status().message();
  EXPECT_EQ(plan->out, Extents{});
  EXPECT_TRUE(std::get<ResizePlan>(plan->work).passes.empty());
}

TEST(OnnxReferenceEmulation, NearestModes) {
  const auto eight = [](const std::string& mode) {
    return run<double>(
        resize({4}, {8}, {text("nearest_mode", mode), text("coordinate_transformation_mode", "asymmetric")}));
  };
  EXPECT_EQ(eight("round_prefer_floor"), (Doubles{11, 11, 48, 48, 85, 85, 21, 21}));
  EXPECT_EQ(eight("round_prefer_ceil"), (Doubles{11, 48, 48, 85, 85, 21, 21, 21}));
  EXPECT_EQ(eight("floor"), (Doubles{11, 11, 48, 48, 85, 85, 21, 21}));
  EXPECT_EQ(eight("ceil"), (Doubles{11, 48, 48, 85, 85, 21, 21, 21}));
}

TEST(OnnxReferenceEmulation, LinearInEveryCoordinateMode) {
  const auto longer = [](const std::string& mode) {
    EmulatedRequest request = resize({5}, {}, {kLinear, text("coordinate_transformation_mode", mode)});
    request.scales = {1.5f};
    return run<double>(request);
  };
  EXPECT_EQ(longer("half_pixel"),
            (Doubles{11, 29.5, 54.166666666666671, 78.833333333333343, 53, 27.166666666666661, 51.833333333333321}));
  EXPECT_EQ(longer("align_corners"), (Doubles{11, 33.769230769230774, 56.53846153846154, 79.307692307692321,
                                              55.461538461538453, 23.84615384615385, 46.615384615384627}));
  EXPECT_EQ(longer("half_pixel_symmetric"),
            (Doubles{11, 35.666666666666664, 60.333333333333343, 85, 42.333333333333343, 33.333333333333321, 58}));
  EXPECT_EQ(longer("asymmetric"),
            (Doubles{11, 35.666666666666664, 60.333333333333329, 85, 42.333333333333343, 33.333333333333343, 58}));
  const auto one = [](const std::string& mode) {
    return run<double>(resize({4}, {1}, {kLinear, text("coordinate_transformation_mode", mode)}));
  };
  EXPECT_EQ(one("half_pixel"), (Doubles{66.5}));
  EXPECT_EQ(one("align_corners"), (Doubles{11}));
  EXPECT_EQ(one("half_pixel_symmetric"), (Doubles{66.5}));
  EXPECT_EQ(one("asymmetric"), (Doubles{11}));
  EXPECT_EQ(one("pytorch_half_pixel"), (Doubles{11}));
}

TEST(OnnxReferenceEmulation, AntialiasedLinearWeights) {
  EXPECT_EQ(run<double>(resize({9}, {4}, {kLinear, kAntialias})),
            (Doubles{37.825000000000003, 50.073170731707329, 65.926829268292693, 32.725000000000001}));
  EXPECT_EQ(run<double>(resize({3}, {5}, {kLinear, kAntialias, integer("exclude_outside", 1)})),
            (Doubles{11, 25.799999999999997, 48, 70.200000000000003, 85}));
}

TEST(OnnxReferenceEmulation, PoliciesRoundExtents) {
  const auto out = [](const Extents& in, const std::vector<int64_t>& sizes, const std::string& policy) {
    return plan_of(resize(in, sizes, {kLinear, text("keep_aspect_ratio_policy", policy)})).out;
  };
  EXPECT_EQ(out({3, 4}, {6, 6}, "not_larger"), (Extents{5, 6}));
  EXPECT_EQ(out({2, 3}, {4, 3}, "not_smaller"), (Extents{4, 6}));
  EXPECT_EQ(run<double>(resize({2, 3}, {4, 3}, {kLinear, text("keep_aspect_ratio_policy", "not_smaller")})),
            (Doubles{11,   20.25, 38.75, 57.25, 75.75, 85,   13.5, 22.75, 41.25, 59.75, 78.25, 87.5,
                     18.5, 27.75, 46.25, 64.75, 83.25, 92.5, 21,   30.25, 48.75, 67.25, 85.75, 95}));
}

TEST(OnnxReferenceEmulation, CentresOfTheFirstAndLastOutput) {
  EXPECT_EQ(centres_of(axis_of(resize({4}, {8}, {kLinear}), 0, 0)), (Centres{-0.25, 3.25}));
}

TEST(OnnxReferenceEmulation, CropsKeepTheEndsOfTheInput) {
  const auto seven = [](const Floats& ends) {
    EmulatedRequest request = crop(floats(ends), {7});
    request.in = {4};
    return request;
  };
  EXPECT_EQ(run<double>(seven({0, 1})), (Doubles{11, 29.5, 48, 66.5, 85, 53, 21}));
  const Plan plan = plan_of(seven({-0.5f, 1}));
  EXPECT_EQ(std::get<EmulatedPlan>(plan.work).steps.at(0).axes[0].outside, (std::vector<uint8_t>{1, 1, 0, 0, 0, 0, 0}));
}

TEST(OnnxReferenceEmulation, SkipsAxesThatAreAlmostTheSame) {
  const auto four = [](double end) {
    EmulatedRequest request = crop(constant(DataType::kDouble, Doubles{0, end}), {4});
    request.in = {4};
    return run<double>(request);
  };
  // The last output is beyond the input.
  EXPECT_EQ(four(1 + 5e-10), (Doubles{11, 48, 85, 21}));
  EXPECT_EQ(four(1 + 2e-9), (Doubles{11, 48.000000073999999, 84.999999744000007, -1}));
  EXPECT_EQ(four(-1), (Doubles{11, -1, -1, -1}));
  EmulatedRequest request = resize({4}, {}, {kLinear});
  request.scales = {1.2f};
  EXPECT_EQ(run<double>(request), (Doubles{11, 38.749998162190195, 69.583330270316992, 58.333340750799948}));
}

TEST(OnnxReferenceEmulation, RoiKeepsAxesFromBeingSkippedInEveryMode) {
  const auto second = [](const Floats& ends) {
    EmulatedRequest request = resize({2, 2}, {2, 2}, {kLinear}, DataType::kFloat);
    request.roi = floats(ends);
    return run<float>(request, {1, HUGE_VAL, 2, 3})[1];
  };
  EXPECT_EQ(second({0, 0, 1, 1}), std::numeric_limits<float>::max());
  EXPECT_TRUE(std::isnan(second({0.5f, 0, 1, 1})));  // a tap of weight 0 reads the infinity
  EXPECT_TRUE(std::isnan(second({0, 0, 2, 1})));
  EXPECT_TRUE(std::isnan(second({0, 0, std::numeric_limits<float>::infinity(), 1})));
  // More numbers than there are ends are not read. With fewer, it fails.
  EXPECT_EQ(second({0, 0, 1, 1, 5, 5}), std::numeric_limits<float>::max());
  EXPECT_TRUE(std::isnan(second({0.5f, 0, 1, 1, 5})));
  EmulatedRequest request = resize({2, 2}, {2, 2}, {kLinear});
  request.roi = floats({0, 0, 1});
  EXPECT_NE(refusal(request).find("a roi of less than two numbers for each axis"), std::string::npos);
}

// Only taps of the window see an infinity, even with weight 0.
TEST(OnnxReferenceEmulation, WindowsEndAtTheFilter) {
  EXPECT_EQ(run<double>(resize({6}, {3}, {kLinear, kAntialias}), {1, 2, 3, HUGE_VAL, 5, 6})[0], 1.625);
  // A position that is lost beside the padding, so that the window begins an input before.
  EmulatedRequest request = resize({4}, {4}, {kLinear, text("coordinate_transformation_mode", "tf_crop_and_resize")});
  request.roi = floats({1e-20f, 1});
  EXPECT_EQ(run<double>(request, {1, HUGE_VAL, 3, 4})[0], 1);
}

TEST(OnnxReferenceEmulation, ExtentsOfOne) {
  EXPECT_EQ(run<double>(resize({1}, {3}, {kLinear})), (Doubles{11, 11, 11}));
  EXPECT_EQ(run<double>(resize({1}, {3}, {kLinear, integer("exclude_outside", 1)})), (Doubles{11, 11, 11}));
  EXPECT_EQ(run<double>(resize({1, 3}, {5}, {kLinear, list("axes", {1})})),
            (Doubles{11, 25.799999999999997, 48, 70.200000000000003, 85}));
  EXPECT_EQ(run<double>(resize({3, 1}, {5}, {kLinear, list("axes", {0})})),
            (Doubles{11, 25.799999999999997, 48, 70.200000000000003, 85}));
}

TEST(OnnxReferenceEmulation, ExcludesWeightsWhoseSumIsZero) {
  // With a = -9 the first output's weights are 81/64 and -81/64.
  EXPECT_EQ(run<double>(resize({2}, {4}, {kCubic, integer("exclude_outside", 1), number("cubic_coeff_a", -9)}), {3, 5}),
            (Doubles{-2.53125, 4.058139534883721, 3.9418604651162794, 2.53125}));
  // The policy's scale puts the second output of the first axis at input 165.
  const EmulatedRequest far =
      resize({100, 125}, {2, 2},
             {kLinear, integer("exclude_outside", 1), text("keep_aspect_ratio_policy", "not_larger"),
              text("coordinate_transformation_mode", "align_corners")});
  EXPECT_EQ(run<double>(far, Doubles(12500, 1)), (Doubles{1, 1, 0, 0}));
}

TEST(OnnxReferenceEmulation, Versions) {
  EmulatedRequest request{Rules::kOnnxReference, {4}, {}, {text("nearest_mode", "ceil")}};
  request.scales = {2};
  request.opset = 11;
  request.roi = floats({});
  EXPECT_EQ(run<float>(request), (Floats{11, 48, 48, 85, 85, 21, 21, 21}));
  request.attributes = {};
  request.opset = 10;
  EXPECT_NE(refusal(request).find("this version"), std::string::npos);
}

TEST(OnnxReferenceEmulation, EmptyInputs) {
  const Attribute policy = text("keep_aspect_ratio_policy", "not_larger");
  EXPECT_NE(refusal(resize({0, 4}, {8}, {kLinear, list("axes", {1})})).find("an empty X with axes"), std::string::npos);
  EXPECT_NE(refusal(resize({0, 4}, {0, 8}, {kLinear, policy})).find("an empty X with a policy"), std::string::npos);
  EmulatedRequest request = resize({1, 1, 0, 3}, {}, {kLinear});
  request.scales = {1, 1, 2, 2};
  EXPECT_EQ(plan_of(request).out, (Extents{1, 1, 0, 6}));
  EXPECT_EQ(axes_of_steps(request), std::vector<size_t>{3});
  EXPECT_EQ(run<double>(request), Doubles{});
}

TEST(OnnxReferenceEmulation, StringsAreNotResized) {
  const std::string why = refusal(resize({4}, {8}, {}, DataType::kString));
  EXPECT_NE(why.find("input 'X' has type string, expected a type of numbers"), std::string::npos) << why;
}

TEST(OnnxReferenceEmulation, AnAxisThatGrowsByOneOfManyIsNotSkipped) {
  // The scale counts as 1, but the axis needs a table, which is too large.
  constexpr int64_t kLong = int64_t{1} << 31;
  EXPECT_EQ(planned(resize({kLong}, {kLong}, {kLinear}, DataType::kUint8)).status().message(), "");
  EXPECT_FALSE(fits(resize({kLong}, {kLong + 1}, {kLinear}, DataType::kUint8), Limits::none()));
}

TEST(OnnxReferenceEmulation, WithoutAxesThereMustBeScalesOrSizes) {
  const TensorInfo x = shaped({4});
  const TensorInfo scales = floats({});
  const TensorInfo sizes = ints({});
  using Inputs = std::array<const TensorInfo*, 4>;
  const auto why = [](const Inputs& inputs, size_t count, const std::string& policy = "stretch") {
    PlanFields fields;
    fields.rules = Rules::kOnnxReference;
    const OpDesc op = make_op("Resize", 19, {list("axes", {}), text("keep_aspect_ratio_policy", policy)});
    return make_plan(op, std::span(inputs).first(count), Limits::none(), fields).status().message();
  };
  EXPECT_EQ(why({&x, nullptr, &scales, nullptr}, 3), "");
  EXPECT_EQ(why({&x, nullptr, nullptr, &sizes}, 4), "");
  const std::string_view none = "calls without scales and sizes";
  EXPECT_NE(why({&x, nullptr, nullptr, nullptr}, 4).find(none), std::string::npos);
  EXPECT_NE(why({&x, nullptr, &scales, &sizes}, 2).find(none), std::string::npos);  // behind the inputs
  EXPECT_NE(why({&x, nullptr, nullptr, &sizes}, 4, "not_larger").find("a policy without axes"), std::string::npos);
}

TEST(OnnxReferenceEmulation, Limits) {
  EXPECT_TRUE(needs_output(resize({4}, {8}, {kLinear}), 64));
  EXPECT_TRUE(needs_taps(resize({4}, {8}, {}), 16));
  EXPECT_TRUE(needs_taps(resize({4}, {8}, {kLinear}), 16));
  EXPECT_TRUE(needs_taps(resize({4}, {8}, {kCubic}), 32));
  EXPECT_TRUE(needs_taps(resize({4}, {8}, {kLinear, kAntialias}), 16));
  EXPECT_TRUE(needs_taps(resize({8}, {4}, {kLinear, kAntialias}), 16));
  EXPECT_TRUE(needs_taps(resize({8}, {4}, {kCubic, kAntialias}), 32));
}

}  // namespace
}  // namespace tesela
