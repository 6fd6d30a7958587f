// What an operator means on paper: one row for each (domain, operator, since_version).
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
  std::string_view type_name;  // of the constraint: "T1"; ports of one name have one type, but see validate
  TypeSet types;
  Presence presence = Presence::kRequired;
  bool may_be_empty = false;  // a required one, given as an empty tensor of floats where it is to be absent
};

/// A string that an operator had and has no longer. Files still have it, so it is computed as its last version did;
/// for `check` it is a fault.
struct WithdrawnValue {
  std::string_view value;
  int64_t last_version;  // since_version of the last row that had it
};

/// An attribute that a row knows. At most one of the defaults counts, by `kind`; `has_default` says whether any does.
struct AttributeSpec {
  std::string_view name;
  AttributeKind kind;
  bool required = false;
  bool has_default = false;
  int64_t default_int = 0;
  float default_float = 0;
  std::string_view default_string = {};
  std::vector<std::string_view> allowed = {};  // strings; empty: any
  std::vector<WithdrawnValue> withdrawn = {};  // accepted beside those
};

struct OpSchema {
  std::string_view domain;  // "" is ONNX's, "openvino" OpenVINO's
  std::string_view type;
  int64_t since_version;
  Operator op;
  std::vector<Port> inputs;
  std::vector<Port> outputs;
  std::vector<AttributeSpec> attributes;
  std::string_view deprecated = {};  // what to use instead; empty: in use
};

/// All rows, by domain, operator and then version.
std::span<const OpSchema> all_schemas();

/// The newest opset of ONNX's domain that the rows are known to be right for, and the same of OpenVINO's.
inline constexpr int64_t kNewestOpset = 28;
inline constexpr int64_t kNewestOpenvinoOpset = 17;

inline constexpr std::string_view kOpenvinoDomain = "openvino";

/// True for the operators of the rows in their domain (of ONNX's, "" and "ai.onnx" are the same).
bool is_known_operator(std::string_view domain, std::string_view type);

/// The row with the greatest since_version that is not above `opset` (0: the newest).
/// Errors: unsupported if there is no such operator, the opset is below its first version or above the newest known,
/// or the row is deprecated.
Result<const OpSchema*> find_schema(std::string_view domain, std::string_view type, int64_t opset);

// Null where there is none.
const AttributeSpec* find_attribute(const OpSchema& schema, std::string_view name);
const WithdrawnValue* find_withdrawn(const AttributeSpec& spec, std::string_view value);

/// ONNX's domain under its two names.
inline bool is_onnx_domain(std::string_view domain) {
  return domain.empty() || domain == "ai.onnx";
}

}  // namespace tesela
