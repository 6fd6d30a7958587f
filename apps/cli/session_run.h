// SPDX-License-Identifier: Apache-2.0
// Runs a model's session with named tensors.
#pragma once

#include <string>
#include <vector>

#include "models.h"
#include "progress.h"

namespace tesela::cli {

struct NamedTensor {
  std::string name;
  Value value;
};

/// Computes the named outputs, in their order.
std::vector<NamedTensor> run_session(const LoadedModel& model, const std::vector<NamedTensor>& inputs,
                                     const std::vector<std::string>& outputs, const Limits& limits,
                                     const RunOptions& options);

}  // namespace tesela::cli
