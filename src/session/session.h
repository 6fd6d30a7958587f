// SPDX-License-Identifier: Apache-2.0
// Runs a loaded model: binds shapes, plans each node once its shapes are known, reuses memory between
// nodes.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "backend/backend.h"
#include "session/bind_inputs.h"
#include "session/buffer_pool.h"
#include "session/planned_node.h"
#include "session/schedule.h"

namespace tesela {

/// A finished node. Constant and Identity nodes do no work and have no events.
struct NodeEvent {
  const OpDesc& op;
  DataType input_type;  // of its first input
  DataType type;        // of the output
  std::string shapes;   // "1x3x4x4 -> 1x3x8x8"
  double milliseconds;
};

struct SessionRun {
  std::span<const NamedView> inputs;
  std::optional<std::vector<std::string_view>> outputs = {};  // names; empty: all outputs of the model, in order
  RunOptions options = {};
  std::function<void(const NodeEvent&)> on_node = {};
  Backend backend = kDefaultBackend;
};

class Session {
 public:
  /// Errors: unsupported (names the nodes that are not supported, up to the length of a message), and every
  /// fault of check.
  static Result<std::unique_ptr<Session>> create(std::shared_ptr<const Model> model, const Limits& limits);

  /// The wanted outputs, each in separate memory, strings with their bytes.
  /// Errors: value (an unknown name), count (a missing input), type, rank, shape, limit, no_memory,
  /// cancelled, and those of the operators.
  Result<std::vector<Tensor>> run(const SessionRun& run, const Executor& executor);

  size_t output_count() const { return facts_.index.graph_outputs().size(); }

  /// Of the last run: the peak number of bytes of values between nodes, and the number of nodes with a new
  /// plan.
  int64_t peak_bytes() const { return pool_.peak_bytes(); }
  int64_t plans_made() const { return plans_made_; }

 private:
  friend class SessionPass;
  Session(std::shared_ptr<const Model> model, const Limits& limits, GraphFacts facts);

  Result<std::vector<ValueId>> find_wanted(const SessionRun& run) const;
  Result<TensorView> read_constant(ValueId value, const Tensor& constant);

  std::shared_ptr<const Model> model_;
  Limits limits_;
  GraphFacts facts_;
  std::vector<ValueId> roots_;
  std::vector<PlannedNode> planned_;                    // by node
  std::optional<Schedule> schedule_;                    // of the last wanted outputs
  std::unordered_map<ValueId, Tensor> read_constants_;  // of files that are mapped
  int64_t read_bytes_ = 0;                              // in them
  BufferPool pool_;
  int64_t plans_made_ = 0;
};

}  // namespace tesela
