// SPDX-License-Identifier: Apache-2.0
// Moves: fills, tiles, nearest and copies.
#pragma once

#include "backend/cpu/move/program.h"
#include "backend/program.h"

namespace tesela::cpu {

/// Moves a box of any width, including packed types, with any strides. stream: stores may bypass the caches. run_bytes: of
/// the outputs that this thread makes in the run; 0 for few.
void move_box(const Plan& plan, const MoveProgram& program, const BoxRun& run, bool stream, int64_t run_bytes = 0);

/// Copies elements of whole bytes between tensors of the same extents, with any strides.
void copy_view(const TensorView& from, const MutableTensorView& to);

}  // namespace tesela::cpu
