// SPDX-License-Identifier: Apache-2.0
// Where the tasks of a run are computed: on the calling thread, oneTBB's threads, or a host's.
#pragma once

#include <cstdint>
#include <functional>

#include "tesela/tesela.h"
#include "types/status.h"

namespace tesela {

/// A value: for a tiny call, memory from the heap would be a tenth of its time.
class Executor {
 public:
  /// On the calling thread.
  Executor() = default;

  /// threads 0: one per core that this process may use. In a child of fork, which has no worker threads: on the calling
  /// thread.
  static Executor on_threads(int threads) {
    Executor executor;
    executor.threads_ = threads == 1 ? 1 : usable_threads(threads);
    return executor;
  }

  /// Errors: usage (the host's struct is incomplete).
  static Result<Executor> on_host(const tesela_executor& host);

  /// Calls task(i) for every i in [0, count), in any order, on any threads; returns when all are done.
  void parallel_for(int64_t count, const std::function<void(int64_t)>& task) const;

  /// The number of threads, at least 1.
  int concurrency() const;

 private:
  static int usable_threads(int threads);

  mutable int threads_ = 1;    // 0: not determined yet
  tesela_executor host_ = {};  // parallel_for is null: no host
};

/// Differs between the threads that run; this needs no threads of the system.
const void* this_thread();

}  // namespace tesela
