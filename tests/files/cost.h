// SPDX-License-Identifier: Apache-2.0
// Measures time and memory, for files that are made to be expensive.
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <functional>

namespace tesela::testing {

struct Cost {
  bool succeeded = false;  // the result of the work
  double seconds = 0;      // of processor time, in all threads
  int64_t mebibytes = 0;   // peak memory beyond that of the process before
};

/// Runs the work in a child process, so that its memory is measured separately and freed afterwards.
inline Cost cost_of(const std::function<bool()>& work) {
  const auto peak = [] {
    rusage usage = {};
    ::getrusage(RUSAGE_SELF, &usage);
    return int64_t{usage.ru_maxrss};  // KiB
  };
  int results[2];
  if (::pipe(results) != 0) return {};
  const pid_t child = ::fork();
  if (child == 0) {
    const int64_t before = peak();
    const bool succeeded = work();
    rusage usage = {};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    const Cost cost = {succeeded, seconds(usage.ru_utime) + seconds(usage.ru_stime), (peak() - before) / 1024};
    const bool told = ::write(results[1], &cost, sizeof cost) == sizeof cost;
    ::_exit(told ? 0 : 1);
  }
  Cost cost;
  ::close(results[1]);
  if (::read(results[0], &cost, sizeof cost) != sizeof cost) cost = {};
  ::close(results[0]);
  ::waitpid(child, nullptr, 0);
  return cost;
}

// The limits, with and without sanitizers: that of addresses takes three times the memory and ten times the time, that of
// threads seven and forty times. The goal is one second on an idle processor; threads that share a core can take three times
// as long.
#if defined(__SANITIZE_THREAD__)
inline constexpr double kMaxSeconds = 120;
inline constexpr int64_t kMaxMebibytes = 1400;
#elif defined(__SANITIZE_ADDRESS__)
inline constexpr double kMaxSeconds = 30;
inline constexpr int64_t kMaxMebibytes = 700;
#else
inline constexpr double kMaxSeconds = 3;
inline constexpr int64_t kMaxMebibytes = 160;
#endif

}  // namespace tesela::testing
