// SPDX-License-Identifier: Apache-2.0
// The memory that a thread keeps from task to task: page faults of new memory take longer than most tasks.
#include "backend/cpu/scratch.h"

#include <algorithm>

#include "backend/cpu/tuning.h"

namespace tesela::cpu {
namespace {

class ThreadMemory {
 public:
  using Mark = Scratch::Mark;

  Mark mark() const { return at_; }

  std::byte* take(size_t bytes) {
    for (; at_.block < blocks_.size(); at_ = {at_.block + 1, 0}) {
      const Entry& entry = blocks_[at_.block];
      if (at_.used + bytes > entry.bytes) continue;
      at_.used += bytes;
      return entry.block.data() + at_.used - bytes;
    }
    const size_t size = std::max(bytes, kMinScratchBlock);
    blocks_.push_back({Block(size), size});
    at_.used = bytes;
    kept_ += size;
    return blocks_.back().block.data();
  }

  void release(Mark mark) {
    at_ = mark;
    if (mark.block > 0 || mark.used > 0) return;  // an outer task is still running
    for (; kept_ > kMaxKeptScratch; blocks_.pop_back()) kept_ -= blocks_.back().bytes;
  }

 private:
  struct Entry {
    Block block;
    size_t bytes;
  };
  std::vector<Entry> blocks_;
  size_t kept_ = 0;
  Mark at_;
};

thread_local ThreadMemory thread_memory;

}  // namespace

std::byte* Scratch::take_large(size_t bytes) {
  if (!marked_) mark_ = thread_memory.mark();
  marked_ = true;
  return thread_memory.take(bytes);
}

void Scratch::release() {
  thread_memory.release(mark_);
}

}  // namespace tesela::cpu
