// Loops of moves that need no instruction set: elements fetched or stored one by one.
#pragma once

#include "backend/cpu/move/rows.h"

namespace tesela::cpu::moves {

void gather_rows(const Rows& rows, const Line& line);
void strided_rows(const Rows& rows, const Line& line);

}  // namespace tesela::cpu::moves
