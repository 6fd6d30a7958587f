// SPDX-License-Identifier: Apache-2.0
// Cancellation of runs: polled by tasks.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

namespace tesela {

/// Thrown by a task when its run was cancelled.
struct Cancelled {};

/// Checks whether a task's run is cancelled, and on the calling thread calls the caller's listener.
class Watch {
 public:
  /// cancel: may be null. listen: may be empty, and is empty for tasks on other threads than the caller's.
  Watch(const int32_t* cancel, std::function<void()> listen) : cancel_(cancel), listen_(std::move(listen)) {}

  /// Call after this many products or elements. Throws Cancelled.
  void spend(int64_t work) {
    left_ -= work;
    if (left_ < 0) [[unlikely]]
      look();
  }

  bool is_cancelled() const { return is_set(cancel_); }

  /// Whether the caller's flag, which may be null, cancels the run.
  static bool is_set(const int32_t* cancel) {
    return cancel != nullptr && __atomic_load_n(cancel, __ATOMIC_RELAXED) != 0;
  }

 private:
  static constexpr int64_t kBetweenLooks = int64_t{1} << 20;
  static constexpr std::chrono::milliseconds kBetweenCalls{10};

  void look() {
    left_ = kBetweenLooks;
    const auto now = std::chrono::steady_clock::now();
    if (listen_ && now - heard_ >= kBetweenCalls) {
      heard_ = now;
      listen_();
    }
    if (is_cancelled()) throw Cancelled();
  }

  const int32_t* cancel_;
  std::function<void()> listen_;
  int64_t left_ = kBetweenLooks;
  std::chrono::steady_clock::time_point heard_ = {};
};

}  // namespace tesela
