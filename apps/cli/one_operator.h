// SPDX-License-Identifier: Apache-2.0
// Shared code of the verbs that apply one operator.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "arguments.h"
#include "streaming.h"
#include "tensor_files.h"

namespace tesela::cli {

struct OperatorRequest {
  TensorSource input;  // empty path: the operator has no input
  std::string output;
  std::string format;
  int64_t opset = 0;
  RunFlags flags;
  StreamFlags stream;
};

/// IN, --dtype and --entry.
void add_input(CLI::App& verb, OperatorRequest& request);
/// OUT, --format, --opset and the options of a run.
void add_output(CLI::App& verb, OperatorRequest& request);

/// The call for the Python package, which streams it. parameters: as its functions name them.
int print_call(const std::string& name, const OperatorRequest& request, Json parameters);

/// The target of OUT, checked before any computation. Errors: also unsupported, if only the package can run the call.
TensorTarget plan_output(const std::string& verb, const OperatorRequest& request);

/// The other inputs by name.
using OtherInputs = std::vector<std::pair<std::string, View>>;

/// Plans and runs `op`, prints a line about it, and writes the output. name: of the tensor in the output file.
void apply(const char* type, const Op& op, const View& first, const OtherInputs& others, const OperatorRequest& request,
           const TensorTarget& target, const std::string& name);

}  // namespace tesela::cli
