// SPDX-License-Identifier: Apache-2.0
// Reuses buffers.
#include "session/buffer_pool.h"

#include <algorithm>

namespace tesela {

void BufferPool::begin_run() {
  // Blocks of an unfinished run were freed with it.
  bytes_ = 0;
  for (auto& [bytes, block] : free_) {
    block.was_used = false;
    bytes_ += bytes;
  }
  peak_bytes_ = bytes_;
}

void BufferPool::end_run() {
  for (auto block = free_.begin(); block != free_.end();) {
    const auto next = std::next(block);
    if (!block->second.was_used) drop(block);
    block = next;
  }
}

bool BufferPool::free_until_fits(int64_t bytes, int64_t max_bytes) {
  while (bytes > max_bytes - bytes_ && !free_.empty()) drop(std::prev(free_.end()));
  return bytes <= max_bytes - bytes_;
}

Result<Tensor> BufferPool::take(int64_t bytes) {
  bytes = std::max(bytes, int64_t{1});
  const auto fitting = free_.lower_bound(bytes);
  if (fitting != free_.end()) {
    Tensor block = std::move(fitting->second.block);
    free_.erase(fitting);
    return block;
  }
  // All free blocks are too small. The largest one is freed, so that growing values do not accumulate
  // blocks.
  if (!free_.empty()) drop(std::prev(free_.end()));
  TESELA_ASSIGN_OR_RETURN(Tensor block, Tensor::allocate(DataType::kUint8, {bytes}));
  bytes_ += bytes;
  peak_bytes_ = std::max(peak_bytes_, bytes_);
  return block;
}

void BufferPool::give_back(Tensor block) {
  constexpr size_t kMaxFree = 16;
  const int64_t bytes = block.bytes();
  free_.emplace(bytes, FreeBlock{std::move(block), true});
  if (free_.size() > kMaxFree) drop(free_.begin());
}

void BufferPool::drop(std::multimap<int64_t, FreeBlock>::iterator block) {
  bytes_ -= block->first;
  free_.erase(block);
}

Tensor tensor_over(const Tensor& block, DataType type, const Extents& extents) {
  Tensor tensor = Tensor::borrow(type, extents, block.data(), block.storage());
  const int64_t bytes = tensor.bytes();
  // As in new tensors, the padding bits of the last byte are zero.
  if (bytes > 0 && is_packed(type)) tensor.mutable_data()[bytes - 1] = std::byte{0};
  return tensor;
}

}  // namespace tesela
