// SPDX-License-Identifier: Apache-2.0
// An axis of a move without operators, types and ranks: steps in bytes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "types/small_vector.h"

namespace tesela::cpu::moves {

/// One axis of the output, and the inputs of its elements.
struct Axis {
  int64_t n = 1;
  int64_t to = 0;                  // bytes from one output to the next
  int64_t from = 0;                // bytes from one input to the next; 0: the same input
  const int64_t* table = nullptr;  // each output's input; null: output i takes input i
  int64_t inside = 0;              // in a loop nest: contiguous bytes of one index, or 0

  int64_t offset(int64_t i) const { return (table ? table[i] : i) * from; }
  bool repeats() const { return table == nullptr && from == 0 && n > 1; }
  /// The number of indices, starting at i, with the same input.
  int64_t alike(int64_t i) const {
    if (table == nullptr) return from == 0 ? n - i : 1;
    int64_t count = 1;
    while (i + count < n && table[i + count] == table[i]) ++count;
    return count;
  }
};

/// Outermost first.
using Axes = SmallVector<Axis, 10>;

/// Offsets in bytes in the input and the output of a box.
struct Place {
  int64_t src = 0;
  int64_t dst = 0;
};

}  // namespace tesela::cpu::moves
