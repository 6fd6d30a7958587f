// SPDX-License-Identifier: Apache-2.0
// Executors for the tasks of a run: the calling thread, oneTBB, or a host's threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "tesela/tesela.h"
#include "types/status.h"

namespace tesela {

class Executor {
 public:
  virtual ~Executor() = default;
  /// Calls task(i) for every i in [0, count), in any order, on any threads; returns when all are done.
  virtual void parallel_for(int64_t count, const std::function<void(int64_t)>& task) = 0;
  /// The number of threads, at least 1.
  virtual int concurrency() const = 0;
  /// Ends the use that it was made for.
  virtual void release() { delete this; }
};

struct ReleaseExecutor {
  void operator()(Executor* executor) const { executor->release(); }
};
using ExecutorPtr = std::unique_ptr<Executor, ReleaseExecutor>;

/// A shared instance, so that a tiny call does not create one.
ExecutorPtr make_inline_executor();

/// threads 0: one per core that this process may use. 1: the inline executor.
/// In a child of fork, which has no worker threads, tasks run inline.
ExecutorPtr make_thread_executor(int threads);

/// Differs between the threads that run; this and make_inline_executor need no threads of the system.
const void* this_thread();

/// Errors: usage (the host's struct is incomplete).
Result<ExecutorPtr> make_host_executor(const tesela_executor& host);

}  // namespace tesela
