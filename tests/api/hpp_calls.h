// SPDX-License-Identifier: Apache-2.0
// A small Resize for tests of the C++ interface.
#pragma once

#include <array>
#include <vector>

#include "api/code_of.h"

namespace tesela::testing {

// half_pixel 2 -> 4: weights 1; 3/4 1/4; 1/4 3/4; 1
inline const std::vector<float> kPair = {0, 4};
inline const std::vector<float> kFour = {0, 1, 3, 4};
inline const std::array<int64_t, 1> kFourSizes = {4};

inline Op linear() {
  Op op("Resize", 19);
  op.set("mode", "linear");
  return op;
}

}  // namespace tesela::testing
