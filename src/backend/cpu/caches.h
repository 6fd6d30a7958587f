// Sizes of the machine's caches, for the rule of when stores bypass them.
#pragma once

#include <cstdint>

namespace tesela::cpu {

/// Bytes of the largest cache that the first core sees; 24 MiB where the system does not say. Read once.
int64_t last_level_cache_bytes();

/// True where a run of this output and this input is better off with stores that bypass the caches: a store to memory
/// reads the line first, but a bypassed line that would have stayed in a cache costs more than it saves.
bool bypasses_caches(int64_t output_bytes, int64_t input_bytes, bool moves);

}  // namespace tesela::cpu
