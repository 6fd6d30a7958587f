// SPDX-License-Identifier: Apache-2.0
// Finds the row of an operator for an opset.
#include "schema/schema.h"

#include <algorithm>

#include "schema/onnx.h"
#include "schema/openvino.h"

namespace tesela {

std::span<const OpSchema> all_schemas() {
  static const std::vector<OpSchema> rows = [] {
    std::vector<OpSchema> both = onnx_schemas();
    for (OpSchema& row : openvino_schemas()) both.push_back(std::move(row));
    return both;
  }();
  return rows;
}

// Made when the library is loaded: after a fork during another thread's first use they would be half made.
[[maybe_unused]] static const std::span<const OpSchema> made_early = all_schemas();

bool is_known_operator(std::string_view domain, std::string_view type) {
  const auto rows = all_schemas();
  return std::any_of(rows.begin(), rows.end(), [&](const OpSchema& row) { return is_of(row, domain, type); });
}

Result<const OpSchema*> find_schema(std::string_view domain, std::string_view type, int64_t opset) {
  const int64_t newest = domain == kOpenvinoDomain ? kNewestOpenvinoOpset : kNewestOpset;
  const OpSchema* best = nullptr;
  const OpSchema* oldest = nullptr;
  for (const OpSchema& row : all_schemas()) {
    if (!is_of(row, domain, type)) continue;
    if (oldest == nullptr) oldest = &row;  // rows are in ascending order
    if (opset == 0 || row.since_version <= opset) best = &row;
  }
  if (oldest == nullptr)
    return unsupported_error(
        "operator {} of domain {} is not supported; expected Resize, Upsample, Tile or ConstantOfShape of ONNX, or "
        "Tile or "
        "Interpolate of 'openvino'",
        in_quotes(type), in_quotes(domain));
  if (opset < 0 || opset > newest)
    return unsupported_error("{}: opset {} is not supported; the newest is {}", type, opset, newest);
  if (best == nullptr)
    return unsupported_error("{}: opset {} is older than the operator, which came with opset {}", type, opset,
                             oldest->since_version);
  if (!best->deprecated.empty())
    return unsupported_error("{}: deprecated since opset {}, and the model imports opset {}; use {} instead", type,
                             best->since_version, opset == 0 ? newest : opset, best->deprecated);
  return best;
}

const AttributeSpec* find_attribute(const OpSchema& schema, std::string_view name) {
  for (const AttributeSpec& spec : schema.attributes)
    if (spec.name == name) return &spec;
  return nullptr;
}

const WithdrawnValue* find_withdrawn(const AttributeSpec& spec, std::string_view value) {
  for (const WithdrawnValue& withdrawn : spec.withdrawn)
    if (withdrawn.value == value) return &withdrawn;
  return nullptr;
}

}  // namespace tesela
