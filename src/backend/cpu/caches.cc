// Sizes of the machine's caches.
#include "backend/cpu/caches.h"

#include <algorithm>
#include <fstream>
#include <string>

namespace tesela::cpu {
namespace {

// The kernel's own description; sysconf may speak of all sockets together.
int64_t read_last_level_cache() {
  int64_t largest = 0;
  for (int index = 0; index < 8; ++index) {
    std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/size");
    int64_t size = 0;
    char unit = 0;
    if (!(file >> size)) continue;
    file >> unit;
    largest = std::max(largest, unit == 'M' ? size << 20 : unit == 'K' ? size << 10 : size);
  }
  constexpr int64_t kUnknown = int64_t{24} << 20;
  return largest > 0 ? largest : kUnknown;
}

}  // namespace

int64_t last_level_cache_bytes() {
  static const int64_t bytes = read_last_level_cache();
  return bytes;
}

// Measured with outputs that are written again and again: moves gain from a cache that just holds them, while the rows
// that an interpolation keeps are driven out by outputs that stay.
bool bypasses_caches(int64_t output_bytes, int64_t input_bytes, bool moves) {
  const int64_t cache = last_level_cache_bytes();
  return output_bytes + input_bytes > (moves ? cache / 4 * 3 : cache / 5 * 3);
}

}  // namespace tesela::cpu
