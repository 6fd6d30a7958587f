// SPDX-License-Identifier: Apache-2.0
// Plans of few axes, and their explanations.
#pragma once

#include "plan/axis_requests.h"
#include "plan/explain.h"

namespace tesela {

/// A plan with one axis.
inline Plan plan_of(const AxisRequest& axis, const SamplingParams& sampling, DataType type = DataType::kFloat) {
  ResizeParams params{type, {axis.in}, sampling, {}};
  params.axes.push_back(axis);
  return *make_resize_plan(params, Limits::none());
}

inline Plan plan_of(int64_t in, int64_t out, const SamplingParams& sampling) {
  AxisRequest axis = by_sizes(in, out);
  axis.exact = sampling.arithmetic != PositionArithmetic::kOnnxRuntime;  // as its rules have it
  axis.scale = static_cast<double>(out) / static_cast<double>(in);
  return plan_of(axis, sampling);
}

/// A plan with several axes. params: but for their extents.
inline Plan plan_of_sizes(const Extents& in, const Extents& out, ResizeParams params) {
  params.in = in;
  for (size_t axis = 0; axis < in.size(); ++axis) {
    params.axes.push_back(by_sizes(in[axis], out[axis]));
    params.axes.back().axis = axis;
  }
  return *make_resize_plan(params, Limits::none());
}

inline Explanation explained(const Plan& plan, IndexRange outputs = {}) {
  ExplainRequest request;
  if (outputs.n > 0) request.outputs = outputs;
  return *explain(plan, request);
}

inline const ExplainedOutput& output(const Explanation& explanation, size_t i) {
  return explanation.axes.front().outputs.at(i);
}

}  // namespace tesela
