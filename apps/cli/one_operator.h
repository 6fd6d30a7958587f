// The verbs that apply one operator: what they share.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "arguments.h"
#include "tensor_files.h"

namespace tesela::cli {

struct OperatorRequest {
  TensorSource input;  // path empty: the operator has none
  std::string output;
  std::string format;
  int64_t opset = 0;
  RunFlags flags;
};

/// IN, --dtype and --entry.
void add_input(CLI::App& verb, OperatorRequest& request);
/// OUT, --format, --opset and the flags of a run.
void add_output(CLI::App& verb, OperatorRequest& request);

/// The target of OUT, checked before any work.
TensorTarget plan_output(const OperatorRequest& request);

/// Inputs beside the first, by their names.
using OtherInputs = std::vector<std::pair<std::string, View>>;

/// Plans and runs `op`, says so in a line, and writes the output. name: of the tensor in the output's file.
void apply(const char* type, const Op& op, const View& first, const OtherInputs& others, const OperatorRequest& request,
           const TensorTarget& target, const std::string& name);

}  // namespace tesela::cli
