// SPDX-License-Identifier: Apache-2.0
// Plans a node, or reuses its plan.
#include "session/planned_node.h"

#include <cstring>

#include "graph/small_inputs.h"

namespace tesela {
namespace {

bool is_same_value(const Tensor& known, const TensorView& view) {
  if (view.type == DataType::kString) return false;  // planning reports the error: no operator reads strings
  if (view.strides_bytes.empty() && view.bit_offset == 0)
    return known.bytes() == 0 || std::memcmp(known.data(), view.data, static_cast<size_t>(known.bytes())) == 0;
  const Result<Tensor> dense = Tensor::copy_of(view);
  return dense.ok() && std::memcmp(known.data(), dense->data(), static_cast<size_t>(known.bytes())) == 0;
}

TensorInfo info_of(DataType type, const Extents& extents) {
  TensorInfo info;
  info.type = type;
  info.dims.emplace();
  for (const int64_t extent : extents) info.dims->push_back({extent, ""});
  return info;
}

}  // namespace

bool PlannedNode::is_current(const OpDesc& op, std::span<const TensorView> inputs, Backend backend) const {
  if (!plan_ || backend_ != backend || inputs_.size() != inputs.size()) return false;
  for (size_t k = 0; k < inputs.size(); ++k) {
    if (inputs_[k].type != inputs[k].type || !(inputs_[k].extents == inputs[k].extents)) return false;
    if (is_data_input(op, k) || inputs[k].type == DataType::kUndefined) continue;
    if (!is_same_value(inputs_[k].value, inputs[k])) return false;
  }
  return true;
}

Status PlannedNode::remember(const OpDesc& op, std::span<const TensorView> inputs) {
  inputs_.clear();
  for (size_t k = 0; k < inputs.size(); ++k) {
    Input input = {inputs[k].type, inputs[k].extents, {}};
    if (input.type != DataType::kUndefined && !is_data_input(op, k)) {
      TESELA_ASSIGN_OR_RETURN(input.value, Tensor::copy_of(inputs[k]));
    }
    inputs_.push_back(std::move(input));
  }
  return {};
}

Result<const Plan*> PlannedNode::plan(const OpDesc& op, std::span<const TensorView> inputs, const Limits& limits,
                                      Backend backend) {
  if (is_current(op, inputs, backend)) return &*plan_;
  plan_.reset();
  std::vector<TensorInfo> infos;
  std::vector<const TensorInfo*> known;
  infos.reserve(inputs.size());
  for (const TensorView& input : inputs) {
    infos.push_back(info_of(input.type, input.extents));
    known.push_back(input.type == DataType::kUndefined ? nullptr : &infos.back());
  }
  // Types and sizes first, to make sure that the other inputs are small enough to be copied.
  if (const auto faults = validate_inputs(op, known); !faults.empty()) return faults.front();
  if (const Status status = check_small_inputs(op, known, limits); !status.ok()) return status.with_prefix(op.where());
  TESELA_RETURN_IF_ERROR(remember(op, inputs));
  for (size_t k = 0; k < inputs.size(); ++k)
    if (inputs_[k].value.defined()) infos[k].constant = inputs_[k].value;
  TESELA_ASSIGN_OR_RETURN(plan_, make_plan(op, known, limits));
  program_ = bind(*plan_, backend);
  backend_ = backend;
  ++plans_made_;
  return &*plan_;
}

}  // namespace tesela
