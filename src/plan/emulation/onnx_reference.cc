// SPDX-License-Identifier: Apache-2.0
// The onnx reference evaluator (onnx.reference, written with NumPy): every sum is in double, one axis after another in the
// order of `axes`, and the result is rounded once.
#include <algorithm>
#include <cmath>

#include "plan/emulation/emulate.h"
#include "plan/emulation/onnx_reference.h"
#include "plan/emulation/pairwise_sum.h"
#include "schema/tensor_values.h"
#include "types/float_formats.h"

namespace tesela {
namespace {

using Axis = OnnxReferenceAxis;

Status refused(std::string_view what) {
  return unsupported_error("plan field 'rules' is onnx_reference, and the onnx reference evaluator does not support {}",
                           what);
}

// As Python's math.isclose.
bool is_close_to_one(double x) {
  return std::abs(x - 1) <= 1e-9 * std::max(std::abs(x), 1.0) && std::isfinite(x);
}

// ---- Extents --------------------------------------------------------------------------------------------------------

void apply_policy(AspectPolicy policy, std::vector<Axis>& axes) {
  double scale = axes.front().scale;
  for (const Axis& axis : axes)
    scale = policy == AspectPolicy::kNotLarger ? std::min(scale, axis.scale) : std::max(scale, axis.scale);
  for (Axis& axis : axes) {
    axis.scale = scale;
    axis.out = static_cast<int64_t>(scale * static_cast<double>(axis.in) + 0.5);
  }
}

std::vector<Axis> read_axes(const EmulatedCall& call) {
  std::vector<Axis> axes;
  for (size_t k = 0; k < call.params.axes.size(); ++k) {
    const AxisRequest& request = call.params.axes[k];
    Axis axis{request.axis, request.in, request.out, 1, request.roi_start, request.roi_end};
    if (call.request.given == ResizeRequest::Given::kScales) {
      axis.scale = static_cast<double>((*call.request.scales)[k]);
      axis.out = static_cast<int64_t>(axis.scale * static_cast<double>(axis.in));
    } else {
      axis.out = (*call.request.sizes)[k].value;
      // Nothing is computed of an empty axis.
      if (axis.in != 0) axis.scale = static_cast<double>(axis.out) / static_cast<double>(axis.in);
    }
    axes.push_back(axis);
  }
  if (call.request.policy != AspectPolicy::kStretch) apply_policy(call.request.policy, axes);
  return axes;
}

// ---- Positions ------------------------------------------------------------------------------------------------------

double in_roi_type(DataType type, double value) {
  if (type == DataType::kDouble) return value;
  const auto narrow = static_cast<float>(value);
  return static_cast<double>(type == DataType::kFloat16 ? to_float(to_small_float<Float16>(static_cast<double>(narrow)))
                                                        : narrow);
}

// Operations between the region's ends and the extents are in the region's type.
double crop_position(const Axis& axis, DataType type, double i) {
  const auto n = static_cast<double>(axis.in);
  const double last = in_roi_type(type, n - 1);
  const double length = axis.scale * n;
  const double size = in_roi_type(type, axis.roi_end - axis.roi_start);
  const double x =
      length == 1 ? in_roi_type(type, in_roi_type(type, size * last) / 2) : i * size * (n - 1) / (length - 1);
  return x + in_roi_type(type, axis.roi_start * last);
}

// ---- Weights, for a position that is `ratio`, in (0, 1], above an input -------------------------------------------------

using Weights = std::vector<double>;

Weights nearest_weights(NearestMode mode, double ratio) {
  bool up = false;
  switch (mode) {
    case NearestMode::kRoundPreferFloor: up = ratio > 0.5; break;
    case NearestMode::kRoundPreferCeil: up = ratio >= 0.5; break;
    case NearestMode::kCeil: up = true; break;
    default: break;
  }
  up = up || ratio == 1;
  return {up ? 0.0 : 1.0, up ? 1.0 : 0.0};
}

Weights linear_weights(double ratio) {
  return {1 - ratio, ratio};
}

// In float, since cubic_coeff_a is one there: every number that meets it is rounded first.
Weights cubic_weights(float a, double ratio) {
  const auto far = [a](double distance) {
    const auto t = static_cast<float>(distance);
    return static_cast<double>(((a * t - 5 * a) * t + 8 * a) * t - 4 * a);
  };
  const auto near = [a](double distance) {
    const auto t = static_cast<float>(distance);
    return static_cast<double>(((a + 2) * t - (a + 3)) * t * t + 1);
  };
  return {far(ratio + 1), near(ratio), near(1 - ratio), far((1 - ratio) + 1)};
}

int64_t antialias_start(double support, double scale) {
  return static_cast<int64_t>(std::floor(-support / std::min(scale, 1.0)) + 1);
}

Weights antialias_linear_weights(double ratio, double scale) {
  const int64_t start = antialias_start(1, scale);
  Weights weights;
  double sum = 0;
  for (int64_t k = start; k < 2 - start; ++k) {
    weights.push_back(std::clamp(1 - std::abs((static_cast<double>(k) - ratio) * std::min(scale, 1.0)), 0.0, 1.0));
    sum += weights.back();
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

// In float, as above. Python's zeros beyond the filter make the quotients doubles.
Weights antialias_cubic_weights(float a, double ratio, double scale) {
  const int64_t start = antialias_start(2, scale);
  Weights weights;
  float sum = 0;
  bool has_zeros = false;
  for (int64_t k = start; k < 2 - start; ++k) {
    const double t = std::abs(std::min(scale, 1.0) * (static_cast<double>(k) - ratio));
    const auto t1 = static_cast<float>(t);
    const auto t2 = static_cast<float>(t * t);
    const auto t3 = static_cast<float>(t * (t * t));
    float weight = 0;
    if (t <= 1)
      weight = (a + 2) * t3 - (a + 3) * t2 + 1;
    else if (t < 2)
      weight = a * t3 - 5 * a * t2 + 8 * a * t1 - 4 * a;
    else
      has_zeros = true;
    sum += weight;
    weights.push_back(static_cast<double>(weight));
  }
  for (double& weight : weights)
    weight = has_zeros ? weight / static_cast<double>(sum) : static_cast<double>(static_cast<float>(weight) / sum);
  return weights;
}

Weights weights_of(const SamplingParams& sampling, double ratio, double scale) {
  switch (sampling.filter) {
    case Filter::kNearest: return nearest_weights(sampling.nearest, ratio);
    case Filter::kLinear: return sampling.antialias ? antialias_linear_weights(ratio, scale) : linear_weights(ratio);
    case Filter::kCubic:
      return sampling.antialias ? antialias_cubic_weights(static_cast<float>(sampling.cubic_a), ratio, scale)
                                : cubic_weights(static_cast<float>(sampling.cubic_a), ratio);
  }
  return {};
}

// ---- Tables ---------------------------------------------------------------------------------------------------------

// The first of n taps, an even number: they are those nearest to the position once the input is padded, the lower one of two.
int64_t first_tap(double x, int64_t n) {
  const int64_t padding = n / 2;
  const double padded = x + static_cast<double>(padding);
  const auto whole = static_cast<int64_t>(std::floor(padded));
  const double rest = padded - std::floor(padded);
  return whole - n / 2 + (rest == 0 ? 0 : 1) - padding;
}

// Drops weights outside the input and divides the others by their sum, unless it is 0.
void exclude_outside(int64_t first, int64_t in, Weights& weights) {
  for (size_t k = 0; k < weights.size(); ++k) {
    const int64_t j = first + static_cast<int64_t>(k);
    if (j < 0 || j >= in) weights[k] = 0;
  }
  const double sum = pairwise_sum(weights.data(), weights.size());
  if (sum == 0) return;
  for (double& weight : weights) weight /= sum;
}

int64_t taps_of(const Axis& axis, const SamplingParams& sampling) {
  if (sampling.filter == Filter::kNearest) return 2;
  const double support = sampling.filter == Filter::kCubic ? 2 : 1;
  if (!sampling.antialias) return static_cast<int64_t>(2 * support);
  return 2 - 2 * antialias_start(support, axis.scale);
}

EmulatedAxis table_of(const Axis& axis, const SamplingParams& sampling, DataType roi_type) {
  EmulatedAxis made;
  made.axis = axis.axis;
  made.in = axis.in;
  made.out = axis.out;
  made.first_centre = onnx_reference_position(axis, sampling, roi_type, 0);
  made.last_centre = onnx_reference_position(axis, sampling, roi_type, axis.out - 1);
  const bool crops = sampling.coordinates == CoordinateMode::kTfCropAndResize;
  for (int64_t i = 0; i < axis.out; ++i) {
    const double x = onnx_reference_position(axis, sampling, roi_type, i);
    const double ratio = x == std::floor(x) ? 1 : x - std::floor(x);
    Weights weights = weights_of(sampling, ratio, axis.scale);
    const int64_t first = first_tap(x, static_cast<int64_t>(weights.size()));
    if (sampling.exclude_outside) exclude_outside(first, axis.in, weights);
    std::vector<EmulatedTap> taps;
    for (const double weight : weights) taps.push_back({first + static_cast<int64_t>(taps.size()), weight});
    add_output(made, taps);
    if (crops) made.outside.push_back(x < 0 || x > static_cast<double>(axis.in - 1) ? 1 : 0);
  }
  return made;
}

// ---- Calls ----------------------------------------------------------------------------------------------------------

// The regions of roi: it keeps axes from being skipped in every mode.
Result<bool> read_roi(const TensorInfo* roi, std::vector<Axis>& axes) {
  if (roi == nullptr || is_empty(*roi) == true) return false;
  const std::vector<double> values = read_floats(*roi->constant);
  if (values.size() < 2 * axes.size()) return refused("a roi of less than two numbers for each axis");
  for (size_t k = 0; k < axes.size(); ++k) {
    axes[k].roi_start = values[k];
    axes[k].roi_end = values[axes.size() + k];
  }
  return true;
}

bool is_skipped(const Axis& axis) {
  return is_close_to_one(axis.scale) && axis.in == axis.out && axis.roi_start == 0 && is_close_to_one(axis.roi_end);
}

Status check_resize(const EmulatedCall& call) {
  const bool is_string = call.params.type == DataType::kString || call.params.type == DataType::kBool;
  if (is_string)
    return type_error("plan field 'rules' is onnx_reference; input 'X' has type {}, expected a type of numbers",
                      name(call.params.type));
  if (call.op.schema->since_version == 10) return refused("this version");
  const auto listed = call.op.ints_value("axes");
  if (listed && std::any_of(listed->begin(), listed->end(), [](int64_t axis) { return axis < 0; }))
    return refused("negative axes");
  const bool is_empty = std::find(call.params.in.begin(), call.params.in.end(), 0) != call.params.in.end();
  if (is_empty && listed) return refused("an empty X with axes");
  if (is_empty && call.request.policy != AspectPolicy::kStretch) return refused("an empty X with a policy");
  if (call.request.given == ResizeRequest::Given::kNothing) {
    const auto has = [&call](size_t k) { return call.inputs.size() > k && call.inputs[k] != nullptr; };
    if (!has(2) && !has(3)) return refused("calls without scales and sizes");
    if (call.request.policy != AspectPolicy::kStretch) return refused("a policy without axes");
  }
  return {};
}

// Numbers after this axis in the order of `axes`: where there are some, NumPy sums the taps one after another.
bool is_last(const std::vector<Axis>& axes, size_t k) {
  return std::all_of(axes.begin() + static_cast<std::ptrdiff_t>(k) + 1, axes.end(),
                     [](const Axis& axis) { return axis.in == 1; });
}

Result<Plan> emulate_resize(const EmulatedCall& call) {
  TESELA_RETURN_IF_ERROR(check_resize(call));
  std::vector<Axis> axes = read_axes(call);
  const TensorInfo* roi = call.inputs[1];  // scales or sizes follow it
  TESELA_ASSIGN_OR_RETURN(const bool has_roi, read_roi(roi, axes));
  const SamplingParams& sampling = call.params.sampling;
  Plan plan{call.params.type, call.params.in, call.params.in, EmulatedPlan{}};
  auto& work = std::get<EmulatedPlan>(plan.work);
  work.rules = Rules::kOnnxReference;
  work.store = EmulatedStore::kClamped;
  work.extrapolation_value = static_cast<double>(sampling.extrapolation_value);
  for (const Axis& axis : axes) plan.out[axis.axis] = axis.out;
  TESELA_RETURN_IF_ERROR(check_size(plan.type, plan.out, call.limits));
  for (size_t k = 0; k < axes.size(); ++k) {
    const Axis& axis = axes[k];
    if (is_skipped(axis) || axis.in == 0 || axis.out == 0) continue;
    if (sampling.coordinates == CoordinateMode::kTfHalfPixelForNn) return refused("tf_half_pixel_for_nn");
    if (sampling.coordinates == CoordinateMode::kTfCropAndResize && !has_roi)
      return refused("tf_crop_and_resize without roi");
    TESELA_RETURN_IF_ERROR(check_tables(axis.axis, axis.out, taps_of(axis, sampling), call.limits));
    EmulatedStep step;
    step.numbers = EmulatedNumbers::kDouble;
    step.order = is_last(axes, k) ? EmulatedOrder::kPairwise : EmulatedOrder::kAscending;
    step.axes.push_back(table_of(axis, sampling, has_roi ? roi->type : DataType::kFloat));
    work.steps.push_back(std::move(step));
  }
  return plan;
}

// It repeats elements.
Result<Plan> emulate_upsample(const EmulatedCall& call) {
  if (call.op.schema->since_version != 9) return refused("this version");
  if (call.params.sampling.filter != Filter::kNearest) return refused("Upsample in mode linear");
  if (call.request.scales)
    for (const float scale : *call.request.scales)
      if (scale != std::floor(scale)) return refused("Upsample by scales that are not whole numbers");
  return make_resize_plan(call.params, call.limits);
}

}  // namespace

double onnx_reference_position(const OnnxReferenceAxis& axis, const SamplingParams& sampling, DataType roi_type,
                               int64_t output) {
  const auto i = static_cast<double>(output);
  const auto n = static_cast<double>(axis.in);
  const double length = axis.scale * n;
  const double s = axis.scale;
  switch (sampling.coordinates) {
    case CoordinateMode::kAlignCorners: return length == 1 ? 0 : i * (n - 1) / (length - 1);
    case CoordinateMode::kAsymmetric: return i / s;
    case CoordinateMode::kTfCropAndResize: return crop_position(axis, roi_type, i);
    case CoordinateMode::kPytorchHalfPixel:
      if (length == 1) return -0.5;
      break;
    case CoordinateMode::kHalfPixelSymmetric:
      return n / 2 * (1 - static_cast<double>(axis.out) / length) + (i + 0.5) / s - 0.5;
    default: break;
  }
  return (i + 0.5) / s - 0.5;
}

Result<Plan> emulate_onnx_reference(const EmulatedCall& call) {
  return call.op.schema->op == Operator::kUpsample ? emulate_upsample(call) : emulate_resize(call);
}

}  // namespace tesela
