// SPDX-License-Identifier: Apache-2.0
// Names of modes and their meanings.
#include "schema/modes.h"

#include <gtest/gtest.h>

#include <set>

#include "schema/described.h"

namespace tesela {
namespace {

template <class Enum>
void expect_one_meaning_each() {
  std::set<std::string_view> names;
  for (const auto& [name, value] : kNames<Enum>) {
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_EQ(find_meaning<Enum>(name), value) << name;
    EXPECT_EQ(find_meaning<Enum>(name_of(value)), value) << name;
  }
  EXPECT_EQ(find_meaning<Enum>("quarter_pixel"), std::nullopt);
  EXPECT_EQ(find_meaning<Enum>(""), std::nullopt);
}

TEST(Modes, EveryNameHasOneMeaning) {
  expect_one_meaning_each<Filter>();
  expect_one_meaning_each<CoordinateMode>();
  expect_one_meaning_each<NearestMode>();
  expect_one_meaning_each<AspectPolicy>();
  expect_one_meaning_each<InterpolateMode>();
  expect_one_meaning_each<ShapeCalculation>();
}

TEST(Modes, ChoicesOfAnOperator) {
  EXPECT_EQ(*make_op("Upsample", 1, {text("mode", "bilinear")}).choice<Filter>("mode"), Filter::kLinear);
  const OpDesc op = make_op("Resize", 19, {text("mode", "cubic")});
  EXPECT_EQ(*op.choice<Filter>("mode"), Filter::kCubic);
  EXPECT_EQ(*op.choice<NearestMode>("nearest_mode"), NearestMode::kRoundPreferFloor);  // the default
  EXPECT_TRUE(op.is("mode", Filter::kCubic));
  EXPECT_FALSE(op.is("mode", Filter::kNearest));
}

TEST(Modes, OtherValuesHaveNoName) {
  EXPECT_EQ(name_of(static_cast<Filter>(99)), "unnamed");
}

TEST(Modes, UnmappedValueIsAnInternalError) {
  EXPECT_EQ(make_op("Resize", 19).choice<NearestMode>("mode").status().code(), TESELA_ERROR_INTERNAL);
  EXPECT_EQ(make_op("Resize", 10).choice<NearestMode>("nearest_mode").status().code(), TESELA_ERROR_INTERNAL);
}

}  // namespace
}  // namespace tesela
