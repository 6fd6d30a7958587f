// SPDX-License-Identifier: Apache-2.0
// The heap of the test program: counts allocations of the calling thread, and lets a chosen one fail.
#pragma once

#include <cstdint>

namespace tesela::testing {

/// How often the calling thread has called operator new; calls with an alignment beyond malloc's are not counted.
int64_t allocations();

/// While it lives, the calling thread's k-th allocation (from 1) fails; if `lasting`, all later ones fail, too.
class FailingHeap {
 public:
  FailingHeap(int64_t k, bool lasting);
  ~FailingHeap();
  FailingHeap(const FailingHeap&) = delete;
  FailingHeap& operator=(const FailingHeap&) = delete;
  /// Whether an allocation has failed.
  bool has_failed() const;
};

}  // namespace tesela::testing
