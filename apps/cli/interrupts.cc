// SPDX-License-Identifier: Apache-2.0
// Handles signals that end the program.
#include "interrupts.h"

#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <string_view>

#include "tesela/tesela.h"

namespace tesela::cli {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};

std::string_view interrupt_message = "tesela: interrupted\n";
std::atomic<bool> is_ending = false;

#ifdef SYS_pidfd_open
void close_pipes_and_terminals() {
  struct stat status = {};
  for (int file = 0; file < 1024; ++file)
    if (::fstat(file, &status) == 0 &&
        (S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode) || S_ISSOCK(status.st_mode)))
      ::close(file);
}
#endif

// The last process that holds a deleted file or memory frees their pages before it ends, 0.3 s a gigabyte. A child holds
// them until this process has ended. What others wait for, such as pipes, the child closes.
void free_pages_later() {
#ifdef SYS_pidfd_open
  const int self = static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0));
  if (self < 0) return;
  // fork() may not be called here: it runs handlers of libraries, which may need a lock that this thread holds.
  if (::syscall(SYS_clone, 0, nullptr, nullptr, nullptr, nullptr) != 0) return;  // the parent, or no child is possible
  close_pipes_and_terminals();
  pollfd end = {self, POLLIN, 0};
  ::poll(&end, 1, -1);
  ::_exit(0);
#endif
}

// Ends the program from any thread; the library deletes unfinished files. Work that cannot be interrupted, such as
// reading a model, could otherwise continue for seconds.
void handle_signal(int) {
  // Two signals can reach two threads. The second goes on: it may hold a lock that the end of the program needs.
  if (is_ending.exchange(true)) return;
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, interrupt_message.data(), interrupt_message.size());
  free_pages_later();
  std::quick_exit(tesela_status_exit_code(TESELA_ERROR_CANCELLED));
}

sigset_t handled_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : kSignals) sigaddset(&set, number);
  return set;
}

}  // namespace

void catch_interrupts() {
  if (::isatty(STDERR_FILENO) == 1) interrupt_message = "\r      \rtesela: interrupted\n";  // overwrites the progress
  struct sigaction action = {};
  action.sa_handler = handle_signal;
  action.sa_mask = handled_signals();  // a second signal is not handled
  for (const int number : kSignals) {
    struct sigaction inherited = {};
    // Background jobs of a shell without job control start with SIGINT ignored, programs under nohup with SIGHUP; that
    // is kept.
    if (::sigaction(number, nullptr, &inherited) == 0 && inherited.sa_handler == SIG_IGN) continue;
    ::sigaction(number, &action, nullptr);
  }
  // For a closed pipe or a file above the process's limit the write fails, and temporary files are deleted.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

void wait_if_interrupted() {
  while (is_ending) ::pause();
}

void hold_interrupts() {
  const sigset_t held = handled_signals();
  ::pthread_sigmask(SIG_BLOCK, &held, nullptr);
  wait_if_interrupted();
}

}  // namespace tesela::cli
