// SPDX-License-Identifier: Apache-2.0
// What one input may take, and how thoroughly it is used.
#pragma once

#include <ctime>

#include <cstdio>
#include <cstdlib>

namespace tesela::testing {

/// Ends the process if its scope takes more than a second of processor time; TESELA_FUZZ_SECONDS overrides the second
/// for builds with sanitizers. libFuzzer's own -timeout counts the time that other processes take on a busy machine.
class Budget {
 public:
  Budget() : begin_(now()) {}
  ~Budget() {
    const double seconds = now() - begin_;
    if (seconds <= most()) return;
    std::fprintf(stderr, "the input took %.2f s of processor time; expected at most %.2f\n", seconds, most());
    std::abort();
  }
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

 private:
  static double now() {
    timespec time = {};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  }
  static double most() {
    static const char* const asked = std::getenv("TESELA_FUZZ_SECONDS");
    return asked ? std::atof(asked) : 1;
  }

  double begin_;
};

/// Whether each input is run in every way that it can be, not only in one that its bytes choose: TESELA_FUZZ_ALL is
/// set.
inline bool every_combination() {
  static const bool asked = std::getenv("TESELA_FUZZ_ALL") != nullptr;
  return asked;
}

/// Whether each call is printed before it is made, to see which one ends the process: TESELA_FUZZ_PRINT is set.
inline bool prints_calls() {
  static const bool asked = std::getenv("TESELA_FUZZ_PRINT") != nullptr;
  return asked;
}

}  // namespace tesela::testing
