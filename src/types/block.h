// SPDX-License-Identifier: Apache-2.0
// The memory of a tensor or of scratch.
#pragma once

#include <cstddef>
#include <utility>

namespace tesela {

struct MemorySpan {
  std::byte* data = nullptr;
  size_t bytes = 0;
};

/// An uninitialised block of memory, 64-byte aligned; large ones come from the shared pool.
class Block {
 public:
  Block() = default;
  /// Throws std::bad_alloc.
  explicit Block(size_t bytes);
  Block(Block&& other) noexcept
      : memory_(std::exchange(other.memory_, {})), owned_(std::exchange(other.owned_, nullptr)) {}
  Block& operator=(Block&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(owned_, other.owned_);
    return *this;
  }
  ~Block();

  std::byte* data() const { return memory_.data; }

 private:
  MemorySpan memory_;
  void* owned_ = nullptr;  // from malloc, if memory_ is not the pool's
};

}  // namespace tesela
