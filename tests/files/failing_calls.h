// SPDX-License-Identifier: Apache-2.0
// Lets system calls of one thread fail, as those of a bad disk or of an old kernel do.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace tesela::testing {

/// A system call that is not done.
struct FailingCall {
  long call;
  int error;                                               // 0: the call returns 0
  std::vector<std::pair<size_t, int64_t>> arguments = {};  // only with these, of which the lower 32 bits count
};
using FailingCalls = std::vector<FailingCall>;

// The C library chooses one of several calls.

inline FailingCalls failing_access(int error, int mode) {
  FailingCalls calls = {{SYS_faccessat, error, {{2, mode}}}};
#ifdef SYS_access
  calls.push_back({SYS_access, error, {{1, mode}}});
#endif
  return calls;
}
inline FailingCalls failing_fstat(int error) {
  return {{SYS_fstat, error}, {SYS_newfstatat, error, {{3, AT_EMPTY_PATH}}}};
}
inline FailingCalls failing_rename(int error) {
  FailingCalls calls = {{SYS_renameat, error}, {SYS_renameat2, error}};
#ifdef SYS_rename
  calls.push_back({SYS_rename, error});
#endif
  return calls;
}
inline FailingCalls failing_unlink(int error) {
  FailingCalls calls = {{SYS_unlinkat, error}};
#ifdef SYS_unlink
  calls.push_back({SYS_unlink, error});
#endif
  return calls;
}

/// From now on these calls fail in this thread. False if the system cannot do that, as in an emulator.
inline bool fail_calls(const FailingCalls& calls) {
  std::vector<sock_filter> program;
  const auto load = [&program](size_t offset) {
    program.push_back({BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<uint32_t>(offset)});
  };
  for (const FailingCall& call : calls) {
    size_t left = 2 * call.arguments.size() + 1;  // after the next comparison
    const auto compare = [&](int64_t value) {
      program.push_back({BPF_JMP | BPF_JEQ | BPF_K, 0, static_cast<uint8_t>(left), static_cast<uint32_t>(value)});
      left -= 2;
    };
    load(offsetof(seccomp_data, nr));
    compare(call.call);
    for (const auto& [position, value] : call.arguments) {
      load(offsetof(seccomp_data, args) + 8 * position);
      compare(value);
    }
    program.push_back({BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | static_cast<uint32_t>(call.error)});
  }
  program.push_back({BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW});
  const sock_fprog filter = {static_cast<unsigned short>(program.size()), program.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

/// The result of work during which these calls fail; empty if the system cannot do that.
template <class Work>
auto try_failing(const FailingCalls& calls, const Work& work) {
  std::optional<decltype(work())> result;
  std::thread thread([&] {
    if (fail_calls(calls)) result.emplace(work());
  });
  thread.join();
  return result;
}

/// For tests that let calls fail.
class CallsCanFail : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(try_failing({}, [] { return true; })) << "this system has no seccomp filters";
  }
};

template <class Work>
auto failing(const FailingCalls& calls, const Work& work) {
  return try_failing(calls, work).value();
}

/// Work on a device of the system, which is not replaced by a file even if the program is wrong.
template <class Work>
auto without_renaming(const Work& work) {
  auto result = try_failing(failing_rename(EPERM), work);
  return result ? std::move(*result) : work();
}

/// The number of the next file that is opened.
inline int next_descriptor() {
  const int next = ::open("/", O_PATH | O_CLOEXEC);
  ::close(next);
  return next;
}

/// While it lives, this process has no standard input.
class NoStdin {
 public:
  NoStdin() : saved_(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10)) { ::close(STDIN_FILENO); }
  NoStdin(const NoStdin&) = delete;
  ~NoStdin() {
    ::close(STDIN_FILENO);
    if (saved_ < 0) return;
    ::dup2(saved_, STDIN_FILENO);
    ::close(saved_);
  }

 private:
  int saved_;
};

}  // namespace tesela::testing
