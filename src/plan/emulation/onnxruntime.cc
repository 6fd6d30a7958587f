// SPDX-License-Identifier: Apache-2.0
// ONNX Runtime's CPU kernels: which of them computes a call, and in which steps.
//
//   nearest    copies, so an ordinary plan with their positions
//   linear     every corner with the product of its weights. 8-bit integers with the channels last: weights of 10 bits
//              for each axis
//   cubic      along rows, then between four rows
//   antialias  the last axis, then the others backwards, each rounded to the element. 8-bit integers: weights of 22 bits
//
// Floats are truncated to integers, except under antialias.
#include "plan/emulation/onnxruntime.h"

#include <algorithm>
#include <cmath>

#include "plan/emulation/emulate.h"
#include "plan/onnxruntime_rules.h"
#include "schema/tensor_values.h"

namespace tesela {
namespace {

using onnxruntime::Axis;

bool is_8_bits(DataType type) {
  return type == DataType::kInt8 || type == DataType::kUint8;
}
bool is_integer(DataType type) {
  return type == DataType::kInt32 || is_8_bits(type);
}

// A call as those kernels see it: one axis for each of X.
struct Kernel {
  const EmulatedCall& call;
  const SamplingParams& sampling;
  std::vector<Axis> axes;
  bool channels_last = false;  // of 4 axes the middle two are resized

  DataType type() const { return call.params.type; }
  bool is_cubic() const { return sampling.filter == Filter::kCubic; }
  bool crops() const { return sampling.coordinates == CoordinateMode::kTfCropAndResize; }
  bool uses_antialias() const { return sampling.antialias || (is_cubic() && channels_last); }

  // The axes that its kernel resamples, outermost first.
  std::vector<size_t> resampled() const {
    const size_t rank = axes.size();
    if (rank < 4) return rank == 2 ? std::vector<size_t>{0, 1} : std::vector<size_t>{0, 1, 2};
    if (rank == 5) return {2, 3, 4};
    return channels_last ? std::vector<size_t>{1, 2} : std::vector<size_t>{2, 3};
  }
};

// ---- Calls that those kernels refuse --------------------------------------------------------------------------------

Status refused(std::string_view what) {
  return unsupported_error("plan field 'rules' is onnxruntime, whose CPU kernels do not support {}", what);
}

bool has_version(const OpDesc& op) {
  return op.schema->op == Operator::kUpsample ? op.schema->since_version >= 7 : op.schema->since_version >= 10;
}

// Of tf_crop_and_resize; null otherwise.
const TensorInfo* roi_of(const EmulatedCall& call) {
  const bool crops = call.params.sampling.coordinates == CoordinateMode::kTfCropAndResize;
  return crops ? call.inputs[1] : nullptr;
}

// Of float16 all inputs are converted.
bool is_read(const EmulatedCall& call, const TensorInfo& roi) {
  return roi.type == DataType::kFloat || (roi.type == DataType::kFloat16 && call.params.type == DataType::kFloat16);
}

Status check_call(const EmulatedCall& call, const OnnxRuntimeAxes& axes) {
  const SamplingParams& sampling = call.params.sampling;
  const DataType type = call.params.type;
  if (!has_version(call.op)) return refused("this version");
  if (type != DataType::kFloat && type != DataType::kFloat16 && !is_integer(type))
    return type_error(
        "plan field 'rules' is onnxruntime; input 'X' has type {}, expected float, float16, int32, int8 or "
        "uint8",
        name(type));
  if (call.params.in.empty()) return refused("an X without axes");
  if (call.request.given == ResizeRequest::Given::kNothing) return refused("calls without scales and sizes");
  const bool filters = sampling.filter == Filter::kCubic || (sampling.filter == Filter::kLinear && sampling.antialias);
  if (sampling.exclude_outside && !filters) return refused("exclude_outside without cubic or antialias");
  if (!std::all_of(axes.begin(), axes.end(), [](const OnnxRuntimeAxis& axis) { return axis.scale > 0; }))
    return refused("a size of 0");
  if (!onnxruntime_takes_scales(sampling, onnxruntime_scales(call.request, axes, call.params.in.size())))
    return refused("this mode on these axes");
  const TensorInfo* roi = roi_of(call);
  return roi != nullptr && !is_read(call, *roi) ? refused("a roi of another type than float") : Status();
}

// ---- Which kernel ---------------------------------------------------------------------------------------------------

Kernel kernel_of(const EmulatedCall& call, const OnnxRuntimeAxes& listed) {
  Kernel made{call, call.params.sampling, {}, false};
  const Extents& in = call.params.in;
  for (size_t d = 0; d < in.size(); ++d) made.axes.push_back({d, in[d], in[d]});
  for (size_t k = 0; k < listed.size(); ++k) {
    Axis& axis = made.axes[call.request.axes[k]];
    axis.out = listed[k].out;
    axis.scale = listed[k].scale;
    axis.roi_start = static_cast<float>(call.params.axes[k].roi_start);
    axis.roi_end = static_cast<float>(call.params.axes[k].roi_end);
  }
  made.channels_last = in.size() == 4 && made.axes[1].scale != 1;
  return made;
}

// ---- Steps ----------------------------------------------------------------------------------------------------------

EmulatedRounding rounding_of(const Kernel& kernel) {
  if (!kernel.uses_antialias()) return is_integer(kernel.type()) ? EmulatedRounding::kCut : EmulatedRounding::kNone;
  if (is_8_bits(kernel.type())) return EmulatedRounding::kShiftClip;
  return kernel.type() == DataType::kInt32 ? EmulatedRounding::kHalfAway : EmulatedRounding::kNone;
}

void add_linear(const Kernel& kernel, EmulatedPlan& plan) {
  const std::vector<size_t> resampled = kernel.resampled();
  const bool whole = kernel.channels_last && is_8_bits(kernel.type());
  EmulatedStep step;
  for (const size_t d : resampled)
    step.axes.push_back(whole ? onnxruntime::fixed_linear_axis(kernel.axes[d], kernel.sampling)
                              : onnxruntime::linear_axis(kernel.axes[d], kernel.sampling));
  step.rounding = rounding_of(kernel);
  if (whole) {
    step.numbers = EmulatedNumbers::kInt32;
    step.rounding = EmulatedRounding::kShiftCut;
    step.shift = 20;
  }
  plan.steps.push_back(std::move(step));
}

void add_cubic(const Kernel& kernel, EmulatedPlan& plan) {
  const std::vector<size_t> resampled = kernel.resampled();
  EmulatedStep rows;
  rows.axes.push_back(onnxruntime::cubic_axis(kernel.axes[resampled[1]], kernel.sampling, true));
  EmulatedStep columns;
  columns.axes.push_back(onnxruntime::cubic_axis(kernel.axes[resampled[0]], kernel.sampling, false));
  plan.steps.push_back(std::move(rows));
  plan.steps.push_back(std::move(columns));
}

Status add_antialias(const Kernel& kernel, EmulatedPlan& plan) {
  const std::vector<size_t> resampled = kernel.resampled();
  std::vector<size_t> order = {resampled.end()[-1], resampled.end()[-2]};
  if (resampled.size() == 3) order.push_back(resampled[0]);
  for (const size_t d : order) {
    const Axis& axis = kernel.axes[d];
    if (axis.in == axis.out) continue;
    TESELA_RETURN_IF_ERROR(
        check_tables(d, axis.out, onnxruntime::antialias_window(axis, kernel.sampling), kernel.call.limits));
    EmulatedStep step;
    step.rounding = rounding_of(kernel);
    if (is_8_bits(kernel.type())) {
      step.numbers = EmulatedNumbers::kInt32;
      step.start = 1 << 21;
      step.shift = 22;
    }
    step.axes.push_back(onnxruntime::antialias_axis(axis, kernel.sampling, is_8_bits(kernel.type())));
    plan.steps.push_back(std::move(step));
  }
  return {};
}

// The antialias kernels take outputs for channels-first ones when they extrapolate.
void add_outside(const Kernel& kernel, EmulatedPlan& plan) {
  if (!kernel.crops()) return;
  const float value = kernel.sampling.extrapolation_value;
  plan.extrapolation_value =
      static_cast<double>(is_integer(kernel.type()) ? cut_as_onnxruntime(kernel.type(), value) : value);
  const std::vector<size_t> resampled = kernel.resampled();
  const bool as_first = kernel.channels_last && kernel.uses_antialias();
  int64_t stride = 1;
  for (size_t d = kernel.axes.size(); d-- > 0;) {
    const bool is_resampled = std::find(resampled.begin(), resampled.end(), d) != resampled.end();
    if (is_resampled)
      plan.outside.push_back(
          {stride, onnxruntime::outside_flags(kernel.axes[d], kernel.sampling, kernel.uses_antialias())});
    if (is_resampled || !as_first) stride *= kernel.axes[d].out;
  }
}

}  // namespace

Result<Plan> emulate_onnxruntime(const EmulatedCall& call) {
  if (call.request.given == ResizeRequest::Given::kNothing) return check_call(call, {});
  const OnnxRuntimeAxes listed = read_onnxruntime_axes(call.op, call.request, call.params.in);
  TESELA_RETURN_IF_ERROR(check_call(call, listed));
  const Kernel kernel = kernel_of(call, listed);
  Extents out;
  for (const Axis& axis : kernel.axes) out.push_back(axis.out);
  const bool has_none = std::find(out.begin(), out.end(), 0) != out.end();
  const TensorInfo* roi = roi_of(call);
  if (!has_none && roi != nullptr && is_empty(*roi) == true) return refused("an empty roi");
  if (kernel.sampling.filter == Filter::kNearest || has_none || out == call.params.in) {
    ResizeParams params = call.params;
    params.sampling.filter = Filter::kNearest;  // of a copy or an empty output the mode does not matter
    params.sampling.antialias = false;
    params.sampling.exclude_outside = false;
    TESELA_RETURN_IF_ERROR(apply_onnxruntime_rules(call.op, call.request, params));
    return make_resize_plan(params, call.limits);
  }
  if (kernel.is_cubic() && is_integer(kernel.type()) && !kernel.uses_antialias()) return refused("cubic of integers");
  TESELA_RETURN_IF_ERROR(check_size(call.params.type, out, call.limits));
  for (const size_t d : kernel.resampled()) TESELA_RETURN_IF_ERROR(check_tables(d, kernel.axes[d].out, 4, call.limits));
  EmulatedPlan work;
  work.rules = Rules::kOnnxRuntime;
  if (kernel.uses_antialias())
    TESELA_RETURN_IF_ERROR(add_antialias(kernel, work));
  else if (kernel.is_cubic())
    add_cubic(kernel, work);
  else
    add_linear(kernel, work);
  add_outside(kernel, work);
  return Plan{call.params.type, call.params.in, out, std::move(work)};
}

}  // namespace tesela
