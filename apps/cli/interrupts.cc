// Signals that end the program at once.
#include "interrupts.h"

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string_view>

#include "tesela/tesela.h"

namespace tesela::cli {
namespace {

std::string_view farewell = "tesela: interrupted\n";

// Whatever the program does, in any thread. The library removes what it has not finished to write. Work that cannot be
// interrupted, such as reading a model, would else go on for seconds.
void end(int) {
  [[maybe_unused]] const ssize_t told = ::write(STDERR_FILENO, farewell.data(), farewell.size());
  std::quick_exit(tesela_status_exit_code(TESELA_ERROR_CANCELLED));
}

}  // namespace

void catch_interrupts() {
  if (::isatty(STDERR_FILENO) == 1) farewell = "\r      \rtesela: interrupted\n";  // over the progress
  struct sigaction action = {};
  action.sa_handler = end;
  sigemptyset(&action.sa_mask);
  for (const int number : {SIGINT, SIGTERM}) sigaddset(&action.sa_mask, number);  // one is enough
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

}  // namespace tesela::cli
