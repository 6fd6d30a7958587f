// SPDX-License-Identifier: Apache-2.0
// Memory next to a page that faults.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <new>

namespace tesela::testing {

class GuardedBytes {
 public:
  /// `bytes` bytes that end `shift` bytes before a page that faults, or begin `shift` bytes after one.
  explicit GuardedBytes(int64_t bytes, int64_t shift = 0, bool at_end = true) : bytes_(bytes) {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    const size_t inside = (static_cast<size_t>(bytes + shift) + page - 1) / page * page;
    mapped_ = inside + 2 * page;
    map_ = static_cast<std::byte*>(mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (map_ == MAP_FAILED) throw std::bad_alloc();
    if (inside > 0 && mprotect(map_ + page, inside, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
    data_ = at_end ? map_ + page + inside - bytes - shift : map_ + page + shift;
  }
  ~GuardedBytes() { munmap(map_, mapped_); }
  GuardedBytes(const GuardedBytes&) = delete;
  GuardedBytes& operator=(const GuardedBytes&) = delete;

  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  int64_t size() const { return bytes_; }

 private:
  int64_t bytes_;
  size_t mapped_ = 0;
  std::byte* map_ = nullptr;
  std::byte* data_ = nullptr;
};

}  // namespace tesela::testing
