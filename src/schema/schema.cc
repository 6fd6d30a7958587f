// Finding the row of an operator for an opset.
#include "schema/schema.h"

#include <algorithm>

#include "schema/onnx.h"

namespace tesela {

std::span<const OpSchema> all_schemas() {
  static const std::vector<OpSchema> rows = onnx_schemas();
  return rows;
}

bool is_known_operator(std::string_view domain, std::string_view type) {
  if (!is_onnx_domain(domain)) return false;
  const auto rows = all_schemas();
  return std::any_of(rows.begin(), rows.end(), [&](const OpSchema& row) { return row.type == type; });
}

Result<const OpSchema*> find_schema(std::string_view domain, std::string_view type, int64_t opset) {
  if (!is_known_operator(domain, type))
    return unsupported_error(
        "operator {} of domain {} is not one of Tesela's: Resize, Upsample, Tile and ConstantOfShape of ONNX",
        quoted(type), quoted(domain));
  if (opset < 0 || opset > kNewestOpset)
    return unsupported_error("{}: opset {} is not known; the newest known one is {}", type, opset, kNewestOpset);
  if (opset == 0) opset = kNewestOpset;

  const OpSchema* best = nullptr;
  int64_t oldest = kNewestOpset;
  for (const OpSchema& row : all_schemas()) {
    if (row.type != type) continue;
    oldest = std::min(oldest, row.since_version);
    if (row.since_version <= opset) best = &row;  // rows stand in ascending order
  }
  if (best == nullptr)
    return unsupported_error("{}: opset {} is older than the operator, which came with opset {}", type, opset, oldest);
  if (!best->deprecated.empty())
    return unsupported_error("{}: deprecated since opset {}, and the model imports opset {}; use {} instead", type,
                             best->since_version, opset, best->deprecated);
  return best;
}

const AttributeSpec* find_attribute(const OpSchema& schema, std::string_view name) {
  for (const AttributeSpec& spec : schema.attributes)
    if (spec.name == name) return &spec;
  return nullptr;
}

}  // namespace tesela
