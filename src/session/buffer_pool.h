// SPDX-License-Identifier: Apache-2.0
// Memory of values between nodes: values that are no longer read are reused for later ones.
#pragma once

#include <map>

#include "types/tensor.h"

namespace tesela {

/// Blocks that the last run used are kept for the next one.
class BufferPool {
 public:
  /// Resets the peak. Blocks that the run does not use are freed at its end.
  void begin_run();
  void end_run();

  /// Whether a free block has so many bytes.
  bool has_free(int64_t bytes) const { return free_.lower_bound(bytes) != free_.end(); }

  /// Whether all blocks and a new one of so many bytes are within `max_bytes`. Frees the free blocks if that is
  /// necessary.
  bool free_until_fits(int64_t bytes, int64_t max_bytes);

  /// A block of at least this many bytes. Errors: no_memory.
  Result<Tensor> take(int64_t bytes);
  void give_back(Tensor block);

  /// The peak number of bytes in blocks since begin_run.
  int64_t peak_bytes() const { return peak_bytes_; }

 private:
  struct FreeBlock {
    Tensor block;
    bool was_used;  // in this run
  };
  void drop(std::multimap<int64_t, FreeBlock>::iterator block);

  std::multimap<int64_t, FreeBlock> free_;  // by bytes
  int64_t bytes_ = 0;                       // of all blocks, taken or free
  int64_t peak_bytes_ = 0;
};

/// A tensor that shares the block's bytes.
Tensor tensor_over(const Tensor& block, DataType type, const Extents& extents);

}  // namespace tesela
