// What a run says while it goes on: a line for each node, and how far it is where that takes long.
#pragma once

#include <chrono>

#include "report.h"
#include "tesela/tesela.hpp"

namespace tesela::cli {

class Progress {
 public:
  /// quiet: it only listens. Of progress a terminal alone is told, and only after a second.
  explicit Progress(bool quiet);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { clear(); }

  /// Options that report here and stop at a signal; they live as long as this does.
  RunOptions options(int threads);
  void node(const tesela_node_event& event);
  /// Every node so far.
  const Json& nodes() const { return nodes_; }

 private:
  using Clock = std::chrono::steady_clock;
  void fraction(double done);
  void clear();

  const bool quiet_;
  const bool on_terminal_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point shown_at_ = start_;
  int shown_percent_ = -1;  // -1: nothing is shown
  Json nodes_ = Json::array();
};

}  // namespace tesela::cli
