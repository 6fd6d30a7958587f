// Notes about operators that can be computed.
#include "schema/notes.h"

#include <gmock/gmock.h>

#include "schema/described.h"

namespace tesela {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> notes_without_shapes(const OpDesc& op) {
  const TensorInfo x;
  const std::vector<const TensorInfo*> inputs = {&x};
  return notes(op, inputs);
}

// ---- Attributes without effect

TEST(Notes, AttributesWithoutEffectAreNoted) {
  EXPECT_TRUE(notes_without_shapes(make_op("Resize", 19)).empty());
  EXPECT_TRUE(notes_without_shapes(make_op("Tile", 13)).empty());
  const auto lines = notes_without_shapes(make_op("Resize", 19,
                                                  {text("mode", "linear"), text("nearest_mode", "floor"),
                                                   number("cubic_coeff_a", -0.5f), number("extrapolation_value", 1)}));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0], "Resize-19: attribute 'nearest_mode' has no effect outside mode nearest and is ignored");
  EXPECT_EQ(notes_without_shapes(make_op("Resize", 19, {integer("exclude_outside", 1)})).size(), 1u);
}

TEST(Notes, DefaultsAreNotNoted) {
  const auto lines = notes_without_shapes(
      make_op("Resize", 19,
              {text("mode", "linear"), text("nearest_mode", "round_prefer_floor"), number("cubic_coeff_a", -0.75f),
               number("extrapolation_value", 0), integer("exclude_outside", 0)}));
  EXPECT_THAT(lines, IsEmpty());
}

TEST(Notes, NoNoteForAttributesWithEffect) {
  EXPECT_TRUE(notes_without_shapes(make_op("Resize", 19, {text("nearest_mode", "floor")})).empty());
  EXPECT_TRUE(
      notes_without_shapes(
          make_op("Resize", 19, {text("mode", "cubic"), number("cubic_coeff_a", -0.5f), integer("exclude_outside", 1)}))
          .empty());
  EXPECT_TRUE(notes_without_shapes(make_op("Resize", 19,
                                           {text("coordinate_transformation_mode", "tf_crop_and_resize"),
                                            number("extrapolation_value", 1)}))
                  .empty());
}

TEST(Notes, CoefficientsThatOpenvinoIgnores) {
  const auto lines = [](std::string mode, float coefficient) {
    const OpDesc op{
        *find_schema(kOpenvinoDomain, "Interpolate", 11),
        "",
        {text("mode", std::move(mode)), text("shape_calculation_mode", "sizes"), number("cube_coeff", coefficient)}};
    return notes_without_shapes(op);
  };
  EXPECT_THAT(lines("bicubic_pillow", -0.75f),
              ElementsAre(HasSubstr("mode bicubic_pillow with 'cube_coeff' -0.75; OpenVINO's CPU plugin")));
  EXPECT_THAT(lines("bicubic_pillow", -0.5f), IsEmpty());
  EXPECT_THAT(lines("cubic", -0.75f), IsEmpty());
}

TEST(Notes, AntialiasOfInterpolateActsInThreeModes) {
  const auto lines = [](std::string mode) {
    return notes_without_shapes({*find_schema(kOpenvinoDomain, "Interpolate", 11),
                                 "",
                                 {text("mode", std::move(mode)), text("shape_calculation_mode", "sizes"),
                                  integer("antialias", 1), number("cube_coeff", -0.5f)}});
  };
  for (const char* mode : {"linear", "bilinear_pillow", "bicubic_pillow"}) EXPECT_THAT(lines(mode), IsEmpty()) << mode;
  for (const std::string mode : {"nearest", "linear_onnx", "cubic"})
    EXPECT_THAT(lines(mode),
                ElementsAre("Interpolate-11: attribute 'antialias' has no effect in mode " + mode + " and is ignored"));
}

// ---- Values that other runtimes round differently

std::vector<std::string> antialias_notes(DataType type, int64_t antialias) {
  const OpDesc op = make_op("Resize", 19, {text("mode", "linear"), integer("antialias", antialias)});
  const TensorInfo x = shaped({4, 4}, type);
  const TensorInfo sizes = shaped({2}, DataType::kInt64);
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

// ---- Outputs whose extents depend on the runtime

std::vector<std::string> scale_notes(const TensorInfo& x, const TensorInfo& scales) {
  const TensorInfo* const inputs[] = {&x, nullptr, &scales};
  return notes(make_op("Resize", 19), inputs);
}

TEST(Notes, ExtentsThatDifferBetweenFloatAndDouble) {
  const auto found = scale_notes(shaped({1, 48, 10}, DataType::kFloat), floats({1, 40.0f / 48, 0.7f}));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_THAT(found[0], HasSubstr("axis 1: extent 48 times scale 0.8333333 is 39 by the standard and 40 in"));
  EXPECT_THAT(found[1], HasSubstr("axis 2: extent 10 times scale 0.7 is 6 by the standard and 7 in"));
  EXPECT_THAT(scale_notes(shaped({1, 48, 10}, DataType::kFloat), floats({1, 2, 0.5f})), IsEmpty());
  EXPECT_THAT(scale_notes({DataType::kFloat, {}, {}, {}}, floats({0.7f})),
              IsEmpty());  // nothing is known of x
}

TEST(Notes, ExtentsThatOverflowAreNotCompared) {
  constexpr int64_t kOdd = (1 << 24) + 1;  // not a float
  EXPECT_EQ(scale_notes(shaped({kOdd, 10}), floats({1, 1})).size(), 1u);
  EXPECT_THAT(scale_notes(shaped({kOdd, 10}), floats({1, 3.4e38f})), IsEmpty());
  EXPECT_THAT(scale_notes(shaped({kOdd, INT64_MAX}), floats({1, 1})), IsEmpty());  // only as a float
}

TEST(Notes, ScalesComputedByTheModel) {
  const TensorInfo x = shaped({4, 4}, DataType::kFloat);
  const TensorInfo computed = shaped({2}, DataType::kFloat);
  EXPECT_THAT(scale_notes(x, computed), ElementsAre(HasSubstr("input 'scales' is computed by the model")));
  EXPECT_THAT(scale_notes(x, shaped({0}, DataType::kFloat)), IsEmpty());
  const TensorInfo* const with_sizes[] = {&x, nullptr, &computed, &computed};
  EXPECT_THAT(notes(make_op("Resize", 19), with_sizes), IsEmpty());
  const TensorInfo* const old[] = {&x, &computed};
  EXPECT_EQ(notes(make_op("Resize", 10), old).size(), 1u);
  EXPECT_EQ(notes(make_op("Upsample", 9), old).size(), 1u);
  EXPECT_THAT(notes(make_op("Tile", 13), old), IsEmpty());
}

// ---- Combinations that a version forbids and Tesela computes

std::string departure(int64_t opset, std::vector<Attribute> more) {
  more.push_back(text("coordinate_transformation_mode", "tf_half_pixel_for_nn"));
  const std::vector<Status> found = departures(make_op("Resize", opset, std::move(more)));
  EXPECT_LE(found.size(), 1u);
  if (found.empty()) return "";
  EXPECT_EQ(found[0].code(), TESELA_ERROR_ATTRIBUTE);
  EXPECT_LE(found[0].message().size(), 300u);
  return found[0].message();
}

TEST(Departures, TfHalfPixelForNnFaultNamesReplacement) {
  EXPECT_EQ(departure(11, {}), "");
  for (const int64_t opset : {13, 18, 19}) {
    EXPECT_THAT(departure(opset, {text("nearest_mode", "floor")}),
                AllOf(HasSubstr("is 'tf_half_pixel_for_nn', which version 11 was the last to allow"),
                      HasSubstr("write 'half_pixel' and nearest_mode 'round_prefer_ceil', which take the same")));
    EXPECT_THAT(departure(opset, {}), HasSubstr("nearest_mode 'ceil', which take the same"));
    EXPECT_THAT(departure(opset, {text("mode", "linear")}), HasSubstr("for what TensorFlow computes"));
  }
  EXPECT_THAT(departures(make_op("Resize", 19)), IsEmpty());
  EXPECT_THAT(departures(make_op("Tile", 13)), IsEmpty());
}

}  // namespace
}  // namespace tesela
