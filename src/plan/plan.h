// SPDX-License-Identifier: Apache-2.0
// What a backend computes, in numbers: immutable, shared between threads, printable. No versions, names or kernels.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "plan/arithmetic.h"
#include "plan/axis_map.h"
#include "plan/emulation/emulated_plan.h"
#include "plan/params.h"
#include "types/limits.h"
#include "types/tensor.h"

namespace tesela {

/// A box of a tensor, in elements.
struct Box {
  Extents lo;
  Extents n;
};

/// Fills a tensor with one value.
struct FillPlan {
  std::array<std::byte, 16> value = {};
};

/// out[i] = in[i mod in_extent] along every axis.
struct TilePlan {};

/// One axis that changes.
struct Pass {
  size_t axis = 0;
  AxisMap map;
  int64_t window = 1;        // the map's, see window_of
  bool rounds_sums = false;  // in fixed point: to elements, see plan/arithmetic.h; otherwise they stay exact
};

/// Passes are in execution order. Without interpolation (nearest, or no pass) elements are moved, not computed.
struct ResizePlan {
  Filter filter = Filter::kNearest;
  ComputeType compute = ComputeType::kNone;  // kNone: a move; kDouble for fixed point, to hold sums exactly
  bool fixed_point = false;                  // see plan/arithmetic.h
  bool extrapolates = false;                 // tf_crop_and_resize puts some output outside the input
  float extrapolation_value = 0;
  std::vector<Pass> passes;
};

struct Plan {
  DataType type = DataType::kUndefined;
  Extents in;  // of the tensor to resize or tile; rank 0 for a fill, which has no input
  Extents out;
  std::variant<FillPlan, TilePlan, ResizePlan, EmulatedPlan> work;

  bool has_input() const { return !std::holds_alternative<FillPlan>(work); }

  /// Null for a plan that moves elements or follows other rules.
  const ResizePlan* interpolation() const {
    const auto* resize = std::get_if<ResizePlan>(&work);
    return resize != nullptr && resize->compute != ComputeType::kNone ? resize : nullptr;
  }
};

// Errors: shape, limit, and type (strings that tf_crop_and_resize would extrapolate).
Result<Plan> make_fill_plan(const FillParams& params, const Limits& limits);
Result<Plan> make_tile_plan(const TileParams& params, const Limits& limits);
Result<Plan> make_resize_plan(const ResizeParams& params, const Limits& limits);

/// The box of the input that a box of the output needs; empty (n = 0) if it needs none.
/// The box must be inside the output.
Box input_region(const Plan& plan, const Box& output);

/// Errors: shape if the box is not inside a tensor of these extents.
Status check_box(const Extents& lo, const Extents& n, const Extents& extents, std::string_view what);
inline Status check_box(const Box& box, const Extents& extents, std::string_view what) {
  return check_box(box.lo, box.n, extents, what);
}

/// Errors: limit if a tensor exceeds the limits; shape if its size does not fit 63 bits.
Status check_size(DataType type, const Extents& extents, const Limits& limits);

/// Bytes of a dense copy, those of strings included.
/// Errors: shape, no_memory.
Result<int64_t> held_bytes(const TensorView& view);

/// A dense copy within the limits. It owns the bytes of strings, which are counted before they are copied.
/// Errors: as check_size, no_memory.
Result<Tensor> copy_within(const TensorView& view, const Limits& limits);

}  // namespace tesela
