// SPDX-License-Identifier: Apache-2.0
// The tables of ONNX Runtime's CPU kernels for one axis.
#pragma once

#include "plan/emulation/emulated_plan.h"

namespace tesela::onnxruntime {

struct Axis {
  size_t axis = 0;
  int64_t in = 0;
  int64_t out = 0;
  float scale = 1;
  float roi_start = 0;
  float roi_end = 1;
};

EmulatedAxis linear_axis(const Axis& axis, const SamplingParams& sampling);

/// Weights as multiples of 2^-10.
EmulatedAxis fixed_linear_axis(const Axis& axis, const SamplingParams& sampling);

/// The first of the two axes divides weights by their sum under exclude_outside, the other products.
EmulatedAxis cubic_axis(const Axis& axis, const SamplingParams& sampling, bool divides_weights);

/// fixed: weights as multiples of 2^-22.
EmulatedAxis antialias_axis(const Axis& axis, const SamplingParams& sampling, bool fixed);
int64_t antialias_window(const Axis& axis, const SamplingParams& sampling);

/// Of each output, whether tf_crop_and_resize puts it outside the input.
std::vector<uint8_t> outside_flags(const Axis& axis, const SamplingParams& sampling, bool antialias);

}  // namespace tesela::onnxruntime
