// SPDX-License-Identifier: Apache-2.0
// The peak of this process's memory.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>

namespace tesela::testing {

/// Since the program began; getrusage would include the program that started this one.
inline int64_t peak_kibibytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == "VmHWM:") {
      int64_t kibibytes = 0;
      status >> kibibytes;
      return kibibytes;
    }
  return 0;
}

}  // namespace tesela::testing
