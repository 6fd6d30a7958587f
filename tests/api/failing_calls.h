// SPDX-License-Identifier: Apache-2.0
// Calls of which each allocation fails, alone and with all later ones: a call reports no_memory, or does without, and the process
// goes on. The sanitized build finds what leaks.
#pragma once

#include <gtest/gtest.h>

#include <functional>

#include "heap.h"
#include "tesela/tesela.h"

namespace tesela::testing {

/// call: makes its results, and destroys them.
inline void fail_each_allocation(const std::function<tesela_status()>& call) {
  ASSERT_EQ(call(), TESELA_OK);
  for (const bool lasting : {false, true}) {
    int64_t failures = 0;
    for (int64_t k = 1;; ++k) {
      FailingHeap heap(k, lasting);
      const tesela_status status = call();
      if (!heap.has_failed()) break;
      failures += status == TESELA_ERROR_NO_MEMORY;
      // Caches, kept memory and the like are not needed.
      ASSERT_TRUE(status == TESELA_ERROR_NO_MEMORY || status == TESELA_OK) << k << ": " << tesela_status_name(status);
    }
    EXPECT_GT(failures, 0);
  }
}

}  // namespace tesela::testing
