// SPDX-License-Identifier: Apache-2.0
// Divides the tasks of a run among threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace tesela {

/// How many of the tasks that are left are in the next share, if so many shares are left.
inline int64_t next_share(int64_t tasks, int64_t shares) {
  return tasks / shares;
}

/// Each thread does the tasks of its own share in turn, then those that others have not begun: no thread waits for a slower
/// one, and one that has the same share in every run finds its data in its caches.
class Shares {
 public:
  Shares(int threads, int64_t count, const std::function<void(int64_t)>& task)
      : shares_(static_cast<size_t>(std::min<int64_t>(threads, count))), task_(task) {
    int64_t begin = 0;
    for (Share& share : shares_) {
      const auto rest = static_cast<int64_t>(shares_.data() + shares_.size() - &share);  // of the shares
      share.next = begin;
      share.left = next_share(count - begin, rest);
      begin += share.left;
      share.end = begin;
    }
  }

  /// At most as many threads as tasks.
  int threads() const { return static_cast<int>(shares_.size()); }

  /// Does tasks until all have begun, at first those of this share, which may be any number. Throws what a task throws, and
  /// then no thread begins another one.
  void work(int share) {
    for (size_t s = 0; s < shares_.size(); ++s) work_on(shares_[(static_cast<size_t>(share) + s) % shares_.size()]);
  }

  bool has_failed() const { return has_failed_; }

  /// Waits for the tasks that other threads have begun, unless one fails.
  void wait() const {
    for (const Share& share : shares_)
      while (share.left > 0 && !has_failed_) std::this_thread::yield();
  }

 private:
  static constexpr size_t kCacheLine = 64;

  // Threads do not write each other's cache lines until they help.
  struct alignas(kCacheLine) Share {
    std::atomic<int64_t> next = 0;
    std::atomic<int64_t> left = 0;  // tasks that are not done
    int64_t end = 0;
  };

  void work_on(Share& share) {
    while (share.next < share.end && !has_failed_) {
      const int64_t i = share.next++;
      if (i >= share.end) return;
      try {
        task_(i);
      } catch (...) {
        has_failed_ = true;
        throw;
      }
      --share.left;
    }
  }

  std::vector<Share> shares_;
  const std::function<void(int64_t)>& task_;
  std::atomic<bool> has_failed_ = false;
};

}  // namespace tesela
