// SPDX-License-Identifier: Apache-2.0
// Creates sessions, and resolves the wanted outputs.
#include "session/session.h"

#include <algorithm>

#include "files/file_bytes.h"
#include "graph/check.h"
#include "graph/walk.h"
#include "session/session_pass.h"

namespace tesela {
Session::Session(std::shared_ptr<const Model> model, const Limits& limits, GraphFacts facts)
    : model_(std::move(model)),
      limits_(limits),
      facts_(std::move(facts)),
      roots_(find_roots(facts_)),
      planned_(facts_.nodes.size()) {}

Result<std::unique_ptr<Session>> Session::create(std::shared_ptr<const Model> model, const Limits& limits) {
  TESELA_RETURN_IF_ERROR(check_runnable(*model, check_model(*model, limits)));
  GraphFacts facts = main_graph_facts(*model, limits);
  return std::unique_ptr<Session>(new Session(std::move(model), limits, std::move(facts)));
}

Result<std::vector<ValueId>> Session::find_wanted(const SessionRun& run) const {
  const GraphIndex& index = facts_.index;
  if (!run.outputs) return index.graph_outputs();
  std::vector<ValueId> wanted;
  for (const std::string_view name : *run.outputs) {
    const ValueId value = index.find(name);
    if (value == kNoValue || index.output(value) == nullptr)
      return value_error("{} is not an output of the model", in_quotes(name));
    wanted.push_back(value);
  }
  return wanted;
}

// Reads a constant of a mapped file once, before its first use.
Result<TensorView> Session::read_constant(ValueId value, const Tensor& constant) {
  const auto file = std::find_if(model_->mapped.begin(), model_->mapped.end(),
                                 [&](const auto& mapped) { return mapped->holds(constant.data()); });
  if (file == model_->mapped.end()) return constant.view();
  const auto [place, is_new] = read_constants_.try_emplace(value);
  if (is_new) {
    const auto bytes = static_cast<size_t>(constant.bytes());
    Result<Tensor> copy = Tensor();
    if (constant.bytes() > limits_.max_session_bytes - read_bytes_)
      copy = limit_error("the constants of the model take more than {} bytes", limits_.max_session_bytes);
    else
      copy = (*file)->read({constant.data(), bytes});
    if (!copy.ok()) return read_constants_.erase(place), copy.status();
    place->second = Tensor::borrow(constant.type(), constant.extents(), copy->data(), copy->storage());
    read_bytes_ += constant.bytes();
  }
  return place->second.view();
}

Result<std::vector<Tensor>> Session::run(const SessionRun& run, const Executor& executor) {
  for (const auto& file : model_->mapped) TESELA_RETURN_IF_ERROR(file->check());
  TESELA_ASSIGN_OR_RETURN(std::vector<ValueId> wanted, find_wanted(run));
  TESELA_ASSIGN_OR_RETURN(const auto bound, bind_inputs(facts_.index, run.inputs));
  if (!schedule_ || schedule_->wanted != wanted) schedule_ = make_schedule(facts_, roots_, std::move(wanted));
  plans_made_ = 0;
  pool_.begin_run();
  SessionPass pass(*this, run, executor);
  TESELA_RETURN_IF_ERROR(pass.fill_slots(bound));
  for (size_t s = 0; s < schedule_->steps.size(); ++s) TESELA_RETURN_IF_ERROR(pass.run_step(s));
  TESELA_ASSIGN_OR_RETURN(std::vector<Tensor> outputs, pass.take_outputs());
  pool_.end_run();
  return outputs;
}

}  // namespace tesela
