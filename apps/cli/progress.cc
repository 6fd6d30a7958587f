// Lines on the standard error.
#include "progress.h"

#include <unistd.h>

#include <algorithm>

#include "interrupts.h"
#include "streams.h"

namespace tesela::cli {

Progress::Progress(bool quiet) : quiet_(quiet), on_terminal_(::isatty(STDERR_FILENO) == 1) {}

tesela_run_options Progress::options(int threads) {
  tesela_run_options options{};
  options.struct_size = sizeof options;
  options.threads = threads;
  options.cancel = cancel_flag();
  options.on_node = [](void* self, const tesela_node_event* event) { static_cast<Progress*>(self)->node(*event); };
  options.on_node_context = this;
  options.on_progress = [](void* self, double done) { static_cast<Progress*>(self)->fraction(done); };
  options.on_progress_context = this;
  return options;
}

void Progress::node(const tesela_node_event& event) {
  nodes_.push_back(describe_json(event));
  if (quiet_) return;
  clear();
  write_standard_error(describe(event) + "\n");
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
