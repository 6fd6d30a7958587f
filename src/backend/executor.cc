// SPDX-License-Identifier: Apache-2.0
// Where the tasks of a run are computed: on the calling thread, oneTBB's threads, or a host's.
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
#include "backend/shares.h"

#if !defined(TESELA_PLAIN_THREADS)
#include <latch>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace tesela {
namespace {

// True in a child of a process that had loaded the library: threads do not survive a fork.
constinit std::atomic<bool> is_forked_child = false;

// When the library is loaded: a fork during another thread's first run would leave it half done, and the child's first
// run would wait for ever.
[[maybe_unused]] const int registered = pthread_atfork(nullptr, nullptr, [] { is_forked_child = true; });

#if defined(TESELA_PLAIN_THREADS)

// For ThreadSanitizer, which supports std::thread but not a prebuilt oneTBB.
void run_on_threads(int wanted, int64_t count, const std::function<void(int64_t)>& task) {
  Shares shares(wanted, count, task);
  std::vector<std::thread> helpers;
  helpers.reserve(static_cast<size_t>(shares.threads()));
  try {
    for (int t = 1; t < shares.threads(); ++t) helpers.emplace_back([&shares, t] { shares.work(t); });
  } catch (const std::system_error&) {  // the existing threads do all tasks
  }
  shares.work(0);
  for (std::thread& helper : helpers) helper.join();
}

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

void work_on_tbb(Shares& shares, int wanted) {
  // A thread has the same place in an arena again and again.
  const auto work = [&] {
    tbb::parallel_for(
        0, shares.threads(), 1, [&](int) { shares.work(tbb::this_task_arena::current_thread_index()); },
        tbb::simple_partitioner());
  };
  // Creating an arena and waking workers takes longer than small work. Every thread already has one for all cores,
  // and keeps the last one with another size.
  // oneTBB prints a warning for more threads than cores.
  const int all = tbb::this_task_arena::max_concurrency();
  const int threads = available_threads(std::min(wanted, all));
  if (threads >= all) return work();
  thread_local std::optional<tbb::task_arena> arena;
  if (!arena || arena->max_concurrency() != threads) arena.emplace(threads);
  arena->execute(work);
}

void run_on_threads(int wanted, int64_t count, const std::function<void(int64_t)>& task) {
  Shares shares(wanted, count, task);
  try {
    work_on_tbb(shares, wanted);
  } catch (const std::exception&) {
    if (shares.has_failed()) throw;
    // oneTBB was refused a thread that available_threads had got: this thread does what no other has begun.
    shares.work(0);
    shares.wait();
    if (shares.has_failed()) throw;
  }
}

#endif

// Tasks on a host's threads. There are frames of the host between them and the caller, which exceptions must not cross.
class HostTasks {
 public:
  explicit HostTasks(const std::function<void(int64_t)>& task) : task_(task) {}
  void run(const tesela_executor& host, int64_t count) {
    host.parallel_for(host.context, count, &HostTasks::run_one, this);
    if (fault_) std::rethrow_exception(fault_);
  }

 private:
  static void run_one(void* argument, int64_t index) {
    auto* tasks = static_cast<HostTasks*>(argument);
    try {
      tasks->task_(index);
    } catch (...) {
      const std::lock_guard lock(tasks->mutex_);
      if (!tasks->fault_) tasks->fault_ = std::current_exception();
    }
  }

  const std::function<void(int64_t)>& task_;
  std::exception_ptr fault_;
  std::mutex mutex_;
};

}  // namespace

int Executor::usable_threads(int threads) {
  return is_forked_child ? 1 : threads;
}

Result<Executor> Executor::on_host(const tesela_executor& host) {
  if (host.parallel_for == nullptr) return usage_error("executor: parallel_for is NULL");
  Executor executor;
  executor.threads_ = std::max(host.concurrency, 1);
  executor.host_ = host;
  return executor;
}

void Executor::parallel_for(int64_t count, const std::function<void(int64_t)>& task) const {
  if (host_.parallel_for != nullptr) return HostTasks(task).run(host_, count);
  if (count > 1 && concurrency() > 1) return run_on_threads(threads_, count, task);
  for (int64_t i = 0; i < count; ++i) task(i);
}

// The number of cores is determined, and threads are created, only for runs with several tasks: for a small run this
// would cost more than its work.
int Executor::concurrency() const {
  if (threads_ == 0) threads_ = available_cores();
  return threads_;
}

}  // namespace tesela
