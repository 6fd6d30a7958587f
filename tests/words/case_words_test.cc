// SPDX-License-Identifier: Apache-2.0
// The grammar of cases: valid lines, and errors for invalid ones.
#include "case_words.h"

#include <gmock/gmock.h>

#include "case_call.h"
#include "files/temporary_folder.h"
#include "heap.h"

namespace tesela::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <class T>
T value_of(const CaseWords& words, std::string_view name) {
  for (const CaseAttribute& attribute : words.attributes)
    if (attribute.name == name) return std::get<T>(attribute.value);
  ADD_FAILURE() << name;
  return {};
}

std::string refusal(const std::string& line, tesela_status code = TESELA_ERROR_USAGE) {
  try {
    parse_case(line);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    EXPECT_LE(std::string_view(error.what()).size(), 300u);
    return error.what();
  }
  ADD_FAILURE() << line;
  return "";
}

TEST(CaseWords, ParsesEveryPartOfAResizeLine) {
  const CaseWords words = parse_case(
      " R1.f32 : Resize-18 cubic align_corners floor antialias exclude_outside uint8 1x2x3 -> 1x4x6 "
      "cubic_coeff_a=-0.5 weights=fixed8 gap=2");
  EXPECT_EQ(words.name, "R1.f32");
  EXPECT_EQ(words.type, "Resize");
  EXPECT_EQ(words.since_version, 18);
  EXPECT_EQ(words.dtype, TESELA_UINT8);
  EXPECT_THAT(words.source, ElementsAre(1, 2, 3));
  EXPECT_THAT(words.target, ElementsAre(1, 4, 6));
  EXPECT_EQ(value_of<std::string>(words, "mode"), "cubic");
  EXPECT_EQ(value_of<std::string>(words, "coordinate_transformation_mode"), "align_corners");
  EXPECT_EQ(value_of<std::string>(words, "nearest_mode"), "floor");
  EXPECT_EQ(value_of<int64_t>(words, "antialias"), 1);
  EXPECT_EQ(value_of<int64_t>(words, "exclude_outside"), 1);
  EXPECT_EQ(value_of<std::string>(words, "tesela.weights"), "fixed8");
  EXPECT_EQ(value_of<float>(words, "cubic_coeff_a"), -0.5f);
  EXPECT_EQ(words.attributes.size(), 7u);
  EXPECT_EQ(words.gap, 2);
  EXPECT_THAT(words.numbers, ElementsAre("cubic_coeff_a=-0.5", "weights=fixed8", "gap=2"));
}

TEST(CaseWords, ParsesLayouts) {
  const CaseWords words = parse_case("linear uint8 1x3x4x5 -> 1x3x8x9 input_order=0,2,3,1 output_order=3,2,1,0");
  EXPECT_THAT(words.input_order, ElementsAre(0, 2, 3, 1));
  EXPECT_THAT(words.output_order, ElementsAre(3, 2, 1, 0));
  EXPECT_TRUE(parse_case("linear uint8 4x5 -> 8x9").input_order.empty());
}

TEST(CaseWords, ParsesCrops) {
  const CaseWords words = parse_case("linear tf_crop_and_resize float 4x5 -> 8x9 roi=0,-0.5,1,1.25");
  EXPECT_THAT(words.roi, ElementsAre(0, -0.5f, 1, 1.25f));
  EXPECT_THAT(words.numbers, ElementsAre("roi=0,-0.5,1,1.25"));
  EXPECT_TRUE(parse_case("linear tf_crop_and_resize float 4x5 -> 8x9").roi.empty());
  const auto text = [](const std::string& line) {
    const CaseWords parsed = parse_case(line);
    return make_plan(parsed, make_op(parsed)).explain(TESELA_TEXT_PLAIN);
  };
  EXPECT_THAT(text("linear tf_crop_and_resize float 5 -> 8 roi=0.25,0.5"), HasSubstr("x = 0.25 * (5 - 1)"));
}

TEST(CaseWords, DefaultsToNewestResize) {
  const CaseWords words = parse_case("float 2x3 -> 4x6");
  EXPECT_EQ(words.type, "Resize");
  EXPECT_EQ(words.since_version, Op("Resize").since_version());
  EXPECT_TRUE(words.name.empty() && words.attributes.empty() && words.words.empty());
  EXPECT_EQ(words.gap, 0);
}

TEST(CaseWords, ParsesOtherOperatorsByNameAndShortName) {
  for (const char* line : {"tile int4 2x3 -> 4x6", "Tile int4 2x3 -> 4x6"}) EXPECT_EQ(parse_case(line).type, "Tile");
  EXPECT_EQ(parse_case("Tile-6 int8 2x3 -> 4x6").since_version, 6);
  const CaseWords openvino = parse_case("openvino.Tile-1 int4 5x37 -> 5x74");
  EXPECT_EQ(openvino.domain, "openvino");
  EXPECT_EQ(openvino.type, "Tile");
  for (const char* line : {"fill int8 -> 4 value=7", "ConstantOfShape int8 -> 4 value=7"}) {
    const CaseWords words = parse_case(line);
    EXPECT_EQ(words.type, "ConstantOfShape");
    EXPECT_EQ(words.value, 7);
    EXPECT_TRUE(words.source.empty());
  }
}

// Lists of words are the library's: every allowed string of an attribute is a word.
TEST(CaseWords, EveryAllowedAttributeValueIsAWord) {
  for (const int64_t version : {10, 11, 13, 18, 19}) {
    const Op op("Resize", version);
    for (const std::string& attribute : op.attributes())
      for (const std::string& value : op.allowed(attribute)) {
        const std::string line = "Resize-" + std::to_string(version) + " " + value + " float 2 -> 4";
        EXPECT_EQ(value_of<std::string>(parse_case(line), attribute), value) << line;
      }
  }
}

TEST(CaseWords, MakePlansWithTheGivenOutputs) {
  for (const char* line : {"linear float 2x3 -> 4x6", "tile string 2x3 -> 4x6", "openvino.Tile int4 2x3 -> 4x6",
                           "fill float16 -> 4x6 value=2"}) {
    const CaseWords words = parse_case(line);
    const Plan plan = make_plan(words, make_op(words));
    EXPECT_EQ(Shape(plan.output_extents()), (Shape{4, 6})) << line;
    EXPECT_EQ(plan.dtype(), words.dtype) << line;
  }
}

TEST(CaseWords, WrongWordsAreNamedWithSuggestion) {
  EXPECT_EQ(refusal("bilinear float 2 -> 4"),
            "case 'bilinear float 2 -> 4': Resize-19: the word 'bilinear' is unknown; did you mean 'linear'?");
  EXPECT_THAT(refusal("anti_alias float 2 -> 4"), HasSubstr("'anti_alias' is unknown; did you mean 'antialias'?"));
  EXPECT_THAT(refusal("linea float 2 -> 4"), HasSubstr("did you mean 'linear'?"));
  EXPECT_THAT(refusal("title float 2 -> 4"), HasSubstr("did you mean 'tile'?"));
  EXPECT_THAT(refusal("Resize-13 antialias float 2 -> 4"), HasSubstr("Resize-13: the word 'antialias' is unknown"));
  EXPECT_THAT(refusal("xyzzy float 2 -> 4"), HasSubstr("'xyzzy' is unknown; see tesela bench --help"));
  EXPECT_THAT(refusal("linear flaot 2 -> 4"), HasSubstr("'flaot' is not an element type; did you mean 'float'?"));
  EXPECT_THAT(refusal("float 2 -> 4 cubic_coef_a=1"),
              HasSubstr("'cubic_coef_a' is unknown; did you mean 'cubic_coeff_a'?"));
  EXPECT_THAT(refusal("float 2 -> 4 value=1"), HasSubstr("Resize-19: the number 'value' is unknown"));
  EXPECT_THAT(refusal("linear cubic float 2 -> 4"), HasSubstr("'cubic': mode is given twice"));
}

TEST(CaseWords, WrongShapesAndNumbersAreNamed) {
  EXPECT_THAT(refusal("float 2x3"), HasSubstr("expected WORDS TYPE IN -> OUT"));
  EXPECT_THAT(refusal("-> 2x3"), HasSubstr("expected WORDS TYPE IN -> OUT"));
  EXPECT_THAT(refusal("float 2x3 ->"), HasSubstr("there is no shape after '->'"));
  EXPECT_THAT(refusal("float 2x3 -> 4xa"), HasSubstr("'4xa' is not a shape like 1x3x480x640: 'a' is not"));
  EXPECT_THAT(refusal("float 2x3 -> 4x6x"), HasSubstr("'4x6x' is not a shape like 1x3x480x640: '' is not"));
  EXPECT_THAT(refusal("float 2x3 -> 4xx6"), HasSubstr("'4xx6' is not a shape"));
  EXPECT_THAT(refusal("float 2x3 -> 4x6x1"), HasSubstr("different numbers of axes"));
  EXPECT_THAT(refusal("tile float 2x3 -> 5x6"), HasSubstr("Tile repeats whole extents"));
  EXPECT_THAT(refusal("fill float 2 -> 4"), HasSubstr("no shape before"));
  EXPECT_THAT(refusal("int4 2 -> 4 gap=1"), HasSubstr("gap: elements of int4 are packed"));
  EXPECT_THAT(refusal("int4 2x2 -> 4x4 input_order=1,0"), HasSubstr("int4 are packed in the order of the shape"));
  EXPECT_THAT(refusal("int4 2x2 -> 4x4 output_order=1,0"), HasSubstr("int4 are packed in the order of the shape"));
  EXPECT_THAT(refusal("float 2x2 -> 4x4 roi=0,1"), HasSubstr("roi: 2 numbers; expected 4: where the crop starts"));
  EXPECT_THAT(refusal("float 2 -> 4 roi=0,x"), HasSubstr("roi: 'x' is not a number"));
  EXPECT_THAT(refusal("Resize-10 float 2 -> 4 roi=0,1"), HasSubstr("Resize-10: the number 'roi' is unknown"));
  EXPECT_THAT(refusal("float 2 -> 4 ro=0,1"), HasSubstr("'ro' is unknown; did you mean 'roi'?"));
  EXPECT_THAT(refusal("float 2x2 -> 4x4 input_order=0"), HasSubstr("input_order: expected each of the 2 axes once"));
  EXPECT_THAT(refusal("float 2x2 -> 4x4 output_order=1,1"),
              HasSubstr("output_order: expected each of the 2 axes once"));
  EXPECT_THAT(refusal("float 2x2 -> 4x4 output_order=1,2"),
              HasSubstr("output_order: expected each of the 2 axes once"));
  EXPECT_THAT(refusal("float 2x2 -> 4x4 input_order=1,a"), HasSubstr("'a'"));
  EXPECT_THAT(refusal("fill float -> 4x4 input_order=1,0"), HasSubstr("input_order: expected each of the 0 axes once"));
  EXPECT_THAT(refusal("float 2 -> 4 gap=-1"), HasSubstr("gap: '-1' is not an integer in [0, 1024]"));
  EXPECT_THAT(refusal("Resize-99 float 2 -> 4", TESELA_ERROR_UNSUPPORTED), HasSubstr("99"));
}

class CaseFiles : public ::testing::Test {
 protected:
  std::string write(std::string_view text) const { return folder_.write("cases.txt", text); }

 private:
  testing::TemporaryFolder folder_;
};

TEST_F(CaseFiles, HaveCommentsAndEmptyLines) {
  const std::vector<CaseWords> cases =
      read_cases(write("# all\n\na: linear float 2 -> 4 # one\r\n  \nfill int8 -> 3\n"));
  ASSERT_EQ(cases.size(), 2u);
  EXPECT_EQ(cases[0].name, "a");
  EXPECT_EQ(cases[0].text, "linear float 2 -> 4");
  EXPECT_EQ(cases[1].type, "ConstantOfShape");
}

// Nothing may be lost: the rest can be valid, too.
TEST_F(CaseFiles, MissingMemoryIsNoEndOfWordsOrLines) {
  const std::string line = "half_pixel_symmetric uint8 1000000000000000x3 -> 1000000000000000x6";
  const std::string path = write(line + "\n" + line + "\n");
  bool has_failed = true;
  for (int64_t k = 1; has_failed; ++k) {
    std::vector<CaseWords> cases;
    try {
      const testing::FailingHeap heap(k, false);
      cases = read_cases(path);
      has_failed = heap.has_failed();
    } catch (const std::bad_alloc&) {
      continue;
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), TESELA_ERROR_NO_MEMORY) << k << error.what();
      continue;
    }
    ASSERT_EQ(cases.size(), 2u) << k;
    for (const CaseWords& words : cases) {
      EXPECT_EQ(words.attributes.size(), 1u) << k;
      EXPECT_THAT(words.source, ElementsAre(1000000000000000, 3)) << k;
    }
  }
}

TEST_F(CaseFiles, ErrorsNameTheLine) {
  const std::string path = write("# all\n\nlinear float 2 -> 4\nlinaer float 2 -> 4\n");
  try {
    read_cases(path);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), "'" + path + "', line 4: Resize-19: the word 'linaer' is unknown; did you mean 'linear'?");
  }
  try {
    read_cases("/nonexistent");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), TESELA_ERROR_IO);
  }
}

TEST(CaseGrammar, ListsTheWordsOfTheLibrary) {
  const std::string text = case_grammar();
  for (const std::string& mode : Op("Resize").allowed("coordinate_transformation_mode"))
    EXPECT_THAT(text, HasSubstr(mode));
  EXPECT_THAT(text, HasSubstr("exclude_outside, antialias"));
  EXPECT_THAT(text, HasSubstr("weights"));
}

}  // namespace
}  // namespace tesela::cli
