// Vectors of named tensors as the arrays that the C interface takes.
#include "session_run.h"

#include "interrupts.h"

namespace tesela::cli {

std::vector<NamedTensor> run_session(const Model& model, const std::vector<NamedTensor>& inputs,
                                     const std::vector<std::string>& outputs, const tesela_limits& limits,
                                     const tesela_run_options& options) {
  std::vector<const char*> names;
  std::vector<tesela_tensor> views;
  for (const NamedTensor& input : inputs) {
    names.push_back(input.name.c_str());
    views.push_back(view_of(input.value));
  }
  std::vector<const char*> output_names;
  for (const std::string& name : outputs) output_names.push_back(name.c_str());

  stop_if_interrupted();
  const Session session = make<Session>(tesela_session_create, model.get(), &limits);
  std::vector<tesela_value*> values(outputs.size());
  call(tesela_session_run, session.get(), names.size(), names.data(), views.data(), output_names.size(),
       output_names.data(), values.data(), &options);
  std::vector<NamedTensor> results;
  for (size_t i = 0; i < outputs.size(); ++i) results.push_back({outputs[i], Value(values[i])});
  return results;
}

}  // namespace tesela::cli
