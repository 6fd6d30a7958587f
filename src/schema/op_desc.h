// SPDX-License-Identifier: Apache-2.0
// An operator: its row, its node's name, its attributes.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "schema/extent_rule.h"
#include "schema/modes.h"
#include "schema/schema.h"

namespace tesela {

struct OpDesc {
  const OpSchema* schema = nullptr;
  std::string node;  // for messages; may be empty
  std::vector<Attribute> attributes;
  ExtentRule extents = ExtentRule::kStandard;  // for Resize and Upsample; Interpolate always uses OpenVINO's

  const Attribute* find(std::string_view name) const;

  // The attribute's value, or the row's default. The description must have been validated.
  int64_t int_value(std::string_view name) const;
  float float_value(std::string_view name) const;
  std::string_view string_value(std::string_view name) const;
  /// The enumerator for a string's value. Errors: internal (the attribute's values are not those of the enumeration).
  template <class Enum>
  Result<Enum> choice(std::string_view name) const {
    const std::string_view text = string_value(name);
    if (const auto meaning = find_meaning<Enum>(text)) return *meaning;
    return internal_error("attribute {} is {}, which has no meaning", in_quotes(name), in_quotes(text));
  }
  /// Whether a string's value means this enumerator.
  template <class Enum>
  bool is(std::string_view name, Enum meaning) const {
    return find_meaning<Enum>(string_value(name)) == meaning;
  }
  /// Empty if the attribute is not given.
  std::optional<std::span<const int64_t>> ints_value(std::string_view name) const;
  std::optional<std::span<const float>> floats_value(std::string_view name) const;
  const Tensor* tensor_value(std::string_view name) const;

  /// "Resize-18 node 'up1': ", the prefix of every message about this operator.
  std::string where() const;
};

/// Checks attributes (names, kinds, allowed strings, duplicates, required ones) against the row. Returns all errors
/// found.
std::vector<Status> validate_attributes(const OpDesc& op);

/// Checks the number of inputs and each given input's type against the row. nullopt: an omitted input; kUndefined: an
/// unknown type.
std::vector<Status> validate_inputs(const OpDesc& op, std::span<const std::optional<DataType>> inputs);

}  // namespace tesela
