// Loops that copy a part of a box: which axes make a row, which kernel makes rows, and in what order the others go.
#pragma once

#include <array>

#include "backend/cpu/move/layout/axes.h"
#include "backend/cpu/move/loops/rows.h"

namespace tesela::cpu::moves {

using Element = std::array<std::byte, 16>;

enum class Stores : uint8_t {
  kCached,          // as usual
  kStreamed,        // past the caches, by the rows' kernel
  kThroughScratch,  // past the caches, from blocks made in scratch
};

/// Bound to where everything lies but the addresses of the box.
struct LoopNest {
  Axes axes;  // outermost first, at least one; the last are the rows
  Row row;
  Place begin;
  bool of_element = false;  // the input is not the box's, but the element for outputs that take none
  bool far = false;         // the input is likely not in the L2 cache
  Stores stores = Stores::kCached;
  // The axis `cut` is made `step` indices at a time, and each such block is stored once for each of `copies`.
  size_t cut = 0;
  int64_t step = 0;
  Axis copies;
};

class NestSink {
 public:
  virtual void take(const LoopNest& nest) = 0;

 protected:
  ~NestSink() = default;
};

/// What loop nests are made by.
struct Layout {
  Arena& arena;  // of what nests point to
  NestSink& sink;
  int64_t width;          // bytes of an element: 1, 2, 4, 8, 16
  bool stream = false;    // stores may bypass the caches
  uintptr_t address = 0;  // of the output, where they may

  /// Makes nests of axes whose outputs do not overlap.
  void add(Axes axes, Place at, bool of_element);
};

}  // namespace tesela::cpu::moves
