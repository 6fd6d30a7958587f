// SPDX-License-Identifier: Apache-2.0
// Limits of a call. The defaults apply to the command line and loaded models; the plan API has none.
#pragma once

#include <cstdint>

namespace tesela {

struct Limits {
  int64_t max_output_bytes = int64_t{4} << 30;  // of one tensor, including the bytes of its strings
  int64_t max_rank = 64;
  int64_t max_nodes = 1'000'000;
  int64_t max_nesting = 64;  // of subgraphs
  int64_t max_pixels = int64_t{1} << 28;
  int64_t max_working_bytes = int64_t{1} << 30;                   // scratch and tables of one run
  int64_t max_session_bytes = max_output_bytes + kBesidesOutput;  // of all values that a run holds at one time

  /// By default a session holds one tensor of the largest size, and this much besides.
  static constexpr int64_t kBesidesOutput = int64_t{1} << 30;

  static Limits none() { return {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX}; }
};

}  // namespace tesela
