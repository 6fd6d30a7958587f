// SPDX-License-Identifier: Apache-2.0
// Memory between two pages that fault. It is mapped once, since mapping it for each run would take longer than the run.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace tesela::testing {

class GuardedArena {
 public:
  static constexpr int64_t kBytes = int64_t{4} << 20;

  GuardedArena() {
    constexpr size_t page = 4096;
    void* const map = mmap(nullptr, kBytes + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED) std::abort();
    data_ = static_cast<std::byte*>(map) + page;
    if (mprotect(data_, kBytes, PROT_READ | PROT_WRITE) != 0) std::abort();
  }
  GuardedArena(const GuardedArena&) = delete;
  GuardedArena& operator=(const GuardedArena&) = delete;

  /// So many bytes that end `shift` bytes before the page that faults, or begin `shift` bytes after the other one.
  std::byte* place(int64_t bytes, int64_t shift, bool at_end) {
    if (bytes + shift > kBytes) std::abort();
    return at_end ? data_ + kBytes - bytes - shift : data_ + shift;
  }

 private:
  std::byte* data_;
};

}  // namespace tesela::testing
