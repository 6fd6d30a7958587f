// Signal handlers that set one flag.
#include "interrupts.h"

#include <csignal>

#include "failure.h"

namespace tesela::cli {
namespace {

std::atomic<int32_t> cancelled = 0;

void cancel(int) {
  cancelled.store(1, std::memory_order_relaxed);
}

}  // namespace

void catch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = cancel;
  sigemptyset(&action.sa_mask);
  // Without SA_RESTART a read that waits for a pipe comes back and sees the flag.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int number : {SIGINT, SIGTERM}) {
    struct sigaction inherited = {};
    // Background jobs of a shell without job control begin with SIGINT ignored, and it stays so.
    if (::sigaction(number, nullptr, &inherited) == 0 && inherited.sa_handler == SIG_IGN) continue;
    ::sigaction(number, &action, nullptr);
  }
  // A closed pipe and a file over the process's limit are failed writes, after which temporary files are
  // removed.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

const std::atomic<int32_t>* cancel_flag() {
  return &cancelled;
}

void stop_if_interrupted() {
  if (cancelled.load(std::memory_order_relaxed) != 0) fail(TESELA_ERROR_CANCELLED, "interrupted");
}

}  // namespace tesela::cli
