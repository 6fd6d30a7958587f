// SPDX-License-Identifier: Apache-2.0
// Measures time and memory, for files that are made to be expensive.
#pragma once

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <functional>
#include <string>

// Of builds that count branches; null in others.
extern "C" {
__attribute__((weak)) int __llvm_profile_write_file();
__attribute__((weak)) const char* __llvm_profile_get_filename();
__attribute__((weak)) void __llvm_profile_set_filename(const char* name);
}

namespace tesela::testing {

/// For a child process that may take no more memory from now on. False if that does not work, as in an emulator.
inline bool take_no_more_memory() {
  rlimit limit;
  ::getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = 0;
  if (::setrlimit(RLIMIT_AS, &limit) != 0) return false;
  return ::mmap(nullptr, size_t{64} << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED;
}

/// Ends a child process, whose branches count, too.
[[noreturn]] inline void end_child(int status) {
  if (__llvm_profile_write_file != nullptr) {
    rlimit limit;
    ::getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_AS, &limit);
    const std::string name = __llvm_profile_get_filename() + ("." + std::to_string(::getpid())) + ".profraw";
    __llvm_profile_set_filename(name.c_str());
    __llvm_profile_write_file();
  }
  ::_exit(status);
}

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
    end_child(told ? 0 : 1);
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
