// SPDX-License-Identifier: Apache-2.0
// What the conditions of the catalogue ask about a node.
#include "peers/node_view.h"

#include <algorithm>
#include <cmath>
#include <new>

#include "peers/effect.h"
#include "plan/resolve.h"
#include "schema/tensor_values.h"

namespace tesela::peers {
namespace {

using Inputs = std::span<const TensorInfo* const>;

DataType type_of(const OpDesc& op, Inputs inputs) {
  if (op.schema->op == Operator::kConstantOfShape) {
    const Tensor* value = op.tensor_value("value");
    return value == nullptr ? DataType::kFloat : value->type();
  }
  return inputs.empty() || inputs[0] == nullptr ? DataType::kUndefined : inputs[0]->type;
}

// Missing memory is no property of the node.
std::optional<Plan> valid(Result<Plan> plan) {
  if (plan.ok()) return std::move(*plan);
  if (plan.status().code() == TESELA_ERROR_NO_MEMORY) throw std::bad_alloc();
  return std::nullopt;
}

// Extents that are the same symbol do not change.
bool may_change(const Dim& in, const Dim& out) {
  if (in.known() && out.known()) return in.value != out.value;
  return in.symbol.empty() || in.symbol != out.symbol;
}

float scale_of(int64_t in, int64_t out) {
  return static_cast<float>(out) / static_cast<float>(in);
}

}  // namespace

NodeView::NodeView(const OpDesc& op, Inputs inputs, const Limits& limits, Effort& effort)
    : op_(op), inputs_(inputs), limits_(limits), effort_(effort), type_(type_of(op, inputs)) {
  if (!inputs.empty() && inputs[0] != nullptr && inputs[0]->dims && !is(Operator::kConstantOfShape))
    rank_ = inputs[0]->dims->size();
  if (!inputs.empty() && is_plannable(op, inputs)) plan_ = valid(make_plan(op, inputs, limits));
  if (!resamples()) return;
  if (Result<SamplingParams> sampling = resolve_sampling(op); sampling.ok()) sampling_ = *sampling;
  if (rank_) read_axes();
}

void NodeView::read_axes() {
  const Result<ResizeRequest> request = read_resize_request(op_, *rank_, inputs_);
  if (!request.ok()) return;
  given_ = request->given;
  policy_ = request->policy;
  if (!by_scales() && !by_sizes()) return;
  const Dims& in = *inputs_[0]->dims;
  const Result<Dims> out = resized_dims(*request, in);
  const auto listed = op_.ints_value("axes");
  for (size_t k = 0; k < request->axes.size(); ++k) {
    AxisView& axis = axes_.emplace_back();
    axis.axis = request->axes[k];
    axis.is_negative = listed && k < listed->size() && (*listed)[k] < 0;
    axis.in = in[axis.axis].value;
    if (out.ok()) axis.out = (*out)[axis.axis].value;
    if (by_sizes() && request->sizes) axis.size = (*request->sizes)[k].value;
    if (by_scales() && request->scales) axis.scale = (*request->scales)[k];
    axis.may_be_resized =
        axis.scale ? axis.is_resized() : may_change(in[axis.axis], out.ok() ? (*out)[axis.axis] : Dim());
    if (by_sizes() && policy_ == AspectPolicy::kStretch && axis.in > 0 && axis.out >= 0)
      axis.scale = scale_of(axis.in, axis.out);
  }
  if (by_sizes() && request->sizes && policy_ != AspectPolicy::kStretch) read_policy_scale(*request);
}

void NodeView::read_policy_scale(const ResizeRequest& request) {
  Extents in;
  Extents sizes;
  for (size_t k = 0; k < axes_.size(); ++k) {
    if (axes_[k].in < 0 || !(*request.sizes)[k].known()) return;
    in.push_back(axes_[k].in);
    sizes.push_back((*request.sizes)[k].value);
  }
  const Ratio ratio = policy_scale(policy_, in, sizes);
  for (AxisView& axis : axes_) axis.scale = scale_of(ratio.den, ratio.num);
}

const TensorInfo* NodeView::input(std::string_view name) const {
  for (size_t k = 0; k < inputs_.size() && k < op_.schema->inputs.size(); ++k)
    if (op_.schema->inputs[k].name == name) return inputs_[k];
  return nullptr;
}

bool NodeView::has_input(std::string_view name) const {
  const TensorInfo* given = input(name);
  return given != nullptr && is_empty(*given) != true;
}

std::optional<DataValues> NodeView::data_values() const {
  constexpr int64_t kMost = int64_t{1} << 20;
  if (!resamples() || inputs_.empty() || inputs_[0] == nullptr || !inputs_[0]->constant) return std::nullopt;
  const Tensor& data = *inputs_[0]->constant;
  if (data.count() > kMost || !effort_.spend(data.count())) return std::nullopt;
  DataValues found;
  const std::vector<double> values = read_floats(data);
  if (values.empty()) return std::nullopt;
  for (const double value : values) {
    found.has_nan = found.has_nan || std::isnan(value);
    found.has_infinity = found.has_infinity || std::isinf(value);
    if (std::isfinite(value)) found.largest = std::max(found.largest, std::abs(value));
  }
  return found;
}

bool NodeView::may_resize() const {
  if (axes_.empty()) return resamples() && (has_input("scales") || has_input("sizes"));
  return std::any_of(axes_.begin(), axes_.end(), [](const AxisView& axis) { return axis.may_be_resized; });
}

std::vector<float> NodeView::scales() const {
  std::vector<float> scales(rank_.value_or(0), 1.0f);
  for (const AxisView& axis : axes_) scales[axis.axis] = axis.scale.value_or(1.0f);
  return scales;
}

std::optional<Plan> NodeView::plan_with(const PlanFields& fields, DataType type) const {
  if (!plan_ || !effort_.spend(taps_compared(*plan_))) return std::nullopt;
  std::vector<const TensorInfo*> inputs(inputs_.begin(), inputs_.end());
  TensorInfo data = *inputs[0];
  data.type = type;
  inputs[0] = &data;
  return valid(make_plan(op_, inputs, limits_, fields));
}

std::optional<Plan> NodeView::plan_by_sizes() const {
  if (!has_modes() || !by_scales() || !plan_ || !effort_.spend(taps_compared(*plan_))) return std::nullopt;
  const auto count = static_cast<int64_t>(axes_.size());
  Result<Tensor> empty = Tensor::allocate(DataType::kFloat, {0});
  Result<Tensor> extents = Tensor::allocate(DataType::kInt64, {count});
  if (!empty.ok() || !extents.ok()) throw std::bad_alloc();
  for (size_t k = 0; k < axes_.size(); ++k) reinterpret_cast<int64_t*>(extents->mutable_data())[k] = axes_[k].out;
  const TensorInfo none{DataType::kFloat, Dims{{0, ""}}, *empty, {}};
  const TensorInfo sizes{DataType::kInt64, Dims{{count, ""}}, *extents, {}};
  std::vector<const TensorInfo*> inputs = {inputs_[0], inputs_.size() > 1 ? inputs_[1] : nullptr,
                                           version() < 13 ? &none : nullptr, &sizes};
  return valid(make_plan(op_, inputs, limits_));
}

std::span<const Pass> NodeView::passes_to_compare() const {
  if (!plan_ || !effort_.spend(taps_compared(*plan_))) return {};
  const auto* work = std::get_if<ResizePlan>(&plan_->work);
  return work == nullptr ? std::span<const Pass>() : work->passes;
}

std::optional<Plan> NodeView::plan_of(const OpDesc& changed) const {
  if (!plan_ || !effort_.spend(taps_compared(*plan_))) return std::nullopt;
  return valid(make_plan(changed, inputs_, limits_));
}

}  // namespace tesela::peers
