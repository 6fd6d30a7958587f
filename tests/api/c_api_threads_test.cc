// SPDX-License-Identifier: Apache-2.0
// The C interface: runs on threads, a host's executor, cancellation and the caller's scratch.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "api/c_calls.h"

namespace tesela::testing {
namespace {

TEST(CApiThreads, EightThreadsShareOnePlan) {
  Array<float> x = ramp(40, 50);
  const OwnedPlan plan = linear_plan(x, {97, 31});
  Array<float> expected = floats({97, 31}, std::vector<float>(97 * 31));
  const tesela_tensor in = x.view(), out = expected.view();
  ASSERT_EQ(tesela_plan_run(plan, &in, &out, nullptr, nullptr), TESELA_OK);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (int round = 0; round < 10; ++round) {
        Array<float> y = floats({97, 31}, std::vector<float>(97 * 31));
        const tesela_tensor mine = y.view();
        tesela_run_options options = {};
        options.struct_size = sizeof options;
        options.threads = 1 + t % 3;
        wrong += tesela_plan_run(plan, &in, &mine, &options, nullptr) != TESELA_OK || y.values != expected.values;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(CApiThreads, HostParallelForRunsTasks) {
  Array<float> x = ramp(200, 200);
  Array<float> y = floats({400, 400}, std::vector<float>(160000));
  Array<float> expected = y;
  const OwnedPlan plan = linear_plan(x, {400, 400});
  const tesela_tensor in = x.view(), out = y.view(), once = expected.view();
  ASSERT_EQ(tesela_plan_run(plan, &in, &once, nullptr, nullptr), TESELA_OK);
  int64_t tasks = 0;
  tesela_executor host = {};
  host.struct_size = sizeof host;
  host.context = &tasks;
  host.concurrency = 4;
  host.parallel_for = [](void* context, int64_t count, void (*task)(void*, int64_t), void* argument) {
    *static_cast<int64_t*>(context) += count;
    for (int64_t i = count; i-- > 0;) task(argument, i);  // in any order
  };
  tesela_run_options options = {};
  options.struct_size = sizeof options;
  options.executor = &host;
  ASSERT_EQ(tesela_plan_run(plan, &in, &out, &options, nullptr), TESELA_OK);
  EXPECT_GT(tasks, 1);
  EXPECT_EQ(y.values, expected.values);
}

TEST(CApiThreads, CancelAndProgress) {
  Array<float> x = ramp(200, 200);
  Array<float> y = floats({400, 400}, std::vector<float>(160000));
  const OwnedPlan plan = linear_plan(x, {400, 400});
  const tesela_tensor in = x.view(), out = y.view();
  tesela_run_options options = {};
  options.struct_size = sizeof options;
  options.threads = 1;
  double last = 0;
  options.on_progress = [](void* context, double fraction) { *static_cast<double*>(context) = fraction; };
  options.on_progress_context = &last;
  ASSERT_EQ(tesela_plan_run(plan, &in, &out, &options, nullptr), TESELA_OK);
  EXPECT_EQ(last, 1);
  const int32_t stop = 1;
  options.cancel = &stop;
  EXPECT_EQ(tesela_plan_run(plan, &in, &out, &options, nullptr), TESELA_ERROR_CANCELLED);
}

TEST(CApiThreads, CallersScratchIsAccepted) {
  Array<float> x = ramp(20, 20);
  const OwnedPlan plan = linear_plan(x, {40, 40});
  Array<float> y = floats({40, 40}, std::vector<float>(1600));
  Array<float> expected = y;
  const tesela_tensor in = x.view(), out = y.view(), once = expected.view();
  ASSERT_EQ(tesela_plan_run(plan, &in, &once, nullptr, nullptr), TESELA_OK);
  const int64_t lo[] = {0, 0}, n[] = {40, 40};
  uint64_t bytes = 0;
  ASSERT_EQ(tesela_plan_scratch_bytes(plan, lo, n, &bytes, nullptr), TESELA_OK);
  std::vector<std::byte> storage(bytes + 64);
  void* aligned = storage.data();
  size_t space = storage.size();
  aligned = std::align(64, bytes, aligned, space);
  tesela_run_options options = {};
  options.struct_size = sizeof options;
  options.threads = 1;
  options.scratch = aligned;
  for (const size_t size : {static_cast<size_t>(bytes), size_t{1}}) {  // large enough, and too small
    options.scratch_bytes = size;
    ASSERT_EQ(tesela_plan_run(plan, &in, &out, &options, nullptr), TESELA_OK);
    EXPECT_EQ(y.values, expected.values);
  }
}

}  // namespace
}  // namespace tesela::testing
