// Cache sizes, and the decision whether stores bypass caches.
#include "backend/cpu/caches.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

#include "backend/cpu/tuning.h"

namespace tesela::cpu {
// Reads the kernel's description; sysconf may return the sum of all sockets.
int64_t read_last_level_cache() {
  if (const char* bytes = std::getenv("TESELA_CACHE_BYTES"))
    if (const int64_t given = std::atoll(bytes); given > 0) return given;
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

int64_t last_level_cache_bytes() {
  static const int64_t bytes = read_last_level_cache();
  return bytes;
}

// Measured with repeated writes of the same output: moves are faster if the output just fits the cache, but the output
// of an interpolation evicts the rows that it keeps.
bool bypasses_caches(int64_t output_bytes, int64_t input_bytes, bool moves, int64_t cache_bytes) {
  const int64_t cache = std::min(cache_bytes, kMaxOwnCache);
  return output_bytes + input_bytes > (moves ? cache / 4 * 3 : cache / 5 * 3);
}

}  // namespace tesela::cpu
