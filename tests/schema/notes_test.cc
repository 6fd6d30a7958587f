// SPDX-License-Identifier: Apache-2.0
// Notes about operators that can be computed.
#include "schema/notes.h"

#include <gmock/gmock.h>

#include "schema/described.h"

namespace tesela {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// ---- Attributes without effect

TEST(Notes, AttributesWithoutEffectAreNoted) {
  EXPECT_TRUE(notes(make_op("Resize", 19)).empty());
  EXPECT_TRUE(notes(make_op("Tile", 13)).empty());
  const auto lines = notes(make_op("Resize", 19,
                                   {text("mode", "linear"), text("nearest_mode", "floor"),
                                    number("cubic_coeff_a", -0.5f), number("extrapolation_value", 1)}));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0], "Resize-19: attribute 'nearest_mode' has no effect outside mode nearest and is ignored");
  EXPECT_EQ(notes(make_op("Resize", 19, {integer("exclude_outside", 1)})).size(), 1u);
}

TEST(Notes, DefaultsAreNotNoted) {
  const auto lines = notes(
      make_op("Resize", 19,
              {text("mode", "linear"), text("nearest_mode", "round_prefer_floor"), number("cubic_coeff_a", -0.75f),
               number("extrapolation_value", 0), integer("exclude_outside", 0)}));
  EXPECT_THAT(lines, IsEmpty());
}

TEST(Notes, NoNoteForAttributesWithEffect) {
  EXPECT_TRUE(notes(make_op("Resize", 19, {text("nearest_mode", "floor")})).empty());
  EXPECT_TRUE(notes(make_op("Resize", 19,
                            {text("mode", "cubic"), number("cubic_coeff_a", -0.5f), integer("exclude_outside", 1)}))
                  .empty());
  EXPECT_TRUE(
      notes(make_op("Resize", 19,
                    {text("coordinate_transformation_mode", "tf_crop_and_resize"), number("extrapolation_value", 1)}))
          .empty());
}

TEST(Notes, AntialiasOfInterpolateActsInThreeModes) {
  const auto lines = [](std::string mode) {
    return notes({*find_schema(kOpenvinoDomain, "Interpolate", 11),
                  "",
                  {text("mode", std::move(mode)), text("shape_calculation_mode", "sizes"), integer("antialias", 1),
                   number("cube_coeff", -0.5f)}});
  };
  for (const char* mode : {"linear", "bilinear_pillow", "bicubic_pillow"}) EXPECT_THAT(lines(mode), IsEmpty()) << mode;
  for (const std::string mode : {"nearest", "linear_onnx", "cubic"})
    EXPECT_THAT(lines(mode),
                ElementsAre("Interpolate-11: attribute 'antialias' has no effect in mode " + mode + " and is ignored"));
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
