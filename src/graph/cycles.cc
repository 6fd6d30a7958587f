// SPDX-License-Identifier: Apache-2.0
// Finds cycles of nodes.
#include "graph/cycles.h"

#include <algorithm>

namespace tesela {
namespace {

// Tarjan's strongly connected components.
class Cycles {
 public:
  explicit Cycles(const GraphIndex& index)
      : index_(index), count_(index.graph().nodes.size()), order_(count_, 0), low_(count_, 0), group_(count_, -1) {
    for (size_t n = 0; n < count_; ++n)
      if (order_[n] == 0) search(n);
  }

  std::vector<int32_t> take_groups() { return std::move(group_); }

 private:
  struct Frame {
    size_t node;
    size_t next_input;
  };

  void search(size_t root) {
    enter(root);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      const auto inputs = index_.inputs(frame.node);
      if (frame.next_input < inputs.size()) {
        follow(frame.node, inputs[frame.next_input++]);
      } else {
        const size_t node = frame.node;
        frames_.pop_back();
        if (low_[node] == order_[node]) close_group(node);
        if (!frames_.empty()) low_[frames_.back().node] = std::min(low_[frames_.back().node], low_[node]);
      }
    }
  }

  void enter(size_t node) {
    order_[node] = low_[node] = ++entered_;
    open_.push_back(node);
    frames_.push_back({node, 0});
  }

  void follow(size_t node, ValueId input) {
    if (input == kNoValue || index_.producer(input) < 0) return;
    const auto producer = static_cast<size_t>(index_.producer(input));
    if (order_[producer] == 0)
      enter(producer);
    else if (group_[producer] < 0)
      low_[node] = std::min(low_[node], order_[producer]);
  }

  void close_group(size_t root) {
    while (group_[root] < 0) {
      group_[open_.back()] = groups_;
      open_.pop_back();
    }
    ++groups_;
  }

  const GraphIndex& index_;
  size_t count_;
  std::vector<int64_t> order_;  // number of entry, from 1; 0: not visited
  std::vector<int64_t> low_;
  std::vector<int32_t> group_;
  std::vector<size_t> open_;
  std::vector<Frame> frames_;
  int64_t entered_ = 0;
  int32_t groups_ = 0;
};

}  // namespace

std::vector<int32_t> find_cycles(const GraphIndex& index) {
  return Cycles(index).take_groups();
}

}  // namespace tesela
