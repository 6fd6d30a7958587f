// SPDX-License-Identifier: Apache-2.0
// The tables of PyTorch's CPU kernels for one axis.
#pragma once

#include <optional>

#include "plan/emulation/emulated_plan.h"

namespace tesela::pytorch {

/// A spatial axis.
struct Axis {
  size_t axis = 0;
  int64_t in = 0;
  int64_t out = 0;
  std::optional<double> scale;  // scale_factor; without it positions follow from the extents
};

/// How its kernels sample. They compute positions and weights in float, or in double where X is double.
struct Sampling {
  DataType type = DataType::kUndefined;
  bool corners = false;          // align_corners
  bool exact = false;            // nearest-exact
  bool stores_weights = false;   // linear: weights are rounded to the element's type
  bool fuses_positions = false;  // linear
};

/// The kernel of channels in vectors: positions in float, whatever the type. Extents that stay or double are copies.
EmulatedAxis vector_nearest_axis(const Axis& axis, const Sampling& sampling);
EmulatedAxis nearest_axis(const Axis& axis, const Sampling& sampling);

EmulatedAxis linear_axis(const Axis& axis, const Sampling& sampling);

/// Bicubic without antialias, with a = -0.75.
EmulatedAxis cubic_axis(const Axis& axis, const Sampling& sampling);

/// The most taps of an output of antialias. taps: of the filter without it, 2 or 4.
int64_t antialias_window(const Axis& axis, const Sampling& sampling, int taps);

/// Antialias of float and double, bicubic with a = -0.5.
EmulatedAxis antialias_axis(const Axis& axis, const Sampling& sampling, int taps);

/// uint8: whole weights, in units of 2^-shift.
struct ByteAxis {
  EmulatedAxis axis;
  int shift = 0;
};
ByteAxis byte_axis(const Axis& axis, const Sampling& sampling, int taps, bool antialias);

/// Gives all outputs the taps of the first one.
void repeat_first(EmulatedAxis& axis);

}  // namespace tesela::pytorch
