// The limits for fuzzed files.
#pragma once

#include "types/limits.h"

namespace tesela::testing {

inline Limits small_limits() {
  Limits limits;
  limits.max_output_bytes = 1 << 20;
  limits.max_working_bytes = 16 << 20;
  limits.max_pixels = 1 << 16;
  limits.max_nodes = 10'000;
  return limits;
}

}  // namespace tesela::testing
