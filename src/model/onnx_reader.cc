// SPDX-License-Identifier: Apache-2.0
// ModelProto: versions, the graph, functions, and errors for files of other kinds.
#include "model/onnx_reader.h"

#include "model/onnx_graph.h"
#include "model/pb_fields.h"

namespace tesela {
namespace {

Status read_opset(std::string_view message, OnnxReading& reading, std::map<std::string, int64_t>& opsets) {
  std::string domain;
  int64_t version = 0;
  PbFields in(message, reading.position);
  while (in.next()) {
    switch (in.key()) {
      case pb_bytes(1): domain = normal_domain(in.view()); break;
      case pb_varint(2): version = in.int64(); break;
      default: in.skip();
    }
  }
  TESELA_RETURN_IF_ERROR(reading.charge(sizeof(std::pair<std::string, int64_t>) + 4 * sizeof(void*)));
  if (!opsets.emplace(domain, version).second)
    return parse_error("domain {} is imported twice; expected one opset for each domain",
                       in_quotes(domain.empty() ? "ai.onnx" : domain));
  return {};
}

Status add_named(PbFields& in, OnnxReading& reading, std::vector<ValueDeclaration>& values) {
  TESELA_RETURN_IF_ERROR(reading.charge(sizeof(ValueDeclaration)));
  values.emplace_back().name = reading.names.take(in.view());
  return {};
}

Status read_function(std::string_view message, OnnxReading& reading, LocalFunction& function) {
  TESELA_RETURN_IF_ERROR(reading.charge(sizeof(LocalFunction)));
  TESELA_RETURN_IF_ERROR(count_nodes(message, 7, reading));
  Graph& body = function.body;
  PbFields in(message, reading.position);
  while (in.next()) {
    switch (in.key()) {
      case pb_bytes(1): function.name = in.view(); break;
      case pb_bytes(4): TESELA_RETURN_IF_ERROR(add_named(in, reading, body.inputs)); break;
      case pb_bytes(5): TESELA_RETURN_IF_ERROR(add_named(in, reading, body.outputs)); break;
      case pb_bytes(7): TESELA_RETURN_IF_ERROR(read_node(in.view(), 0, reading, body.nodes.emplace_back())); break;
      case pb_bytes(9): TESELA_RETURN_IF_ERROR(read_opset(in.view(), reading, function.opsets)); break;
      case pb_bytes(10): function.domain = normal_domain(in.view()); break;
      case pb_bytes(12):
        TESELA_RETURN_IF_ERROR(reading.charge(sizeof(ValueDeclaration)));
        TESELA_RETURN_IF_ERROR(read_declaration(in.view(), reading, body.values.emplace_back()));
        break;
      default: in.skip();
    }
  }
  body.name = function.name;
  return {};
}

/// Tells a truncated model from a file of another kind.
struct SeenFields {
  bool known = false;    // a field of ModelProto was found
  bool unknown = false;  // another field was found
  bool graph = false;
};

Status read_model_fields(std::string_view message, OnnxReading& reading, SeenFields& seen, Model& model) {
  std::string_view producer, version;
  PbFields in(message, reading.position);
  while (in.next()) {
    switch (in.key()) {
      case pb_varint(1): model.ir_version = in.int64(); break;
      case pb_bytes(2): producer = in.view(); break;
      case pb_bytes(3): version = in.view(); break;
      case pb_bytes(7):
        seen.known = seen.graph = true;
        TESELA_RETURN_IF_ERROR(read_graph(in.view(), 0, reading, model.graph));
        break;
      case pb_bytes(8): TESELA_RETURN_IF_ERROR(read_opset(in.view(), reading, model.opsets)); break;
      case pb_bytes(25):
        TESELA_RETURN_IF_ERROR(read_function(in.view(), reading, model.functions.emplace_back()));
        break;
      case pb_bytes(4):   // domain
      case pb_varint(5):  // model_version
      case pb_bytes(6):   // doc_string
      case pb_bytes(14):  // metadata_props
      case pb_bytes(20):  // training_info
      case pb_bytes(26):  // configuration
        in.skip();
        break;
      default:
        seen.unknown = true;
        in.skip();
        continue;
    }
    seen.known = true;
  }
  model.producer = producer;
  if (!version.empty()) model.producer += fmt::format("{}{}", producer.empty() ? "" : " ", version);
  return {};
}

Status not_a_model(const Status& status) {
  return status.with_prefix("not an ONNX model: ");
}

Result<Model> read_model(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                         const std::string& base_directory, const OnnxReadOptions& options) {
  if (bytes.empty()) return not_a_model(truncated_error("the file is empty"));
  ExternalFiles external(base_directory);
  OnnxReading reading{
      options.limits, {owner, true, &external, options.limits}, nullptr, {bytes.size(), options.limits}};
  Model model;
  model.storage = std::move(owner);
  model.folder = base_directory;
  model.bytes = {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  SeenFields seen;
  const Status status = parse_protobuf(bytes, reading.position, [&](std::string_view message) {
    return read_model_fields(message, reading, seen, model);
  });
  if (!status.ok()) {
    const bool is_model =
        status.code() == TESELA_ERROR_LIMIT || (status.code() == TESELA_ERROR_TRUNCATED ? seen.known : seen.graph);
    return is_model ? status : not_a_model(status);
  }
  if (!seen.graph)
    return seen.known && !seen.unknown ? truncated_error("the model ends before its graph")
                                       : not_a_model(parse_error("it has no graph"));
  model.mapped = external.mapped();
  model.locations.assign(external.locations().begin(), external.locations().end());
  // Files of the first two versions cannot have an import.
  if (model.opsets.empty() && model.ir_version < 3) model.opsets[""] = 1;
  if (options.assume_opset != 0) model.opsets[""] = options.assume_opset;
  return model;
}

}  // namespace

Result<Model> read_onnx(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                        const OnnxReadOptions& options) {
  return read_model(bytes, std::move(owner), options.base_directory, options);
}

}  // namespace tesela
