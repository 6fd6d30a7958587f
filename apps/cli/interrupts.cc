// Handles signals that end the program.
#include "interrupts.h"

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

// Ends the program from any thread; the library deletes unfinished files. Work that cannot be interrupted, such as
// reading a model, could otherwise continue for seconds.
void handle_signal(int) {
  // Two signals can reach two threads. The second goes on: it may hold a lock that the end of the program needs.
  if (is_ending.exchange(true)) return;
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, interrupt_message.data(), interrupt_message.size());
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
