// SPDX-License-Identifier: Apache-2.0
// Image files that are read block by block: block limits, short reads, failed reads.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include "files/file_bytes.h"
#include "files/temporary_folder.h"
#include "model/expect_fault.h"
#include "tensor_io/image_rows.h"

namespace tesela::testing {
namespace {

constexpr size_t kBlockBytes = 65536;

std::string joined(FileBlocks blocks) {
  std::string text;
  for (auto block = blocks.next(); !block.empty(); block = blocks.next()) {
    EXPECT_LE(block.size(), kBlockBytes);
    text += text_of(block);
  }
  EXPECT_TRUE(blocks.status().ok()) << blocks.status().message();
  return text;
}

Descriptor opened(const std::string& path, int flags = O_RDONLY) {
  return Descriptor(::open(path.c_str(), flags | O_CLOEXEC));
}

TEST(FileBlocks, HaveEveryByteOnce) {
  const TemporaryFolder folder;
  for (const size_t size : {size_t{0}, size_t{1}, kBlockBytes - 1, kBlockBytes, kBlockBytes + 1, 3 * kBlockBytes + 5}) {
    std::string bytes(size, ' ');
    for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i % 251);
    const Descriptor file = opened(folder.write("f", bytes));
    FileBlocks blocks(file.get(), size, "f");
    EXPECT_EQ(blocks.head().size(), std::min(size, kBlockBytes));
    EXPECT_TRUE(joined(std::move(blocks)) == bytes) << size;
  }
}

// The lines of /proc/self/maps that begin with an address from `begin` to `end`.
std::string lines_between(const std::string& maps, uintptr_t begin, uintptr_t end) {
  std::istringstream in(maps);
  std::string found;
  for (std::string line; std::getline(in, line);) {
    const uintptr_t at = std::strtoull(line.c_str(), nullptr, 16);
    if (at >= begin && at < end) found += line + "\n";
  }
  return found;
}

// As file systems of a network may have them; Linux reads this file page by page. Every other page of a mapping is
// readable, so that each has a line.
TEST(FileBlocks, ShortReadsAreContinued) {
  const auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  constexpr size_t kPages = 4000;
  void* const mapping = ::mmap(nullptr, kPages * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(mapping, MAP_FAILED);
  for (size_t i = 0; i < kPages; i += 2)
    ASSERT_EQ(::mprotect(static_cast<std::byte*>(mapping) + i * page, page, PROT_READ), 0);
  const auto begin = reinterpret_cast<uintptr_t>(mapping);
  const Descriptor file = opened("/proc/self/maps");
  const std::string found = lines_between(joined(FileBlocks(file.get(), 0, "maps")), begin, begin + kPages * page);
  std::ifstream in("/proc/self/maps", std::ios::binary);
  const std::string maps((std::istreambuf_iterator<char>(in)), {});
  EXPECT_TRUE(found == lines_between(maps, begin, begin + kPages * page));
  EXPECT_GT(found.size(), 2 * kBlockBytes);
  ::munmap(mapping, kPages * page);
}

// A process without standard input opens its first file as this one.
TEST(FileBlocks, DescriptorZeroIsRead) {
  const TemporaryFolder folder;
  const Descriptor file = opened(folder.write("f", "data"));
  const int input = ::dup(0);
  ASSERT_EQ(::dup2(file.get(), 0), 0);
  const std::string text = joined(FileBlocks(0, 4, "f"));
  if (input >= 0) {
    ::dup2(input, 0);
    ::close(input);
  } else {
    ::close(0);
  }
  EXPECT_EQ(text, "data");
}

TEST(FileBlocks, FailedReadsAreReported) {
  const TemporaryFolder folder;
  const Descriptor file = opened(folder.write("f", std::string(100, 'x')), O_WRONLY);
  FileBlocks blocks(file.get(), 100, "f");
  EXPECT_TRUE(blocks.head().empty());
  EXPECT_TRUE(blocks.next().empty());
  const std::string why = "cannot read 'f': Bad file descriptor";
  EXPECT_TRUE(fails(blocks.status(), TESELA_ERROR_IO, why));
  EXPECT_TRUE(fails(open_png(FileBlocks(file.get(), 100, "f"), Limits()).status(), TESELA_ERROR_IO, why));
  EXPECT_TRUE(fails(open_jpeg(FileBlocks(file.get(), 100, "f"), Limits()).status(), TESELA_ERROR_IO, why));
}

}  // namespace
}  // namespace tesela::testing
