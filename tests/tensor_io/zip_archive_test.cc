// SPDX-License-Identifier: Apache-2.0
// Zip archives with false sizes, overlaps and other contradictions.
#include "tensor_io/zip_archive.h"

#include <ctime>

#include "model/expect_fault.h"
#include "tensor_io/npz.h"
#include "tensor_io/zip_bytes.h"

namespace tesela::testing {
namespace {

constexpr int64_t kGibibyte = 1 << 30;

// The bytes of the first entry.
Result<std::string> unpack(std::string_view archive, int64_t max_bytes = kGibibyte) {
  TESELA_ASSIGN_OR_RETURN(const auto entries, read_zip_directory(bytes_of(archive)));
  if (entries.empty()) return std::string("no entries");
  TESELA_ASSIGN_OR_RETURN(const FileBytes bytes,
                          read_zip_entry({bytes_of(archive), nullptr}, entries[0], max_bytes, {}));
  return text_of(bytes.bytes);
}

Status status_of(std::span<const std::byte> archive) {
  return unpack(text_of(archive)).status();
}

ZipMember changed(ZipMember m, const std::function<void(ZipMember&)>& change) {
  change(m);
  return m;
}

TEST(ZipArchive, StoredAndDeflatedEntriesAreRead) {
  EXPECT_EQ(*unpack(zip({member("a", "data")})), "data");
  EXPECT_EQ(*unpack(zip({member("a", std::string(5000, 'x'), true)})), std::string(5000, 'x'));
  EXPECT_EQ(*unpack(zip({member("a", "")})), "");
  EXPECT_EQ(*unpack(zip({member("a", "", true)})), "");
  EXPECT_EQ(*unpack(zip({member("a", "data")}, -1, "a comment")), "data");
  EXPECT_EQ(*unpack(zip({changed(member("a", "data"), [](ZipMember& m) { m.zip64 = true; })})), "data");
}

TEST(ZipArchive, EmptyArchiveHasNoEntries) {
  EXPECT_EQ(*unpack(zip({})), "no entries");
}

TEST(ZipArchive, HostileArchivesAreRefused) {
  struct Case {
    std::string archive;
    tesela_status code;
    std::string_view words;
  };
  const auto with = [](bool deflate, const std::function<void(ZipMember&)>& change) {
    return zip({changed(member("a", std::string(3000, 'x'), deflate), change)});
  };
  const std::string good = zip({member("a", "data")});
  std::string moved_directory = good;
  moved_directory[good.size() - 6] ^= 1;
  std::string other_header = good;
  other_header[good.find("PK\1\2") + 2] = '\x07';
  std::string zip64_without_record = good;
  for (size_t i = 0; i < 4; ++i) zip64_without_record[good.size() - 6 + i] = '\xff';
  const Case cases[] = {
      {"PK", TESELA_ERROR_TRUNCATED, "no end record"},
      {"text that is no archive at all.......", TESELA_ERROR_TRUNCATED, "no end record"},
      {"x" + good, TESELA_ERROR_PARSE, "not where the end record says"},
      {moved_directory, TESELA_ERROR_PARSE, "not where the end record says"},
      {other_header, TESELA_ERROR_PARSE, "zip directory is broken"},
      {zip64_without_record, TESELA_ERROR_PARSE, "zip64 end record is missing"},
      {zip({member("a", "data")}, 2), TESELA_ERROR_PARSE, "too few for 2 entries"},
      {zip({member("a", "data")}, 0), TESELA_ERROR_PARSE, "more than its 0 entries"},
      {zip({member("a", "1"), member("a", "2")}), TESELA_ERROR_PARSE, "two entries 'a'"},
      {zip({member("a", "1"), changed(member("b", "2"),
                                      [](ZipMember& m) {
                                        m.offset = 0;
                                        m.local_name = "b";
                                      })}),
       TESELA_ERROR_PARSE, "another name or method"},
      {zip({member("a", "1"), changed(member("b", "2"), [](ZipMember& m) { m.offset = 5; })}), TESELA_ERROR_PARSE,
       "'b' is not where the directory says"},
      {with(false, [](ZipMember& m) { m.local_name = "b"; }), TESELA_ERROR_PARSE, "another name or method"},
      {with(false, [](ZipMember& m) { m.offset = 100'000; }), TESELA_ERROR_PARSE, "is not where the directory says"},
      {with(false, [](ZipMember& m) { m.flags = 1; }), TESELA_ERROR_UNSUPPORTED, "is encrypted"},
      {with(false, [](ZipMember& m) { m.method = 99; }), TESELA_ERROR_UNSUPPORTED, "packed by method 99"},
      {with(false, [](ZipMember& m) { m.bytes = 2999; }), TESELA_ERROR_PARSE, "stored, but its two sizes differ"},
      {with(false, [](ZipMember& m) { m.crc ^= 1; }), TESELA_ERROR_PARSE, "checksum of 'a' is wrong"},
      {with(true, [](ZipMember& m) { m.crc ^= 1; }), TESELA_ERROR_PARSE, "checksum of 'a' is wrong"},
      {with(true, [](ZipMember& m) { m.bytes = 2999; }), TESELA_ERROR_PARSE, "more bytes than it claims"},
      {with(true, [](ZipMember& m) { m.bytes = 0; }), TESELA_ERROR_PARSE, "more bytes than it claims"},
      {with(true, [](ZipMember& m) { m.bytes = 3001; }), TESELA_ERROR_PARSE, "1 bytes fewer than it claims"},
      {with(true, [](ZipMember& m) { m.stored.resize(m.stored.size() - 2); }), TESELA_ERROR_TRUNCATED, "end early"},
      {with(true, [](ZipMember& m) { m.stored += "more"; }), TESELA_ERROR_PARSE, "4 bytes follow the packed data"},
      {with(true, [](ZipMember& m) { m.stored[0] = '\xff'; }), TESELA_ERROR_PARSE, "packed data of 'a' are broken"},
      {with(true,
            [](ZipMember& m) {
              m.zip64 = true;
              m.bytes = UINT64_MAX;
            }),
       TESELA_ERROR_LIMIT, "the limit is"},
      {with(true, [](ZipMember& m) { m.bytes = 1'000'000'000; }), TESELA_ERROR_LIMIT, "claims 1000000000 bytes from"},
  };
  for (const Case& c : cases) EXPECT_TRUE(fails(unpack(c.archive).status(), c.code, c.words)) << c.words;
}

std::string replaced(std::string text, size_t at, std::string_view with) {
  return text.replace(at, with.size(), with);
}

TEST(ZipArchive, CommentsOfEntriesArePassedOver) {
  const std::string good = zip({member("a", "1"), member("b", "2")});
  const size_t first = good.find("PK\1\2"), second = good.find("PK\1\2", first + 1);
  std::string commented = replaced(good, first + 32, "\3");
  commented[good.size() - 10] += 3;  // the directory's bytes
  commented.insert(second, "xyz");
  EXPECT_EQ(*unpack(commented), "1");
  EXPECT_EQ(read_zip_directory(bytes_of(commented))->at(1).name, "b");
  EXPECT_TRUE(
      fails(unpack(replaced(good, second + 32, "\1")).status(), TESELA_ERROR_PARSE, "the zip directory is broken"));
}

TEST(ZipArchive, DataEndBeforeTheDirectory) {
  const std::string good = zip({member("a", "data")});
  const size_t sizes = good.find("PK\1\2") + 20;
  EXPECT_TRUE(fails(unpack(replaced(good, sizes, {"\5\0\0\0\5", 5})).status(), TESELA_ERROR_PARSE,
                    "'a' is not where the directory says"));
}

// What is before the archive in memory is no part of it: here an end record with a comment of the archive's length.
TEST(ZipArchive, EndRecordIsInTheArchive) {
  const std::string whole = zip({}, -1, std::string(30, '.'));
  EXPECT_TRUE(fails(unpack(std::string_view(whole).substr(22)).status(), TESELA_ERROR_TRUNCATED, "no end record"));
}

TEST(ZipArchive, NamesAreUniqueAmongMany) {
  EXPECT_TRUE(fails(unpack(zip(std::vector<ZipMember>(200, member("a", "data")))).status(), TESELA_ERROR_PARSE,
                    "two entries 'a'"));
}

// The zip64 sizes are the last 20 bytes of the directory, before an end record of 22.
TEST(ZipArchive, Zip64SizesMustBeThere) {
  const std::string good = zip({changed(member("a", "data"), [](ZipMember& m) { m.zip64 = true; })});
  const size_t extra = good.size() - 22 - 20;
  const std::string_view cases[] = {
      {"\2\0\x10\0", 4},          // another field
      {"\1\0\x64\0", 4},          // longer than the rest
      {"\1\0\4\0", 4},            // too short
      {"\2\0\0\0\1\0\x0c\0", 8},  // another one first; then one size of two
      {"\1\0\x0f\0", 4},          // a byte less than two sizes
      {"\1\0\x11\0", 4},          // a byte longer than the rest
  };
  for (const std::string_view field : cases)
    EXPECT_TRUE(
        fails(unpack(replaced(good, extra, field)).status(), TESELA_ERROR_PARSE, "the zip64 sizes of 'a' are missing"));
  for (const auto& claim : {+[](ZipMember& m) { m.bytes = UINT32_MAX; }, +[](ZipMember& m) { m.offset = UINT32_MAX; }})
    EXPECT_TRUE(fails(unpack(zip({changed(member("a", "data"), claim)})).status(), TESELA_ERROR_PARSE,
                      "the zip64 sizes of 'a' are missing"));
}

// What encode_npz writes ends with a zip64 end record, its locator of 20 bytes and an end record of 22.
TEST(ZipArchive, Zip64EndRecordsAreFollowed) {
  const FileParts parts = *encode_npz(*Tensor::allocate(DataType::kUint8, {1}), {});
  const std::string good = text_of(parts.head) + text_of(parts.body_bytes()) + text_of(parts.tail);
  const size_t end = good.size() - 22, locator = end - 20, record = locator - 56;
  ASSERT_TRUE(unpack(good).ok());
  EXPECT_EQ(good.substr(record + 16, 8), std::string(8, '\0'));  // of one disk, as for the next two
  EXPECT_EQ(good.substr(locator + 4, 4), std::string(4, '\0'));
  EXPECT_EQ(good.substr(locator + 16, 4), std::string("\1\0\0\0", 4));
  EXPECT_TRUE(unpack(replaced(replaced(good, end + 10, "\xff\xff"), end + 16, {"\0\0\0\0", 4})).ok());
  EXPECT_TRUE(unpack(replaced(replaced(good, end + 12, "\xff\xff\xff\xff"), end + 16, {"\0\0\0\0", 4})).ok());
  for (const std::string& bad :
       {replaced(good, locator, "x"), replaced(good, locator + 8, "\xff\xff\xff\xff"), replaced(good, record, "x"),
        good.substr(end), good.substr(0, locator - 1) + good.substr(locator)})
    EXPECT_TRUE(fails(unpack(bad).status(), TESELA_ERROR_PARSE, "the zip64 end record is missing or broken"));
  EXPECT_TRUE(fails(unpack(replaced(good, end + 4, "x")).status(), TESELA_ERROR_UNSUPPORTED, "in several parts"));
}

TEST(ZipArchive, EntriesMayNotOverlap) {
  // The second entry's header is in the data of the first, as in quine-like bombs.
  const std::string inner = zip({member("b", "data")}).substr(0, 35);
  ZipMember b = member("b", "data");
  b.offset = 31;
  std::string archive = zip({member("a", inner), b});
  EXPECT_TRUE(fails(unpack(archive).status(), TESELA_ERROR_PARSE, "'a' and 'b' overlap"));
}

// 20 MB of zeros in 20 kB: unpacked only up to the caller's limit.
TEST(ZipArchive, RejectsBombsByStatedAndActualSize) {
  const std::string zeros(20'000'000, '\0');
  ZipMember bomb = member("a", zeros, true);
  const std::clock_t begin = std::clock();
  EXPECT_TRUE(fails(unpack(zip({bomb}), 1 << 20).status(), TESELA_ERROR_LIMIT, "the limit is 1048576"));
  bomb.bytes = 1000;  // a forged size
  EXPECT_TRUE(fails(unpack(zip({bomb}), 1 << 20).status(), TESELA_ERROR_PARSE, "more bytes than it claims"));
  EXPECT_LT(std::clock() - begin, CLOCKS_PER_SEC / 5);
}

TEST(ZipArchive, EveryPrefixIsTruncated) {
  sweep_prefixes(zip({member("a", "data"), member("b", std::string(100, 'x'), true)}), status_of,
                 {TESELA_ERROR_TRUNCATED});
}

TEST(ZipArchive, EveryBitFlipReturnsAStatus) {
  sweep_bit_flips(zip({member("a", std::string(100, 'x'), true), member("b", "data")}), status_of);
}

}  // namespace
}  // namespace tesela::testing
