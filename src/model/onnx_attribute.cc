// SPDX-License-Identifier: Apache-2.0
// Reads attributes of nodes, including graphs.
#include "model/onnx_attribute.h"

#include <optional>

namespace tesela {
namespace {

/// An AttributeProto, unchecked.
struct AttributeFields {
  std::string_view name;
  std::string_view reference;  // to an attribute of the enclosing function
  int32_t type = 0;
  std::optional<float> float32;
  std::optional<int64_t> int64;
  std::optional<std::string_view> string;
  std::optional<TensorFields> tensor;
  std::unique_ptr<Graph> graph;
  std::vector<float> floats;
  std::vector<int64_t> ints;
  std::vector<std::string_view> strings;
  std::vector<std::unique_ptr<Graph>> graphs;
  uint32_t present = 0;  // bit k: a field of AttributeKind k is present
};

void mark(AttributeFields& fields, AttributeKind kind) {
  fields.present |= 1u << static_cast<int>(kind);
}

Status read_subgraph(std::string_view message, int64_t depth, OnnxReading& reading, Graph& graph) {
  // Reading and destroying graphs is recursive; this protects the stack from any limit of the caller.
  constexpr int64_t kMaxNesting = 256;
  const int64_t limit = std::min(reading.limits.max_nesting, kMaxNesting);
  if (depth + 1 > limit) return limit_error("subgraphs are nested more than {} deep", limit);
  return read_graph(message, depth + 1, reading, graph);
}

AttributeKind kind_of_other(uint32_t key) {
  switch (key) {
    case pb_bytes(10): return AttributeKind::kTensors;
    case pb_bytes(14): return AttributeKind::kTypeProto;
    case pb_bytes(15): return AttributeKind::kTypeProtos;
    case pb_bytes(22): return AttributeKind::kSparseTensor;
    case pb_bytes(23): return AttributeKind::kSparseTensors;
    default: return AttributeKind::kUndefined;
  }
}

Status read_graph_field(PbFields& in, bool repeated, int64_t depth, OnnxReading& reading, AttributeFields& fields) {
  std::unique_ptr<Graph>& graph = repeated ? fields.graphs.emplace_back() : fields.graph;
  mark(fields, repeated ? AttributeKind::kGraphs : AttributeKind::kGraph);
  if (!graph) graph = std::make_unique<Graph>();
  TESELA_RETURN_IF_ERROR(reading.charge(sizeof(Graph)));
  return read_subgraph(in.view(), depth, reading, *graph);
}

// Numbers and strings; false for other fields.
bool read_plain_field(PbFields& in, AttributeFields& fields) {
  switch (in.key()) {
    case pb_bytes(1): fields.name = in.view(); return true;
    case pb_bytes(21): fields.reference = in.view(); return true;
    case pb_varint(20): fields.type = in.int32(); return true;
    case pb_fixed32(2):
      fields.float32 = in.float32();
      mark(fields, AttributeKind::kFloat);
      return true;
    case pb_varint(3):
      fields.int64 = in.int64();
      mark(fields, AttributeKind::kInt);
      return true;
    case pb_bytes(4):
      fields.string = in.view();
      mark(fields, AttributeKind::kString);
      return true;
    case pb_fixed32(7):
    case pb_bytes(7):
      in.append_floats(fields.floats);
      mark(fields, AttributeKind::kFloats);
      return true;
    case pb_varint(8):
    case pb_bytes(8):
      in.append_varints(fields.ints);
      mark(fields, AttributeKind::kInts);
      return true;
    case pb_bytes(9):
      fields.strings.push_back(in.view());
      mark(fields, AttributeKind::kStrings);
      return true;
    default: return false;
  }
}

Status read_fields(std::string_view message, int64_t depth, OnnxReading& reading, AttributeFields& fields) {
  PbFields in(message, reading.position);
  while (in.next()) {
    if (read_plain_field(in, fields)) continue;
    switch (in.key()) {
      case pb_bytes(5):
        if (!fields.tensor) fields.tensor.emplace();
        read_tensor_fields(in.view(), reading.position, *fields.tensor);
        mark(fields, AttributeKind::kTensor);
        break;
      case pb_bytes(6): TESELA_RETURN_IF_ERROR(read_graph_field(in, false, depth, reading, fields)); break;
      case pb_bytes(11): TESELA_RETURN_IF_ERROR(read_graph_field(in, true, depth, reading, fields)); break;
      default:
        if (const auto kind = kind_of_other(in.key()); kind != AttributeKind::kUndefined) mark(fields, kind);
        in.skip();
    }
  }
  return {};
}

// The declared kind, or in files older than the declaration the kind of the only value. A declared value that is absent
// is zero or empty (writers may omit it); a value of another kind is an error.
Result<AttributeKind> find_kind(const AttributeFields& fields) {
  constexpr int32_t kLast = static_cast<int32_t>(AttributeKind::kTypeProtos);
  if (fields.type >= 1 && fields.type <= kLast) {
    const auto declared = static_cast<AttributeKind>(fields.type);
    if (fields.present == 0 || (fields.present >> fields.type & 1u) != 0) return declared;
    return parse_error("attribute {} says {} but carries another kind of value", in_quotes(fields.name),
                       name(declared));
  }
  if (fields.present == 0) return AttributeKind::kUndefined;
  if ((fields.present & (fields.present - 1)) != 0)
    return parse_error("attribute {} has no type and more than one value", in_quotes(fields.name));
  return static_cast<AttributeKind>(__builtin_ctz(fields.present));
}

Status set_tensor(const AttributeFields& fields, const OnnxReading& reading, Attribute& attribute) {
  if (!fields.tensor) return attribute_error("has no tensor");
  TESELA_ASSIGN_OR_RETURN(attribute.value, make_tensor(*fields.tensor, reading.source));
  return {};
}

Status set_value(AttributeFields& fields, const OnnxReading& reading, Attribute& attribute) {
  switch (attribute.kind) {
    case AttributeKind::kFloat: attribute.value = fields.float32.value_or(0.0f); return {};
    case AttributeKind::kInt: attribute.value = fields.int64.value_or(0); return {};
    case AttributeKind::kString: attribute.value = std::string(fields.string.value_or("")); return {};
    case AttributeKind::kFloats: attribute.value = std::move(fields.floats); return {};
    case AttributeKind::kInts: attribute.value = std::move(fields.ints); return {};
    case AttributeKind::kStrings:
      attribute.value = std::vector<std::string>(fields.strings.begin(), fields.strings.end());
      return {};
    case AttributeKind::kTensor: return set_tensor(fields, reading, attribute);
    default: return {};
  }
}

}  // namespace

Status read_attribute(std::string_view message, int64_t depth, OnnxReading& reading, Node& node) {
  AttributeFields fields;
  TESELA_RETURN_IF_ERROR(read_fields(message, depth, reading, fields));
  if (fields.name.empty()) return parse_error("an attribute has no name");
  TESELA_ASSIGN_OR_RETURN(const AttributeKind kind, find_kind(fields));
  TESELA_RETURN_IF_ERROR(reading.charge(fields.strings.size() * sizeof(std::string)));
  Attribute attribute{std::string(fields.name), kind, {}};
  if (fields.reference.empty()) {
    const Status set = set_value(fields, reading, attribute);
    if (node.fault.ok()) node.fault = set.with_prefix(fmt::format("attribute {}: ", in_quotes(fields.name)));
  }
  node.attributes.push_back(std::move(attribute));
  if (fields.graph) node.subgraphs.push_back({std::string(fields.name), std::move(fields.graph)});
  for (auto& graph : fields.graphs) node.subgraphs.push_back({std::string(fields.name), std::move(graph)});
  return {};
}

}  // namespace tesela
