// SPDX-License-Identifier: Apache-2.0
// Executors: each index once, exceptions, nested use, children of fork.
#include "backend/executor.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace tesela {
namespace {

// A host with two threads.
void host_parallel_for(void* context, int64_t count, void (*task)(void*, int64_t), void* argument) {
  if (context != nullptr) ++*static_cast<std::atomic<int>*>(context);
  std::atomic<int64_t> next = 0;
  const auto work = [&] {
    for (int64_t i = next++; i < count; i = next++) task(argument, i);
  };
  std::thread helper(work);
  work();
  helper.join();
}

Executor host_executor(std::atomic<int>* calls = nullptr, int32_t concurrency = 2) {
  return std::move(*Executor::on_host({sizeof(tesela_executor), host_parallel_for, calls, concurrency}));
}

std::vector<Executor> all_executors() {
  std::vector<Executor> list;
  list.push_back(Executor());
  list.push_back(Executor::on_threads(1));
  list.push_back(Executor::on_threads(3));
  list.push_back(Executor::on_threads(0));
  list.push_back(host_executor());
  return list;
}

TEST(Executors, RunEveryIndexExactlyOnce) {
  for (const auto& executor : all_executors())
    for (const int64_t count : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> times(static_cast<size_t>(count));
      executor.parallel_for(count, [&](int64_t i) { ++times[static_cast<size_t>(i)]; });
      for (const auto& time : times) EXPECT_EQ(time, 1);
    }
}

TEST(Executors, NestedUseDoesNotDeadlock) {
  for (const auto& executor : all_executors()) {
    std::atomic<int> done = 0;
    executor.parallel_for(4, [&](int64_t) { executor.parallel_for(5, [&](int64_t) { ++done; }); });
    EXPECT_EQ(done, 20);
  }
}

TEST(Executors, ConcurrencyIsAtLeastOne) {
  for (const auto& executor : all_executors()) EXPECT_GE(executor.concurrency(), 1);
  EXPECT_EQ(Executor::on_threads(1).concurrency(), 1);
  EXPECT_EQ(Executor::on_threads(3).concurrency(), 3);
  EXPECT_EQ(host_executor(nullptr, 0).concurrency(), 1);
  EXPECT_EQ(host_executor(nullptr, -5).concurrency(), 1);
}

TEST(Executors, SingleThreadRunsOnCallingThread) {
  const auto caller = std::this_thread::get_id();
  Executor::on_threads(1).parallel_for(8, [&](int64_t) { EXPECT_EQ(std::this_thread::get_id(), caller); });
}

TEST(Executors, TaskExceptionsReachTheCaller) {
#if !defined(TESELA_PLAIN_THREADS)  // plain std::threads are only for the thread sanitizer
  for (const auto& executor : all_executors())
    EXPECT_THROW(executor.parallel_for(10,
                                       [](int64_t i) {
                                         if (i == 5) throw std::runtime_error("five");
                                       }),
                 std::runtime_error);
#endif
}

TEST(HostExecutors, ExceptionsDoNotReachTheHost) {
  std::atomic<int> done = 0;
  const auto executor = host_executor();
  EXPECT_THROW(executor.parallel_for(10,
                                     [&](int64_t) {
                                       ++done;
                                       throw std::bad_alloc();
                                     }),
               std::bad_alloc);
  EXPECT_EQ(done, 10);  // the host continued, and the first exception was kept
}

TEST(HostExecutors, ConcurrentCallsDoNotMixTasks) {
  std::atomic<int> calls = 0;
  const auto executor = host_executor(&calls);
  std::atomic<int64_t> sum = 0;
  std::vector<std::thread> callers;
  for (int t = 0; t < 4; ++t) callers.emplace_back([&] { executor.parallel_for(100, [&](int64_t i) { sum += i; }); });
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(sum, 4 * 4950);
  EXPECT_EQ(calls, 4);
}

TEST(HostExecutors, RejectMissingParallelFor) {
  EXPECT_EQ(Executor::on_host({sizeof(tesela_executor), nullptr, nullptr, 4}).status().code(), TESELA_ERROR_USAGE);
}

TEST(Fork, ChildRunsInline) {  // threads do not survive a fork
  std::atomic<int> warm = 0;
  Executor::on_threads(3).parallel_for(100, [&](int64_t) { ++warm; });
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto executor = Executor::on_threads(3);
    const auto caller = std::this_thread::get_id();
    int64_t sum = 0;
    bool own = executor.concurrency() == 1;
    executor.parallel_for(100, [&](int64_t i) {
      own = own && std::this_thread::get_id() == caller;
      sum += i;
    });
    _exit(own && sum == 4950 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace tesela
