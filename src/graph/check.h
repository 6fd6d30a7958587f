// Every fault of a model that can be found without input data, and notes on what is legal but does nothing.
#pragma once

#include <string>
#include <vector>

#include "model/graph.h"
#include "types/limits.h"

namespace tesela {

struct Finding {
  enum class Severity : uint8_t { kFault, kNote };
  Severity severity = Severity::kFault;
  tesela_status code = TESELA_OK;  // of a fault; of a note, that of the error it may turn into, or ok
  std::string node;          // its name, cut where it is very long; "" where it has none or the model itself is meant
  std::string text;          // at most 300 bytes
  bool is_computed = false;  // of a fault: the node runs all the same, by a rule of another version
};

struct CheckReport {
  std::vector<Finding> findings;  // in the file's order; of a very long list, its beginning
  size_t faults = 0;              // all of them
  size_t stopping_faults = 0;     // those that keep the model from running
  size_t notes = 0;
};

/// Looks into subgraphs and functions too. Of operators that are not Tesela's nothing is claimed. What is
/// over the limits is a note: the limits are the caller's and not the model's.
CheckReport check_model(const Model& model, const Limits& limits);

/// Why a session cannot be made of the model: unsupported where a node is not one of Tesela's operators,
/// Constant or Identity, else the first fault; ok where it can.
Status check_runnable(const Model& model, const CheckReport& report);

std::string check_plain(const CheckReport& report);
std::string check_json(const CheckReport& report);

}  // namespace tesela
