// The axes of a move once operators, types and ranks are forgotten: steps of bytes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/cpu/scratch.h"
#include "types/small_vector.h"

namespace tesela::cpu::moves {

/// One axis of a box of the output, and where its elements come from.
struct Axis {
  int64_t n = 1;
  int64_t to = 0;                  // bytes from one output to the next
  int64_t from = 0;                // bytes from one input to the next; 0: the same input again
  const int64_t* table = nullptr;  // each output's input, or output i takes input i

  int64_t offset(int64_t i) const { return (table ? table[i] : i) * from; }
  bool repeats() const { return table == nullptr && from == 0 && n > 1; }
};

/// Outermost first.
using Axes = SmallVector<Axis, 10>;

/// Without axes of one element, outputs in the order of memory, neighbours that are one axis merged.
void normalise(Scratch& scratch, Axes& axes, const std::byte*& src, std::byte*& dst);

}  // namespace tesela::cpu::moves
