// SPDX-License-Identifier: Apache-2.0
// Entries of zip archives: their first bytes alone, and the memory that unpacking takes.
#include <sys/resource.h>

#include <cstdlib>

#include "files/cost.h"
#include "model/expect_fault.h"
#include "tensor_io/zip_archive.h"
#include "tensor_io/zip_bytes.h"

namespace tesela::testing {
namespace {

constexpr int64_t kMost = 1 << 20;

/// An archive of one entry.
struct Archive {
  std::string bytes;
  ZipEntry entry;

  explicit Archive(const ZipMember& m) : bytes(zip({m})), entry(read_zip_directory(bytes_of(bytes))->at(0)) {}
  Result<std::string> peek(size_t most) const {
    TESELA_ASSIGN_OR_RETURN(const auto head, peek_zip_entry({bytes_of(bytes), nullptr}, entry, most));
    return text_of(head);
  }
  Status unpack() const { return read_zip_entry({bytes_of(bytes), nullptr}, entry, kMost, {}).status(); }
};

std::string letters(size_t count) {
  std::string out;
  uint32_t state = 1;
  for (size_t i = 0; i < count; ++i)
    out += static_cast<char>('a' + ((state = state * 1664525 + 1013904223) >> 24) % 26);
  return out;
}

TEST(ZipEntry, PeekGivesAtMostTheWholeEntry) {
  const std::string data = letters(1000);
  for (const bool deflate : {false, true}) {
    const Archive archive(member("a", data, deflate));
    EXPECT_EQ(*archive.peek(0), "");
    EXPECT_EQ(*archive.peek(7), data.substr(0, 7));
    EXPECT_EQ(*archive.peek(1000), data);
    EXPECT_EQ(*archive.peek(70'000), data);
  }
}

TEST(ZipEntry, PeekGivesWhatADamagedEntryHas) {
  const std::string data = letters(1000);
  for (const bool deflate : {false, true}) {
    Archive claims_more(member("a", data, deflate));
    claims_more.entry.bytes = 5000;
    EXPECT_EQ(*claims_more.peek(2000), data);
    // The bytes that follow the half would be the other half.
    Archive half(member("a", data, deflate));
    half.entry.stored_bytes /= 2;
    const std::string head = *half.peek(1000);
    EXPECT_GT(head.size(), 100u);
    EXPECT_LT(head.size(), 900u);
    EXPECT_EQ(head, data.substr(0, head.size()));
  }
}

// Each takes about 40 KiB of zlib's own.
TEST(ZipEntry, MemoryOfUnpackingIsFreed) {
  const Archive archive(member("a", std::string(34'000, 'x'), true));
  const Cost cost = cost_of([&] {
    for (int i = 0; i < 2500; ++i)
      if (!archive.unpack().ok()) return false;
    return true;
  });
  EXPECT_TRUE(cost.succeeded);
  EXPECT_LT(cost.mebibytes, kMaxMebibytes / 2);
}

// Sanitizers have memory of their own.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

/// Runs the work in a child process whose heap has at most one block of 16 KiB, and smaller ones or, without `block`,
/// only blocks below 2 KiB.
bool with_little_memory(bool block, const std::function<bool()>& work) {
  return cost_of([&] {
           if (!take_no_more_memory()) return false;
           // malloc gives what other threads have freed only at times. Clang leaves out a call whose result is not used.
           const auto use_up = [](size_t bytes) {
             void* volatile last = nullptr;
             for (int failures = 0; failures < 100;) {
               void* got = std::malloc(bytes);
               if (got != nullptr) last = got;
               failures += got == nullptr;
             }
             return last;
           };
           void* last = use_up(16 << 10);
           if (!block) use_up(2 << 10);
           if (block) std::free(last);
           return work();
         })
      .succeeded;
}

// zlib needs about 7 KiB, and 32 more when it has unpacked something.
TEST(ZipEntry, LackOfMemoryIsReported) {
  const Archive archive(member("a", "data", true));
  const auto reported = [&] {
    const Status status = archive.unpack();
    return status.code() == TESELA_ERROR_NO_MEMORY && status.message() == "no memory to unpack 'a'";
  };
  EXPECT_TRUE(with_little_memory(false, reported));
  EXPECT_TRUE(with_little_memory(true, reported));
  EXPECT_TRUE(with_little_memory(false, [&] { return archive.peek(4).status().code() == TESELA_ERROR_NO_MEMORY; }));
}

#endif

}  // namespace
}  // namespace tesela::testing
