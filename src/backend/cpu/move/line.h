// The line at the end of a move: which inner axes it takes, where its chunks come from, and which loop makes it.
#pragma once

#include "backend/cpu/move/axes.h"
#include "backend/cpu/move/task.h"

namespace tesela::cpu::moves {

/// Moves elements of `width` bytes (1, 2, 4, 8, 16). Axes: normalised; outputs do not overlap.
void move_axes(Task& task, const Axes& axes, int64_t width, const std::byte* src, std::byte* dst);

}  // namespace tesela::cpu::moves
