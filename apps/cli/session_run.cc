// SPDX-License-Identifier: Apache-2.0
// Runs a session with named tensors.
#include "session_run.h"

namespace tesela::cli {

std::vector<NamedTensor> run_session(const LoadedModel& model, const std::vector<NamedTensor>& inputs,
                                     const std::vector<std::string>& outputs, const Limits& limits,
                                     const RunOptions& options) {
  std::vector<Named> given;
  for (const NamedTensor& input : inputs) given.push_back({input.name, input.value.view()});
  Session session(*model, limits);
  std::vector<Value> values = session.run(given, outputs, options);
  std::vector<NamedTensor> results;
  for (size_t i = 0; i < outputs.size(); ++i) results.push_back({outputs[i], std::move(values[i])});
  return results;
}

}  // namespace tesela::cli
