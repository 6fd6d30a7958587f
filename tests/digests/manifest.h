// SPDX-License-Identifier: Apache-2.0
// The manifest: one digest of each group of cases.
#pragma once

#include <cstdint>
#include <string>

#include "digests/run.h"

namespace tesela::digests {

inline constexpr int64_t kGroupSize = 100;

struct Groups {
  int64_t first = 0;
  int64_t count = -1;  // -1: all that follow
};

/// Writes the digests of the reference backend on one thread. Returns the exit status.
int write_manifest(const std::string& path, int64_t groups);

/// Compares, names each case that differs, and reports what ran. Returns 0 if nothing differs, and the way was
/// really taken: the target's kernels ran, runs were divided among all threads, boxes were run.
int check_manifest(const std::string& path, const Groups& groups, const Way& way, const std::string& target);

/// Prints the digest and the text of each case of a group.
int print_group(int64_t group, const Way& way);

}  // namespace tesela::digests
