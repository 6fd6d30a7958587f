// SPDX-License-Identifier: Apache-2.0
// Headers of .npy files: their limits, and what messages say of invalid ones.
#include "tensor_io/npy_header.h"

#include "model/expect_fault.h"
#include "tensor_io/npy_bytes.h"

namespace tesela::testing {
namespace {

Status status_of(std::string_view file) {
  return read_npy_header(bytes_of(file), 64).status();
}

TEST(NpyHeader, MessagesShowTheBeginningOfWhatIsThere) {
  struct Case {
    std::string_view dictionary;
    tesela_status code;
    std::string_view words;
  };
  const Case cases[] = {
      {"abcdefghijklmnop", TESELA_ERROR_PARSE, "has 'abcdefghijkl' where '{' is expected"},
      {"{abcdefghijklmnop", TESELA_ERROR_PARSE, "has 'abcdefghijkl' where a string is expected"},
      {"{'shape': (abcdefghijklmnop", TESELA_ERROR_SHAPE, "has 'abcdefghijkl' where a number is expected"},
      {"{'shape': (1234567890123456789012345678,)", TESELA_ERROR_SHAPE,
       "has '123456789012345678901234'; expected at most 2^63 - 1"},
  };
  for (const Case& c : cases) EXPECT_TRUE(fails(status_of(npy(c.dictionary, "")), c.code, c.words)) << c.dictionary;
}

TEST(NpyHeader, DictionaryNeedsItsKeysAndMarks) {
  struct Case {
    std::string_view dictionary, words;
  };
  const Case cases[] = {
      {"{'descr' '<f4', 'fortran_order': False, 'shape': ()}", "where ':' is expected"},
      {"{'descr': '<f4' 'fortran_order': False, 'shape': ()}", "where ',' is expected"},
      {"{'fortran_order': False, 'shape': ()}", "no key 'descr'"},
      {"{'descr': '<f4', 'shape': ()}", "no key 'fortran_order'"},
  };
  for (const Case& c : cases)
    EXPECT_TRUE(fails(status_of(npy(c.dictionary, "")), TESELA_ERROR_PARSE, c.words)) << c.dictionary;
}

// The data begin with digits and what could end a shape, but are no part of it.
TEST(NpyHeader, NumbersEndWithTheHeader) {
  EXPECT_TRUE(fails(status_of(npy("{'shape': (12", "34, x")), TESELA_ERROR_PARSE, "has '' where ',' is expected"));
}

TEST(NpyHeader, NothingMayFollowTheWidth) {
  for (const std::string_view descr : {"<f4x", "<U2 ", "<f4,", "f4>"})
    EXPECT_TRUE(fails(status_of(simple(descr, "(1,)", "abcd")), TESELA_ERROR_TYPE, "is not a known type")) << descr;
}

TEST(NpyHeader, VersionsAreCheckedBeforeTheRest) {
  EXPECT_TRUE(fails(status_of({"\x93NUMPY\x04\x00", 8}), TESELA_ERROR_UNSUPPORTED, ".npy version 4.0; expected 1.0"));
  EXPECT_TRUE(fails(status_of({"\x93NUMPY\x01\x02\x33\x00", 10}), TESELA_ERROR_UNSUPPORTED,
                    ".npy version 1.2; expected 1.0, 2.0 or 3.0"));
}

TEST(NpyHeader, HasAtMost64Kibibytes) {
  std::string dictionary = "{'descr': '<f4', 'fortran_order': False, 'shape': (7,), }";
  dictionary.resize(64 << 10, ' ');
  const Result<NpyHeader> longest = read_npy_header(bytes_of(npy(dictionary, "", 2)), 64);
  ASSERT_TRUE(longest.ok()) << longest.status().message();
  EXPECT_EQ(longest->shape, Extents({7}));
  EXPECT_TRUE(fails(status_of(npy(dictionary + " ", "", 2)), TESELA_ERROR_LIMIT,
                    "a header of 65537 bytes; the limit is 65536"));
}

TEST(NpyHeader, VersionTwoIsWrittenOnlyForLongDictionaries) {
  const std::string header = npy_header("|S10", Extents(21'802, 1));  // a dictionary of 65,460 bytes
  EXPECT_EQ(header.substr(6, 5), std::string_view("\1\0\xb6\xff{", 5));
  EXPECT_EQ(header.size(), 65'472u);
  const std::string longer = npy_header("|S10", Extents(30'000, 1));
  EXPECT_EQ(longer.substr(6, 2), std::string_view("\2\0", 2));
  EXPECT_EQ(longer[12], '{');
  std::string length;
  for (int i = 0; i < 4; ++i) length += static_cast<char>((longer.size() - 12) >> (8 * i) & 0xff);
  EXPECT_EQ(longer.substr(8, 4), length);
}

}  // namespace
}  // namespace tesela::testing
