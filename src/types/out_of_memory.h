// Memory that could not be had, in words.
#pragma once

#include <cstddef>
#include <cstdio>
#include <new>

namespace tesela {

/// Says what was wanted and how many bytes of it, without memory of its own.
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
