// SPDX-License-Identifier: Apache-2.0
// Every fault of a model that can be found without input data, and notes on parts that are legal but have no effect.
#pragma once

#include <string>
#include <vector>

#include "model/graph.h"
#include "types/limits.h"

namespace tesela {

struct Finding {
  enum class Severity : uint8_t { kFault, kNote };
  Severity severity = Severity::kFault;
  tesela_status code = TESELA_OK;  // of a fault; of a note, that of the error it may become, or ok
  std::string node;          // its name, shortened if very long; "" if it has none or the finding is about the model
  std::string text;          // at most 300 bytes
  bool is_computed = false;  // of a fault: the node runs nevertheless, by a rule of another version
};

struct CheckReport {
  std::vector<Finding> findings;  // in the file's order; only the first ones of a very long list
  size_t faults = 0;              // number of all faults
  size_t stopping_faults = 0;     // number of those that prevent a run
  size_t notes = 0;
};

/// Includes subgraphs and functions. Operators that Tesela does not support are not checked. Exceeded limits are notes,
/// because the caller sets them, not the model.
CheckReport check_model(const Model& model, const Limits& limits);

/// Why a session cannot be created: unsupported if a node is not Constant, Identity or an operator of Tesela, else the
/// first fault; ok if it can be.
Status check_runnable(const Model& model, const CheckReport& report);

std::string check_plain(const CheckReport& report);
std::string check_json(const CheckReport& report);

}  // namespace tesela
