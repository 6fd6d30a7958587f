// SPDX-License-Identifier: Apache-2.0
// Chooses the loop order and the stores of a loop nest.
#include "backend/cpu/move/layout/loop_order.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "backend/cpu/tuning.h"

namespace tesela::cpu::moves {
namespace {

constexpr int64_t kCacheLine = 64;

bool is_whole_lines(const LoopNest& nest, uintptr_t address) {
  const auto is_whole = [](const Axis& axis) { return axis.to % kCacheLine == 0; };
  return (address + static_cast<uintptr_t>(nest.begin.dst)) % kCacheLine == 0 && nest.row.bytes % kCacheLine == 0 &&
         std::all_of(nest.axes.begin(), nest.axes.end(), is_whole);
}

// Whether the rows' kernel streams its stores.
bool streams_rows(const LoopNest& nest, uintptr_t address) {
  switch (nest.row.kernel) {
    case Kernel::move_copy: return nest.row.bytes >= kMinStreamedRowBytes;
    case Kernel::move_fill:
    case Kernel::move_splat: return nest.row.bytes >= kMinStreamedRowBytes || is_whole_lines(nest, address);
    case Kernel::move_lookup: return is_whole_lines(nest, address);
    default: return false;
  }
}

// Sets the contiguous bytes of each axis's index, and nest.far; returns the bytes of the whole nest.
int64_t measure(LoopNest& nest) {
  int64_t dense = nest.row.bytes;
  int64_t bytes = nest.row.bytes;
  int64_t reach = 0;
  for (size_t d = nest.axes.size(); d-- > 0;) {
    Axis& axis = nest.axes[d];
    axis.inside = dense;
    dense = axis.to == dense || axis.n == 1 ? dense * axis.n : 0;
    bytes *= axis.n;
    reach += std::abs(axis.offset(axis.n - 1) - axis.offset(0));
  }
  nest.far = reach > kNearestInput;
  return bytes;
}

// Indices of an axis in a block of kMoveStrip bytes; blocks are whole cache lines if possible.
int64_t indices_of_block(const Axis& axis) {
  if (axis.to != axis.inside) return 1;
  const int64_t most = std::max<int64_t>(kMoveStrip / axis.inside, 1);
  const int64_t whole = kCacheLine / std::gcd(axis.inside, kCacheLine);
  return most < whole ? most : most / whole * whole;
}

// Blocks up to this many bytes are copied or recomputed, since that is faster than splitting the nest for them.
int64_t near_bytes(Stores stores) {
  switch (stores) {
    case Stores::kCached: return kMoveKept;
    case Stores::kStreamed: return kMoveStrip;
    case Stores::kThroughScratch: break;
  }
  return 0;
}

// The outermost axis that repeats more than near_bytes; the last axis if there is none.
size_t find_far_copies(const LoopNest& nest) {
  const int64_t kept = near_bytes(nest.stores);
  const size_t last = nest.axes.size() - 1;
  for (size_t d = 0; d < last; ++d)
    if (nest.axes[d].repeats() && nest.axes[d].inside > kept) return d;
  return last;
}

// Moves the innermost axis that repeats a block inside the loop over blocks.
void take_copies(LoopNest& nest) {
  size_t d = nest.cut;
  while (d > 0 && !nest.axes[d - 1].repeats()) --d;
  if (d == 0) return;
  nest.copies = nest.axes[d - 1];
  std::move(nest.axes.begin() + d, nest.axes.end(), nest.axes.begin() + d - 1);
  nest.axes.pop_back();
  --nest.cut;
}

// Splits the nest into blocks that stay in the L1 cache, if they are stored in several places or computed in scratch.
void cut(LoopNest& nest) {
  const size_t last = nest.axes.size() - 1;
  const size_t repeated = find_far_copies(nest);
  nest.step = nest.axes[0].n;
  if (nest.stores != Stores::kThroughScratch && repeated == last) return;
  const auto is_block = [](const Axis& axis) { return axis.inside > 0 && axis.inside <= kMoveStrip; };
  nest.cut = nest.stores == Stores::kCached ? repeated + 1 : 0;
  while (nest.cut < last && !is_block(nest.axes[nest.cut])) ++nest.cut;
  nest.step = indices_of_block(nest.axes[nest.cut]);
  take_copies(nest);
}

void choose_stores(LoopNest& nest, uintptr_t address) {
  nest.stores = streams_rows(nest, address) ? Stores::kStreamed : Stores::kThroughScratch;
  if (nest.stores == Stores::kStreamed && nest.axes.size() > 1 && nest.axes.back().n == 1) nest.axes.pop_back();
}

}  // namespace

void order_loops(LoopNest& nest, bool stream, uintptr_t address) {
  const int64_t bytes = measure(nest);
  if (nest.row.kernel == Kernel::move_fill && bytes > nest.row.bytes) nest.row.kernel = Kernel::move_splat;
  if (stream && bytes > kMoveStrip) choose_stores(nest, address);
  cut(nest);
  // Normal stores are faster for blocks below a cache line.
  const bool is_short = nest.axes[nest.cut].inside * nest.step < kCacheLine;
  if (nest.stores == Stores::kThroughScratch && is_short) nest.stores = Stores::kCached;
}

}  // namespace tesela::cpu::moves
