// SPDX-License-Identifier: Apache-2.0
// The loop order and stores of a loop nest: repeats are copied while they are in a cache.
#pragma once

#include "backend/cpu/move/nest.h"

namespace tesela::cpu::moves {

/// Completes a nest with axes and row set. stream: stores may bypass the caches. address: of the output box.
void order_loops(LoopNest& nest, bool stream, uintptr_t address);

}  // namespace tesela::cpu::moves
