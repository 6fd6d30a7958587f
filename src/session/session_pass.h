// SPDX-License-Identifier: Apache-2.0
// One run of a session: its values, and the steps that compute them.
#pragma once

#include "session/session.h"

namespace tesela {

class SessionPass {
 public:
  SessionPass(Session& session, const SessionRun& run, const Executor& executor)
      : session_(session), run_(run), executor_(executor), values_(session.schedule_->slot_values.size()) {}

  /// Inputs, defaults and constants. bound: by graph input. Errors: limit, and those of reading.
  Status fill_slots(const std::vector<std::optional<TensorView>>& bound);

  Status run_step(size_t position);

  /// Errors: limit, no_memory, and an output that does not match its declaration.
  Result<std::vector<Tensor>> take_outputs();

 private:
  struct Value {
    TensorView view;
    Tensor tensor;  // of computed values
    Tensor block;   // of the pool, if the tensor is in one
  };

  const GraphIndex& index() const { return session_.facts_.index; }
  Value& value(Slot slot) { return values_[static_cast<size_t>(slot)]; }
  Status count_bytes(int64_t bytes);
  Status check_limit(int64_t bytes);
  Result<Tensor> copy_output(const TensorView& view);
  Status check_output(const Plan& plan, const OpDesc& op, ValueId output) const;
  Status allocate(const Plan& plan, const Step& step);
  Status compute(const PlannedNode& planned, const Plan& plan, size_t position);

  Session& session_;
  const SessionRun& run_;
  const Executor& executor_;
  std::vector<Value> values_;  // by slot
  int64_t held_bytes_ = 0;     // of inputs and outputs; the pool and the session count the rest
};

}  // namespace tesela
