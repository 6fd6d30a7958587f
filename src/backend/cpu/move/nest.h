// SPDX-License-Identifier: Apache-2.0
// A loop nest that copies a part of a box: its axes, and the kernel that makes rows.
#pragma once

#include <array>

#include "backend/cpu/move/axis.h"
#include "backend/cpu/move/rows.h"

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

/// Takes nests as they are made.
class NestSink {
 public:
  virtual void take(const LoopNest& nest) = 0;

 protected:
  ~NestSink() = default;
};

}  // namespace tesela::cpu::moves
