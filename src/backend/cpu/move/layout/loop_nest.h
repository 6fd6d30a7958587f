// Loop nests that copy a part of a box: which axes form a row, which kernel computes rows, and the order of the others.
#pragma once

#include <array>

#include "backend/cpu/move/layout/axes.h"
#include "backend/cpu/move/loops/rows.h"

namespace tesela::cpu::moves {

using Element = std::array<std::byte, 16>;

enum class Stores : uint8_t {
  kCached,          // normal stores
  kStreamed,        // bypass the caches, by the rows' kernel
  kThroughScratch,  // bypass the caches, from blocks computed in scratch
};

/// Everything except the addresses of the box is bound.
struct LoopNest {
  Axes axes;  // outermost first, at least one; the last are the rows
  Row row;
  Place begin;
  bool of_element = false;  // the input is the element for outputs without an input
  bool far = false;         // the input is likely not in the L2 cache
  Stores stores = Stores::kCached;
  // The axis `cut` is processed `step` indices at a time, and each such block is stored for each of `copies`.
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

/// The parameters for creating loop nests.
struct Layout {
  Arena& arena;  // for the data that nests point to
  NestSink& sink;
  int64_t width;          // bytes of an element: 1, 2, 4, 8, 16
  bool stream = false;    // stores may bypass the caches
  uintptr_t address = 0;  // of the output, if they may

  /// Creates nests for axes with outputs that do not overlap.
  void add(Axes axes, Place at, bool of_element);
};

}  // namespace tesela::cpu::moves
