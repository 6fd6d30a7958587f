// SPDX-License-Identifier: Apache-2.0
// Makes loop nests: chooses which axes form a row, which kernel computes rows, and the order of the others.
#pragma once

#include "backend/cpu/move/nest.h"
#include "backend/cpu/scratch.h"

namespace tesela::cpu::moves {

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
