// SPDX-License-Identifier: Apache-2.0
// A plan as text.
#include "plan/describe.h"

#include "types/json.h"
namespace tesela {
namespace {

std::string_view name(AxisMap::Positions positions) {
  switch (positions) {
    case AxisMap::Positions::kIdentity: return "identity";
    case AxisMap::Positions::kRational: return "rational";
    case AxisMap::Positions::kReal: return "real";
  }
  return "";
}

std::string_view arithmetic_of(const ResizePlan& work) {
  if (work.fixed_point) return "fixed point";
  switch (work.compute) {
    case ComputeType::kNone: return "none";
    case ComputeType::kFloat: return "float";
    case ComputeType::kDouble: return "double";
  }
  return "";
}

std::string map_text(const AxisMap& map) {
  if (map.positions == AxisMap::Positions::kRational)
    return fmt::format("x(i) = ({} + {} i) / {}", digits(map.num0), digits(map.step), digits(map.den));
  if (map.sampling.arithmetic == PositionArithmetic::kOnnxRuntime)
    return fmt::format("x(i) in floats as in ONNX Runtime, scale {}", map.scale);
  if (map.sampling.arithmetic != PositionArithmetic::kContract)
    return fmt::format("x(i) in {}, ratio {}",
                       map.sampling.arithmetic == PositionArithmetic::kFloat32 ? "floats" : "doubles",
                       map.rounded_ratio);
  return fmt::format("x(i) in doubles, scale {}, length {}", map.scale, map.length);
}

// An output's position among the inputs, with input centres at integers. The mode with positions relative to the first
// input's corner gives half an input more.
double centre(const AxisMap& map, int64_t i) {
  return position(map, i) - (map.sampling.coordinates == CoordinateMode::kTfHalfPixelForNn ? 0.5 : 0);
}

std::vector<int64_t> as_vector(const Extents& extents) {
  return {extents.begin(), extents.end()};
}

std::string fixed_point_text(const Pass& pass) {
  return fmt::format(", weights of {} bits, {}", pass.map.weight_bits,
                     pass.rounds_sums ? "rounded half up to elements" : "exact sums");
}

Json pass_json(const Pass& pass) {
  return {{"axis", pass.axis},
          {"in", pass.map.in},
          {"out", pass.map.out},
          {"positions", name(pass.map.positions)},
          {"rule", map_text(pass.map)},
          {"first_centre", centre(pass.map, 0)},
          {"last_centre", centre(pass.map, pass.map.out - 1)},
          {"antialias", pass.map.antialias},
          {"window", pass.window},
          {"weight_bits", pass.map.weight_bits},
          {"fraction_bits", pass.rounds_sums ? 0 : -1}};  // -1: sums stay exact
}

// A row for each axis; those of one step have its number.
Json emulated_passes_json(const EmulatedPlan& work) {
  Json passes = Json::array();
  for (size_t k = 0; k < work.steps.size(); ++k)
    for (const EmulatedAxis& axis : work.steps[k].axes)
      passes.push_back({{"axis", axis.axis},
                        {"in", axis.in},
                        {"out", axis.out},
                        {"first_centre", axis.first_centre},
                        {"last_centre", axis.last_centre},
                        {"window", most_taps(axis)},
                        {"step", k},
                        {"sums", text_of(work.steps[k])}});
  return passes;
}

std::string emulated_plain(const EmulatedPlan& work, const std::string& shapes) {
  std::string text = fmt::format("resize as {} {}, computed by the reference backend\n", name_of(work.rules), shapes);
  for (const EmulatedStep& step : work.steps) {
    for (const EmulatedAxis& axis : step.axes)
      text += fmt::format("  axis {}: {} -> {}, {} taps\n", axis.axis, axis.in, axis.out, most_taps(axis));
    text += fmt::format("    {}\n", text_of(step));
  }
  return text;
}

}  // namespace

std::string describe_json(const Plan& plan) {
  Json json = {{"type", tesela::name(plan.type)}, {"input", as_vector(plan.in)}, {"output", as_vector(plan.out)}};
  if (std::holds_alternative<TilePlan>(plan.work)) {
    json["work"] = "tile";
  } else if (const auto* resize = std::get_if<ResizePlan>(&plan.work)) {
    json["work"] = "resize";
    json["filter"] = name_of(resize->filter);
    json["compute"] = arithmetic_of(*resize);
    json["rounding"] = resize->fixed_point ? "half up" : "half even";
    json["extrapolates"] = resize->extrapolates;
    json["passes"] = Json::array();
    for (const Pass& pass : resize->passes) json["passes"].push_back(pass_json(pass));
  } else if (const auto* emulated = std::get_if<EmulatedPlan>(&plan.work)) {
    json["work"] = "emulation";
    json["rules"] = name_of(emulated->rules);
    json["backend"] = "reference";
    json["passes"] = emulated_passes_json(*emulated);
  } else {
    json["work"] = "fill";
  }
  return json.text() + "\n";
}

std::string describe_plain(const Plan& plan) {
  if (std::holds_alternative<FillPlan>(plan.work))
    return fmt::format("fill {} {}\n", tesela::name(plan.type), shape_text(plan.out));
  const std::string shapes =
      fmt::format("{} {} -> {}", tesela::name(plan.type), shape_text(plan.in), shape_text(plan.out));
  if (std::holds_alternative<TilePlan>(plan.work)) return fmt::format("tile {}\n", shapes);
  if (const auto* emulated = std::get_if<EmulatedPlan>(&plan.work)) return emulated_plain(*emulated, shapes);
  const auto& resize = std::get<ResizePlan>(plan.work);
  std::string text =
      fmt::format("resize {} {}, {}\n", name_of(resize.filter), shapes,
                  resize.compute == ComputeType::kNone ? std::string("elements are moved")
                                                       : fmt::format("computed in {}", arithmetic_of(resize)));
  for (const Pass& pass : resize.passes)
    text += fmt::format("  axis {}: {} -> {}, {}, window {}{}{}\n", pass.axis, pass.map.in, pass.map.out,
                        map_text(pass.map), pass.window, pass.map.antialias ? ", antialias" : "",
                        resize.fixed_point ? fixed_point_text(pass) : "");
  return text;
}

}  // namespace tesela
