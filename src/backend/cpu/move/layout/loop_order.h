// In what order a loop nest goes, and how it stores: what repeats is copied while it is in a cache.
#pragma once

#include "backend/cpu/move/layout/loop_nest.h"

namespace tesela::cpu::moves {

/// Completes a nest whose axes and row are set. stream: stores may bypass the caches. address: of the box of the output.
void order_loops(LoopNest& nest, bool stream, uintptr_t address);

}  // namespace tesela::cpu::moves
