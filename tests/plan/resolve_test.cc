// SPDX-License-Identifier: Apache-2.0
// Resolves operators of every version to numbers.
#include "plan/resolve.h"

#include <gtest/gtest.h>

#include <cstring>

#include "plan/axis_table.h"
#include "plan/fields.h"
#include "schema/described.h"

namespace tesela {
namespace {

using Inputs = std::vector<std::optional<TensorInfo>>;

struct Wish {
  std::string_view type;
  int64_t opset;
  std::vector<Attribute> attributes = {};
};

std::vector<const TensorInfo*> pointers(const Inputs& inputs) {
  std::vector<const TensorInfo*> list;
  for (const auto& input : inputs) list.push_back(input ? &*input : nullptr);
  return list;
}

Result<Plan> planned(const Wish& wish, const Inputs& inputs, const Limits& limits = Limits::none(),
                     const PlanFields& fields = {}) {
  const OpDesc op = {*find_schema("", wish.type, wish.opset), "n", wish.attributes};
  return make_plan(op, pointers(inputs), limits, fields);
}
Plan plan_of(const Wish& wish, const Inputs& inputs) {
  Result<Plan> plan = planned(wish, inputs);
  EXPECT_TRUE(plan.ok()) << plan.status().message();
  return *plan;
}
tesela_status code(const Wish& wish, const Inputs& inputs) {
  return planned(wish, inputs).status().code();
}

std::vector<int64_t> sources(const Plan& plan, size_t axis) {
  for (const Pass& pass : std::get<ResizePlan>(plan.work).passes)
    if (pass.axis == axis) return make_index_table(pass.map, {0, plan.out[axis]});
  return {};
}

TEST(ResolveTile, RepeatsOfEveryVersion) {
  EXPECT_EQ(plan_of({"Tile", 13}, {shaped({2, 3}), ints({2, 5})}).out, Extents({4, 15}));
  const Plan first = plan_of({"Tile", 1}, {shaped({2, 3}), floats({3}), floats({-1})});
  EXPECT_EQ(first.out, Extents({2, 9}));
}

TEST(ResolveTile, EmptyAxisTakesAnyNumberOfRepeats) {  // docs/semantics.md, Tile
  EXPECT_EQ(plan_of({"Tile", 13}, {shaped({0, 3}), ints({int64_t{1} << 62, 2})}).out, Extents({0, 6}));
}

TEST(ResolveFill, ValueIsBitExact) {  // docs/semantics.md, ConstantOfShape: NaN payloads and -0.0 are kept
  const auto filled = [](DataType type, const std::vector<uint8_t>& bytes) {
    Tensor value = *Tensor::allocate(type, {1});
    std::memcpy(value.mutable_data(), bytes.data(), bytes.size());
    const Plan plan = plan_of({"ConstantOfShape", 25, {{"value", AttributeKind::kTensor, value}}}, {ints({2, 3})});
    EXPECT_EQ(plan.type, type);
    EXPECT_EQ(plan.out, Extents({2, 3}));
    return std::get<FillPlan>(plan.work).value;
  };
  const auto nan = filled(DataType::kFloat, {0x34, 0x12, 0xa0, 0xff});
  EXPECT_EQ(nan[0], std::byte{0x34});
  EXPECT_EQ(nan[3], std::byte{0xff});
  EXPECT_EQ(filled(DataType::kInt4, {0xad})[0], std::byte{0x0d});  // test_traps.py 8: the unused nibble is ignored
}

TEST(ResolveFill, DefaultsToFloatZero) {
  const Plan plan = plan_of({"ConstantOfShape", 9}, {ints({})});
  EXPECT_EQ(plan.type, DataType::kFloat);
  EXPECT_EQ(plan.out, Extents());
  for (const std::byte byte : std::get<FillPlan>(plan.work).value) EXPECT_EQ(byte, std::byte{0});
}

TEST(ResolveResize, Resize10AndUpsampleAreAsymmetricAndSimple) {  // docs/semantics.md, Resize: positions
  const Plan ten = plan_of({"Resize", 10}, {shaped({4}), floats({0.6f})});
  EXPECT_EQ(sources(ten, 0), (std::vector<int64_t>{0, 2}));
  const Plan up = plan_of({"Upsample", 9}, {shaped({2, 2}), floats({2, 3})});
  EXPECT_EQ(sources(up, 0), (std::vector<int64_t>{0, 0, 1, 1}));
  EXPECT_EQ(sources(up, 1), (std::vector<int64_t>{0, 0, 0, 1, 1, 1}));
  const Plan seventh =
      plan_of({"Upsample", 7, {{"scales", AttributeKind::kFloats, std::vector<float>{1, 1.5f}}}}, {shaped({2, 4})});
  EXPECT_EQ(sources(seventh, 1), (std::vector<int64_t>{0, 0, 1, 2, 2, 3}));
}

TEST(ResolveResize, UpsampleOneTakesHeightAndWidth) {
  const Plan plan = plan_of({"Upsample",
                             1,
                             {{"height_scale", AttributeKind::kFloat, 2.f},
                              {"width_scale", AttributeKind::kFloat, 3.f},
                              text("mode", "bilinear")}},
                            {shaped({1, 1, 2, 2})});
  EXPECT_EQ(plan.out, Extents({1, 1, 4, 6}));
  EXPECT_EQ(std::get<ResizePlan>(plan.work).filter, Filter::kLinear);
}

TEST(ResolveResize, Resize11DefaultsToHalfPixelAndPreferFloor) {  // test_traps.py 25
  const Plan plan = plan_of({"Resize", 11}, {shaped({20}), floats({}), floats({}), ints({6})});
  EXPECT_EQ(sources(plan, 0)[1], 4);  // test_traps.py 18
}

TEST(ResolveResize, AttributesReachThePlan) {
  const Plan plan = plan_of({"Resize",
                             19,
                             {text("mode", "cubic"),
                              {"cubic_coeff_a", AttributeKind::kFloat, -0.5f},
                              {"antialias", AttributeKind::kInt, int64_t{1}},
                              {"exclude_outside", AttributeKind::kInt, int64_t{1}},
                              text("coordinate_transformation_mode", "align_corners")}},
                            {shaped({8}), {}, {}, ints({3})});
  const ResizePlan& work = std::get<ResizePlan>(plan.work);
  const SamplingParams& sampling = work.passes.at(0).map.sampling;
  EXPECT_EQ(work.filter, Filter::kCubic);
  EXPECT_EQ(sampling.cubic_a, -0.5);
  EXPECT_TRUE(sampling.antialias && sampling.exclude_outside);
  EXPECT_EQ(sampling.coordinates, CoordinateMode::kAlignCorners);
}

TEST(ResolveResize, PolicyScaleIsUsedForPositions) {
  // test_traps.py 40: 3x7, sizes [2,2] not_larger -> 1x2 with q = 2/7
  const Plan plan = plan_of({"Resize", 18, {text("mode", "linear"), text("keep_aspect_ratio_policy", "not_larger")}},
                            {shaped({3, 7}), {}, {}, ints({2, 2})});
  EXPECT_EQ(plan.out, Extents({1, 2}));
  const ResizePlan& work = std::get<ResizePlan>(plan.work);
  EXPECT_EQ(position(work.passes[0].map, 0), 1.25);  // 0.5 * 7/2 - 0.5
  // The same if the first axis decides.
  const Plan turned = plan_of({"Resize", 18, {text("mode", "linear"), text("keep_aspect_ratio_policy", "not_larger")}},
                              {shaped({7, 3}), {}, {}, ints({2, 2})});
  EXPECT_EQ(turned.out, Extents({2, 1}));
  for (const Pass& pass : std::get<ResizePlan>(turned.work).passes) EXPECT_EQ(position(pass.map, 0), 1.25) << pass.axis;
}

TEST(ResolveResize, RoiFollowsTheOrderOfAxes) {
  // test_traps.py 32: all starts, then all ends; axes [3, 2] begin with axis 3
  const Plan plan =
      plan_of({"Resize", 18, {list("axes", {3, 2}), text("coordinate_transformation_mode", "tf_crop_and_resize")}},
              {shaped({1, 1, 4, 4}), floats({0.25f, 0, 0.75f, 1}), {}, ints({4, 8})});
  for (const Pass& pass : std::get<ResizePlan>(plan.work).passes) {
    EXPECT_EQ(pass.map.roi_start, pass.axis == 3 ? 0.25 : 0);
    EXPECT_EQ(pass.map.roi_end, pass.axis == 3 ? 0.75 : 1);
  }
}

TEST(ResolveResize, AcceptsRoiOfEveryFloatTypeAbsentOrEmpty) {
  const Wish crop = {"Resize", 13, {text("coordinate_transformation_mode", "tf_crop_and_resize")}};
  for (const TensorInfo& roi : {constant<uint16_t>(DataType::kFloat16, {0x3400, 0x3a00}), floats({0.25f, 0.75f}),
                                constant<double>(DataType::kDouble, {0.25, 0.75})}) {
    const Plan plan = plan_of(crop, {shaped({4}), roi, {}, ints({8})});
    EXPECT_EQ(std::get<ResizePlan>(plan.work).passes[0].map.roi_start, 0.25);
  }
  for (const std::optional<TensorInfo>& roi : {std::optional<TensorInfo>(), std::optional(floats({}))}) {
    const Plan plan = plan_of(crop, {shaped({4}), roi, {}, ints({8})});
    EXPECT_EQ(std::get<ResizePlan>(plan.work).passes[0].map.roi_end, 1);
  }
}

TEST(ResolveResize, RoiFaults) {  // docs/semantics.md, Resize: output size
  const Wish crop = {"Resize", 13, {text("coordinate_transformation_mode", "tf_crop_and_resize")}};
  const float inf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(code(crop, {shaped({4}), floats({0, 0, 1}), {}, ints({8})}), TESELA_ERROR_COUNT);
  EXPECT_EQ(planned(crop, {shaped({4}), floats({0, 0, 1}), {}, ints({8})}).status().message(),
            "Resize-13 node 'n': input 'roi' has length 3; expected 2 (a start and an end for each axis)");
  EXPECT_EQ(code(crop, {shaped({4}), floats({0, inf}), {}, ints({8})}), TESELA_ERROR_VALUE);
  EXPECT_EQ(code(crop, {shaped({4}), floats({std::nanf(""), 1}), {}, ints({8})}), TESELA_ERROR_VALUE);
  TensorInfo matrix = shaped({1, 2});
  matrix.constant = make_tensor<float>(DataType::kFloat, {0, 1}, {1, 2});
  EXPECT_EQ(code(crop, {shaped({4}), matrix, {}, ints({8})}), TESELA_ERROR_RANK);
}

TEST(ResolveResize, RoiOfNoAxisHasNoEntries) {
  const OpDesc op =
      make_op("Resize", 18, {list("axes", {}), text("coordinate_transformation_mode", "tf_crop_and_resize")});
  const TensorInfo x = shaped({2, 3});
  const TensorInfo empty = floats({});
  const TensorInfo roi = floats({0, 1});
  EXPECT_TRUE(make_plan(op, std::vector{&x, &empty}, Limits::none()).ok());
  const TensorInfo* const inputs[] = {&x, &roi};
  EXPECT_EQ(make_plan(op, inputs, Limits::none()).status().code(), TESELA_ERROR_COUNT);
  EXPECT_TRUE(make_plan(op, std::span(inputs, 1), Limits::none()).ok());  // nothing behind the inputs is read
}

TEST(ResolveResize, RoiIsIgnoredInOtherModes) {  // docs/semantics.md, Resize: output size
  EXPECT_TRUE(planned({"Resize", 13}, {shaped({4}), floats({std::nanf("")}), {}, ints({8})}).ok());
}

TEST(ResolveResize, ResizeOfNoAxisHasNoPasses) {  // docs/semantics.md, Resize: output size
  const Plan scalar = plan_of({"Resize", 13, {text("mode", "linear")}}, {shaped({}), {}, floats({})});
  EXPECT_EQ(scalar.out, Extents());
  EXPECT_TRUE(std::get<ResizePlan>(scalar.work).passes.empty());
  const Plan none = plan_of({"Resize", 18, {list("axes", {})}}, {shaped({2, 3})});
  EXPECT_EQ(none.out, Extents({2, 3}));
  const Plan crop =
      plan_of({"Resize", 18, {list("axes", {}), text("coordinate_transformation_mode", "tf_crop_and_resize")}},
              {shaped({2, 3})});
  EXPECT_EQ(crop.out, Extents({2, 3}));
  EXPECT_TRUE(std::get<ResizePlan>(crop.work).passes.empty());
}

bool same_positions(const AxisMap& a, const AxisMap& b) {
  const auto numbers = [](const AxisMap& r) {
    return std::tuple(r.positions, r.in, r.scale, r.length, r.roi_start, r.roi_end, r.antialias, r.shrink);
  };
  return numbers(a) == numbers(b);
}

// Every float ratio m / n of extents up to 512, each with one mode: if the host's extent is larger, the outputs of both
// are at the same positions.
TEST(ResolveResize, HostExtentsDoNotChangePositions) {
  constexpr std::string_view kModes[] = {"half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric",
                                         "tf_crop_and_resize"};
  int64_t compared = 0;
  for (int64_t n = 1; n <= 512; ++n)
    for (int64_t m = 1; m <= 512; ++m) {
      const float scale = static_cast<float>(m) / static_cast<float>(n);
      const auto out = [&](ExtentRule rule) { return *scaled_extent(n, scale, 0, rule); };
      const int64_t fewer = out(ExtentRule::kStandard);
      if (fewer == out(ExtentRule::kHost)) continue;
      const TensorInfo x = shaped({n});
      const TensorInfo scales = floats({scale});
      const TensorInfo* const inputs[] = {&x, nullptr, &scales};
      OpDesc op = {*find_schema("", "Resize", 19), "", {text("mode", "linear")}};
      op.attributes.push_back(text("coordinate_transformation_mode", std::string(kModes[(n + m) % 5])));
      const Result<Plan> standard = make_plan(op, inputs, Limits::none());
      op.extents = ExtentRule::kHost;
      const Result<Plan> host = make_plan(op, inputs, Limits::none());
      ASSERT_TRUE(standard.ok() && host.ok());
      ASSERT_EQ(host->out, Extents({m})) << n << " " << m;
      ASSERT_EQ(standard->out, Extents({m - 1}));
      if (fewer == 0) continue;
      const AxisMap& few = std::get<ResizePlan>(standard->work).passes[0].map;
      const AxisMap& many = std::get<ResizePlan>(host->work).passes[0].map;
      ASSERT_TRUE(same_positions(few, many)) << n << " " << m;
      if (fewer == 1) continue;  // some modes have a special rule for one output
      ASSERT_EQ(position(few, 0), position(many, 0));
      ASSERT_EQ(position(few, fewer - 1), position(many, fewer - 1));
      ASSERT_LT(nearest_index(many, m - 1), n);
      ++compared;
    }
  EXPECT_GT(compared, 100'000);
}

TEST(ResolveResize, EmptyOutputs) {  // test_traps.py 49
  EXPECT_EQ(plan_of({"Resize", 13, {text("mode", "cubic")}}, {shaped({4, 4}), {}, {}, ints({0, 8})}).out,
            Extents({0, 8}));
  EXPECT_EQ(plan_of({"Resize", 13, {text("mode", "linear")}}, {shaped({0, 4}), {}, floats({2, 2})}).out,
            Extents({0, 8}));
  EXPECT_EQ(plan_of({"Resize", 13}, {shaped({49}), {}, floats({1 / 49.f})}).out, Extents({0}));
}

TEST(MakePlan, MessagesBeginWithOperatorAndNode) {
  const Result<Plan> plan = planned({"Resize", 18}, {shaped({4}), {}, floats({-1})});
  EXPECT_EQ(plan.status().message(),
            "Resize-18 node 'n': input 'scales': entry 0 is -1; expected a finite number above 0");
}

TEST(MakePlan, FieldsBelongToOperators) {
  const auto allowed = [](const OpDesc& op, const std::vector<TensorInfo>& inputs) {
    std::vector<const TensorInfo*> pointers;
    for (const TensorInfo& input : inputs) pointers.push_back(&input);
    std::string fields;
    for (const auto& [name, value] :
         {std::pair{"coordinates", "float32"}, {"extents", "host"}, {"rules", "onnxruntime"}}) {
      PlanFields set;
      EXPECT_TRUE(set_field(set, name, value).ok());
      const Status status = make_plan(op, pointers, Limits::none(), set).status();
      if (status.ok())
        fields += std::string(name) + " ";
      else
        EXPECT_EQ(status.message(), op.where() + "plan fields are for Resize only");
    }
    return fields;
  };
  const TensorInfo x = shaped({1, 1, 4, 4});
  EXPECT_EQ(allowed({*find_schema("", "Resize", 10), "n", {}}, {x, floats({1, 1, 2, 2})}),
            "coordinates extents rules ");
  EXPECT_EQ(allowed({*find_schema("", "Upsample", 9), "n", {}}, {x, floats({1, 1, 2, 2})}), "extents rules ");
  EXPECT_EQ(allowed({*find_schema("openvino", "Interpolate", 11),
                     "n",
                     {text("mode", "nearest"), text("shape_calculation_mode", "scales")}},
                    {x, floats({2, 2}), ints({2, 3})}),
            "extents ");
  EXPECT_EQ(allowed({*find_schema("", "Tile", 13), "n", {}}, {x, ints({1, 1, 2, 2})}), "");
}

TEST(MakePlan, FaultsOfFieldsBeginWithOperatorAndNode) {
  const auto fault = [](std::string_view name, std::string_view value) {
    PlanFields fields;
    EXPECT_TRUE(set_field(fields, name, value).ok());
    const Wish linear = {"Resize", 13, {text("mode", "linear")}};
    return planned(linear, {shaped({4, 4}, DataType::kUint8), {}, {}, ints({8, 8})}, Limits::none(), fields).status();
  };
  const Status unrounded = fault("intermediate", "uint8");
  EXPECT_EQ(unrounded.code(), TESELA_ERROR_ATTRIBUTE);
  EXPECT_EQ(unrounded.message(),
            "Resize-13 node 'n': plan field 'intermediate' is given without 'weights', whose sums it rounds");
  const Status truncated = fault("rules", "onnxruntime_positions");
  EXPECT_EQ(truncated.code(), TESELA_ERROR_TYPE);
  EXPECT_EQ(truncated.message(),
            "Resize-13 node 'n': plan field 'rules' is onnxruntime_positions, which truncates integers; input 'X' has "
            "type uint8, expected float32");
}

TEST(MakePlan, LimitsReachThePlan) {
  Limits limits;
  limits.max_output_bytes = 1000;
  EXPECT_EQ(planned({"ConstantOfShape", 9}, {ints({251})}, limits).status().code(), TESELA_ERROR_LIMIT);
  EXPECT_EQ(planned({"Tile", 13}, {shaped({250}), ints({2})}, limits).status().code(), TESELA_ERROR_LIMIT);
  EXPECT_EQ(planned({"Resize", 13}, {shaped({250}), {}, floats({2})}, limits).status().code(), TESELA_ERROR_LIMIT);
}

TEST(MakePlan, DescriptionFaultsComeFirst) {
  EXPECT_EQ(code({"Resize", 13, {text("mode", "area")}}, {shaped({4})}), TESELA_ERROR_ATTRIBUTE);
  EXPECT_EQ(code({"Tile", 13}, {shaped({4})}), TESELA_ERROR_COUNT);
  EXPECT_EQ(code({"Tile", 13}, {}), TESELA_ERROR_COUNT);
  EXPECT_EQ(code({"Resize", 13, {text("mode", "linear")}}, {shaped({4}, DataType::kString), {}, floats({1})}),
            TESELA_ERROR_TYPE);
}

TEST(IsPlannable, NeedsTypesExtentsAndTheValuesThatPlanningReads) {
  const auto plannable = [](const OpDesc& op, const Inputs& inputs) { return is_plannable(op, pointers(inputs)); };
  const OpDesc resize = make_op("Resize", 13);
  const TensorInfo x = shaped({4});
  TensorInfo untyped = x;
  untyped.type = DataType::kUndefined;
  TensorInfo unranked = x;
  unranked.dims.reset();
  TensorInfo symbolic = x;
  symbolic.dims->front() = {-1, "N"};
  TensorInfo computed = ints({8});
  computed.constant.reset();
  EXPECT_TRUE(plannable(resize, {x, {}, {}, ints({8})}));
  EXPECT_FALSE(plannable(resize, {untyped, {}, {}, ints({8})}));
  EXPECT_FALSE(plannable(resize, {unranked, {}, {}, ints({8})}));
  EXPECT_FALSE(plannable(resize, {symbolic, {}, {}, ints({8})}));
  EXPECT_FALSE(plannable(resize, {x, {}, {}, computed}));
  const OpDesc fill = make_op("ConstantOfShape", 9);
  EXPECT_TRUE(plannable(fill, {ints({8})}));
  EXPECT_FALSE(plannable(fill, {computed}));
}

}  // namespace
}  // namespace tesela
