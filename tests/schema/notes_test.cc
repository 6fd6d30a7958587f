// What is worth a word about operators that can be computed.
#include "schema/notes.h"

#include <gmock/gmock.h>

namespace tesela {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

OpDesc make_op(std::string_view type, int64_t opset, std::vector<Attribute> attributes = {}) {
  return {*find_schema("", type, opset), "", std::move(attributes)};
}

Attribute text(std::string name, std::string value) {
  return {std::move(name), AttributeKind::kString, std::move(value)};
}
Attribute integer(std::string name, int64_t value) {
  return {std::move(name), AttributeKind::kInt, value};
}
Attribute number(std::string name, float value) {
  return {std::move(name), AttributeKind::kFloat, value};
}

TensorInfo of_extents(DataType type, const std::vector<int64_t>& extents) {
  TensorInfo info{type, Dims(), {}, {}};
  for (const int64_t extent : extents) info.dims->push_back({extent, ""});
  return info;
}

TensorInfo floats(const std::vector<float>& values) {
  TensorInfo info = of_extents(DataType::kFloat, {static_cast<int64_t>(values.size())});
  Tensor tensor = *Tensor::allocate(DataType::kFloat, {static_cast<int64_t>(values.size())});
  std::copy(values.begin(), values.end(), reinterpret_cast<float*>(tensor.mutable_data()));
  info.constant = tensor;
  return info;
}

// ---- Attributes that change nothing

TEST(Notes, WhatChangesNothingIsNoted) {
  EXPECT_TRUE(notes(make_op("Resize", 19), {}).empty());
  EXPECT_TRUE(notes(make_op("Tile", 13), {}).empty());
  const auto lines = notes(make_op("Resize", 19,
                                   {text("mode", "linear"), text("nearest_mode", "floor"),
                                    number("cubic_coeff_a", -0.5f), number("extrapolation_value", 1)}),
                           {});
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0], "Resize-19: attribute 'nearest_mode' has no meaning outside mode nearest and is ignored");
  EXPECT_EQ(notes(make_op("Resize", 19, {integer("exclude_outside", 1)}), {}).size(), 1u);
}

TEST(Notes, WhatCountsIsNot) {
  EXPECT_TRUE(notes(make_op("Resize", 19, {text("nearest_mode", "floor")}), {}).empty());
  EXPECT_TRUE(notes(make_op("Resize", 19,
                            {text("mode", "cubic"), number("cubic_coeff_a", -0.5f), integer("exclude_outside", 1)}),
                    {})
                  .empty());
  EXPECT_TRUE(
      notes(make_op("Resize", 19,
                    {text("coordinate_transformation_mode", "tf_crop_and_resize"), number("extrapolation_value", 1)}),
            {})
          .empty());
}

// ---- Values that other runtimes round otherwise

std::vector<std::string> antialias_notes(DataType type, int64_t antialias) {
  const OpDesc op = make_op("Resize", 19, {text("mode", "linear"), integer("antialias", antialias)});
  const TensorInfo x = of_extents(type, {4, 4});
  const TensorInfo sizes = of_extents(DataType::kInt64, {2});
  const TensorInfo* const inputs[] = {&x, nullptr, nullptr, &sizes};
  return notes(op, inputs);
}

TEST(Notes, AntialiasOfBytesDiffersByOne) {
  for (const DataType type : {DataType::kUint8, DataType::kInt8})
    EXPECT_THAT(antialias_notes(type, 1),
                ElementsAre(AllOf(HasSubstr("Resize-19: antialias of"), HasSubstr("semantics=onnxruntime"))));
  EXPECT_THAT(antialias_notes(DataType::kUint8, 0), IsEmpty());
  EXPECT_THAT(antialias_notes(DataType::kFloat, 1), IsEmpty());
  EXPECT_THAT(antialias_notes(DataType::kUndefined, 1), IsEmpty());
}

// ---- Outputs whose number depends on the runtime

std::vector<std::string> scale_notes(const TensorInfo& x, const TensorInfo& scales) {
  const TensorInfo* const inputs[] = {&x, nullptr, &scales};
  return notes(make_op("Resize", 19), inputs);
}

TEST(Notes, ExtentsThatFloatsAndDoublesCutDifferently) {
  const auto found = scale_notes(of_extents(DataType::kFloat, {1, 48, 10}), floats({1, 40.0f / 48, 0.7f}));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_THAT(found[0], HasSubstr("axis 1: extent 48 times scale 0.8333333 is 39 by the standard and 40 in"));
  EXPECT_THAT(found[1], HasSubstr("axis 2: extent 10 times scale 0.7 is 6 by the standard and 7 in"));
  EXPECT_THAT(scale_notes(of_extents(DataType::kFloat, {1, 48, 10}), floats({1, 2, 0.5f})), IsEmpty());
  EXPECT_THAT(scale_notes({DataType::kFloat, {}, {}, {}}, floats({0.7f})),
              IsEmpty());  // nothing is known of x
}

TEST(Notes, ScalesThatTheModelComputes) {
  const TensorInfo x = of_extents(DataType::kFloat, {4, 4});
  const TensorInfo computed = of_extents(DataType::kFloat, {2});
  EXPECT_THAT(scale_notes(x, computed), ElementsAre(HasSubstr("input 'scales' is computed by the model")));
  EXPECT_THAT(scale_notes(x, of_extents(DataType::kFloat, {0})), IsEmpty());
  const TensorInfo* const with_sizes[] = {&x, nullptr, &computed, &computed};
  EXPECT_THAT(notes(make_op("Resize", 19), with_sizes), IsEmpty());
  const TensorInfo* const old[] = {&x, &computed};
  EXPECT_EQ(notes(make_op("Resize", 10), old).size(), 1u);
  EXPECT_EQ(notes(make_op("Upsample", 9), old).size(), 1u);
  EXPECT_THAT(notes(make_op("Tile", 13), old), IsEmpty());
}

// ---- What a version forbids and Tesela computes

std::string departure(int64_t opset, std::vector<Attribute> more) {
  more.push_back(text("coordinate_transformation_mode", "tf_half_pixel_for_nn"));
  const std::vector<Status> found = departures(make_op("Resize", opset, std::move(more)));
  EXPECT_LE(found.size(), 1u);
  if (found.empty()) return "";
  EXPECT_EQ(found[0].code(), TESELA_ERROR_ATTRIBUTE);
  EXPECT_LE(found[0].message().size(), 300u);
  return found[0].message();
}

TEST(Departures, TfHalfPixelForNnIsAFaultWithItsCure) {
  EXPECT_EQ(departure(11, {}), "");
  for (const int64_t opset : {13, 18, 19}) {
    EXPECT_THAT(departure(opset, {text("nearest_mode", "floor")}),
                AllOf(HasSubstr("is 'tf_half_pixel_for_nn', which ended with version 11 and is computed by its rule"),
                      HasSubstr("write 'half_pixel' and nearest_mode 'round_prefer_ceil', which take the same")));
    EXPECT_THAT(departure(opset, {}), HasSubstr("nearest_mode 'ceil', which take the same"));
    EXPECT_THAT(departure(opset, {text("mode", "linear")}), HasSubstr("for what TensorFlow computes"));
  }
  EXPECT_THAT(departures(make_op("Resize", 19)), IsEmpty());
  EXPECT_THAT(departures(make_op("Tile", 13)), IsEmpty());
}

}  // namespace
}  // namespace tesela
