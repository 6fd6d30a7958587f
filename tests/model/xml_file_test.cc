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
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<a>";
  for (int i = 0; i < 100'000; ++i) deep += "</a>";
  EXPECT_TRUE(fails(parse(deep), TESELA_ERROR_LIMIT, "nested more than 256 deep"));
  Limits limits;
  limits.max_working_bytes = 3200;
  EXPECT_TRUE(parse("<a/>", limits).ok());
  EXPECT_TRUE(fails(parse("<a>" + std::string(200, ' ') + "</a>", limits), TESELA_ERROR_LIMIT, "the limit is 100"));
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
  for (const char* text : {"", "-1", "-0", "+1", " 1", "1 ", "1e3", "0x1", "9223372036854775808"})
    EXPECT_EQ(decimal_number(text), std::nullopt) << text;
}

}  // namespace
}  // namespace tesela
