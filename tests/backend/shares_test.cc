// SPDX-License-Identifier: Apache-2.0
// Dividing tasks among threads.
#include "backend/shares.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>
#include <vector>

namespace tesela {
namespace {

TEST(SharesTest, EveryTaskIsDoneOnceByAnyNumberOfThreads) {
  for (const int64_t count : {1, 2, 7, 64, 1000})
    for (const int threads : {1, 2, 3, 16})
      for (const int workers : {1, 2, 5}) {
        std::vector<std::atomic<int>> times(static_cast<size_t>(count));
        const std::function<void(int64_t)> task = [&](int64_t i) { ++times[static_cast<size_t>(i)]; };
        Shares shares(threads, count, task);
        EXPECT_EQ(shares.threads(), std::min<int64_t>(threads, count));
        std::vector<std::thread> helpers;
        for (int t = 0; t < workers; ++t) helpers.emplace_back([&shares, t] { shares.work(3 * t); });
        shares.wait();
        for (const std::atomic<int>& done : times) EXPECT_EQ(done, 1) << count << " tasks, " << threads << " threads";
        for (std::thread& helper : helpers) helper.join();
        EXPECT_FALSE(shares.has_failed());
      }
}

TEST(SharesTest, AThreadBeginsWithItsOwnShare) {
  std::vector<int64_t> order;
  const std::function<void(int64_t)> task = [&](int64_t i) { order.push_back(i); };
  Shares(3, 7, task).work(1);
  EXPECT_EQ(order, std::vector<int64_t>({2, 3, 4, 5, 6, 0, 1}));
}

TEST(SharesTest, NoTaskBeginsAfterAFailure) {
  int done = 0;
  const std::function<void(int64_t)> task = [&](int64_t i) {
    if (i == 5) throw std::runtime_error("five");
    ++done;
  };
  Shares shares(2, 20, task);
  EXPECT_THROW(shares.work(0), std::runtime_error);
  EXPECT_TRUE(shares.has_failed());
  shares.work(1);
  shares.wait();
  EXPECT_EQ(done, 5);
}

}  // namespace
}  // namespace tesela
