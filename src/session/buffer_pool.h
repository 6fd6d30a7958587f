// Memory of values between nodes: what nobody will read again is used for what comes next.
#pragma once

#include <map>

#include "types/tensor.h"

namespace tesela {

/// Blocks stay for the next run where the last one used them.
class BufferPool {
 public:
  /// Forgets the peak. Blocks that the run does not take are freed at its end.
  void begin_run();
  void end_run();

  /// A block of at least so many bytes. Errors: no_memory.
  Result<Tensor> take(int64_t bytes);
  void give_back(Tensor block);

  /// The most bytes that blocks had at one time since begin_run.
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

/// A tensor over the block's bytes, which it shares.
Tensor tensor_over(const Tensor& block, DataType type, const Extents& extents);

}  // namespace tesela
