// SPDX-License-Identifier: Apache-2.0
// Plans with the results of other libraries; tests/conformance/emulations.py compares them with the libraries.
#include "plan/emulation/emulate.h"

#include <gtest/gtest.h>

#include "backend/backend.h"
#include "plan/describe.h"
#include "plan/emulation/pairwise_sum.h"
#include "plan/explain.h"
#include "plan/resolve.h"
#include "schema/described.h"

namespace tesela {
namespace {

Result<Plan> planned(Rules rules, const TensorInfo& x, const std::vector<int64_t>& sizes,
                     std::vector<Attribute> attributes, const Limits& limits = Limits::none()) {
  const OpDesc op = make_op("Resize", 19, std::move(attributes));
  const TensorInfo target = ints(sizes);
  const std::vector<const TensorInfo*> inputs = {&x, nullptr, nullptr, &target};
  PlanFields fields;
  fields.rules = rules;
  return make_plan(op, inputs, limits, fields);
}

const EmulatedPlan& work_of(const Result<Plan>& plan) {
  EXPECT_TRUE(plan.ok()) << plan.status().message();
  return std::get<EmulatedPlan>(plan->work);
}

// A run of a box of the output, from the input that it needs.
std::vector<uint8_t> run_bytes(const Plan& plan, const std::vector<uint8_t>& x, const Box& output, Backend backend) {
  const Box input = input_region(plan, output);
  std::vector<uint8_t> part;
  for (int64_t i = 0; i < product(input.n); ++i)
    part.push_back(x[static_cast<size_t>((input.lo[0] + i / input.n[1]) * plan.in[1] + input.lo[1] + i % input.n[1])]);
  const Tensor from = make_tensor(DataType::kUint8, part, input.n);
  Tensor to = *Tensor::allocate(DataType::kUint8, output.n);
  const Executor executor;
  const BoxRun run = {from.view(), input.lo, to.mutable_view(), output.lo};
  EXPECT_TRUE(run_plan(plan, *bind(plan, backend), run, executor, {}).ok());
  const auto values = to.as<uint8_t>();
  return {values.begin(), values.end()};
}

TEST(Emulation, OnnxRuntimeTruncatesIntegers) {
  const Result<Plan> plan =
      planned(Rules::kOnnxRuntime, shaped({1, 2}, DataType::kUint8), {1, 4}, {text("mode", "linear")});
  EXPECT_EQ(work_of(plan).steps[0].rounding, EmulatedRounding::kCut);
  // At 0, 1/4, 3/4 and 1: 0, 1.75, 5.25 and 7.
  EXPECT_EQ(run_bytes(*plan, {0, 7}, {{0, 0}, {1, 4}}, kDefaultBackend), (std::vector<uint8_t>{0, 1, 5, 7}));
}

TEST(Emulation, OnnxRuntimeRoundsEachAxisUnderAntialias) {
  const Result<Plan> plan = planned(Rules::kOnnxRuntime, shaped({2, 2}, DataType::kUint8), {1, 1},
                                    {text("mode", "linear"), integer("antialias", 1)});
  EXPECT_EQ(work_of(plan).steps.size(), 2U);
  // Rows first: 0.5 and 0.5 become 1 and 1; the standard's sum is 0.5.
  EXPECT_EQ(run_bytes(*plan, {0, 1, 0, 1}, {{0, 0}, {1, 1}}, kDefaultBackend), std::vector<uint8_t>{1});
}

TEST(Emulation, OnnxReferenceRoundsPositions) {
  // Output 7 is at input 6, but (7 + 1/2) / (15 / 13) - 1/2 is a little more in double.
  const Result<Plan> plan =
      planned(Rules::kOnnxReference, shaped({13}), {15}, {text("mode", "nearest"), text("nearest_mode", "ceil")});
  const EmulatedAxis& axis = work_of(plan).steps[0].axes[0];
  EXPECT_EQ(axis.input[15], 7);
  EXPECT_EQ(axis.weight[14], 0);
  EXPECT_EQ(axis.weight[15], 1);
  EXPECT_EQ(work_of(plan).store, EmulatedStore::kClamped);
}

TEST(Emulation, OpenvinoComputesPositionsInFloat) {
  // (4 + 1/2) / (6 / 20) - 1/2 is 14.5, and a little less in float.
  const Result<Plan> plan = planned(Rules::kOpenvino, shaped({20}), {6}, {text("nearest_mode", "round_prefer_ceil")});
  EXPECT_EQ(work_of(plan).steps[0].axes[0].input[4], 14);
  const AxisRequest axis{0, 20, 6, true, 6, 20, 0.3};
  const SamplingParams sampling{Filter::kNearest, CoordinateMode::kHalfPixel, NearestMode::kRoundPreferCeil};
  EXPECT_EQ(nearest_index(*make_axis_map(axis, sampling), 4), 15);
}

TEST(Emulation, OpenvinoPassesOverSpatialAxes) {
  const auto axes_of = [](const Extents& in, const std::vector<int64_t>& sizes, std::vector<Attribute> attributes) {
    std::vector<size_t> axes;
    const Result<Plan> plan = planned(Rules::kOpenvino, shaped(in), sizes, std::move(attributes));
    for (const EmulatedStep& step : work_of(plan).steps) axes.push_back(step.axes[0].axis);
    return axes;
  };
  using Axes = std::vector<size_t>;
  const Attribute linear = text("mode", "linear");
  EXPECT_EQ(axes_of({2, 3, 4, 5}, {2, 3, 8, 5}, {linear}), (Axes{3, 2}));  // also where the last one stays
  EXPECT_EQ(axes_of({2, 3, 4, 5}, {2, 3, 4, 9}, {linear}), Axes{3});
  EXPECT_EQ(axes_of({2, 3, 4, 5}, {2, 6, 4, 9}, {linear}), (Axes{1, 3}));  // the second of four comes last
  EXPECT_EQ(axes_of({2, 3, 4, 5, 6}, {2, 3, 8, 5, 6}, {linear}), (Axes{4, 3, 2}));
  EXPECT_EQ(axes_of({2, 3, 4, 5}, {6, 4}, {linear, list("axes", {2, 0})}), (Axes{0, 2}));  // listed ones come last
  EXPECT_EQ(axes_of({2, 3, 4, 5}, {2, 3, 4, 9}, {text("mode", "cubic")}), (Axes{3, 2}));
  EXPECT_EQ(axes_of({2, 3, 4}, {2, 3, 9}, {text("mode", "cubic")}), (Axes{2, 2}));  // the pass over an axis of extent 1
}

TEST(Emulation, OpenvinoConvertsThroughFloat) {
  // Of float the largest below 2^31 is 2^31 - 128; 64-bit integers lose their upper half.
  const Result<Plan> plan = planned(Rules::kOpenvino, shaped({3}, DataType::kInt64), {3}, {text("mode", "nearest")});
  const Tensor x = make_tensor(DataType::kInt64, std::vector<int64_t>{(int64_t{1} << 40) + 7, 0x7FFFFFFF, -3}, {3});
  Tensor y = *Tensor::allocate(DataType::kInt64, {3});
  const Executor executor;
  ASSERT_TRUE(
      run_plan(*plan, *bind(*plan, kDefaultBackend), {x.view(), {0}, y.mutable_view(), {0}}, executor, {}).ok());
  const auto values = y.as<int64_t>();
  EXPECT_EQ((std::vector<int64_t>{values.begin(), values.end()}), (std::vector<int64_t>{7, 0x7FFFFF80, -3}));
}

std::vector<float> run_floats(const Plan& plan, const std::vector<float>& x) {
  const Tensor from = make_tensor(DataType::kFloat, x, plan.in);
  Tensor to = *Tensor::allocate(DataType::kFloat, plan.out);
  const Executor executor;
  const Extents origin(plan.in.size(), 0);
  EXPECT_TRUE(
      run_plan(plan, *bind(plan, kDefaultBackend), {from.view(), origin, to.mutable_view(), origin}, executor, {})
          .ok());
  const auto values = to.as<float>();
  return {values.begin(), values.end()};
}

TEST(Emulation, PytorchSumsImagesBySize) {
  const Attribute linear = text("mode", "linear");
  const Result<Plan> small = planned(Rules::kPytorch, shaped({1, 9, 4, 5}), {1, 9, 64, 64}, {linear});
  ASSERT_EQ(work_of(small).steps.size(), 1U);
  EXPECT_EQ(work_of(small).steps[0].vector_channels, 8);
  EXPECT_EQ(work_of(small).steps[0].vector_order, EmulatedOrder::kSecondLastFirst);
  const Result<Plan> large = planned(Rules::kPytorch, shaped({1, 9, 4, 5}), {1, 9, 64, 65}, {linear});
  ASSERT_EQ(work_of(large).steps.size(), 2U);
  EXPECT_EQ(work_of(large).steps[0].axes[0].axis, 3U);
  EXPECT_EQ(work_of(large).steps[0].vector_channels, 0);
}

TEST(Emulation, FusedSumsTakeTapsInTheStepsOrder) {
  // 1 + 2^-12 squared is 1 + 2^-11 + 2^-24, which rounds to 1 + 2^-11.
  const float near_one = 1 + 0x1p-12f;
  EmulatedStep step;
  step.numbers = EmulatedNumbers::kFusedFloat;
  EmulatedAxis axis;
  axis.axis = 2;
  axis.in = 2;
  axis.out = 1;
  add_output(axis, {{0, 1 + 0x1p-12}, {1, -1 - 0x1p-11}});
  step.axes.push_back(axis);
  Plan plan{DataType::kFloat, {1, 1, 2}, {1, 1, 1}, EmulatedPlan{}};
  const auto sum = [&] {
    std::get<EmulatedPlan>(plan.work).steps = {step};
    return run_floats(plan, {near_one, 1})[0];
  };
  EXPECT_EQ(sum(), 0);  // the first product is rounded
  step.order = EmulatedOrder::kSecondFirst;
  EXPECT_EQ(sum(), 0x1p-24f);
  step.unfused_taps = 1;
  EXPECT_EQ(sum(), 0);
  step.unfused_taps = 2;
  EXPECT_EQ(sum(), 0x1p-24f);
  step.order = EmulatedOrder::kAscending;
  step.vector_order = EmulatedOrder::kDescending;
  EXPECT_EQ(sum(), 0);
  step.vector_channels = 1;
  EXPECT_EQ(sum(), 0x1p-24f);
  step.vector_channels = 2;  // a channel is no vector
  EXPECT_EQ(sum(), 0);
}

TEST(Emulation, PytorchRepeatsRowsOfOneColumn) {
  const auto rows = [](const Extents& in, const std::vector<int64_t>& sizes) {
    const Result<Plan> plan = planned(Rules::kPytorch, shaped(in), sizes,
                                      {text("mode", "linear"), integer("antialias", 1), integer("exclude_outside", 1)});
    std::vector<float> x(static_cast<size_t>(product(in)));
    for (size_t k = 0; k < x.size(); ++k) x[k] = static_cast<float>(k);
    EXPECT_TRUE(plan.ok()) << plan.status().message();
    return run_floats(*plan, x);
  };
  const std::vector<float> column = rows({1, 1, 8, 1}, {1, 1, 4, 1});
  EXPECT_EQ(column, std::vector<float>(4, column[0]));
  const std::vector<float> two = rows({1, 1, 8, 2}, {1, 1, 4, 2});
  EXPECT_LT(two[0], two[2]);
}

TEST(Emulation, PytorchRoundsBytesAfterEachAxis) {
  // Rows first: 0.5 and 0.5 become 1 and 1.
  const Result<Plan> plan = planned(Rules::kPytorch, shaped({1, 1, 2, 2}, DataType::kUint8), {1, 1, 1, 1},
                                    {text("mode", "linear"), integer("antialias", 1)});
  ASSERT_EQ(work_of(plan).steps.size(), 2U);
  EXPECT_EQ(work_of(plan).steps[0].rounding, EmulatedRounding::kShiftClip);
  EXPECT_EQ(work_of(plan).steps[0].shift, 15);
}

TEST(Emulation, RunsInTheReferenceBackend) {
  const Result<Plan> plan =
      planned(Rules::kOnnxRuntime, shaped({5, 7}, DataType::kUint8), {8, 3}, {text("mode", "linear")});
  const std::string plain = describe_plain(*plan);
  EXPECT_NE(plain.find("resize as onnxruntime uint8 5x7 -> 8x3, computed by the reference backend"), std::string::npos)
      << plain;
  EXPECT_NE(plain.find("sums in float, truncated"), std::string::npos) << plain;
  EXPECT_NE(describe_json(*plan).find("\"rules\": \"onnxruntime\""), std::string::npos) << describe_json(*plan);
  EXPECT_EQ(explain(*plan, {}).status().code(), TESELA_ERROR_UNSUPPORTED);
}

TEST(Emulation, RegionsEqualTheWhole) {
  std::vector<uint8_t> x;
  for (int i = 0; i < 35; ++i) x.push_back(static_cast<uint8_t>(i * 37));
  for (const Rules rules : {Rules::kOnnxRuntime, Rules::kOnnxReference, Rules::kOpenvino})
    for (const std::string mode : {"linear", "cubic"}) {
      const Result<Plan> plan =
          planned(rules, shaped({5, 7}, DataType::kUint8), {8, 3}, {text("mode", mode), integer("antialias", 1)});
      const std::vector<uint8_t> whole = run_bytes(*plan, x, {{0, 0}, {8, 3}}, kDefaultBackend);
      EXPECT_EQ(run_bytes(*plan, x, {{0, 0}, {8, 3}}, Backend::reference), whole);
      for (int64_t lo = 0; lo < 8; ++lo) {
        const std::vector<uint8_t> part = run_bytes(*plan, x, {{lo, 1}, {1, 2}}, kDefaultBackend);
        EXPECT_EQ(part, std::vector<uint8_t>(whole.begin() + lo * 3 + 1, whole.begin() + lo * 3 + 3)) << mode << lo;
      }
    }
}

TEST(Emulation, RefusesWhatTheLibraryRefuses) {
  const auto refusal = [](Rules rules, const TensorInfo& x, std::vector<Attribute> attributes) {
    std::vector<int64_t> sizes;
    for (const Dim& dim : *x.dims) sizes.push_back(dim.value + 1);
    return planned(rules, x, sizes, std::move(attributes)).status().message();
  };
  const auto linear = text("mode", "linear");
  EXPECT_NE(refusal(Rules::kOnnxRuntime, shaped({2, 2}, DataType::kDouble), {linear}).find("type double"),
            std::string::npos);
  EXPECT_NE(refusal(Rules::kOnnxRuntime, shaped({2}), {linear}).find("this mode on these axes"), std::string::npos);
  EXPECT_NE(
      refusal(Rules::kOnnxRuntime, shaped({2, 2}, DataType::kInt32), {text("mode", "cubic")}).find("cubic of integers"),
      std::string::npos);
  EXPECT_NE(refusal(Rules::kOnnxReference, shaped({2}, DataType::kBool), {linear}).find("type bool"),
            std::string::npos);
  EXPECT_NE(refusal(Rules::kOnnxReference, shaped({2}), {text("coordinate_transformation_mode", "tf_crop_and_resize")})
                .find("without roi"),
            std::string::npos);
  EXPECT_NE(refusal(Rules::kOnnxReference, shaped({2}), {list("axes", {-1})}).find("negative axes"), std::string::npos);
  EXPECT_NE(refusal(Rules::kOpenvino, shaped({2}, DataType::kUint16), {linear}).find("type uint16"), std::string::npos);
  EXPECT_NE(refusal(Rules::kOpenvino, shaped({2, 2, 2, 2}), {linear}).find("the first of 4 axes"), std::string::npos);
  EXPECT_NE(refusal(Rules::kOpenvino, shaped({2, 2, 2}), {text("mode", "cubic")}).find("uninitialised memory"),
            std::string::npos);
  EXPECT_NE(refusal(Rules::kOpenvino, shaped({1, 1, 1, 1, 1, 2}), {linear}).find("6 or more axes"), std::string::npos);
}

TEST(Emulation, PytorchRefusesWhatItDoesNotHave) {
  const auto refusal = [](const TensorInfo& x, const std::vector<int64_t>& sizes, std::vector<Attribute> attributes) {
    return planned(Rules::kPytorch, x, sizes, std::move(attributes)).status().message();
  };
  const auto says = [](const std::string& message, std::string_view text) {
    EXPECT_NE(message.find(text), std::string::npos) << message;
  };
  const Attribute linear = text("mode", "linear");
  const Attribute antialias = integer("antialias", 1);
  says(refusal(shaped({2, 2}), {2, 4}, {linear}), "an X without 3 to 5 axes");
  says(refusal(shaped({1, 1, 2}, DataType::kInt8), {1, 1, 4}, {}), "type int8");
  says(refusal(shaped({1, 2, 2}), {1, 4, 2}, {linear}), "resizing the first two axes");
  says(refusal(shaped({1, 1, 2}), {1, 1, 0}, {linear}), "an empty output");
  says(refusal(shaped({1, 0, 2}), {1, 0, 4}, {linear}), "an empty axis other than the first");
  says(refusal(shaped({1, 1, 2}), {1, 1, 4}, {linear, text("coordinate_transformation_mode", "asymmetric")}),
       "asymmetric in mode linear");
  says(refusal(shaped({1, 1, 2}), {1, 1, 4}, {text("mode", "cubic")}), "mode cubic of an X without 4 axes");
  says(refusal(shaped({1, 1, 2}), {1, 1, 4}, {linear, antialias}), "antialias of an X without 4 axes");
  says(refusal(shaped({1, 1, 2}, DataType::kUint8), {1, 1, 4}, {linear}), "mode linear of uint8");
  says(refusal(shaped({1, 1, 2, 2}, DataType::kFloat16), {1, 1, 1, 2}, {linear, antialias}), "antialias of float16");
  says(refusal(shaped({1, 3, 2, 2}, DataType::kUint8), {1, 3, 1, 1}, {linear}), "3 channels of uint8 to 1 x 1");
  EXPECT_EQ(refusal(shaped({1, 1, 2, 2}, DataType::kInt64), {1, 1, 2, 2}, {linear, antialias}), "");  // a copy
}

TEST(Emulation, BoxesOfOneAxisThatIsResampledTwice) {
  // OpenVINO's cubic kernel resamples rows and columns, and there are no columns: the axis has two steps.
  const Result<Plan> plan = planned(Rules::kOpenvino, shaped({9}, DataType::kUint8), {14}, {text("mode", "cubic")});
  ASSERT_EQ(work_of(plan).steps.size(), 2U);
  const std::vector<uint8_t> x = {3, 90, 17, 250, 0, 66, 128, 31, 200};
  const auto run = [&](int64_t lo, int64_t n) {
    const Box input = input_region(*plan, {{lo}, {n}});
    const std::vector<uint8_t> part(x.begin() + input.lo[0], x.begin() + input.lo[0] + input.n[0]);
    const Tensor from = make_tensor(DataType::kUint8, part, input.n);
    Tensor to = *Tensor::allocate(DataType::kUint8, {n});
    const BoxRun box = {from.view(), input.lo, to.mutable_view(), {lo}};
    EXPECT_TRUE(run_plan(*plan, *bind(*plan, kDefaultBackend), box, Executor(), {}).ok());
    const auto values = to.as<uint8_t>();
    return std::vector<uint8_t>(values.begin(), values.end());
  };
  const std::vector<uint8_t> whole = run(0, 14);
  EXPECT_EQ(input_region(*plan, {{0}, {14}}).n, Extents{9});
  EXPECT_EQ(input_region(*plan, {{13}, {1}}).n, Extents{2});
  for (int64_t lo = 0; lo < 14; ++lo)
    for (int64_t n = 1; lo + n <= 14; ++n)
      EXPECT_EQ(run(lo, n), std::vector<uint8_t>(whole.begin() + lo, whole.begin() + lo + n)) << lo << " " << n;
}

TEST(Emulation, EmptyInputs) {
  for (const Rules rules : {Rules::kOnnxReference, Rules::kOnnxRuntime, Rules::kOpenvino})
    for (const char* mode : {"nearest", "linear"}) {
      const Result<Plan> plan = planned(rules, shaped({1, 1, 0, 3}), {1, 1, 0, 6}, {text("mode", mode)});
      ASSERT_TRUE(plan.ok()) << plan.status().message();
      EXPECT_EQ(plan->out, (Extents{1, 1, 0, 6}));
      EXPECT_EQ(planned(rules, shaped({1, 1, 0, 3}), {1, 1, 2, 6}, {text("mode", mode)}).status().code(),
                TESELA_ERROR_SHAPE);
    }
}

TEST(Emulation, TablesCountAgainstTheLimits) {
  Limits limits;
  limits.max_working_bytes = 1000;
  EXPECT_TRUE(planned(Rules::kOnnxReference, shaped({2}), {30}, {text("mode", "linear")}, limits).ok());
  EXPECT_EQ(planned(Rules::kOnnxReference, shaped({2}), {40}, {text("mode", "linear")}, limits).status().code(),
            TESELA_ERROR_LIMIT);
  EXPECT_EQ(planned(Rules::kOnnxRuntime, shaped({2, 2}), {40, 2}, {text("mode", "linear")}, limits).status().code(),
            TESELA_ERROR_LIMIT);
  const auto cubic_of = [](size_t rank) {
    const Status status =
        planned(Rules::kOpenvino, shaped(Extents(rank, 1)), std::vector<int64_t>(rank, 1), {text("mode", "cubic")})
            .status();
    return status.ok() ? TESELA_OK : status.code();
  };
  EXPECT_EQ(cubic_of(11), TESELA_OK);
  EXPECT_EQ(cubic_of(12), TESELA_ERROR_LIMIT);  // 4^12 taps
}

TEST(Emulation, OtherRulesAreNotOfALibrary) {
  const OpDesc op = make_op("Resize", 19);
  for (const auto& [rules, name] :
       {std::pair(Rules::kStandard, "standard"), std::pair(Rules::kOnnxRuntimePositions, "onnxruntime_positions")}) {
    const Status status = emulate(rules, {op, {}, {}, {}, Limits::none()}).status();
    EXPECT_EQ(status.code(), TESELA_ERROR_INTERNAL);
    EXPECT_EQ(status.message(), std::string("rules ") + name + " are not an emulation");
  }
}

TEST(Emulation, PairwiseSums) {
  std::vector<double> terms(300, 1);
  EXPECT_EQ(pairwise_sum(terms.data(), terms.size()), 300);
  // Eight partial sums: 2^53 swallows only the ones in its own.
  terms.assign(16, 1);
  terms[0] = 0x1p53;
  EXPECT_EQ(pairwise_sum(terms.data(), 16), 0x1p53 + 14);
  EXPECT_EQ(pairwise_sum(terms.data(), 7), 0x1p53);
}

}  // namespace
}  // namespace tesela
