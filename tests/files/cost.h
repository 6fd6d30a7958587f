// What a piece of work takes, for files that were made to take much.
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <functional>

namespace tesela::testing {

struct Cost {
  bool succeeded = false;  // the work said so
  double seconds = 0;      // of the processor, in all threads
  int64_t mebibytes = 0;   // of memory at one time, beyond what the process had before
};

/// Runs the work in a child process: its memory is measured alone, and does not stay.
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

// What is allowed, at machine speed and under sanitizers, which take three times the memory and ten the time. The goal is
// one second of an idle processor; threads that share a core with others take up to three times that.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr double kMaxSeconds = 30;
inline constexpr int64_t kMaxMebibytes = 700;
#else
inline constexpr double kMaxSeconds = 3;
inline constexpr int64_t kMaxMebibytes = 160;
#endif

}  // namespace tesela::testing
