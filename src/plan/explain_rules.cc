// SPDX-License-Identifier: Apache-2.0
// The rules of a plan and its axes in words, with their numbers.
#include <array>
#include <bit>
#include <cmath>

#include "plan/explain.h"
#include "plan/sampling/sampling.h"
#include "types/elements.h"

namespace tesela {
namespace {

using Positions = AxisMap::Positions;

// A number in a formula; negative ones in parentheses.
std::string operand(double value) {
  return std::signbit(value) ? fmt::format("({})", value) : fmt::format("{}", value);
}

// ---- Formulas ------------------------------------------------------------------------------------------------------

std::string rational_formula(const AxisMap& map) {
  if (map.step == 0 && map.num0 == 0) return "x = 0";
  const std::string ratio = fraction_text(map.step, map.den);
  switch (map.sampling.coordinates) {
    case CoordinateMode::kAlignCorners:
    case CoordinateMode::kAsymmetric: return fmt::format("x = i * {}", ratio);
    case CoordinateMode::kTfHalfPixelForNn: return fmt::format("x = (i + 0.5) * {}", ratio);
    case CoordinateMode::kHalfPixelSymmetric:
      return fmt::format("x = {} + (i + 0.5) * {} - 0.5", fraction_text(2 * map.num0 + map.den - map.step, 2 * map.den),
                         ratio);
    case CoordinateMode::kHalfPixel:
    case CoordinateMode::kPytorchHalfPixel:
    case CoordinateMode::kTfCropAndResize: break;
  }
  return fmt::format("x = (i + 0.5) * {} - 0.5", ratio);
}

std::string crop_formula(const AxisMap& map, double length) {
  const std::string start = operand(map.roi_start);
  const std::string end = operand(map.roi_end);
  if (map.out <= 1) return fmt::format("x = 0.5 * ({} + {}) * ({} - 1)", start, end, map.in);
  return fmt::format("x = {} * ({} - 1) + i * ({} - {}) * ({} - 1) / ({} - 1)", start, map.in, end, start, map.in,
                     length);
}

// In doubles by the contract, or in floats by ONNX Runtime's rules, which take the output's extent as the length.
std::string scale_formula(const AxisMap& map) {
  const bool onnxruntime = map.sampling.arithmetic == PositionArithmetic::kOnnxRuntime;
  const double length = onnxruntime ? static_cast<double>(map.out) : map.length;
  const double s = onnxruntime ? static_cast<double>(static_cast<float>(map.scale)) : map.scale;
  switch (map.sampling.coordinates) {
    case CoordinateMode::kPytorchHalfPixel:
      if (map.out <= 1) return "x = 0";
      break;
    case CoordinateMode::kAlignCorners:
      return map.out <= 1 ? std::string("x = 0") : fmt::format("x = i * ({} - 1) / ({} - 1)", map.in, length);
    case CoordinateMode::kAsymmetric: return fmt::format("x = i / {}", s);
    case CoordinateMode::kTfHalfPixelForNn: return fmt::format("x = (i + 0.5) / {}", s);
    case CoordinateMode::kHalfPixelSymmetric:
      if (onnxruntime)
        return fmt::format("x = {} / 2 * (1 - {} / ({} * {})) + (i + 0.5) / {} - 0.5", map.in, map.out, s, map.in, s);
      return fmt::format("x = {} / 2 * (1 - {} / {}) + (i + 0.5) / {} - 0.5", map.in, map.out, length, s);
    case CoordinateMode::kTfCropAndResize: return crop_formula(map, length);
    case CoordinateMode::kHalfPixel: break;
  }
  return fmt::format("x = (i + 0.5) / {} - 0.5", s);
}

std::string rounded_formula(const AxisMap& map) {
  switch (map.sampling.coordinates) {
    case CoordinateMode::kAlignCorners:
    case CoordinateMode::kAsymmetric: return fmt::format("x = i * {}", map.rounded_ratio);
    case CoordinateMode::kTfHalfPixelForNn: return fmt::format("x = (i + 0.5) * {}", map.rounded_ratio);
    case CoordinateMode::kPytorchHalfPixel:
      if (map.out <= 1) return "x = 0";
      break;
    default: break;
  }
  return fmt::format("x = {} * (i + 0.5) - 0.5", map.rounded_ratio);
}

std::string formula_of(const AxisMap& map) {
  if (map.positions == Positions::kRational) return rational_formula(map);
  const PositionArithmetic arithmetic = map.sampling.arithmetic;
  if (arithmetic == PositionArithmetic::kContract || arithmetic == PositionArithmetic::kOnnxRuntime)
    return scale_formula(map);
  return rounded_formula(map);
}

// ---- Words ---------------------------------------------------------------------------------------------------------

std::string arithmetic_text(const AxisMap& map) {
  if (map.positions == Positions::kRational) return "exact fractions";
  switch (map.sampling.arithmetic) {
    case PositionArithmetic::kContract: break;
    case PositionArithmetic::kFloat32: return "floats, each operation rounded, from the rounded in / out";
    case PositionArithmetic::kFloat64: return "doubles, each operation rounded, from the rounded in / out";
    case PositionArithmetic::kReciprocal64: return "doubles, from 1 divided by the rounded out / in";
    case PositionArithmetic::kRounded64: return "doubles, from the rounded in / out, then rounded to float";
    case PositionArithmetic::kOnnxRuntime: return "floats, each operation rounded, as in ONNX Runtime's CPU kernels";
  }
  std::string text = "doubles, from left to right as written";
  if (map.crops())
    text += fmt::format("; within {} of 0 or {} they are that number",
                        4 * 0x1p-52 * std::max(1.0, static_cast<double>(map.in)), map.in - 1);
  return text;
}

// The filter's stretch under antialias: inputs per unit of the filter.
std::string stretch_text(const AxisMap& map) {
  if (map.positions == Positions::kRational) return fraction_text(map.shrink_den, map.shrink_num);
  return fmt::format("1 / {}", map.shrink);
}

std::string filter_text(const AxisMap& map) {
  if (map.sampling.filter == Filter::kNearest) {
    const std::string text = fmt::format("nearest, {}", name_of(map.sampling.nearest));
    if (map.sampling.nearest != NearestMode::kSimple) return text;
    return text +
           (simple_rounds_up(map) ? " (up, because the axis shrinks)" : " (down, because the axis does not shrink)");
  }
  const bool cubic = map.sampling.filter == Filter::kCubic;
  std::string text = cubic ? fmt::format("cubic (Keys, a = {})", map.sampling.cubic_a) : std::string("linear");
  text += fmt::format(", support {} on each side", sampling::support_of(map));
  if (map.antialias) return text + fmt::format(", stretched by {} (antialias)", stretch_text(map));
  if (map.sampling.antialias) text += "; antialias does not stretch it, because the axis does not shrink";
  return text;
}

std::string border_text(const ResizePlan& resize, const AxisMap& map) {
  std::string text;
  if (map.sampling.filter == Filter::kNearest)
    text = "an input outside is clamped to the border";
  else if (map.sampling.exclude_outside)
    text = "inputs outside are dropped, and the other weights divided by their sum (exclude_outside)";
  else
    text = "inputs outside are the border's: their weights are added to its weight";
  if (map.crops())
    text += fmt::format("; a position outside 0 to {} gives the extrapolation value {}", map.in - 1,
                        resize.extrapolation_value);
  return text;
}

std::string weight_text(const ResizePlan& resize, const AxisMap& map) {
  std::string text = map.antialias || map.sampling.exclude_outside ? "divided by their sum, " : "";
  if (map.weight_bits >= 0)
    text += fmt::format("rounded to multiples of 1/{}", int64_t{1} << map.weight_bits);
  else
    text += resize.compute == ComputeType::kFloat ? "rounded to float" : "doubles";
  return text;
}

std::string sum_text(const ResizePlan& resize, const Pass& pass) {
  if (!resize.fixed_point) {
    const std::string type = resize.compute == ComputeType::kFloat ? "float" : "double";
    return fmt::format("in ascending order, each product and sum rounded to {}", type);
  }
  return pass.rounds_sums ? "exact, then rounded half up to the element" : "exact, not rounded after this pass";
}

// The scale, where positions or the filter depend on it.
void set_scale(const AxisMap& map, ExplainedAxis& axis) {
  if (map.positions != Positions::kRational) {
    axis.scale = map.scale;
    return;
  }
  Int128 num = map.den;
  Int128 den = map.step;
  if (map.antialias) {
    num = map.shrink_num;
    den = map.shrink_den;
  } else if (map.sampling.coordinates == CoordinateMode::kAlignCorners) {
    // step / den is (n - 1) / (n * scale - 1).
    num = exact::bounded_sum(exact::bounded_product(map.den, map.in - 1), map.step);
    den = exact::bounded_product(map.step, map.in);
  }
  if (den == 0 || num > exact::kMaxInteger || den > exact::kMaxInteger) return;
  axis.scale = nearest_double(num, den);
  axis.exact_scale = fraction_text(num, den);
}

std::vector<std::string> fields_of(const ResizePlan& resize) {
  std::vector<std::string> fields;
  if (resize.passes.empty()) return fields;
  const AxisMap& map = resize.passes.front().map;
  switch (map.sampling.arithmetic) {
    case PositionArithmetic::kContract: break;
    case PositionArithmetic::kFloat32: fields.emplace_back("coordinates=float32"); break;
    case PositionArithmetic::kFloat64: fields.emplace_back("coordinates=float64"); break;
    case PositionArithmetic::kReciprocal64: fields.emplace_back("coordinates=reciprocal64"); break;
    case PositionArithmetic::kRounded64: fields.emplace_back("coordinates=rounded64"); break;
    case PositionArithmetic::kOnnxRuntime: fields.emplace_back("rules=onnxruntime_positions"); break;
  }
  switch (map.sampling.grid) {
    case WeightGrid::kFree: break;
    case WeightGrid::kFixed8: fields.emplace_back("weights=fixed8"); break;
    case WeightGrid::kFixed22: fields.emplace_back("weights=fixed22"); break;
    case WeightGrid::kInt16: fields.emplace_back("weights=int16"); break;
  }
  if (resize.fixed_point && resize.passes.size() > 1 && resize.passes.front().rounds_sums)
    fields.emplace_back("intermediate=uint8");
  return fields;
}

std::string passes_text(const ResizePlan& resize) {
  std::string text;
  for (const Pass& pass : resize.passes) text += fmt::format("{}axis {}", text.empty() ? "" : ", then ", pass.axis);
  return text;
}

std::string result_text(const Plan& plan, const ResizePlan& resize) {
  if (resize.fixed_point) return fmt::format("fixed point, rounded half up to {}", name(plan.type));
  return fmt::format("{}, rounded half to even to {} at the end",
                     resize.compute == ComputeType::kFloat ? "float" : "double", name(plan.type));
}

std::string value_text(DataType type, const FillPlan& fill) {
  // Doubles do not hold every 64-bit integer, and the shortest text of a float is not that of its double.
  if (type == DataType::kInt64) return fmt::format("{}", std::bit_cast<std::array<int64_t, 2>>(fill.value)[0]);
  if (type == DataType::kUint64) return fmt::format("{}", std::bit_cast<std::array<uint64_t, 2>>(fill.value)[0]);
  if (type == DataType::kFloat) return fmt::format("{}", std::bit_cast<std::array<float, 4>>(fill.value)[0]);
  double values[2] = {};
  element_to_doubles(type, fill.value.data(), values);
  const bool is_complex = type == DataType::kComplex64 || type == DataType::kComplex128;
  return is_complex ? fmt::format("{} + {}i", values[0], operand(values[1])) : fmt::format("{}", values[0]);
}

}  // namespace

void explain_rules(const ResizePlan& resize, const Pass& pass, ExplainedAxis& axis) {
  const AxisMap& map = pass.map;
  set_scale(map, axis);
  axis.coordinate_mode = name_of(map.sampling.coordinates);
  axis.formula = formula_of(map);
  axis.rules = {
      {"positions", arithmetic_text(map)}, {"filter", filter_text(map)}, {"borders", border_text(resize, map)}};
  if (resize.compute == ComputeType::kNone) return;
  axis.rules.emplace_back("weights", weight_text(resize, map));
  axis.rules.emplace_back("sums", sum_text(resize, pass));
}

void explain_plan(const Plan& plan, Explanation& explanation) {
  if (const auto* fill = std::get_if<FillPlan>(&plan.work)) {
    explanation.work = "fill";
    explanation.rules = {{"value", "every output is " + value_text(plan.type, *fill)}};
    return;
  }
  if (std::holds_alternative<TilePlan>(plan.work)) {
    explanation.work = "tile";
    explanation.rules = {{"values", "elements are copied"}};
    return;
  }
  const auto& resize = std::get<ResizePlan>(plan.work);
  explanation.work = fmt::format("resize {}", name_of(resize.filter));
  explanation.fields = fields_of(resize);
  if (resize.compute == ComputeType::kNone) {
    explanation.rules = {{"values", "elements are copied"}};
    return;
  }
  explanation.rules = {{"passes", passes_text(resize)}, {"values", result_text(plan, resize)}};
}

}  // namespace tesela
