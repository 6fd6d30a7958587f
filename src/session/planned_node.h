// SPDX-License-Identifier: Apache-2.0
// A node with the plan of its last run, which is reused while its inputs do not change.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "backend/backend.h"
#include "plan/resolve.h"
#include "types/tensor.h"

namespace tesela {

class PlannedNode {
 public:
  /// inputs: undefined for an omitted one. Returns the plan, a new one if the type or extents of the data or
  /// any other input differ from those of the last call. It is valid until the next call. Errors: everything
  /// that violates the operator's rules; limit. Messages name the node.
  Result<const Plan*> plan(const OpDesc& op, std::span<const TensorView> inputs, const Limits& limits, Backend backend);

  /// The program of the backend for the plan.
  const Program& program() const { return *program_; }

  int64_t plans_made() const { return plans_made_; }

 private:
  struct Input {
    DataType type = DataType::kUndefined;
    Extents extents;
    Tensor value;  // of all inputs but the data
  };
  bool is_current(const OpDesc& op, std::span<const TensorView> inputs, Backend backend) const;
  Status remember(const OpDesc& op, std::span<const TensorView> inputs);

  std::vector<Input> inputs_;
  std::optional<Plan> plan_;
  ProgramPtr program_;
  Backend backend_ = kDefaultBackend;
  int64_t plans_made_ = 0;
};

}  // namespace tesela
