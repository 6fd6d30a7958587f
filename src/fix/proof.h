// SPDX-License-Identifier: Apache-2.0
// Runs a node before and after a change on the same random inputs.
#pragma once

#include <cstdint>

#include "fix/call.h"
#include "types/limits.h"

namespace tesela::fix {

/// What two calls gave.
struct Comparison {
  int64_t calls = 0;               // that were run
  int64_t outputs = 0;             // elements that were compared
  int64_t different = 0;           // of these, not equal in every bit
  double difference = 0;           // the most, of inputs between 0 and 1; of integers, any
  bool has_other_extents = false;  // nothing more was compared
  bool is_drawn = false;           // extents or parameters were not known, and were drawn

  bool is_equal() const { return calls > 0 && different == 0 && !has_other_extents; }
};

/// How much all proofs of a model may compute, so that files made to be slow end: about a second.
struct ProofEffort {
  int64_t left = int64_t{1} << 24;  // taps
};

/// Runs both calls by the reference backend, on whole outputs or, of large ones, on parts of them at both ends and inside.
/// known: what is known of the old node's inputs. Errors: of planning the first call, limit (too much to compute), value (no
/// valid call was drawn).
Result<Comparison> compare(const Call& before, const Call& after, Inputs known, const Limits& limits,
                           ProofEffort& effort);

}  // namespace tesela::fix
