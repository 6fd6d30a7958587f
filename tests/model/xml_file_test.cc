// SPDX-License-Identifier: Apache-2.0
// XML: errors and their positions.
#include "model/xml_file.h"

#include "model/expect_fault.h"

namespace tesela {
namespace {

using testing::bytes_of;
using testing::fails;
using namespace std::string_view_literals;

Status parse(std::string_view text, const Limits& limits = Limits()) {
  return XmlFile().parse(bytes_of(text), limits);
}

TEST(XmlFile, ReportsLineAndColumnOfElements) {
  for (const char* mark : {"", "\xef\xbb\xbf"}) {
    const std::string text = std::string(mark) + "<a>\n  <b/>\n\t<c/></a>";
    XmlFile file;
    ASSERT_TRUE(file.parse(bytes_of(text), Limits()).ok());
    EXPECT_EQ(file.where(file.root().child("b")), "line 2 column 3: ");
    EXPECT_EQ(file.where(file.root().child("c")), "line 3 column 2: ");
  }
}

TEST(XmlFile, ReportsPositionsInLongTexts) {
  for (const size_t width : {0u, 1u, 60u, 1018u, 1019u, 1020u, 3000u}) {
    std::string text = "<a>\n";
    const size_t lines = 5000 / (width + 5) + 3;
    for (size_t k = 0; k < lines; ++k) text += std::string(width, ' ') + "<b/>\n";
    text += "</a>";
    XmlFile file;
    ASSERT_TRUE(file.parse(bytes_of(text), Limits()).ok());
    EXPECT_EQ(file.where(file.root()), "line 1 column 1: ");
    size_t line = 2;
    for (const pugi::xml_node b : file.root().children("b"))
      EXPECT_EQ(file.where(b), fmt::format("line {} column {}: ", line++, width + 1));
    EXPECT_EQ(line, lines + 2);
  }
}

TEST(XmlFile, FaultsHaveLineAndColumn) {
  EXPECT_TRUE(fails(parse("<a>\n<b></c></a>"), TESELA_ERROR_PARSE, "line 2 column 6: Start-end tags mismatch"));
  EXPECT_TRUE(fails(parse("<a>\n</a"), TESELA_ERROR_PARSE, "line 2 column 3: "));
  EXPECT_TRUE(fails(parse("<a>"), TESELA_ERROR_PARSE, "line 1 column "));
  EXPECT_TRUE(fails(parse(""), TESELA_ERROR_PARSE, "line 1 column 1: "));
  EXPECT_TRUE(fails(parse("<a b='1' b=2/>"), TESELA_ERROR_PARSE, "line 1 column "));
}

TEST(XmlFile, OtherEncodingsAndZeroBytes) {
  EXPECT_TRUE(fails(parse("\xff\xfe<\0a\0/\0>\0"sv), TESELA_ERROR_PARSE, "line 1 column 1: the XML is UTF-16"));
  EXPECT_TRUE(fails(parse("\xfe\xff\0<\0a\0/\0>"sv), TESELA_ERROR_PARSE, "UTF-16"));
  EXPECT_TRUE(fails(parse("<a>\nb\0</a>"sv), TESELA_ERROR_PARSE, "line 2 column 2: the XML has a byte 0"));
}

TEST(XmlFile, DocumentTypesAreRefused) {
  EXPECT_TRUE(fails(parse("<?xml version='1.0'?>\n<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a>&x;</a>"),
                    TESELA_ERROR_PARSE, "a document type"));
  std::string laughs = "<!DOCTYPE lolz [<!ENTITY lol0 'lol'>";
  for (int i = 1; i < 10; ++i) laughs += fmt::format("<!ENTITY lol{} '&lol{};&lol{};'>", i, i - 1, i - 1);
  EXPECT_TRUE(fails(parse(laughs + "]><lolz>&lol9;</lolz>"), TESELA_ERROR_PARSE, "a document type"));
  std::string nested = "<!DOCTYPE a [";
  for (int i = 0; i < 100'000; ++i) nested += "<![INCLUDE[";
  EXPECT_TRUE(fails(parse(nested), TESELA_ERROR_PARSE, ""));
}

TEST(XmlFile, DepthAndSizeAreLimited) {
  const auto deep = [](int inside) {  // elements in others, besides the root
    std::string text;
    for (int i = 0; i <= inside; ++i) text += "<a>";
    for (int i = 0; i <= inside; ++i) text += "</a>";
    return text;
  };
  EXPECT_TRUE(parse(deep(256)).ok());
  for (const int inside : {257, 100'000})
    EXPECT_TRUE(fails(parse(deep(inside)), TESELA_ERROR_LIMIT, "nested more than 256 deep"));
  Limits limits;
  limits.max_working_bytes = 3200;
  EXPECT_TRUE(parse("<a/>", limits).ok());
  EXPECT_TRUE(parse("<a>" + std::string(93, ' ') + "</a>", limits).ok());
  EXPECT_TRUE(fails(parse("<a>" + std::string(94, ' ') + "</a>", limits), TESELA_ERROR_LIMIT,
                    "the XML has 101 bytes; the limit is 100"));
}

TEST(XmlFile, MissingMemoryIsNoFaultOfTheFile) {
  const auto allocate = pugi::get_memory_allocation_function();
  const auto release = pugi::get_memory_deallocation_function();
  pugi::set_memory_management_functions([](size_t) -> void* { return nullptr; }, release);
  const Status status = parse("<a><b/></a>");
  pugi::set_memory_management_functions(allocate, release);
  EXPECT_TRUE(fails(status, TESELA_ERROR_NO_MEMORY, "the XML does not fit memory"));
  EXPECT_TRUE(parse("<a><b/></a>").ok());
}

TEST(XmlFile, DecimalNumbersAreDigitsOnly) {
  EXPECT_EQ(decimal_number("0"), 0);
  EXPECT_EQ(decimal_number("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(decimal_number("12345"sv.substr(0, 3)), 123);  // reads no further
  for (const char* text : {"", "-1", "-0", "+1", " 1", "1 ", "1e3", "0x1", "9223372036854775808"})
    EXPECT_EQ(decimal_number(text), std::nullopt) << text;
}

}  // namespace
}  // namespace tesela
