// SPDX-License-Identifier: Apache-2.0
// A node that the standard may forbid, as conditions of rows about it see it: nothing about it is valid but its operator.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "schema/infer.h"
#include "schema/op_desc.h"

namespace tesela::peers {

struct FaultyNode {
  const OpDesc& op;
  std::span<const TensorInfo* const> inputs;  // null for an omitted one

  bool is(Operator kind) const { return op.schema->op == kind; }
  /// Resize or Upsample of ONNX.
  bool resamples() const { return is(Operator::kResize) || is(Operator::kUpsample); }
  int64_t version() const { return op.schema->since_version; }
  /// Of a string that is given; "" of other attributes.
  std::string_view text(std::string_view name) const;
  /// Of an integer that is given; 0 of other attributes.
  int64_t integer(std::string_view name) const;
  /// Whether an attribute has a name that the version does not know.
  bool has_unknown_attribute() const;
  /// Null if it is omitted or the version does not have it.
  const TensorInfo* input(std::string_view name) const;
  /// An input that is given and has elements.
  bool has_input(std::string_view name) const;
  /// The values of a constant input of floats, or of integers; empty if they are unknown.
  std::vector<double> floats(std::string_view name) const;
  std::vector<int64_t> integers(std::string_view name) const;
};

// What is wrong with a node, where more than one runtime takes it.
bool has_mode_of_later_version(const FaultyNode& node, std::string_view attribute, std::string_view value,
                               int64_t version);
bool is_cubic_without_version(const FaultyNode& node);  // Resize-10 and Upsample have none
/// Sizes or scales that are constants of 2 axes or more.
bool has_nested_list(const FaultyNode& node);
bool has_nonfinite_roi(const FaultyNode& node);

// What OpenVINO takes.
bool has_bad_scales(const FaultyNode& node);
bool has_negative_sizes(const FaultyNode& node);
bool grows_empty_axis(const FaultyNode& node);
/// Sizes and scales, more entries than axes, or an axis that is listed twice.
bool has_bad_counts(const FaultyNode& node);
bool has_policy_for_scales(const FaultyNode& node);
bool has_unknown_nearest_mode(const FaultyNode& node);
bool has_antialias_of_nearest(const FaultyNode& node);
bool has_int32_sizes(const FaultyNode& node);
/// Repeats of another type than int64, another number or below 0; or an input too many.
bool has_bad_repeats(const FaultyNode& node);
/// A negative extent, or a value without elements.
bool has_bad_fill(const FaultyNode& node);

}  // namespace tesela::peers
