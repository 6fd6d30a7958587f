// How many cores the process may use.
#pragma once

#include <string>

namespace tesela {

/// The calling thread's affinity, or less by the quota of the process's control groups. At least 1.
int available_cores();

/// The cores of the lowest CPU quota of the process's control group and those above it, version 1 and 2, rounded up; 0
/// without a quota. root: prefix of all paths, for tests.
int cores_of_quota(const std::string& root);

}  // namespace tesela
