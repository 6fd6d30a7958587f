// SPDX-License-Identifier: Apache-2.0
// .npy: files as NumPy writes them, and invalid ones.
#include "tensor_io/npy.h"

#include "model/expect_fault.h"
#include "tensor_io/npy_bytes.h"
#include "tensor_io/npy_header.h"

namespace tesela::testing {
namespace {

Result<Tensor> read(std::string_view file, DataType type = DataType::kUndefined, Limits limits = {}) {
  TensorFileOptions options;
  options.type = type;
  options.limits = limits;
  return read_npy({bytes_of(file), nullptr}, options);
}

std::string data_of(const Result<Tensor>& tensor) {
  return tensor.ok() ? text_of({tensor->data(), static_cast<size_t>(tensor->bytes())}) : tensor.status().message();
}

TEST(Npy, AllThreeVersionsAreRead) {
  const std::string_view dictionary = "{'descr': '<u2', 'fortran_order': False, 'shape': (2,), }";
  for (const int version : {1, 2, 3}) EXPECT_EQ(data_of(read(npy(dictionary, "abcd", version))), "abcd");
}

TEST(Npy, AcceptsOtherHeaderSpellings) {
  for (const std::string_view dictionary : {"{\"shape\":(2,),\"descr\":\"<u2\",\"fortran_order\":False}",
                                            "{ 'shape' : ( 2 , ) , 'fortran_order' : False , 'descr' : '=u2' , }  \n",
                                            "{'shape': (2L,), 'fortran_order': False, 'descr': 'u2'}"})
    EXPECT_EQ(data_of(read(npy(dictionary, "abcd"))), "abcd");
}

TEST(Npy, MapsNumpyTypes) {
  struct Case {
    std::string_view descr;
    DataType type;
  };
  using enum DataType;
  for (const Case& c : {Case{"|b1", kBool}, Case{"?", kBool}, Case{"|i1", kInt8}, Case{"|u1", kUint8},
                        Case{"<i2", kInt16}, Case{"<u2", kUint16}, Case{"<i4", kInt32}, Case{"<u4", kUint32},
                        Case{"<i8", kInt64}, Case{"<u8", kUint64}, Case{"<f2", kFloat16}, Case{"<f4", kFloat},
                        Case{"<f8", kDouble}, Case{"<c8", kComplex64}, Case{"<c16", kComplex128}}) {
    const std::string data(static_cast<size_t>(element_bits(c.type) / 8 * 3), 'd');
    const Result<Tensor> tensor = read(simple(c.descr, "(3,)", data));
    ASSERT_TRUE(tensor.ok()) << tensor.status().message();
    EXPECT_EQ(tensor->type(), c.type);
    EXPECT_EQ(data_of(tensor), data);
  }
}

TEST(Npy, BigEndianNumbersAreSwapped) {
  EXPECT_EQ(data_of(read(simple(">u2", "(2,)", "abcd"))), "badc");
  EXPECT_EQ(data_of(read(simple(">f8", "()", "abcdefgh"))), "hgfedcba");
  EXPECT_EQ(data_of(read(simple(">c8", "()", "abcdefgh"))), "dcbahgfe");
  EXPECT_EQ(data_of(read(simple(">u1", "(2,)", "ab"))), "ab");
}

TEST(Npy, FortranOrderIsTransposed) {
  EXPECT_EQ(data_of(read(simple("|u1", "(2, 3)", "adbecf", true))), "abcdef");
  EXPECT_EQ(data_of(read(simple(">u2", "(2, 2)", "aAcCbBdD", true))), "AaBbCcDd");
  EXPECT_EQ(data_of(read(simple("|u1", "(2, 3, 1)", "adbecf", true))), "abcdef");
  EXPECT_EQ(data_of(read(simple("|u1", "(3,)", "abc", true))), "abc");
}

TEST(Npy, ScalarsAndEmptyArraysAreRead) {
  EXPECT_EQ(read(simple("|u1", "()", "x"))->extents(), Extents());
  EXPECT_EQ(read(simple("<f4", "(0, 3)", ""))->extents(), Extents({0, 3}));
  EXPECT_EQ(data_of(read(simple("|b1", "(2,)", "\2\1"))), "\2\1");  // bytes above 1 are copied unchanged
}

TEST(Npy, BytesAndUnicodeBecomeStrings) {
  const Result<Tensor> bytes = read(simple("|S3", "(2, 2)", std::string("ab\0\0\0\0a\0bxyz", 12)));
  ASSERT_TRUE(bytes.ok());
  EXPECT_EQ(bytes->as<StringRef>()[0].view(), "ab");
  EXPECT_EQ(bytes->as<StringRef>()[1].view(), "");
  EXPECT_EQ(bytes->as<StringRef>()[2].view(), std::string_view("a\0b", 3));
  const std::u32string texts(U"éx日\0\0\0😀z\0", 9);
  const std::string_view data(reinterpret_cast<const char*>(texts.data()), 36);
  const Result<Tensor> unicode = read(simple("<U3", "(3,)", data));
  ASSERT_TRUE(unicode.ok());
  EXPECT_EQ(unicode->as<StringRef>()[0].view(), "éx日");
  EXPECT_EQ(unicode->as<StringRef>()[1].view(), "");
  EXPECT_EQ(unicode->as<StringRef>()[2].view(), "😀z");
  EXPECT_EQ(read(simple(">U1", "(1,)", std::string("\0\0\0A", 4)))->as<StringRef>()[0].view(), "A");
  const std::u32string beside_surrogates(U"\ud7ff\ue000\U0010ffff", 3);
  const std::string_view ends(reinterpret_cast<const char*>(beside_surrogates.data()), 12);
  EXPECT_EQ(read(simple("<U3", "(1,)", ends))->as<StringRef>()[0].view(), "\ud7ff\ue000\U0010ffff");
  EXPECT_EQ(read(simple("<U1", "(2,)", std::string(8, '\0')))->as<StringRef>()[1].view(), "");
  const Result<Tensor> turned = read(simple("|S1", "(2, 3)", "adbecf", true));
  std::string in_rows;
  for (const StringRef& ref : turned->as<StringRef>()) in_rows += ref.view();
  EXPECT_EQ(in_rows, "abcdef");
}

TEST(Npy, CharactersBecomeTheShortestUtf8) {
  const std::u32string texts(U"\u007f\u0080\u07ff\u0800\uffff\U00010000\U0001f601\U0010ffff", 8);
  const std::string_view data(reinterpret_cast<const char*>(texts.data()), 32);
  EXPECT_EQ(read(simple("<U8", "()", data))->as<StringRef>()[0].view(),
            "\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf\xf0\x90\x80\x80\xf0\x9f\x98\x81\xf4\x8f\xbf\xbf");
  EXPECT_TRUE(fails(read(simple("<U1", "()", std::string("\0\0\x11\0", 4))).status(), TESELA_ERROR_VALUE,
                    "a string has 0x110000, which is not a character"));
}

// More axes than the lists of extents hold without the heap.
TEST(Npy, ManyAxesAreReadInEitherOrder) {
  std::string shape = "(2, 3";
  for (int i = 2; i < 17; ++i) shape += ", 1";
  for (const std::string_view descr : {"|S1", "|u1"}) {
    for (const bool fortran : {false, true}) {
      const Result<Tensor> tensor = read(simple(descr, shape + ")", fortran ? "adbecf" : "abcdef", fortran));
      ASSERT_TRUE(tensor.ok()) << tensor.status().message();
      std::string in_rows = descr == "|S1" ? "" : data_of(tensor);
      if (descr == "|S1")
        for (const StringRef& ref : tensor->as<StringRef>()) in_rows += ref.view();
      EXPECT_EQ(in_rows, "abcdef");
    }
  }
}

TEST(Npy, CallerNamesTypesThatNumpyLacks) {
  using enum DataType;
  EXPECT_EQ(read(simple("<V2", "(2,)", "abcd"), kBfloat16)->type(), kBfloat16);
  EXPECT_EQ(data_of(read(simple(">V2", "(2,)", "abcd"), kBfloat16)), "badc");
  EXPECT_EQ(data_of(read(simple("<f1", "(2,)", "ab"), kFloat8e5m2)), "ab");
  EXPECT_EQ(data_of(read(simple("|V1", "(2,)", "ab"), kFloat8e4m3fn)), "ab");
  EXPECT_EQ(data_of(read(simple("<u2", "(2,)", "abcd"), kFloat16)), "abcd");
  EXPECT_EQ(data_of(read(simple("|V1", "(2, 2)", "adbc", true), kFloat8e8m0)), "abdc");
  EXPECT_EQ(read(simple("<f4", "()", "abcd"), kFloat)->type(), kFloat);
}

TEST(Npy, PacksOneElementPerByte) {
  using enum DataType;
  EXPECT_EQ(data_of(read(simple("|V1", "(3,)", "\x01\x02\x0f"), kUint4)), "\x21\x0f");
  EXPECT_EQ(data_of(read(simple("|i1", "(3,)", "\xff\x07\xf8"), kInt4)), "\x7f\x08");
  EXPECT_EQ(data_of(read(simple("|i1", "(3,)", "\x0f\x07\x08"), kInt4)), "\x7f\x08");
  EXPECT_EQ(data_of(read(simple("|u1", "(5,)", "\x01\x02\x03\x01\x02"), kUint2)), "\x79\x02");
  EXPECT_EQ(data_of(read(simple("|V1", "(2, 2)", std::string("\x01\x03\x02\x00", 4), true), kInt2)), "\x39");
  EXPECT_TRUE(fails(read(simple("|u1", "(1,)", "\x10"), kUint4).status(), TESELA_ERROR_VALUE, "byte 0 is 16"));
  EXPECT_TRUE(fails(read(simple("|i1", "(1,)", "\xf7"), kInt4).status(), TESELA_ERROR_VALUE, "byte 0 is 247"));
  EXPECT_TRUE(fails(read(simple("|i1", "(1,)", "\x1f"), kInt4).status(), TESELA_ERROR_VALUE, "byte 0 is 31"));
}

TEST(Npy, HostileHeadersAreRefused) {
  struct Case {
    std::string file;
    tesela_status code;
    std::string_view words;
  };
  const auto dictionary = [](std::string_view text) { return npy(text, ""); };
  std::string many_ones;
  for (int i = 0; i < 65; ++i) many_ones += "1, ";
  const Case cases[] = {
      {"\x93NUMPX\x01", TESELA_ERROR_PARSE, "not a .npy file"},
      {std::string("\x93NUMPY\x01\x00\xff\xff", 10), TESELA_ERROR_TRUNCATED, "the header has 0 bytes; expected 65535"},
      {std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12), TESELA_ERROR_LIMIT,
       "a header of 4294967295 bytes; the limit is 65536"},
      {std::string("\x93NUMPY\x04\x00\x00\x00", 10), TESELA_ERROR_UNSUPPORTED, ".npy version 4.0"},
      {npy(std::string(10 << 20, ' '), "", 2), TESELA_ERROR_LIMIT, "a header of"},
      {dictionary(std::string(60'000, '{')), TESELA_ERROR_PARSE, "where a string is expected"},
      {dictionary("{'shape': " + std::string(60'000, '(')), TESELA_ERROR_SHAPE, "where a number is expected"},
      {simple("|O", "(1,)", "........"), TESELA_ERROR_UNSUPPORTED, "Python objects, which are never unpickled"},
      {dictionary("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }"), TESELA_ERROR_UNSUPPORTED,
       "records"},
      {simple("<M8[ns]", "(1,)", "........"), TESELA_ERROR_UNSUPPORTED, "dates"},
      {dictionary("{'descr': {'a': '<f4'}, 'fortran_order': False, 'shape': (1,), }"), TESELA_ERROR_UNSUPPORTED,
       "records"},
      {dictionary("{'descr': ('<f4', (2,)), 'fortran_order': False, 'shape': (1,), }"), TESELA_ERROR_UNSUPPORTED,
       "records"},
      {simple("<m8[ns]", "(1,)", "........"), TESELA_ERROR_UNSUPPORTED, "dates or durations"},
      {simple("<c32", "(1,)", std::string(32, '.')), TESELA_ERROR_UNSUPPORTED, "long double"},
      {simple("<f-4", "(1,)", "...."), TESELA_ERROR_TYPE, "descr '<f-4' is not a known type"},
      {simple("<f3", "(1,)", "..."), TESELA_ERROR_TYPE, "descr '<f3' is not a known type"},
      {simple("<f16", "(1,)", std::string(16, '.')), TESELA_ERROR_UNSUPPORTED, "long double"},
      {simple("", "(1,)", ""), TESELA_ERROR_TYPE, "descr '' is not a known type"},
      {simple("<", "(1,)", ""), TESELA_ERROR_TYPE, "is not a known type"},
      {simple("<f", "(1,)", ""), TESELA_ERROR_TYPE, "is not a known type"},
      {simple("<f99999999999999999999", "(1,)", ""), TESELA_ERROR_TYPE, "is not a known type"},
      {simple("<U4611686018427387904", "(1,)", ""), TESELA_ERROR_SHAPE, "characters"},
      {simple("|S0", "(9999999999,)", ""), TESELA_ERROR_UNSUPPORTED, "strings of 0 characters"},
      {simple("<V2", "(1,)", "ab"), TESELA_ERROR_UNSUPPORTED, "does not say which type its 2 bytes are; name the type"},
      {simple("<f4", "(-1,)", ""), TESELA_ERROR_SHAPE, "axis 0 has extent -1"},
      {simple("<f4", "('a',)", ""), TESELA_ERROR_SHAPE, "where a number is expected"},
      {simple("<f4", "(9223372036854775808,)", ""), TESELA_ERROR_SHAPE, "at most 2^63 - 1"},
      {simple("<f4", "(4611686018427387904, 4)", ""), TESELA_ERROR_SHAPE, "more than 2^63 - 1 elements"},
      {simple("<f4", "(4611686018427387904,)", ""), TESELA_ERROR_SHAPE, "more than 2^63 - 1 bytes"},
      {simple("<f4", "(1, 0, -1)", ""), TESELA_ERROR_SHAPE, "axis 2 has extent -1"},
      {simple("<f4", "(1000000000000,)", "abcd"), TESELA_ERROR_TRUNCATED,
       "the array has 4 bytes; expected 4000000000000"},
      {simple("<f4", "(1,)", "abcde"), TESELA_ERROR_PARSE, "1 bytes follow the array"},
      {simple("<f4", "(1 2)", ""), TESELA_ERROR_PARSE, "where ',' is expected"},
      {simple("<f4", "1", ""), TESELA_ERROR_PARSE, "where '(' is expected"},
      {simple("<f4", "(" + many_ones + ")", ""), TESELA_ERROR_LIMIT, "more than 64 axes"},
      {dictionary("{'descr': '<f4', 'fortran_order': True, 'fortran_order': True, 'shape': ()}"), TESELA_ERROR_PARSE,
       "'fortran_order' twice"},
      {dictionary("{'descr': '<f4', 'fortran_order': 1, 'shape': ()}"), TESELA_ERROR_PARSE,
       "where 'True' or 'False' is expected"},
      {dictionary("{'descr': '<f4', 'fortran_order': True}"), TESELA_ERROR_PARSE, "no key 'shape'"},
      {dictionary("{'descr': '<f4', 'x': True}"), TESELA_ERROR_PARSE, "unknown key 'x'"},
      {dictionary("{'descr': '<f4"), TESELA_ERROR_PARSE, "is not terminated"},
      {dictionary("{'descr': '<f4', 'fortran_order': True, 'shape': ()} x"), TESELA_ERROR_PARSE,
       "has more bytes after its dictionary"},
      {dictionary(""), TESELA_ERROR_PARSE, "where '{' is expected"},
      {simple("<U1", "(1,)", std::string("\x00\xd8\x00\x00", 4)), TESELA_ERROR_VALUE, "a string has 0xd800"},
  };
  for (const Case& c : cases)
    EXPECT_TRUE(fails(read(c.file).status(), c.code, c.words)) << in_quotes(c.file.substr(0, 200));
}

TEST(Npy, TakesAsManyAxesAsTheLimit) {
  Limits limits;
  limits.max_rank = 3;
  EXPECT_TRUE(read(simple("<f4", "(1, 1, 1)", "abcd"), DataType::kUndefined, limits).ok());
  limits.max_rank = 2;
  EXPECT_TRUE(fails(read(simple("<f4", "(1, 1, 1)", "abcd"), DataType::kUndefined, limits).status(), TESELA_ERROR_LIMIT,
                    "more than 2 axes"));
}

TEST(Npy, RejectsTypesOfAnotherWidthOrKind) {
  using enum DataType;
  EXPECT_TRUE(fails(read(simple("<V2", "(1,)", "ab"), kFloat).status(), TESELA_ERROR_TYPE,
                    "'<V2' cannot be taken as float; expected '<V4'"));
  EXPECT_TRUE(
      fails(read(simple("<f4", "(1,)", "abcd"), kInt32).status(), TESELA_ERROR_TYPE, "'<f4' cannot be taken as int32"));
  EXPECT_TRUE(
      fails(read(simple("|u1", "(1,)", "a"), kString).status(), TESELA_ERROR_TYPE, "cannot be taken as string"));
  EXPECT_TRUE(fails(read(simple("|u1", "(1,)", "a"), static_cast<DataType>(99)).status(), TESELA_ERROR_TYPE,
                    "type 99 is unknown"));
}

TEST(Npy, StringsCountTowardsOutputLimit) {
  Limits limits;
  limits.max_output_bytes = 100;
  EXPECT_TRUE(fails(read(simple("|S1", "(10,)", "abcdefghij"), DataType::kUndefined, limits).status(),
                    TESELA_ERROR_LIMIT, "of 160 bytes"));
  EXPECT_TRUE(fails(read(simple("|S9", "(6,)", std::string(54, 'x')), DataType::kUndefined, limits).status(),
                    TESELA_ERROR_LIMIT, "more than 100 bytes"));
  limits.max_output_bytes = 40;
  EXPECT_TRUE(read(simple("|S4", "(2,)", "abcdefgh"), DataType::kUndefined, limits).ok());
  EXPECT_TRUE(fails(read(simple("|S5", "(2,)", std::string("abcdefghi\0", 10)), DataType::kUndefined, limits).status(),
                    TESELA_ERROR_LIMIT, "more than 40 bytes"));
  limits.max_output_bytes = 32;
  EXPECT_TRUE(read(simple("|S4", "(2,)", std::string(8, '\0')), DataType::kUndefined, limits).ok());
}

TEST(Npy, EveryPrefixIsTruncated) {
  for (const std::string& file :
       {simple("<f4", "(2, 3)", std::string(24, 'x'), true), simple("<U2", "(2,)", std::string(16, '\0'))})
    sweep_prefixes(file, [](auto bytes) { return read(text_of(bytes)).status(); }, {TESELA_ERROR_TRUNCATED});
}

TEST(Npy, EveryBitFlipReturnsAStatus) {
  for (const std::string& file :
       {simple(">f4", "(2, 3)", std::string(24, 'x'), true), simple("<U2", "(2,)", std::string(16, '\0'))})
    sweep_bit_flips(file, [](auto bytes) { return read(text_of(bytes)).status(); });
}

TEST(Npy, BorrowsAlignedDataFromOwnedFile) {
  const FileParts parts = *encode_npy(*Tensor::allocate(DataType::kFloat, {4}));
  auto block = std::make_shared<std::vector<std::byte>>(parts.head);
  block->resize(block->size() + 16);
  const Result<Tensor> tensor = read_npy({*block, block}, {});
  EXPECT_EQ(tensor->data(), block->data() + parts.head.size());
  EXPECT_EQ(parts.head.size() % 64, 0u);
}

/// A file whose data, its last four bytes, are at a multiple of 16, or one byte later.
struct PlacedFile {
  std::shared_ptr<std::vector<std::byte>> block;
  std::span<const std::byte> bytes;

  explicit PlacedFile(const std::string& file, bool aligned = true)
      : block(std::make_shared<std::vector<std::byte>>(file.size() + 64)) {
    std::byte* at = block->data();
    while ((reinterpret_cast<uintptr_t>(at) + file.size() - 4) % 16 != 0) ++at;
    if (!aligned) ++at;
    std::memcpy(at, file.data(), file.size());
    bytes = {at, file.size()};
  }
  const std::byte* data() const { return bytes.data() + bytes.size() - 4; }
};

// Neither the order of one axis nor that of a byte's bytes matters.
TEST(Npy, BorrowsWhatNeedsNoReordering) {
  for (const std::string& file : {simple("|u1", "(2, 2)", "abcd"), simple("|u1", "(4,)", "abcd", true),
                                  simple("<u4", "()", "abcd", true), simple(">u1", "(4,)", "abcd")}) {
    const PlacedFile placed(file);
    const Result<Tensor> owned = read_npy({placed.bytes, placed.block}, {});
    EXPECT_EQ(owned->data(), placed.data());
    EXPECT_EQ(data_of(owned), "abcd");
    const Result<Tensor> unowned = read_npy({placed.bytes, nullptr}, {});
    EXPECT_NE(unowned->data(), placed.data());
    EXPECT_EQ(data_of(unowned), "abcd");
  }
}

// Other orders, packed types and data that are not aligned are copied, whoever owns the file.
TEST(Npy, CopiesWhatCannotBeBorrowed) {
  const auto owned = [](const std::string& file, DataType type, bool aligned = true) {
    const PlacedFile placed(file, aligned);
    TensorFileOptions options;
    options.type = type;
    const Result<Tensor> tensor = read_npy({placed.bytes, placed.block}, options);
    EXPECT_NE(tensor->data(), placed.data());
    return data_of(tensor);
  };
  EXPECT_EQ(owned(simple("|u1", "(4,)", "abcd"), DataType::kUint8, false), "abcd");
  EXPECT_EQ(owned(simple("|u1", "(2, 2)", "acbd", true), DataType::kUint8), "abcd");
  EXPECT_EQ(owned(simple(">u2", "(2,)", "badc"), DataType::kUint16), "abcd");
  EXPECT_EQ(owned(simple("|u1", "(4,)", "\1\2\3\4"), DataType::kUint4), "\x21\x43");
}

TEST(Npy, LongHeadersAreOfVersionTwo) {
  const std::string header = npy_header("|u1", Extents(30'000, 1));
  EXPECT_EQ(header[6], 2);
  EXPECT_EQ(header.size() % 64, 0u);
  const Result<NpyHeader> read_back = read_npy_header(bytes_of(header), 30'000);
  EXPECT_TRUE(fails(read_back.status(), TESELA_ERROR_LIMIT, "a header of"));
}

TEST(Npy, HeadersMatchNumpy) {  // numpy 2.4.6: np.save of float32 zeros of (2, 3), (3,) and ()
  EXPECT_EQ(npy_header("<f4", Extents({2, 3})).substr(0, 69),
            std::string("\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", 69));
  EXPECT_NE(npy_header("<f4", Extents({3})).find("'shape': (3,), }"), std::string::npos);
  EXPECT_NE(npy_header("<f4", Extents()).find("'shape': (), }"), std::string::npos);
  EXPECT_EQ(npy_header("<f4", Extents({2, 3})).size(), 128u);
}

TEST(Npy, SingleBytesHaveNoByteOrder) {
  using enum DataType;
  for (const auto& [type, descr] : {std::pair{kUint8, "'|u1'"}, {kBool, "'|b1'"}, {kInt16, "'<i2'"}, {kFloat, "'<f4'"}})
    EXPECT_NE(text_of(encode_npy(*Tensor::allocate(type, {2}))->head).find(descr), std::string::npos) << descr;
}

TEST(Npy, WriteRejectsTypesThatNumpyLacks) {
  using enum DataType;
  for (const DataType type : {kBfloat16, kFloat8e4m3fn, kFloat8e8m0, kInt4, kUint2, kFloat4e2m1, kString})
    EXPECT_TRUE(fails(encode_npy(*Tensor::allocate(type, {2})).status(), TESELA_ERROR_UNSUPPORTED, "write a .pb file"));
}

}  // namespace
}  // namespace tesela::testing
