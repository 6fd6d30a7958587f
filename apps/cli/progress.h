// SPDX-License-Identifier: Apache-2.0
// The progress of a run: a line for each node, and a percentage during long runs.
#pragma once

#include <chrono>

#include "report.h"
#include "tesela/tesela.hpp"

namespace tesela::cli {

class Progress {
 public:
  /// quiet: prints nothing, but records nodes. The percentage is only printed to terminals, after one second.
  explicit Progress(bool quiet);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { clear(); }

  /// Options that report to this object, which must outlive them.
  RunOptions options(int threads);
  void node(const tesela_node_event& event);
  /// All nodes so far.
  const Json& nodes() const { return nodes_; }

 private:
  using Clock = std::chrono::steady_clock;
  void fraction(double done);
  void clear();

  const bool quiet_;
  const bool on_terminal_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point shown_at_ = start_;
  int shown_percent_ = -1;  // -1: none is shown
  Json nodes_ = Json::array();
};

}  // namespace tesela::cli
