// The axes of a move once operators, types and ranks are forgotten: steps of bytes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/cpu/scratch.h"
#include "types/small_vector.h"

namespace tesela::cpu::moves {

/// One axis of the output, and where its elements come from.
struct Axis {
  int64_t n = 1;
  int64_t to = 0;                  // bytes from one output to the next
  int64_t from = 0;                // bytes from one input to the next; 0: the same input again
  const int64_t* table = nullptr;  // each output's input, or output i takes input i
  int64_t inside = 0;              // of a loop nest: bytes that one index holds without gaps, or 0

  int64_t offset(int64_t i) const { return (table ? table[i] : i) * from; }
  bool repeats() const { return table == nullptr && from == 0 && n > 1; }
  /// How many indices from i on have the same input.
  int64_t alike(int64_t i) const {
    if (table == nullptr) return from == 0 ? n - i : 1;
    int64_t count = 1;
    while (i + count < n && table[i + count] == table[i]) ++count;
    return count;
  }
};

/// Outermost first.
using Axes = SmallVector<Axis, 10>;

/// Bytes from where the input and the output of a box begin.
struct Place {
  int64_t src = 0;
  int64_t dst = 0;
};

/// Without axes of one element, outputs in the order of memory, neighbours that are one axis merged.
void normalise(Arena& arena, Axes& axes, Place& place);

}  // namespace tesela::cpu::moves
