// SPDX-License-Identifier: Apache-2.0
// A node as the conditions of the catalogue see it: its settings, and what is known about its tensors.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "plan/plan.h"
#include "schema/infer.h"
#include "schema/resize_request.h"
#include "types/limits.h"

namespace tesela::peers {

/// One axis that a Resize or Upsample lists. Extents are -1 where they are unknown.
struct AxisView {
  size_t axis = 0;
  bool is_negative = false;  // listed as a negative number
  int64_t in = -1;
  int64_t out = -1;
  int64_t size = -1;            // given; of a policy not the extent
  std::optional<float> scale;   // given, or the rounded out / in or scale of the policy
  bool may_be_resized = false;  // it is, or extents or scales are unknown

  bool changes() const { return in >= 0 && out >= 0 && in != out; }
  /// Whether the scale is given and not 1, or the extent changes.
  bool is_resized() const { return changes() || (scale && *scale != 1); }
};

/// What is known about the elements of X. largest: the greatest magnitude of the finite ones.
struct DataValues {
  bool has_nan = false;
  bool has_infinity = false;
  double largest = 0;
  bool is_finite() const { return !has_nan && !has_infinity; }
};

/// How many taps of plans may be compared for a whole model, so that files made to be slow end: less than a second of them.
struct Effort {
  int64_t left = int64_t{1} << 23;
  bool spend(int64_t taps) { return (left -= taps) >= 0; }
};

class NodeView {
 public:
  /// A node whose attributes and known inputs are valid. inputs: null for an omitted one. All must outlive the view.
  NodeView(const OpDesc& op, std::span<const TensorInfo* const> inputs, const Limits& limits, Effort& effort);

  const OpDesc& op() const { return op_; }
  bool is(Operator kind) const { return op_.schema->op == kind; }
  /// Resize or Upsample of ONNX.
  bool resamples() const { return is(Operator::kResize) || is(Operator::kUpsample); }
  int64_t version() const { return op_.schema->since_version; }

  /// Of the output; kUndefined if unknown.
  DataType type() const { return type_; }
  std::optional<size_t> rank() const { return rank_; }
  /// Null if it is omitted or the version does not have it.
  const TensorInfo* input(std::string_view name) const;
  /// An input that is given and has elements, or may have.
  bool has_input(std::string_view name) const;

  /// Of X, if it is a constant of floats, not too long for the effort; else empty.
  std::optional<DataValues> data_values() const;

  // Of a Resize or Upsample.
  const SamplingParams& sampling() const { return sampling_; }
  bool is_nearest() const { return sampling_.filter == Filter::kNearest; }
  bool is_cubic() const { return sampling_.filter == Filter::kCubic; }
  /// Version 11 introduced coordinate modes.
  bool has_modes() const { return is(Operator::kResize) && version() >= 11; }
  bool crops() const { return sampling_.coordinates == CoordinateMode::kTfCropAndResize; }
  AspectPolicy policy() const { return policy_; }
  bool by_scales() const { return given_ == ResizeRequest::Given::kScales; }
  bool by_sizes() const { return given_ == ResizeRequest::Given::kSizes; }
  /// Those listed; empty if they are unknown.
  const std::vector<AxisView>& axes() const { return axes_; }
  /// Whether an axis is resized, or may be.
  bool may_resize() const;
  /// For each axis of X the scale; 1 where it is unknown or the axis is not listed.
  std::vector<float> scales() const;

  /// What Tesela computes; null if extents or small inputs are unknown.
  const Plan* plan() const { return plan_ ? &*plan_ : nullptr; }
  /// The plan of the same call with changes; empty if it has none, or if no effort is left.
  std::optional<Plan> plan_with(const PlanFields& fields, DataType type) const;
  std::optional<Plan> plan_of(const OpDesc& changed) const;
  /// Of a Resize-11 or later with scales: with the extents that they give as sizes.
  std::optional<Plan> plan_by_sizes() const;
  /// The passes of the plan, for conditions that look at each output; empty if there is none, or no effort is left.
  std::span<const Pass> passes_to_compare() const;

 private:
  void read_axes();
  void read_policy_scale(const ResizeRequest& request);

  const OpDesc& op_;
  std::span<const TensorInfo* const> inputs_;
  const Limits& limits_;
  Effort& effort_;
  DataType type_ = DataType::kUndefined;
  std::optional<size_t> rank_;
  SamplingParams sampling_;
  AspectPolicy policy_ = AspectPolicy::kStretch;
  ResizeRequest::Given given_ = ResizeRequest::Given::kUnknown;
  std::vector<AxisView> axes_;
  std::optional<Plan> plan_;
};

}  // namespace tesela::peers
