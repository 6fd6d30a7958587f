// SPDX-License-Identifier: Apache-2.0
// The tables of OpenVINO's CPU plugin for one axis.
#pragma once

#include "plan/emulation/emulated_plan.h"

namespace tesela::openvino {

/// An axis of X. The scale is 1 unless the axis is listed.
struct Axis {
  size_t axis = 0;
  int64_t in = 0;
  int64_t out = 0;
  float scale = 1;
};

/// The kernels, and the functions that run what no kernel does.
enum class Formulas : uint8_t { kKernels, kReference };

EmulatedAxis nearest_axis(const Axis& axis, const SamplingParams& sampling, Formulas formulas);

/// The neighbour whose product is rounded comes first: the second one along the innermost axis and the outermost of three.
EmulatedAxis linear_axis(const Axis& axis, const SamplingParams& sampling, bool second_first);

EmulatedAxis cubic_axis(const Axis& axis, const SamplingParams& sampling, Formulas formulas);

/// The cubic pass over an axis that X does not have: every value four times, with the weights of its position.
EmulatedAxis absent_cubic_axis(const Axis& inner, const SamplingParams& sampling);

}  // namespace tesela::openvino
