// SPDX-License-Identifier: Apache-2.0
// Explanations of one axis with outputs at given positions, and what is read of their drawings.
#pragma once

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "plan/explain.h"

namespace tesela {

/// An output that copies input `first`, at position x.
inline ExplainedOutput placed(int64_t output, double x, int64_t first = 0, Border border = Border::kNone) {
  ExplainedOutput made;
  made.output = output;
  made.x = x;
  made.border = border;
  made.first = first;
  made.count = 1;
  return made;
}

/// An output whose position is outside the input.
inline ExplainedOutput outside(int64_t output, double x) {
  ExplainedOutput made = placed(output, x, 0, Border::kExtrapolated);
  made.count = 0;
  return made;
}

/// An output that sums inputs from `first` on.
inline ExplainedOutput weighed(int64_t output, double x, int64_t first, std::vector<double> weights) {
  ExplainedOutput made = placed(output, x, first);
  made.count = static_cast<int64_t>(weights.size());
  made.weights = std::move(weights);
  return made;
}

inline ExplainedAxis axis_with(ExplainedAxis::Kind kind, int64_t in, std::vector<ExplainedOutput> outputs) {
  ExplainedAxis axis;
  axis.kind = kind;
  axis.in = in;
  axis.out = outputs.empty() ? 0 : outputs.back().output + 1;
  axis.formula = "x = i";
  axis.outputs = std::move(outputs);
  return axis;
}

inline ExplainedAxis moved(int64_t in, std::vector<ExplainedOutput> rows) {
  return axis_with(ExplainedAxis::Kind::kMoved, in, std::move(rows));
}

inline Explanation explanation_of(ExplainedAxis axis) {
  Explanation explanation;
  explanation.type = DataType::kFloat;
  explanation.work = "resize";
  explanation.in = {axis.in};
  explanation.out = {axis.out};
  explanation.axes.push_back(std::move(axis));
  return explanation;
}

/// A plan that changes no axis, with everything that is said of a whole plan.
inline Explanation explanation_without_axes() {
  Explanation explanation;
  explanation.type = DataType::kUint8;
  explanation.in = {4, 1, 7, 0};
  explanation.out = {8, 1, 7, 0};
  explanation.work = "resize cubic";
  explanation.rules = {{"passes", "axis 0"}};
  explanation.fields = {"weights=fixed8", "order=last"};
  explanation.unchanged = {1, 2};
  explanation.empty = {3};
  return explanation;
}

inline std::string text_of(const Explanation& explanation, int64_t width, const std::string& title = "") {
  return explanation_plain(explanation, {title, width});
}

inline std::string svg_of(const Explanation& explanation, const std::string& title = "") {
  return explanation_svg(explanation, {title, 80});
}

inline std::string svg_of(ExplainedAxis axis) {
  return svg_of(explanation_of(std::move(axis)));
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

inline double height_of(const std::string& svg) {
  const std::string box = "viewBox=\"0 0 960 ";
  return std::stod(svg.substr(svg.find(box) + box.size()));
}

}  // namespace tesela
