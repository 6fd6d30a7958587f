// SPDX-License-Identifier: Apache-2.0
// Tables and texts of emulated plans.
#include "plan/emulation/emulated_plan.h"

#include <fmt/format.h>

#include <algorithm>

namespace tesela {
namespace {

std::string_view name_of(EmulatedNumbers numbers) {
  switch (numbers) {
    case EmulatedNumbers::kFloat: return "float";
    case EmulatedNumbers::kFusedFloat: return "float, fused";
    case EmulatedNumbers::kDouble: return "double";
    case EmulatedNumbers::kFusedDouble: return "double, fused";
    case EmulatedNumbers::kInt32: return "int32";
  }
  return "";
}

std::string rounding_text(const EmulatedStep& step) {
  switch (step.rounding) {
    case EmulatedRounding::kNone: return "";
    case EmulatedRounding::kCut: return ", truncated";
    case EmulatedRounding::kHalfAway: return ", rounded half away from zero";
    case EmulatedRounding::kShiftClip: return fmt::format(", shifted by {} bits and clamped to 0 to 255", step.shift);
    case EmulatedRounding::kShiftCut: return fmt::format(", divided by 2^{} and truncated", step.shift);
    case EmulatedRounding::kEvenCut: return ", truncated to even numbers or rounded";
  }
  return "";
}

std::string_view name_of(EmulatedOrder order) {
  switch (order) {
    case EmulatedOrder::kAscending: return "";
    case EmulatedOrder::kPairwise: return ", pairwise";
    case EmulatedOrder::kSecondFirst: return ", the second tap first";
    case EmulatedOrder::kDescending: return ", descending";
    case EmulatedOrder::kSecondLastFirst: return ", the last tap but one first and then descending";
  }
  return "";
}

std::string order_text(const EmulatedStep& step) {
  std::string text(name_of(step.order));
  if (step.vector_channels > 0)
    text += fmt::format("; of {} channels at once{}", step.vector_channels, name_of(step.vector_order));
  if (step.unfused_taps > 0) text += fmt::format("; not fused for each {} taps after the first", step.unfused_taps);
  return text;
}

}  // namespace

std::pair<int64_t, int64_t> inputs_of(const EmulatedAxis& axis, int64_t lo, int64_t n) {
  const auto begin = axis.input.begin() + axis.first[static_cast<size_t>(lo)];
  const auto end = axis.input.begin() + axis.first[static_cast<size_t>(lo + n)];
  const auto [least, greatest] = std::minmax_element(begin, end);
  return begin == end ? std::pair<int64_t, int64_t>{0, 0} : std::pair{*least, *greatest};
}

int64_t most_taps(const EmulatedAxis& axis) {
  int64_t most = 0;
  for (size_t i = 0; i + 1 < axis.first.size(); ++i) most = std::max(most, axis.first[i + 1] - axis.first[i]);
  return most;
}

std::string_view name_of(Rules rules) {
  switch (rules) {
    case Rules::kStandard: return "standard";
    case Rules::kOnnxRuntimePositions: return "onnxruntime_positions";
    case Rules::kOnnxRuntime: return "onnxruntime";
    case Rules::kOnnxReference: return "onnx_reference";
    case Rules::kOpenvino: return "openvino";
    case Rules::kPytorch: return "pytorch";
  }
  return "";
}

std::string text_of(const EmulatedStep& step) {
  return fmt::format("sums in {}{}{}", name_of(step.numbers), order_text(step), rounding_text(step));
}

void add_output(EmulatedAxis& axis, const std::vector<EmulatedTap>& taps) {
  if (axis.first.empty()) axis.first.push_back(0);
  for (const EmulatedTap& tap : taps) {
    axis.input.push_back(std::clamp<int64_t>(tap.input, 0, axis.in - 1));
    axis.weight.push_back(tap.weight);
  }
  axis.first.push_back(static_cast<int64_t>(axis.input.size()));
}

Status check_tables(size_t axis, int64_t out, int64_t taps, const Limits& limits) {
  constexpr int64_t kTapBytes = sizeof(int64_t) + sizeof(double);
  constexpr int64_t kMost = int64_t{1} << 24;  // taps; also where there is no limit
  if (taps < kMost && out <= std::min(kMost, limits.max_working_bytes / kTapBytes) / std::max<int64_t>(taps, 1))
    return {};
  return limit_error("axis {}: {} outputs of up to {} taps need tables of more than {} bytes", axis, out, taps,
                     std::min(kMost * kTapBytes, limits.max_working_bytes));
}

}  // namespace tesela
