// SPDX-License-Identifier: Apache-2.0
// A failed allocation with a message.
#pragma once

#include <cstddef>
#include <cstdio>
#include <new>

namespace tesela {

/// Says what the memory was for and how many bytes; allocates nothing itself.
class OutOfMemory : public std::bad_alloc {
 public:
  explicit OutOfMemory(size_t bytes, const char* of = "scratch") {
    std::snprintf(text_, sizeof text_, "out of memory: %zu bytes of %s", bytes, of);
  }
  const char* what() const noexcept override { return text_; }

 private:
  char text_[96];
};

}  // namespace tesela
