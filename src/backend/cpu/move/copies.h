// The axes outside a line: each output byte is written once, and what repeats is copied while it is in a cache.
#pragma once

#include "backend/cpu/move/axes.h"
#include "backend/cpu/move/rows.h"
#include "backend/cpu/move/task.h"

namespace tesela::cpu::moves {

/// Writes every row of `axes` (outermost first, at least one axis), each of which is `line`.
void move_lines(Task& task, const Axes& axes, const Line& line, const std::byte* src, std::byte* dst);

/// `bytes` of one element.
void fill_bytes(bool stream, std::byte* to, int64_t bytes, const Element& element, int64_t width);

}  // namespace tesela::cpu::moves
