// SPDX-License-Identifier: Apache-2.0
// Runs the tasks of a run on an executor, with cancellation and progress.
#pragma once

#include <atomic>
#include <functional>

#include "backend/backend.h"

namespace tesela {

inline constexpr int64_t kMinTaskElements = int64_t{1}
                                            << 14;  // elements; below this, another thread costs more than it gains

/// Calls task(i, watch) for every i in [0, count). Errors: cancelled.
template <class Task>
Status run_tasks(int64_t count, const Executor& executor, const RunOptions& options, const Task& task) {
  std::atomic<int64_t> done = 0;
  const auto report = [&] { options.on_progress(static_cast<double>(done) / static_cast<double>(count)); };
  const void* const caller = this_thread();
  const auto run_one = [&](int64_t i) {
    const bool listens = options.on_progress && this_thread() == caller;
    Watch watch(options.cancel, listens ? std::function<void()>(report) : nullptr);
    if (watch.is_cancelled()) return;
    task(i, watch);
    ++done;
    if (listens) report();
  };
  try {
    executor.parallel_for(count, std::ref(run_one));  // a copy would take memory from the heap
  } catch (const Cancelled&) {
  }
  if (done < count) return cancelled_error("the run was cancelled after {} of {} tasks", done.load(), count);
  return {};
}

}  // namespace tesela
