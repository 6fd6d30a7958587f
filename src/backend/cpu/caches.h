// SPDX-License-Identifier: Apache-2.0
// Cache sizes, and which stores are the fastest with them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tesela::cpu {

struct Cache {
  int level;
  std::string kind;  // "Data", "Instruction" or "Unified"
  int64_t bytes;
};

/// The first core's caches, as the system reports them.
std::vector<Cache> reported_caches();

/// What TESELA_CACHE_BYTES says; 0 if it is not set, or no positive number.
int64_t cache_bytes_of_variable();

/// Bytes of the first core's largest cache; 24 MiB if the system does not report it. The environment variable
/// TESELA_CACHE_BYTES takes precedence, to try the rules of other machines.
int64_t read_last_level_cache();
/// The same, read once.
int64_t last_level_cache_bytes();

/// Whether so many bytes that are written again and again leave the first core's L2 cache, 1 MiB if it is not reported.
bool exceeds_l2_cache(int64_t bytes);

/// Whether so many bytes that are written again and again are filled faster by x86's string stores than by vectors, with such
/// caches: these stores do not read the lines that they fill.
bool fills_by_string(int64_t bytes, int64_t l1_bytes, int64_t l2_bytes, bool is_intel);
/// With the first core's caches.
bool fills_by_string(int64_t bytes);

/// Whether a run is faster with stores that bypass the caches. A cached store to memory reads the line first; bypassing
/// is slower if the line would have stayed in a cache.
bool bypasses_caches(int64_t output_bytes, int64_t input_bytes, bool moves,
                     int64_t cache_bytes = last_level_cache_bytes());

}  // namespace tesela::cpu
