// SPDX-License-Identifier: Apache-2.0
// One run of a session.
#include "session/session_pass.h"

#include <algorithm>
#include <chrono>

namespace tesela {
namespace {

// One element represents all elements along a stride of 0.
TensorView without_repeats(TensorView view) {
  for (size_t d = 0; d < view.strides_bytes.size(); ++d)
    if (view.strides_bytes[d] == 0 && view.extents[d] > 1) view.extents[d] = 1;
  return view;
}

}  // namespace

// Checks the limit for a new block, in addition to the held bytes; frees free blocks if that is necessary.
Status SessionPass::check_limit(int64_t bytes) {
  const int64_t max_bytes = session_.limits_.max_session_bytes;
  if (session_.pool_.free_until_fits(bytes, max_bytes - held_bytes_ - session_.read_bytes_)) return {};
  return limit_error("{} bytes more are needed, and the values of the session would then take more than {} bytes",
                     bytes, max_bytes);
}

// Counts the bytes of an input or output.
Status SessionPass::count_bytes(int64_t bytes) {
  TESELA_RETURN_IF_ERROR(check_limit(bytes));
  held_bytes_ += bytes;
  return {};
}

Status SessionPass::fill_slots(const std::vector<std::optional<TensorView>>& bound) {
  const Graph& graph = index().graph();
  for (size_t s = 0; s < values_.size(); ++s) {
    const ValueId root = session_.schedule_->slot_values[s];
    const ValueDeclaration* input = index().input(root);
    const std::optional<TensorView>* given = input ? &bound[static_cast<size_t>(input - graph.inputs.data())] : nullptr;
    const KnownInfo& known = session_.facts_.values[static_cast<size_t>(root)];
    const bool is_step = index().producer(root) >= 0 &&
                         session_.facts_.nodes[static_cast<size_t>(index().producer(root))].kind == NodeKind::kOperator;
    if (given && *given) {
      TESELA_ASSIGN_OR_RETURN(const int64_t bytes, held_bytes(without_repeats(**given)));
      if (const Status fits = count_bytes(bytes); !fits.ok())
        return fits.with_prefix(fmt::format("input {}: ", in_quotes(input->name)));
      values_[s].view = **given;
    } else if (!is_step && known && known->constant) {
      TESELA_ASSIGN_OR_RETURN(values_[s].view, session_.read_constant(root, *known->constant));
    }
  }
  return {};
}

Status SessionPass::run_step(size_t position) {
  const auto begin = std::chrono::steady_clock::now();
  const Step& step = session_.schedule_->steps[position];
  const OpDesc& op = *session_.facts_.nodes[step.node].op;
  if (run_.options.cancel != nullptr && __atomic_load_n(run_.options.cancel, __ATOMIC_RELAXED) != 0)
    return cancelled_error("{}the run was cancelled before this node", op.where());
  std::vector<TensorView> inputs;
  for (const Slot slot : step.inputs) inputs.push_back(slot == kNoSlot ? TensorView() : value(slot).view);
  PlannedNode& planned = session_.planned_[step.node];
  const int64_t before = planned.plans_made();
  TESELA_ASSIGN_OR_RETURN(const Plan* plan, planned.plan(op, inputs, session_.limits_, run_.backend));
  session_.plans_made_ += planned.plans_made() - before;
  TESELA_RETURN_IF_ERROR(check_output(*plan, op, session_.schedule_->slot_values[static_cast<size_t>(step.output)]));
  if (const Status status = allocate(*plan, step); !status.ok()) return status.with_prefix(op.where());
  if (const Status status = compute(planned, *plan, position); !status.ok()) return status.with_prefix(op.where());
  if (run_.on_node) {
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    const TensorView& first = inputs.front();  // every operator requires one
    run_.on_node({op, first.type, plan->type, fmt::format("{} -> {}", shape_text(first.extents), shape_text(plan->out)),
                  took.count()});
  }
  for (const Slot slot : step.released) {
    if (value(slot).block.defined()) session_.pool_.give_back(std::move(value(slot).block));
    value(slot) = {};
  }
  return {};
}

// A value must match its declaration in the model; checked before anything is allocated.
Status SessionPass::check_output(const Plan& plan, const OpDesc& op, ValueId output) const {
  for (const ValueDeclaration* declared : {index().value_info(output), index().output(output)}) {
    if (declared == nullptr) continue;
    const Status fits = check_declared(*declared, plan.type, plan.out);
    if (!fits.ok()) return fits.with_prefix(fmt::format("{}output {} ", op.where(), in_quotes(declared->name)));
  }
  return {};
}

Status SessionPass::allocate(const Plan& plan, const Step& step) {
  Value& output = value(step.output);
  TESELA_ASSIGN_OR_RETURN(const int64_t bytes, byte_count(plan.type, plan.out));
  // Outputs copy strings with their bytes, so references to them may be in any memory.
  if (step.is_result && plan.type != DataType::kString) {
    TESELA_RETURN_IF_ERROR(count_bytes(bytes));
    TESELA_ASSIGN_OR_RETURN(output.tensor, Tensor::allocate(plan.type, plan.out));
  } else {
    if (!session_.pool_.has_free(bytes)) TESELA_RETURN_IF_ERROR(check_limit(bytes));
    TESELA_ASSIGN_OR_RETURN(output.block, session_.pool_.take(bytes));
    output.tensor = tensor_over(output.block, plan.type, plan.out);
  }
  output.view = output.tensor.view();
  return {};
}

Status SessionPass::compute(const PlannedNode& planned, const Plan& plan, size_t position) {
  RunOptions options = run_.options;
  const auto steps = static_cast<double>(session_.schedule_->steps.size());
  if (options.on_progress)
    options.on_progress = [&, position, steps](double fraction) {
      run_.options.on_progress((static_cast<double>(position) + fraction) / steps);
    };
  const Step& step = session_.schedule_->steps[position];
  BoxRun box;
  if (plan.has_input()) box.input = pad_rank(value(step.inputs.front()).view, plan.in.size());
  box.input_lo = Extents(plan.in.size(), 0);
  box.output = value(step.output).tensor.mutable_view();
  box.output_lo = Extents(plan.out.size(), 0);
  return run_plan(plan, planned.program(), box, executor_, options);
}

Result<Tensor> SessionPass::copy_output(const TensorView& view) {
  TESELA_RETURN_IF_ERROR(check_size(view.type, view.extents, session_.limits_));
  TESELA_ASSIGN_OR_RETURN(const int64_t bytes, held_bytes(view));
  TESELA_RETURN_IF_ERROR(count_bytes(bytes));
  return copy_within(view, session_.limits_);
}

Result<std::vector<Tensor>> SessionPass::take_outputs() {
  const Schedule& schedule = *session_.schedule_;
  std::vector<Tensor> outputs;
  for (size_t k = 0; k < schedule.wanted.size(); ++k) {
    Value& made = value(schedule.results[k]);
    const ValueDeclaration& declared = *index().output(schedule.wanted[k]);
    const Status fits = check_declared(declared, made.view.type, made.view.extents);
    if (!fits.ok()) return fits.with_prefix(fmt::format("output {} ", in_quotes(declared.name)));
    // The first of several names of a value gets its tensor; tensors of the pool, inputs and constants are
    // copied.
    if (made.tensor.defined() && !made.block.defined()) {
      outputs.push_back(std::move(made.tensor));
      made.tensor = {};
      continue;
    }
    Result<Tensor> copy = copy_output(made.view);
    if (!copy.ok()) return copy.status().with_prefix(fmt::format("output {}: ", in_quotes(declared.name)));
    outputs.push_back(std::move(*copy));
  }
  for (Value& rest : values_)
    if (rest.block.defined()) session_.pool_.give_back(std::move(rest.block));
  return outputs;
}

}  // namespace tesela
