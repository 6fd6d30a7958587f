// SPDX-License-Identifier: Apache-2.0
// Prints progress to the standard error.
#include "progress.h"

#include <unistd.h>

#include <algorithm>

#include "streams.h"

namespace tesela::cli {

Progress::Progress(bool quiet) : quiet_(quiet), on_terminal_(::isatty(STDERR_FILENO) == 1) {}

RunOptions Progress::options(int threads) {
  return {.threads = threads,
          .on_node = [this](const tesela_node_event& event) { node(event); },
          .on_progress = [this](double done) { fraction(done); }};
}

void Progress::node(const tesela_node_event& event) {
  nodes_.push_back(describe_json(event));
  if (quiet_) return;
  clear();
  write_standard_error(printable(describe(event) + "\n"));
}

void Progress::fraction(double done) {
  if (quiet_ || !on_terminal_) return;
  const Clock::time_point now = Clock::now();
  if (now - start_ < std::chrono::seconds(1) || now - shown_at_ < std::chrono::milliseconds(100)) return;
  const int percent = static_cast<int>(100 * std::clamp(done, 0.0, 1.0));
  if (percent == shown_percent_) return;
  shown_at_ = now;
  shown_percent_ = percent;
  write_standard_error("\r" + std::to_string(percent) + " % ");
}

void Progress::clear() {
  if (shown_percent_ >= 0) write_standard_error("\r      \r");
  shown_percent_ = -1;
}

}  // namespace tesela::cli
