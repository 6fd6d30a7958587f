// SPDX-License-Identifier: Apache-2.0
// PyTorch's CPU: torch.nn.functional.interpolate with the arguments that a node stands for, on a contiguous tensor and with
// more than one thread. Its builds fuse products and sums where the processor can (AVX2); so do these tables and sums.
//
//   nearest    copies
//   linear     the last axis first, each axis with two taps; small images with the four products of weights at once
//   cubic      the last axis first, with four taps each
//   antialias  axes whose extents change, the last one first
//   uint8      as antialias, with whole weights, and rounded after each axis
#include "plan/emulation/pytorch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "plan/emulation/emulate.h"

namespace tesela {
namespace {

using pytorch::Axis;

constexpr size_t kChannels = 1;
constexpr size_t kLastOfFive = 4;
constexpr int kVectorBits = 256;

struct Kernel {
  const EmulatedCall& call;
  pytorch::Sampling sampling;
  std::vector<Axis> spatial;

  DataType type() const { return call.params.type; }
  Filter filter() const { return call.params.sampling.filter; }
  bool antialias() const { return call.params.sampling.antialias; }
  int taps() const { return filter() == Filter::kLinear ? 2 : 4; }
  bool stays() const {
    return std::all_of(spatial.begin(), spatial.end(), [](const Axis& axis) { return axis.in == axis.out; });
  }
};

bool is_short_float(DataType type) {
  return type == DataType::kFloat16 || type == DataType::kBfloat16;
}

// ---- Calls that PyTorch does not have, or refuses -------------------------------------------------------------------

Status refused(std::string_view what) {
  return unsupported_error("plan field 'rules' is pytorch, whose interpolate does not support {}", what);
}

Status check_mode(const SamplingParams& sampling, size_t rank) {
  using enum CoordinateMode;
  const CoordinateMode mode = sampling.coordinates;
  if (mode == kTfCropAndResize) return refused("tf_crop_and_resize");
  if (sampling.filter == Filter::kNearest) return {};
  if (mode != kHalfPixel && mode != kPytorchHalfPixel && mode != kAlignCorners)
    return refused(fmt::format("{} in mode {}", name_of(mode), name_of(sampling.filter)));
  if (sampling.filter == Filter::kCubic && rank != 4) return refused("mode cubic of an X without 4 axes");
  return sampling.antialias && rank != 4 ? refused("antialias of an X without 4 axes") : Status();
}

Status check_axes(const EmulatedCall& call) {
  const bool by_scales = call.request.given == ResizeRequest::Given::kScales;
  for (size_t k = 0; k < call.params.axes.size(); ++k) {
    const AxisRequest& axis = call.params.axes[k];
    if (axis.axis <= kChannels && (by_scales ? (*call.request.scales)[k] != 1 : axis.out != axis.in))
      return refused("resizing the first two axes");
    if (axis.axis > kChannels && axis.out == 0) return refused("an empty output");
  }
  const bool has_empty = std::find(call.params.in.begin() + 1, call.params.in.end(), 0) != call.params.in.end();
  return has_empty ? refused("an X with an empty axis other than the first") : Status();
}

Status check_call(const EmulatedCall& call) {
  const size_t rank = call.params.in.size();
  if (rank < 3 || rank > 5) return refused("an X without 3 to 5 axes");
  if (call.request.given == ResizeRequest::Given::kNothing) return refused("calls without scales and sizes");
  if (call.request.policy != AspectPolicy::kStretch) return refused("keep_aspect_ratio_policy");
  TESELA_RETURN_IF_ERROR(check_mode(call.params.sampling, rank));
  return check_axes(call);
}

Status check_bytes(const Kernel& kernel) {
  if (kernel.spatial.size() != 2) return refused("mode linear of uint8 without 4 axes");
  const bool has_colours = kernel.call.params.in[0] > 0 && kernel.call.params.in[kChannels] == 3;
  const bool is_point = kernel.spatial[0].out == 1 && kernel.spatial[1].out == 1;
  // Its kernel takes the output for one with the channels last, and an assertion fails.
  return has_colours && is_point && kernel.spatial[0].in > 1 ? refused("3 channels of uint8 to 1 x 1") : Status();
}

// Where antialias leaves all extents it copies, whatever the type.
Status check_type(const Kernel& kernel) {
  constexpr std::array kTypes = {DataType::kFloat, DataType::kDouble, DataType::kUint8, DataType::kFloat16,
                                 DataType::kBfloat16};
  if (kernel.antialias() && kernel.stays()) return {};
  if (std::find(kTypes.begin(), kTypes.end(), kernel.type()) == kTypes.end())
    return type_error(
        "plan field 'rules' is pytorch; input 'X' has type {}, expected float, double, float16, bfloat16 or uint8",
        name(kernel.type()));
  if (kernel.type() == DataType::kUint8 && kernel.filter() != Filter::kNearest) return check_bytes(kernel);
  return kernel.antialias() && is_short_float(kernel.type()) ? refused("antialias of float16 and bfloat16") : Status();
}

// ---- Which kernel ---------------------------------------------------------------------------------------------------

Kernel kernel_of(const EmulatedCall& call) {
  const SamplingParams& sampling = call.params.sampling;
  const bool exact =
      sampling.coordinates == CoordinateMode::kHalfPixel && sampling.nearest == NearestMode::kRoundPreferCeil;
  const bool corners = sampling.filter != Filter::kNearest && sampling.coordinates == CoordinateMode::kAlignCorners;
  Kernel made{call, {call.params.type, corners, exact, false}, {}};
  const bool by_scales = call.request.given == ResizeRequest::Given::kScales;
  const Extents& in = call.params.in;
  for (size_t d = kChannels + 1; d < in.size(); ++d)
    made.spatial.push_back({d, in[d], in[d], by_scales ? std::optional(1.0) : std::nullopt});
  for (size_t k = 0; k < call.params.axes.size(); ++k) {
    const AxisRequest& request = call.params.axes[k];
    if (request.axis <= kChannels) continue;
    Axis& axis = made.spatial[request.axis - kChannels - 1];
    axis.out = request.out;
    if (by_scales) axis.scale = static_cast<double>((*call.request.scales)[k]);
  }
  return made;
}

// Of images with small outputs, and of tensors whose channels are stored last, as those of 1 x 1 inputs are.
bool has_vectors_of_channels(const Kernel& kernel) {
  const bool channels_last =
      kernel.call.params.in[kChannels] > 3 &&
      std::all_of(kernel.spatial.begin(), kernel.spatial.end(), [](const Axis& axis) { return axis.in == 1; });
  if (kernel.spatial.size() != 2) return kernel.spatial.size() == 3 && channels_last;
  constexpr int64_t kSmall = 128;
  return channels_last || kernel.spatial[0].out <= kSmall - std::min(kSmall, kernel.spatial[1].out);
}

// ---- Steps ----------------------------------------------------------------------------------------------------------

EmulatedStep begun(const Kernel& kernel) {
  EmulatedStep step;
  step.numbers = kernel.type() == DataType::kDouble ? EmulatedNumbers::kFusedDouble : EmulatedNumbers::kFusedFloat;
  return step;
}

void add_nearest(const Kernel& kernel, EmulatedPlan& plan) {
  const bool in_float = kernel.spatial.size() == 2 && has_vectors_of_channels(kernel);
  EmulatedStep step = begun(kernel);
  for (const Axis& axis : kernel.spatial)
    step.axes.push_back(in_float ? pytorch::vector_nearest_axis(axis, kernel.sampling)
                                 : pytorch::nearest_axis(axis, kernel.sampling));
  plan.steps.push_back(std::move(step));
}

// All axes at once. Taps of channels that fill a vector are added from the last one on.
void add_products(const Kernel& kernel, EmulatedPlan& plan) {
  EmulatedStep step = begun(kernel);
  const bool is_short = is_short_float(kernel.type());
  step.order = kernel.type() == DataType::kFloat16 ? EmulatedOrder::kAscending : EmulatedOrder::kSecondFirst;
  step.vector_order = is_short ? EmulatedOrder::kDescending : EmulatedOrder::kSecondLastFirst;
  step.first_weight_first = true;
  step.vector_channels = static_cast<uint8_t>(kVectorBits / element_bits(kernel.type()));
  for (const Axis& axis : kernel.spatial) {
    pytorch::Sampling sampling = kernel.sampling;
    sampling.fuses_positions = kernel.type() != DataType::kFloat || axis.axis != kLastOfFive;
    step.axes.push_back(pytorch::linear_axis(axis, sampling));
  }
  plan.steps.push_back(std::move(step));
}

void add_passes(const Kernel& kernel, EmulatedPlan& plan) {
  for (size_t k = kernel.spatial.size(); k-- > 0;) {
    EmulatedStep step = begun(kernel);
    step.order = EmulatedOrder::kSecondFirst;
    step.axes.push_back(kernel.filter() == Filter::kCubic ? pytorch::cubic_axis(kernel.spatial[k], kernel.sampling)
                                                          : pytorch::linear_axis(kernel.spatial[k], kernel.sampling));
    plan.steps.push_back(std::move(step));
  }
}

// Along rows of one column its loop takes the weights of the first output for all of them. uint8 of up to 4 channels has a
// kernel of its own.
bool has_first_weights(const Kernel& kernel, const Axis& axis) {
  const Axis& columns = kernel.spatial.back();
  const bool is_generic = kernel.type() != DataType::kUint8 || kernel.call.params.in[kChannels] > 4;
  return is_generic && axis.axis != columns.axis && columns.out == 1;
}

EmulatedStep filtered(const Kernel& kernel, const Axis& axis) {
  EmulatedStep step = begun(kernel);
  if (kernel.type() != DataType::kUint8) {
    step.unfused_taps = kernel.type() == DataType::kDouble ? 2 : 4;
    step.axes.push_back(pytorch::antialias_axis(axis, kernel.sampling, kernel.taps()));
    return step;
  }
  pytorch::ByteAxis made = pytorch::byte_axis(axis, kernel.sampling, kernel.taps(), kernel.antialias());
  step.numbers = EmulatedNumbers::kInt32;
  step.rounding = EmulatedRounding::kShiftClip;
  step.shift = made.shift;
  step.start = static_cast<double>(int64_t{1} << (made.shift - 1));
  step.axes.push_back(std::move(made.axis));
  return step;
}

Status add_filters(const Kernel& kernel, EmulatedPlan& plan) {
  for (size_t k = kernel.spatial.size(); k-- > 0;) {
    const Axis& axis = kernel.spatial[k];
    if (axis.in == axis.out) continue;
    const int64_t taps =
        kernel.antialias() ? pytorch::antialias_window(axis, kernel.sampling, kernel.taps()) : int64_t{kernel.taps()};
    TESELA_RETURN_IF_ERROR(check_tables(axis.axis, axis.out, taps, kernel.call.limits));
    plan.steps.push_back(filtered(kernel, axis));
    if (has_first_weights(kernel, axis)) pytorch::repeat_first(plan.steps.back().axes.front());
  }
  return {};
}

}  // namespace

Result<Plan> emulate_pytorch(const EmulatedCall& call) {
  TESELA_RETURN_IF_ERROR(check_call(call));
  Kernel kernel = kernel_of(call);
  TESELA_RETURN_IF_ERROR(check_type(kernel));
  Extents out = call.params.in;
  for (const Axis& axis : kernel.spatial) out[axis.axis] = axis.out;
  TESELA_RETURN_IF_ERROR(check_size(call.params.type, out, call.limits));
  if (kernel.antialias() && kernel.stays()) {
    ResizeParams params = call.params;
    params.axes.clear();
    return make_resize_plan(params, call.limits);
  }
  EmulatedPlan work;
  work.rules = Rules::kPytorch;
  const bool is_filtered =
      kernel.filter() != Filter::kNearest && (kernel.antialias() || kernel.type() == DataType::kUint8);
  if (!is_filtered)
    for (const Axis& axis : kernel.spatial) TESELA_RETURN_IF_ERROR(check_tables(axis.axis, axis.out, 4, call.limits));
  const bool has_products = kernel.filter() == Filter::kLinear && has_vectors_of_channels(kernel);
  kernel.sampling.stores_weights = !has_products;
  kernel.sampling.fuses_positions = kernel.type() != DataType::kFloat;
  if (is_filtered)
    TESELA_RETURN_IF_ERROR(add_filters(kernel, work));
  else if (kernel.filter() == Filter::kNearest)
    add_nearest(kernel, work);
  else if (has_products)
    add_products(kernel, work);
  else
    add_passes(kernel, work);
  return Plan{call.params.type, call.params.in, out, std::move(work)};
}

}  // namespace tesela
