// SPDX-License-Identifier: Apache-2.0
// Operators with a sliding window over the axes after the first two: convolutions and pooling.
#include <algorithm>

#include "shapes/shape_rule.h"

namespace tesela {
namespace {

/// One axis of a window.
struct Window {
  Dim kernel;
  int64_t stride = 1, dilation = 1, before = 0, after = 0;
};

int64_t at(const std::optional<Extents>& list, size_t k, int64_t absent) {
  return list && k < list->size() ? (*list)[k] : absent;
}

// kernel: the extents of the kernel if no attribute has them.
std::vector<Window> windows_of(const RuleNode& node, size_t axes, const Dims& kernel) {
  const auto shape = node.integers("kernel_shape"), strides = node.integers("strides"),
             dilations = node.integers("dilations"), pads = node.integers("pads");
  std::vector<Window> windows;
  for (size_t k = 0; k < axes; ++k) {
    Window window;
    if (shape && k < shape->size())
      window.kernel = {(*shape)[k], ""};
    else if (k < kernel.size())
      window.kernel = kernel[k];
    window.stride = at(strides, k, 1);
    window.dilation = at(dilations, k, 1);
    window.before = at(pads, k, 0);
    window.after = at(pads, k + axes, 0);
    windows.push_back(window);
  }
  return windows;
}

// All numbers of a window are small enough to add and multiply.
bool is_plain(const Window& window) {
  constexpr int64_t kMax = int64_t{1} << 30;
  const auto is_in = [](int64_t value, int64_t least) { return value >= least && value <= kMax; };
  return is_in(window.stride, 1) && is_in(window.dilation, 1) && is_in(window.before, 0) && is_in(window.after, 0) &&
         (!window.kernel.known() || is_in(window.kernel.value, 1));
}

// The extent of the window of one output, including gaps; the kernel is known.
int64_t dilated_extent(const Window& window) {
  return window.dilation * (window.kernel.value - 1) + 1;
}

Dim output_extent(const Dim& in, const Window& window, std::string_view auto_pad, bool rounds_up) {
  constexpr int64_t kMax = int64_t{1} << 62;
  if (!is_plain(window) || in.value > kMax) return {};
  if (auto_pad.starts_with("SAME")) {
    if (window.stride == 1) return in;
    return in.known() ? Dim{(in.value + window.stride - 1) / window.stride, ""} : Dim();
  }
  if (!window.kernel.known()) return {};
  const int64_t pads = auto_pad == "VALID" ? 0 : window.before + window.after;
  if (!in.known()) return window.stride == 1 && pads == dilated_extent(window) - 1 ? in : Dim();
  const int64_t slack = in.value + pads - dilated_extent(window);
  if (slack < 0) return {};
  const int64_t rest = slack % window.stride;
  // Whether a window may begin after the last element depends on the version of the runtime.
  const bool begins_past_end = slack - rest + window.stride >= in.value + (auto_pad == "VALID" ? 0 : window.before);
  if (rounds_up && rest != 0 && begins_past_end) return {};
  return {slack / window.stride + 1 + (rounds_up && rest != 0 ? 1 : 0), ""};
}

Dims output_dims(const RuleNode& node, const Dims& kernel, bool rounds_up) {
  Dims dims = *node.input(0).dims;
  const std::vector<Window> windows = windows_of(node, dims.size() - 2, kernel);
  const std::string_view auto_pad = node.attribute("auto_pad", "NOTSET");
  for (size_t k = 0; k < windows.size(); ++k) dims[k + 2] = output_extent(dims[k + 2], windows[k], auto_pad, rounds_up);
  return dims;
}

bool has_window_axes(const KnownValue& value) {
  return value.dims && value.dims->size() >= 2;
}

Dims window_axes_of(const KnownValue& weights) {
  return has_window_axes(weights) ? Dims(weights.dims->data() + 2, weights.dims->size() - 2) : Dims();
}

void conv(const RuleNode& node, Outputs out) {
  out[0].type = node.input(0).type;
  if (!has_window_axes(node.input(0))) return;
  Dims dims = output_dims(node, window_axes_of(node.input(1)), false);
  dims[1] = has_window_axes(node.input(1)) ? (*node.input(1).dims)[0] : Dim();
  out[0].dims = dims;
}

void pool(const RuleNode& node, Outputs out) {
  for (size_t k = 0; k < out.size(); ++k) out[k].type = k == 0 ? node.input(0).type : DataType::kInt64;
  if (!has_window_axes(node.input(0))) return;
  const Dims dims = output_dims(node, {}, node.attribute("ceil_mode", 0) != 0);
  for (KnownValue& each : out) each.dims = dims;
}

void global_pool(const RuleNode& node, Outputs out) {
  out[0].type = node.input(0).type;
  if (!has_window_axes(node.input(0))) return;
  Dims dims = *node.input(0).dims;
  for (size_t d = 2; d < dims.size(); ++d) dims[d] = {1, ""};
  out[0].dims = dims;
}

// ---- Transposed convolutions and unpooling

Dim transposed_extent(const Dim& in, const Window& window, std::string_view auto_pad, int64_t more) {
  constexpr int64_t kMax = int64_t{1} << 30;
  const bool is_same = auto_pad.starts_with("SAME");
  if (!is_plain(window) || !in.known() || in.value > kMax || more < 0 || more > kMax) return {};
  if (is_same) return {in.value * window.stride, ""};
  if (!window.kernel.known() || in.value == 0) return {};
  const int64_t pads = auto_pad == "VALID" ? 0 : window.before + window.after;
  const int64_t extent = window.stride * (in.value - 1) + more + dilated_extent(window) - pads;
  return extent >= 0 ? Dim{extent, ""} : Dim();
}

void conv_transpose(const RuleNode& node, Outputs out) {
  out[0].type = node.input(0).type;
  if (!has_window_axes(node.input(0))) return;
  Dims dims = *node.input(0).dims;
  const std::vector<Window> windows = windows_of(node, dims.size() - 2, window_axes_of(node.input(1)));
  const auto shape = node.integers("output_shape"), more = node.integers("output_padding");
  const std::string_view auto_pad = node.attribute("auto_pad", "NOTSET");
  for (size_t k = 0; k < windows.size(); ++k)
    dims[k + 2] = shape ? (at(shape, k, -1) >= 0 ? Dim{at(shape, k, -1), ""} : Dim())
                        : transposed_extent(dims[k + 2], windows[k], auto_pad, at(more, k, 0));
  const Dim filters = has_window_axes(node.input(1)) ? (*node.input(1).dims)[1] : Dim();
  const std::optional<int64_t> channels =
      filters.known() ? checked_mul(filters.value, std::max<int64_t>(node.attribute("group", 1), 0)) : std::nullopt;
  dims[1] = channels ? Dim{*channels, ""} : Dim();
  out[0].dims = dims;
}

constexpr ShapeRule kWindowRows[] = {
    {"AveragePool", 1, pool},
    {"Conv", 1, conv},
    {"ConvTranspose", 1, conv_transpose},
    {"GlobalAveragePool", 1, global_pool},
    {"GlobalLpPool", 1, global_pool},
    {"GlobalMaxPool", 1, global_pool},
    {"LpPool", 2, pool},
    {"MaxPool", 1, pool},
};

}  // namespace

constinit const std::span<const ShapeRule> kWindowRules = kWindowRows;

}  // namespace tesela
