// SPDX-License-Identifier: Apache-2.0
// Executors for the tasks of a run: oneTBB, or a host's threads.
#include "backend/executor.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "backend/cores.h"

#if !defined(TESELA_PLAIN_THREADS)
#include <latch>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace tesela {
namespace {

// True in a child of a process that had loaded the library: threads do not survive a fork.
bool is_forked_child() {
  static std::atomic<bool> forked = false;
  static const int registered = pthread_atfork(nullptr, nullptr, [] { forked = true; });
  static_cast<void>(registered);
  return forked;
}

#if defined(TESELA_PLAIN_THREADS)

// For ThreadSanitizer, which supports std::thread but not a prebuilt oneTBB.
class ThreadExecutor : public Executor {
 public:
  explicit ThreadExecutor(int threads) : threads_(threads == 0 ? available_cores() : threads) {}
  void parallel_for(int64_t count, const std::function<void(int64_t)>& task) override {
    std::atomic<int64_t> next = 0;
    const auto work = [&] {
      for (int64_t i = next++; i < count; i = next++) task(i);
    };
    std::vector<std::thread> helpers;
    helpers.reserve(static_cast<size_t>(threads_));
    try {
      for (int t = 1; t < threads_; ++t) helpers.emplace_back(work);
    } catch (const std::system_error&) {  // the existing threads run all tasks
    }
    work();
    for (std::thread& helper : helpers) helper.join();
  }
  int concurrency() const override { return threads_; }

 private:
  int threads_;
};

#else

// How many of `wanted` threads can run, including the calling one. oneTBB ends the process, or throws while tasks run,
// if the system cannot create more threads. So this first creates as many itself, and oneTBB gets fewer if some fail.
int available_threads(int wanted) {
  static std::atomic<int> known = 1;
  if (wanted <= known) return wanted;
  std::vector<pthread_t> made;
  made.reserve(static_cast<size_t>(wanted));
  std::latch all_made(1);
  const auto wait = [](void* latch) -> void* {
    static_cast<std::latch*>(latch)->wait();
    return nullptr;
  };
  for (int t = 1; t < wanted; ++t) {
    pthread_t thread;
    if (pthread_create(&thread, nullptr, wait, &all_made) != 0) break;
    made.push_back(thread);
  }
  all_made.count_down();
  for (const pthread_t thread : made) pthread_join(thread, nullptr);
  const int available = static_cast<int>(made.size()) + 1;
  if (available == wanted) known = std::max(known.load(), available);
  return available;
}

// The number of cores is determined, and threads are created, only for runs with several tasks: for a small run this
// would cost more than its work.
class ThreadExecutor : public Executor {
 public:
  explicit ThreadExecutor(int threads) : threads_(threads) {}
  void parallel_for(int64_t count, const std::function<void(int64_t)>& task) override {
    if (count <= 1 || concurrency() == 1) {
      for (int64_t i = 0; i < count; ++i) task(i);
      return;
    }
    std::vector<std::atomic<bool> > done(static_cast<size_t>(count));
    std::atomic<bool> has_thrown = false;
    try {
      run_on_threads(count, [&](int64_t i) {
        try {
          task(i);
        } catch (...) {
          has_thrown = true;
          throw;
        }
        done[static_cast<size_t>(i)] = true;
      });
    } catch (const std::exception&) {
      if (has_thrown) throw;
      // oneTBB was refused a thread that available_threads had got: this thread does the rest.
      for (int64_t i = 0; i < count; ++i)
        if (!done[static_cast<size_t>(i)]) task(i);
    }
  }
  int concurrency() const override {
    if (threads_ == 0) threads_ = available_cores();
    return threads_;
  }

 private:
  void run_on_threads(int64_t count, const std::function<void(int64_t)>& task) const {
    // The simple partitioner runs one index per task: tasks already have the intended size.
    const auto work = [&] { tbb::parallel_for(int64_t{0}, count, int64_t{1}, task, tbb::simple_partitioner()); };
    // Creating an arena and waking workers takes longer than small work. Every thread already has one for all cores,
    // and keeps the last one with another size.
    // oneTBB prints a warning for more threads than cores.
    const int all = tbb::this_task_arena::max_concurrency();
    const int threads = available_threads(std::min(threads_, all));
    if (threads >= all) return work();
    thread_local std::optional<tbb::task_arena> arena;
    if (!arena || arena->max_concurrency() != threads) arena.emplace(threads);
    arena->execute(work);
  }

  mutable int threads_;  // 0: not determined yet
};

#endif

class HostExecutor : public Executor {
 public:
  explicit HostExecutor(const tesela_executor& host) : host_(host) {}
  void parallel_for(int64_t count, const std::function<void(int64_t)>& task) override {
    Call call{&task, nullptr, {}};
    host_.parallel_for(host_.context, count, &HostExecutor::run_one, &call);
    if (call.fault) std::rethrow_exception(call.fault);
  }
  int concurrency() const override { return std::max(host_.concurrency, 1); }

 private:
  struct Call {
    const std::function<void(int64_t)>* task;
    std::exception_ptr fault;
    std::mutex mutex;
  };
  // There are frames of the host between here and the caller, which exceptions must not cross.
  static void run_one(void* argument, int64_t index) {
    auto* call = static_cast<Call*>(argument);
    try {
      (*call->task)(index);
    } catch (...) {
      const std::lock_guard lock(call->mutex);
      if (!call->fault) call->fault = std::current_exception();
    }
  }
  tesela_executor host_;
};

}  // namespace

ExecutorPtr make_thread_executor(int threads) {
  if (is_forked_child() || threads == 1) return make_inline_executor();
  return ExecutorPtr(new ThreadExecutor(threads));
}

Result<ExecutorPtr> make_host_executor(const tesela_executor& host) {
  if (host.parallel_for == nullptr) return usage_error("executor: parallel_for is NULL");
  return ExecutorPtr(new HostExecutor(host));
}

}  // namespace tesela
