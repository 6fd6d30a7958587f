// What the parts of a move share.
#pragma once

#include <array>
#include <cstddef>

#include "backend/cpu/scratch.h"

namespace tesela::cpu::moves {

using Element = std::array<std::byte, 16>;

struct Task {
  bool stream = false;  // stores may bypass the caches; the caller fences
  Scratch& scratch;
};

}  // namespace tesela::cpu::moves
