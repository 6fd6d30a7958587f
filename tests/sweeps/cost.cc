// SPDX-License-Identifier: Apache-2.0
// Reads files as the command line would, each in a process of its own, and prints as a line of JSON what each costs:
// processor time, and the peak of memory beyond the start.
//
//   tesela_cost MEBIBYTES FILE...
//
// MEBIBYTES: the limits of output and of working memory, each; 0 for the default limits.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "graph/value_text.h"
#include "sweeps/peak_memory.h"
#include "sweeps/readers.h"

namespace tesela::testing {
namespace {

Limits limits_of(std::string_view word) {
  int64_t mebibytes = 0;
  std::from_chars(word.data(), word.data() + word.size(), mebibytes);
  Limits limits;
  if (mebibytes == 0) return limits;
  limits.max_output_bytes = limits.max_working_bytes = mebibytes << 20;
  limits.max_session_bytes = 2 * limits.max_output_bytes;
  return limits;
}

void print_cost(const std::string& path, const Limits& limits) {
  const std::string file = read_whole(path);
  const Reader reader = reader_for(path, limits);
  const int64_t start = peak_kibibytes();
  const std::clock_t begin = std::clock();
  const Status status = reader(std::as_bytes(std::span(file)));
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  fmt::print(R"({{"status": "{}", "seconds": {:.4f}, "mebibytes": {:.1f}}})", status_text(status.code()), seconds,
             static_cast<double>(peak_kibibytes() - start) / 1024);
  fmt::print("\n");
}

/// False if the process died.
bool measure(const std::string& path, const Limits& limits) {
  std::fflush(stdout);
  const pid_t child = ::fork();
  if (child == 0) {
    print_cost(path, limits);
    std::exit(EXIT_SUCCESS);
  }
  int state = 0;
  return child > 0 && ::waitpid(child, &state, 0) == child && state == 0;
}

}  // namespace
}  // namespace tesela::testing

int main(int count, char** words) {
  using namespace tesela::testing;
  if (count < 3) return EXIT_FAILURE;
  for (int i = 2; i < count; ++i) {
    if (measure(words[i], limits_of(words[1]))) continue;
    fmt::print(stderr, "{} ended the process\n", words[i]);
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
