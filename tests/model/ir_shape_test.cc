// SPDX-License-Identifier: Apache-2.0
// Shapes of the IR.
#include "model/ir_shape.h"

#include "model/expect_fault.h"

namespace tesela {
namespace {

using testing::fails;

std::string shape(std::string_view text) {
  const Result<IrShape> parsed = parse_ir_shape(text, 64);
  EXPECT_TRUE(parsed.ok()) << parsed.status().message();
  return parsed.ok() ? dims_text(parsed->dims) : "";
}

TEST(IrShape, NumbersUnknownsAndAnyRank) {
  EXPECT_EQ(shape("2,3"), "2x3");
  EXPECT_EQ(shape("2, 3 ,\t4"), "2x3x4");
  EXPECT_EQ(shape("?,-1,0"), "?x?x0");
  EXPECT_EQ(shape(""), "scalar");
  EXPECT_EQ(shape("..."), "unknown");
  EXPECT_EQ(shape("9223372036854775807"), "9223372036854775807");
  EXPECT_EQ(shape(std::string_view("2,345").substr(0, 3)), "2x3");  // reads no further
}

TEST(IrShape, IntervalsAreBounds) {
  const Result<IrShape> parsed = parse_ir_shape("1..10,..5,3..,7..7", 64);
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(dims_text(parsed->dims), "?x?x?x7");
  ASSERT_EQ(parsed->bounds.size(), 3u);
  EXPECT_EQ(parsed->bounds[0].least, 1);
  EXPECT_EQ(parsed->bounds[0].most, 10);
  EXPECT_EQ(parsed->bounds[1].least, 0);
  EXPECT_EQ(parsed->bounds[1].most, 5);
  EXPECT_EQ(parsed->bounds[2].axis, 2u);
  EXPECT_EQ(parsed->bounds[2].least, 3);
  EXPECT_EQ(parsed->bounds[2].most, INT64_MAX);
}

TEST(IrShape, RejectsInvalidShapes) {
  for (const char* text : {"1,,2", ",", "2,", "a", "1e3", "2 3", "+1", "0x2", "1..x", "1...", "......", "5/dim>"})
    EXPECT_TRUE(fails(parse_ir_shape(text, 64).status(), TESELA_ERROR_PARSE, "is not an extent")) << text;
  for (const char* text : {"-2", "9223372036854775808", "10..1", "-1..4"})
    EXPECT_TRUE(fails(parse_ir_shape(text, 64).status(), TESELA_ERROR_SHAPE, "")) << text;
  EXPECT_EQ(parse_ir_shape("1,1", 2)->dims->size(), 2u);
  EXPECT_TRUE(fails(parse_ir_shape("1,1,1", 2).status(), TESELA_ERROR_LIMIT, "more than 2 axes"));
}

}  // namespace
}  // namespace tesela
