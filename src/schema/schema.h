// SPDX-License-Identifier: Apache-2.0
// Operator definitions: one row for each (domain, operator, since_version).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "schema/attribute.h"
#include "schema/type_sets.h"

namespace tesela {

enum class Operator : uint8_t { kTile, kConstantOfShape, kResize, kUpsample, kInterpolate };

enum class Presence : uint8_t { kRequired, kOptional };

struct Port {
  std::string_view name;
  std::string_view type_name;  // of the constraint: "T1"; ports that share it have one type, but see validate_inputs
  TypeSet types;
  Presence presence = Presence::kRequired;
  bool may_be_empty = false;  // a required input for which an empty float tensor means absent
};

/// A string value that a later version removed. Files still contain it, so it keeps the meaning of its last version;
/// `check` reports it as an error.
struct WithdrawnValue {
  std::string_view value;
  int64_t last_version;  // since_version of the last row with it
};

/// An attribute of a row. `kind` says which default applies, `has_default` whether there is one.
struct AttributeSpec {
  std::string_view name;
  AttributeKind kind;
  bool required = false;
  bool has_default = false;
  int64_t default_int = 0;
  float default_float = 0;
  std::string_view default_string = {};
  std::vector<std::string_view> allowed = {};  // strings; empty: any
  std::vector<WithdrawnValue> withdrawn = {};  // also accepted
};

struct OpSchema {
  std::string_view domain;  // "": ONNX's, "openvino": OpenVINO's
  std::string_view type;
  int64_t since_version;
  Operator op;
  std::vector<Port> inputs;
  std::vector<Port> outputs;
  std::vector<AttributeSpec> attributes;
  std::string_view deprecated = {};  // what to use instead; empty: not deprecated
};

/// All rows, by domain, operator and then version.
std::span<const OpSchema> all_schemas();

/// The newest opsets of ONNX and OpenVINO that the rows are verified for.
inline constexpr int64_t kNewestOpset = 28;
inline constexpr int64_t kNewestOpenvinoOpset = 17;

inline constexpr std::string_view kOpenvinoDomain = "openvino";

/// Whether a row exists for this operator in this domain ("" and "ai.onnx" are the same).
bool is_known_operator(std::string_view domain, std::string_view type);

/// The row with the greatest since_version not above `opset` (0: the newest).
/// Errors: unsupported (an unknown operator, an opset below its first version or above the newest known, or a
/// deprecated row).
Result<const OpSchema*> find_schema(std::string_view domain, std::string_view type, int64_t opset);

// Null if the row has no such attribute.
const AttributeSpec* find_attribute(const OpSchema& schema, std::string_view name);
const WithdrawnValue* find_withdrawn(const AttributeSpec& spec, std::string_view value);

/// ONNX's domain under its two names.
inline bool is_onnx_domain(std::string_view domain) {
  return domain.empty() || domain == "ai.onnx";
}
/// Whether a row is a version of an operator.
inline bool is_of(const OpSchema& row, std::string_view domain, std::string_view type) {
  return row.type == type && row.domain == (is_onnx_domain(domain) ? std::string_view() : domain);
}

}  // namespace tesela
