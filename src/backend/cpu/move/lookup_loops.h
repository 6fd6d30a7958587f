// Loops of moves whose output bytes are looked up in registers, compiled for each instruction set.
#pragma once

#include "backend/cpu/move/rows.h"

namespace tesela::cpu::moves {

struct LookupLoops {
  int64_t block = 0;  // bytes of a window; 0: no lookups on this machine
  /// The loop of a line, whose windows are known. stream: rows are whole cache lines.
  void (*rows)(const Rows& rows, const Line& line);
};
const LookupLoops& lookup_loops();

}  // namespace tesela::cpu::moves
