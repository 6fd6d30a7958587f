// SPDX-License-Identifier: Apache-2.0
// How many cores the process may use.
#pragma once

#include <string>

namespace tesela {

/// How many threads a run has by default: TESELA_NUM_THREADS, else the cores that affinity and quota allow. At least 1.
int available_cores();

/// The most threads that a caller may ask for.
inline constexpr int kMaxThreads = 1024;

/// The cores of the calling thread's affinity, at least 1.
int cores_of_affinity();

/// What TESELA_NUM_THREADS says; 0 if it is not set, or no number from 1 to kMaxThreads.
int threads_of_variable();

/// The cores of the lowest CPU quota of the process's control group and those above it, version 1 and 2, rounded up; 0
/// without a quota. root: prefix of all paths, for tests.
int cores_of_quota(const std::string& root);

}  // namespace tesela
