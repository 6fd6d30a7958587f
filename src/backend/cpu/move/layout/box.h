// SPDX-License-Identifier: Apache-2.0
// Converts a box of an operator's output, with axes tiled, indexed by tables or copied, to loop nests.
#pragma once

#include "backend/cpu/move/layout/loop_nest.h"
#include "backend/cpu/move/program.h"
#include "backend/program.h"

namespace tesela::cpu::moves {

/// One axis of a box.
struct BoxAxis {
  int64_t n = 0;  // outputs of the box, starting at lo
  int64_t lo = 0;
  int64_t in_lo = 0;  // the beginning of the box of the input
  int64_t in = 0;     // the whole input
  int64_t to = 0;     // bytes (bits for packed types) from one output to the next
  int64_t from = 0;
  bool tiles = false;              // output i is input i mod in; if false and without a table, input i
  const int64_t* table = nullptr;  // [n] input of each output, or kOutside
};
using BoxAxes = SmallVector<BoxAxis, 6>;

/// width: bytes of an element (bits for packed types). Tables that the program lacks are computed in the arena.
BoxAxes make_box_axes(const Plan& plan, const MoveProgram& program, Arena& arena, const BoxRun& run, int64_t width);

/// Lays the box out for elements of `width` bytes. has_input: false if no output has an input.
void lay_out_box(Layout& layout, const BoxAxes& box, bool has_input);

}  // namespace tesela::cpu::moves
