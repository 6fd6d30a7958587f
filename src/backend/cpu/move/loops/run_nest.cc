// SPDX-License-Identifier: Apache-2.0
// Runs a loop nest: writes each output byte once, and copies repeats while they are in a cache.
#include "backend/cpu/move/loops/run_nest.h"

#include <algorithm>
#include <cstring>

#include "backend/cpu/move/loops/store_rows.h"
#include "backend/cpu/tuning.h"

namespace tesela::cpu::moves {
namespace {

size_t size(int64_t bytes) {
  return static_cast<size_t>(bytes);
}

// Copies the block at dst so that there are n, `to` bytes apart.
void copy_block(int64_t bytes, int64_t n, int64_t to, std::byte* dst) {
  if (to != bytes) {
    for (int64_t i = 1; i < n; ++i) std::memcpy(dst + i * to, dst, size(bytes));
    return;
  }
  int64_t block = bytes;
  for (int64_t made = bytes, count = 0; made < n * bytes; made += count) {
    if (made <= kMoveStrip) block = made;
    count = std::min(block, n * bytes - made);
    std::memcpy(dst + made, dst, size(count));
  }
}

class Loops {
 public:
  Loops(const LoopNest& nest, std::byte* scratch) : nest_(nest), axes_(nest.axes), scratch_(scratch) {}

  // The axes outside of `cut`.
  void run(size_t d, const std::byte* src, std::byte* dst) {
    if (d == nest_.cut) return run_blocks(src, dst);
    const Axis& axis = axes_[d];
    for (int64_t i = 0; i < axis.n; ++i) run(d + 1, src + axis.offset(i), dst + i * axis.to);
  }

  // Computes indices [lo, lo + n) of axis d; dst belongs to index lo, src to index 0.
  void make(size_t d, int64_t lo, int64_t n, const std::byte* src, std::byte* dst) {
    if (d + 1 == axes_.size()) return make_rows(lo, n, src, dst);
    const Axis& axis = axes_[d];
    const bool copies = axis.inside > 0 && axis.inside <= kMoveKept && nest_.stores != Stores::kStreamed;
    for (int64_t i = lo, alike = 1; i < lo + n; i += alike, dst += alike * axis.to) {
      make(d + 1, 0, axes_[d + 1].n, src + axis.offset(i), dst);
      if (!copies) continue;
      alike = std::min(axis.alike(i), lo + n - i);
      if (alike > 1) copy_block(axis.inside, alike, axis.to, dst);
    }
  }

 private:
  void make_rows(int64_t lo, int64_t n, const std::byte* src, std::byte* dst) {
    const Axis& axis = axes_.back();
    Rows rows = {{n, axis.to, axis.from, axis.table}, src, dst, nest_.stores == Stores::kStreamed, nest_.far};
    if (axis.table)
      rows.table += lo;
    else
      rows.src += lo * axis.from;
    nest_.row.make(rows, nest_.row);
  }

  void run_blocks(const std::byte* src, std::byte* dst) {
    const Axis& axis = axes_[nest_.cut];
    for (int64_t lo = 0; lo < axis.n; lo += nest_.step) {
      const int64_t n = std::min(nest_.step, axis.n - lo);
      std::byte* const to = dst + lo * axis.to;
      // A repeated block is in scratch already.
      if (scratch_ == nullptr || lo == 0 || !axis.repeats()) make(nest_.cut, lo, n, src, scratch_ ? scratch_ : to);
      store_copies(lo, n, src, to);
    }
  }

  // Stores the block, computed at dst or in scratch, at all its places.
  void store_copies(int64_t lo, int64_t n, const std::byte* src, std::byte* dst) {
    const int64_t bytes = n * axes_[nest_.cut].inside;
    for (int64_t i = scratch_ ? 0 : 1; i < nest_.copies.n; ++i) {
      std::byte* const to = dst + i * nest_.copies.to;
      if (scratch_)
        store_rows().stream_copy(to, scratch_, bytes);
      else if (nest_.stores == Stores::kStreamed)
        make(nest_.cut, lo, n, src, to);
      else
        std::memcpy(to, dst, size(bytes));
    }
  }

  const LoopNest& nest_;
  const Axes& axes_;
  std::byte* const scratch_;  // for kThroughScratch
};

void count_kernels(const LoopNest& nest) {
  count_task(nest.row.kernel);
  const auto repeats = [](const Axis& axis) { return axis.repeats(); };
  if (nest.copies.n > 1 || std::any_of(nest.axes.begin(), nest.axes.end(), repeats)) count_task(Kernel::move_repeat);
}

[[gnu::noinline]] void run_through_scratch(const LoopNest& nest, const std::byte* src, std::byte* dst) {
  alignas(64) std::byte scratch[kMoveStrip];
  Loops(nest, scratch).run(0, src, dst);
}

}  // namespace

void NestRunner::take(const LoopNest& nest) {
  count_kernels(nest);
  const std::byte* const src = (nest.of_element ? element_.data() : src_) + nest.begin.src;
  std::byte* const dst = dst_ + nest.begin.dst;
  if (nest.stores == Stores::kThroughScratch) return run_through_scratch(nest, src, dst);
  Loops(nest, nullptr).run(0, src, dst);
}

}  // namespace tesela::cpu::moves
