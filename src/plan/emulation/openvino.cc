// SPDX-License-Identifier: Apache-2.0
// OpenVINO's CPU plugin with models that its ONNX frontend reads: which of its kernels computes a call, and in which steps.
//
//   nearest  copies
//   linear   the innermost axis, then those before it, each with one rounded product and one fused multiplication and addition
//   cubic    along rows, then between four rows, with fused operations
//   rest     nearest of 6 and more axes and cubic of 5 and more: plain functions, with the product of all weights
//
// It ignores antialias, exclude_outside and policies. Kernels see up to three spatial axes, the last ones from the first
// whose scale is not 1.
#include "plan/emulation/openvino.h"

#include <algorithm>
#include <array>

#include "plan/emulation/emulate.h"

namespace tesela {
namespace {

using openvino::Axis;
using openvino::Formulas;

bool is_8_bits(DataType type) {
  return type == DataType::kInt8 || type == DataType::kUint8;
}
bool is_wide_integer(DataType type) {
  return type == DataType::kInt32 || type == DataType::kInt64;
}

Status refused(std::string_view what) {
  return unsupported_error("plan field 'rules' is openvino, whose CPU plugin does not support {}", what);
}
Status spoiled(std::string_view what) {
  return unsupported_error("plan field 'rules' is openvino, whose CPU plugin reads uninitialised memory in {}", what);
}

struct Kernel {
  DataType type = DataType::kUndefined;
  SamplingParams sampling;
  std::vector<Axis> axes;     // all of X, in the kernel's order
  std::vector<Axis> listed;   // in the order of the call
  std::vector<Axis> spatial;  // those that the kernels resample, outermost first

  size_t rank() const { return axes.size(); }
  bool is_cubic() const { return sampling.filter == Filter::kCubic; }
  bool is_nearest() const { return sampling.filter == Filter::kNearest; }
  bool is_linear() const { return sampling.filter == Filter::kLinear; }
  bool has_kernel() const { return rank() <= (is_cubic() ? 4 : 5); }
};

// ---- What the frontend makes of the call ----------------------------------------------------------------------------

// Upsample has no such attributes.
SamplingParams sampling_of(const EmulatedCall& call) {
  SamplingParams sampling = call.params.sampling;
  if (call.op.schema->op != Operator::kUpsample) return sampling;
  const bool is_nearest = sampling.filter == Filter::kNearest;
  sampling.coordinates = is_nearest ? CoordinateMode::kHalfPixel : CoordinateMode::kAsymmetric;
  sampling.nearest = NearestMode::kRoundPreferFloor;
  return sampling;
}

Status check_call(const EmulatedCall& call) {
  constexpr std::array kTypes = {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kDouble,
                                 DataType::kUint8, DataType::kInt8,    DataType::kInt32,    DataType::kInt64};
  if (std::find(kTypes.begin(), kTypes.end(), call.params.type) == kTypes.end())
    return type_error(
        "plan field 'rules' is openvino; input 'X' has type {}, expected float, float16, bfloat16, double, uint8, "
        "int8, "
        "int32 or int64",
        name(call.params.type));
  const CoordinateMode mode = call.params.sampling.coordinates;
  if (mode == CoordinateMode::kTfCropAndResize) return refused("tf_crop_and_resize");
  if (mode == CoordinateMode::kHalfPixelSymmetric) return refused("half_pixel_symmetric");
  if (call.params.in.empty()) return refused("an X without axes");
  if (call.request.given == ResizeRequest::Given::kNothing) return refused("calls without scales and sizes");
  const auto listed = call.op.schema->op == Operator::kResize ? call.op.ints_value("axes") : std::nullopt;
  if (listed && std::any_of(listed->begin(), listed->end(), [](int64_t axis) { return axis < 0; }))
    return refused("negative axes");
  return Status();
}

// ---- Which kernel ---------------------------------------------------------------------------------------------------

// The number of last axes, from the first one whose scale is not 1, that count as spatial.
size_t spatial_count(const std::vector<Axis>& axes) {
  size_t count = axes.size();
  for (const Axis& axis : axes) {
    if (axis.scale != 1) break;
    --count;
  }
  return std::max<size_t>(count, axes.size() == 4 ? 2 : 1);
}

std::vector<Axis> listed_axes(const EmulatedCall& call) {
  std::vector<Axis> listed;
  for (size_t k = 0; k < call.params.axes.size(); ++k) {
    const AxisRequest& request = call.params.axes[k];
    if (call.request.given == ResizeRequest::Given::kScales) {
      listed.push_back({request.axis, request.in, request.out, (*call.request.scales)[k]});
    } else {
      const int64_t out = (*call.request.sizes)[k].value;
      // Nothing is computed of an empty axis.
      const float scale = request.in == 0 ? 1 : static_cast<float>(out) / static_cast<float>(request.in);
      listed.push_back({request.axis, request.in, out, scale});
    }
  }
  return listed;
}

// X is transposed where that makes listed axes spatial ones: then they come last.
bool are_moved(const std::vector<Axis>& listed, size_t rank) {
  return listed.size() + 2 <= rank &&
         std::any_of(listed.begin(), listed.end(), [](const Axis& axis) { return axis.axis < 2; });
}

Kernel kernel_of(const EmulatedCall& call) {
  Kernel made{call.params.type, sampling_of(call), {}, listed_axes(call), {}};
  const Extents& in = call.params.in;
  const size_t rank = in.size();
  for (size_t d = 0; d < rank; ++d) made.axes.push_back({d, in[d], in[d]});
  for (const Axis& axis : made.listed) made.axes[axis.axis] = axis;
  if (are_moved(made.listed, rank)) {
    for (const Axis& axis : made.listed)
      std::erase_if(made.axes, [&axis](const Axis& other) { return other.axis == axis.axis; });
    made.axes.insert(made.axes.end(), made.listed.begin(), made.listed.end());
  }
  made.spatial.assign(made.axes.end() - static_cast<std::ptrdiff_t>(spatial_count(made.axes)), made.axes.end());
  // Four axes are stored with the channels last: the second axis comes innermost.
  if (rank == 4 && made.spatial.size() == 3) made.spatial = {made.axes[2], made.axes[3], made.axes[1]};
  return made;
}

bool has_depth(const Kernel& kernel) {
  if (kernel.spatial.size() < 3) return false;
  const Axis& depth = kernel.spatial.end()[-3];
  return depth.in != 1 || depth.out != 1;
}

Status check_kernel(const Kernel& kernel) {
  if (!kernel.has_kernel() && is_wide_integer(kernel.type))
    return refused(kernel.is_cubic() ? "cubic of int32 and int64 with 5 or more axes"
                                     : "int32 and int64 with 6 or more axes");
  if (!kernel.has_kernel()) return kernel.is_linear() ? spoiled("mode linear of 6 or more axes") : Status();
  // It prepares no kernel for an empty X.
  if (std::any_of(kernel.axes.begin(), kernel.axes.end(), [](const Axis& axis) { return axis.in == 0; })) return {};
  if (kernel.spatial.size() > 3)
    return refused(kernel.rank() == 4 ? "resizing the first of 4 axes" : "resizing the first two of 5 axes");
  return kernel.is_cubic() && has_depth(kernel) ? spoiled("mode cubic along three axes") : Status();
}

// ---- Steps ----------------------------------------------------------------------------------------------------------

void add_step(EmulatedPlan& plan, EmulatedAxis axis) {
  EmulatedStep step;
  step.numbers = EmulatedNumbers::kFusedFloat;
  step.axes.push_back(std::move(axis));
  plan.steps.push_back(std::move(step));
}

void add_nearest(const Kernel& kernel, EmulatedPlan& plan) {
  const Formulas formulas = kernel.has_kernel() ? Formulas::kKernels : Formulas::kReference;
  for (const Axis& axis : kernel.axes)
    if (axis.in != axis.out) add_step(plan, openvino::nearest_axis(axis, kernel.sampling, formulas));
}

// The spatial axes from the first one whose scale is not 1: the channels may have come after it.
void add_linear(const Kernel& kernel, EmulatedPlan& plan) {
  std::vector<Axis> resampled = kernel.spatial;
  while (resampled.size() > 1 && resampled.front().scale == 1) resampled.erase(resampled.begin());
  for (size_t k = resampled.size(); k-- > 0;) {
    const bool is_middle = resampled.size() - k == 2;
    add_step(plan, openvino::linear_axis(resampled[k], kernel.sampling, !is_middle));
  }
}

void add_cubic(const Kernel& kernel, EmulatedPlan& plan) {
  const Axis& inner = kernel.spatial.back();
  add_step(plan, openvino::cubic_axis(inner, kernel.sampling, Formulas::kKernels));
  if (kernel.spatial.size() == 1)
    add_step(plan, openvino::absent_cubic_axis(inner, kernel.sampling));
  else
    add_step(plan, openvino::cubic_axis(kernel.spatial.end()[-2], kernel.sampling, Formulas::kKernels));
}

// Every output sums the taps of all listed axes.
Status add_reference_cubic(const Kernel& kernel, const Limits& limits, EmulatedPlan& plan) {
  constexpr size_t kMostAxes = 16;
  const int64_t taps = int64_t{1} << 2 * std::min(kernel.listed.size(), kMostAxes);
  TESELA_RETURN_IF_ERROR(check_tables(kernel.listed.front().axis, 1, taps, limits));
  EmulatedStep step;
  step.first_weight_first = true;
  if (is_8_bits(kernel.type)) step.rounding = EmulatedRounding::kCut;
  if (kernel.type == DataType::kBfloat16) step.rounding = EmulatedRounding::kEvenCut;
  for (const Axis& axis : kernel.listed)
    step.axes.push_back(openvino::cubic_axis(axis, kernel.sampling, Formulas::kReference));
  plan.steps.push_back(std::move(step));
  return {};
}

}  // namespace

Result<Plan> emulate_openvino(const EmulatedCall& call) {
  TESELA_RETURN_IF_ERROR(check_call(call));
  const Kernel kernel = kernel_of(call);
  Plan plan{call.params.type, call.params.in, {}, EmulatedPlan{}};
  plan.out = plan.in;
  for (const Axis& axis : kernel.listed) plan.out[axis.axis] = axis.out;
  TESELA_RETURN_IF_ERROR(check_size(plan.type, plan.out, call.limits));
  auto& work = std::get<EmulatedPlan>(plan.work);
  work.rules = Rules::kOpenvino;
  work.through_float = true;
  // By processors that convert floats to bfloat16.
  work.flushes = kernel.type == DataType::kBfloat16 && kernel.has_kernel();
  TESELA_RETURN_IF_ERROR(check_kernel(kernel));
  if (std::find(plan.out.begin(), plan.out.end(), 0) != plan.out.end()) return plan;
  for (const Axis& axis : kernel.axes) TESELA_RETURN_IF_ERROR(check_tables(axis.axis, axis.out, 4, call.limits));
  if (kernel.is_nearest())
    add_nearest(kernel, work);
  else if (kernel.is_linear())
    add_linear(kernel, work);
  else if (kernel.has_kernel())
    add_cubic(kernel, work);
  else
    TESELA_RETURN_IF_ERROR(add_reference_cubic(kernel, call.limits, work));
  return plan;
}

}  // namespace tesela
