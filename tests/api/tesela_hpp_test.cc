// SPDX-License-Identifier: Apache-2.0
// The C++20 interface, as far as it adds to the C interface.
#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "api/hpp_calls.h"

namespace {

using tesela::Dim;
using tesela::Shape;
using tesela::TensorInfo;
using tesela::testing::code_of;
using tesela::testing::kFour;
using tesela::testing::kFourSizes;
using tesela::testing::kPair;
using tesela::testing::linear;

static_assert(!std::is_copy_constructible_v<tesela::Op> && std::is_nothrow_move_constructible_v<tesela::Op>);
static_assert(!std::is_copy_constructible_v<tesela::Plan> && std::is_move_assignable_v<tesela::Plan>);
static_assert(!std::is_copy_constructible_v<tesela::Value> && std::is_move_constructible_v<tesela::Value>);
static_assert(!std::is_copy_constructible_v<tesela::Model> && !std::is_copy_constructible_v<tesela::Session>);
static_assert(!std::is_copy_constructible_v<tesela::Inferred> && !std::is_copy_constructible_v<tesela::AxisTable>);
static_assert(tesela::dtype_of<float> == TESELA_FLOAT && tesela::dtype_of<bool> == TESELA_BOOL);
static_assert(tesela::dtype_of<long> == TESELA_INT64 && tesela::dtype_of<long long> == TESELA_INT64);
static_assert(tesela::dtype_of<unsigned char> == TESELA_UINT8 &&
              tesela::dtype_of<std::complex<double>> == TESELA_COMPLEX128);
static_assert(tesela::dtype_of<std::string> == 0 && !tesela::Element<void*>);
static_assert(!std::is_constructible_v<tesela::MutableView, const std::vector<float>&, Shape>);

// A caller's own type.
struct Half {
  uint16_t bits;
};

}  // namespace

template <>
inline constexpr tesela_dtype tesela::dtype_of<Half> = TESELA_FLOAT16;

namespace {

TEST(TeselaHpp, ResizesInFourLines) {
  std::array<float, 4> y = {};
  const tesela::Plan plan = linear().plan({kPair, {}, {}, kFourSizes});
  plan.run(kPair, {y, {4}});
  EXPECT_EQ(std::vector<float>(y.begin(), y.end()), kFour);
  EXPECT_EQ(Shape(plan.output_extents()), Shape{4});
  EXPECT_EQ(Shape(plan.input_extents()), Shape{2});
  EXPECT_EQ(plan.dtype(), TESELA_FLOAT);
}

TEST(TeselaHpp, RunAllocatesMissingOutput) {
  const tesela::Value y = linear().plan({kPair, {}, {}, kFourSizes}).run(kPair);
  EXPECT_EQ(y.dtype(), TESELA_FLOAT);
  EXPECT_EQ(y.extents(), Shape{4});
  const auto elements = y.elements<float>();
  EXPECT_EQ(std::vector<float>(elements.begin(), elements.end()), kFour);
}

TEST(TeselaHpp, ErrorsCarryCodeNameAndText) {
  try {
    tesela::Op("Resize", 18, {.node = "up1"}).set("mode", "area").plan({kPair, {}, {}, kFourSizes});
    FAIL();
  } catch (const tesela::Error& error) {
    EXPECT_EQ(error.code(), TESELA_ERROR_ATTRIBUTE);
    EXPECT_EQ(error.name(), "attribute");
    EXPECT_EQ(error.exit_code(), 3);
    EXPECT_STREQ(error.what(),
                 "Resize-18 node 'up1': attribute 'mode' is 'area'; expected one of nearest, linear, cubic");
  }
  EXPECT_EQ(code_of([] { tesela::Op("Conv"); }), TESELA_ERROR_UNSUPPORTED);
  EXPECT_EQ(code_of([] { tesela::Op("Tile").set("a", 1).set("a", 1); }), TESELA_ERROR_ATTRIBUTE);
}

TEST(TeselaHpp, AttributesOfEveryKind) {
  tesela::Op op("Resize", 19);
  op.set("mode", std::string("cubic")).set("cubic_coeff_a", -0.5).set("antialias", true).set("exclude_outside", 1U);
  op.set("axes", {1, 0}).set("extrapolation_value", 1.5f);
  EXPECT_EQ(op.since_version(), 19);
  const std::vector<float> x(6);
  EXPECT_EQ(Shape(op.plan({{x, {2, 3}}, {}, {}, std::vector<int64_t>{6, 5}}).output_extents()), (Shape{5, 6}));

  const std::vector<int64_t> axes = {-1};
  tesela::Op by_vector("Resize", 18);
  by_vector.set("axes", axes);
  EXPECT_EQ(Shape(by_vector.plan({{x, {2, 3}}, {}, std::vector<float>{2}}).output_extents()), (Shape{2, 6}));

  tesela::Op upsample("Upsample", 7);
  upsample.set("scales", {1.0, 2.0});
  EXPECT_EQ(Shape(upsample.plan({{x, {2, 3}}}).output_extents()), (Shape{2, 6}));
}

TEST(TeselaHpp, FillsByATensorAttribute) {
  tesela::Op op("ConstantOfShape", 20);
  const std::array<Half, 1> value = {{{0x3e00}}};  // 1.5
  op.set_tensor("value", value);
  const tesela::Value y = op.plan({std::vector<int64_t>{2, 2}}).run({});
  EXPECT_EQ(y.dtype(), TESELA_FLOAT16);
  EXPECT_EQ(tesela::to_doubles(y), std::vector<double>(4, 1.5));
  EXPECT_EQ(y.elements<Half>()[3].bits, 0x3e00);
}

TEST(TeselaHpp, ViewsCheckTheirElements) {
  const std::vector<float> x(6);
  EXPECT_EQ(code_of([&] { tesela::View(x, {2, 4}); }), TESELA_ERROR_COUNT);
  EXPECT_EQ(code_of([&] { tesela::View(x, {int64_t{1} << 40, int64_t{1} << 40}); }), TESELA_ERROR_SHAPE);
  EXPECT_EQ(code_of([&] { tesela::View(x).elements<double>(); }), TESELA_ERROR_TYPE);
  const tesela::View turned(x.data() + 5, TESELA_FLOAT, {6}, {-4});
  EXPECT_EQ(code_of([&] { turned.elements<float>(); }), TESELA_ERROR_USAGE);
  EXPECT_EQ(tesela::View(x, {2, 3}).elements<float>().size(), 6u);
  EXPECT_TRUE(tesela::View().omitted());
  EXPECT_FALSE(tesela::View(x).omitted());
  EXPECT_EQ(tesela::View(std::vector<float>{}).count(), 0);
}

TEST(TeselaHpp, ViewsKeepTheirExtentsWhenCopied) {
  tesela::View copy;
  {
    const tesela::View first(kPair, {2, 1});
    copy = first;
  }
  EXPECT_EQ(copy.c().rank, 2);
  EXPECT_EQ(copy.c().extents[0], 2);
}

TEST(TeselaHpp, StridesOfAnySign) {
  std::vector<float> y(4);
  const tesela::View x(kPair.data() + 1, TESELA_FLOAT, {2}, {-4});
  linear().plan({x, {}, {}, kFourSizes}).run(x, tesela::MutableView(y.data() + 3, TESELA_FLOAT, {4}, {-4}));
  EXPECT_EQ(y, kFour);  // reversed twice
}

TEST(TeselaHpp, ConvertsToAndFromDoubles) {
  std::vector<uint8_t> x = {1, 2, 3};
  EXPECT_EQ(tesela::to_doubles(x), (std::vector<double>{1, 2, 3}));
  tesela::from_doubles(std::vector<double>{0.5, 300, -1}, {x, {3}});
  EXPECT_EQ(x, (std::vector<uint8_t>{0, 255, 0}));
  const std::vector<std::complex<float>> c = {{1, 2}};
  EXPECT_EQ(tesela::to_doubles(c), (std::vector<double>{1, 2}));
  EXPECT_EQ(code_of([&] { tesela::from_doubles(std::vector<double>{1}, {x, {3}}); }), TESELA_ERROR_COUNT);
}

TEST(TeselaHpp, StringsAreBorrowedAndCopied) {
  std::string word = "tesela";
  const std::vector<tesela_string> x = {tesela::string_element(word), tesela::string_element("b")};
  const tesela::Value y = tesela::Op("Tile").plan({x, std::vector<int64_t>{2}}).run(x);
  EXPECT_EQ(y.elements<tesela_string>()[2].ptr, word.data());
  const tesela::Value copy = tesela::Value::copy(y);
  word.assign("......");
  EXPECT_EQ(tesela::text(copy.elements<tesela_string>()[2]), "tesela");
  EXPECT_EQ(tesela::text(copy.elements<tesela_string>()[3]), "b");
}

TEST(TeselaHpp, ValuesAreMovedAndWritten) {
  tesela::Value value(TESELA_INT32, {2, 2});
  for (int32_t& element : value.elements<int32_t>()) element = 7;
  const tesela::Value moved = std::move(value);
  EXPECT_EQ(tesela::to_doubles(moved), std::vector<double>(4, 7.0));
  EXPECT_EQ(code_of([] { tesela::Value(TESELA_INT8, {100}, tesela::Limits{.max_output_bytes = 99}); }),
            TESELA_ERROR_LIMIT);
  EXPECT_EQ(code_of([] { tesela::Value(TESELA_INT8, {-1}); }), TESELA_ERROR_SHAPE);
}

TEST(TeselaHpp, LimitsOfPlans) {
  const auto plan = [](const std::optional<tesela::Limits>& limits) {
    linear().plan({kPair, {}, {}, kFourSizes}, limits);
  };
  EXPECT_EQ(code_of([&] { plan(tesela::Limits{.max_output_bytes = 15}); }), TESELA_ERROR_LIMIT);
  EXPECT_EQ(code_of([&] { plan(tesela::Limits{.max_output_bytes = 16}); }), TESELA_OK);
  EXPECT_EQ(code_of([&] { plan({}); }), TESELA_OK);
}

TEST(TeselaHpp, InfersWithSymbols) {
  const std::vector<Dim> dims = {"N", 3, {}};
  const tesela::Inferred inferred =
      tesela::Op("Tile").infer({TensorInfo(TESELA_INT8, dims), TensorInfo::of_constant(std::vector<int64_t>{1, 2, 2})});
  const TensorInfo info = inferred.info();
  EXPECT_EQ(info.dtype, TESELA_INT8);
  EXPECT_EQ(*info.dims, (std::vector<Dim>{"N", 6, {}}));
  EXPECT_TRUE(info.constant.omitted());

  TensorInfo shape(TESELA_INT64, std::vector<Dim>{2});
  shape.shape_value = std::vector<Dim>{4, "W"};
  EXPECT_EQ(*tesela::Op("ConstantOfShape").infer({shape}).info().dims, (std::vector<Dim>{4, "W"}));
  EXPECT_FALSE(tesela::Op("Tile").infer({TensorInfo(TESELA_FLOAT), TensorInfo(TESELA_INT64)}).info().dims.has_value());
  EXPECT_EQ(*linear().infer({TensorInfo::of(kPair), {}, {}, TensorInfo(TESELA_INT64)}).info().dims,
            std::vector<Dim>{Dim()});
  EXPECT_EQ(code_of([] { linear().infer({TensorInfo::of(kPair)}); }), TESELA_ERROR_COUNT);
}

TEST(TeselaHpp, RegionsOfAPlan) {
  const tesela::Plan plan = linear().plan({kPair, {}, {}, kFourSizes});
  const tesela::Box input = plan.input_region({{0}, {1}});
  EXPECT_EQ(input.lo, Shape{0});
  EXPECT_EQ(input.extents, Shape{1});
  std::array<float, 2> y = {};
  plan.run_region(kPair, {0}, {y, {2}}, {1});
  EXPECT_EQ(y[0], 1);
  EXPECT_EQ(y[1], 3);
  EXPECT_GT(plan.scratch_bytes({{0}, {4}}), 0u);
  EXPECT_EQ(code_of([&] { plan.input_region({{0, 0}, {1, 1}}); }), TESELA_ERROR_RANK);
  EXPECT_EQ(code_of([&] { plan.input_region({{3}, {2}}); }), TESELA_ERROR_SHAPE);
  EXPECT_EQ(code_of([&] { plan.run_region(kPair, {0}, {y, {2}}, {}); }), TESELA_ERROR_RANK);
}

TEST(TeselaHpp, TablesAndTexts) {
  const tesela::Plan plan = linear().plan({kPair, {}, {}, kFourSizes});
  const tesela::AxisTable table = plan.axis_table(0, 0, 4);
  EXPECT_EQ(table.outputs(), 4u);
  EXPECT_EQ(table.count()[0], 1);
  EXPECT_EQ(table.first()[3], 1);
  EXPECT_EQ(table.weights(1)[1], 0.25);
  EXPECT_EQ(table.weights(0).size(), 1u);
  EXPECT_NE(plan.describe().view().find("resize linear"), std::string_view::npos);
  EXPECT_EQ(plan.describe(TESELA_TEXT_JSON).str().front(), '{');
  EXPECT_NE(std::string_view(tesela::ops(TESELA_TEXT_MARKDOWN)).find("| Resize | 19 |"), std::string_view::npos);
  EXPECT_FALSE(tesela::Op("Tile").plan({kPair, std::vector<int64_t>{2}}).axis_table(0, 0, 4).has_weights());
}

TEST(TeselaHpp, NamesOfTypes) {
  EXPECT_EQ(tesela::dtype_name(TESELA_BFLOAT16), "bfloat16");
  EXPECT_EQ(tesela::dtype_name(99), "");
  EXPECT_EQ(tesela::dtype_from_name("bool"), TESELA_BOOL);
  EXPECT_EQ(tesela::dtype_bits(TESELA_INT2), 2);
  EXPECT_EQ(tesela::dtype_numpy_name(TESELA_FLOAT), "float32");
  EXPECT_EQ(tesela::dtype_numpy_name(0), "");
  EXPECT_EQ(tesela::dtype_from_dlpack(tesela::dtype_dlpack_code(TESELA_BFLOAT16), 16), TESELA_BFLOAT16);
  EXPECT_FALSE(tesela::version().empty());
}

}  // namespace
