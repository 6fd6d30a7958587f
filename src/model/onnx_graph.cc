// SPDX-License-Identifier: Apache-2.0
// Reads graphs: nodes, values and initializers.
#include "model/onnx_graph.h"

#include "model/onnx_attribute.h"

namespace tesela {
namespace {

Status read_dim(std::string_view message, OnnxReading& reading, Dims& dims) {
  TESELA_RETURN_IF_ERROR(reading.charge(sizeof(Dim)));
  Dim dim;
  PbFields in(message, reading.position);
  while (in.next()) {
    // Number and symbol exclude each other; the last one counts. Some writers use -1 for unknown.
    switch (in.key()) {
      case pb_varint(1): dim = {std::max(in.int64(), int64_t{-1}), ""}; break;
      case pb_bytes(2): dim = {-1, reading.names.take(in.view())}; break;
      default: in.skip();
    }
  }
  dims.push_back(std::move(dim));
  return {};
}

Status read_shape(std::string_view message, OnnxReading& reading, TensorInfo& info) {
  if (!info.dims) info.dims.emplace();
  PbFields in(message, reading.position);
  while (in.next()) {
    if (in.key() == pb_bytes(1))
      TESELA_RETURN_IF_ERROR(read_dim(in.view(), reading, *info.dims));
    else
      in.skip();
  }
  return {};
}

Status read_tensor_type(std::string_view message, OnnxReading& reading, TensorInfo& info) {
  PbFields in(message, reading.position);
  while (in.next()) {
    switch (in.key()) {
      case pb_varint(1): {
        const auto type = static_cast<DataType>(in.int32());
        info.type = find_traits(type) ? type : DataType::kUndefined;
        break;
      }
      case pb_bytes(2): TESELA_RETURN_IF_ERROR(read_shape(in.view(), reading, info)); break;
      default: in.skip();
    }
  }
  return {};
}

Status read_type(std::string_view message, OnnxReading& reading, ValueDeclaration& value) {
  PbFields in(message, reading.position);
  while (in.next()) {
    switch (in.key()) {
      case pb_bytes(1):
        value.is_tensor = true;
        TESELA_RETURN_IF_ERROR(read_tensor_type(in.view(), reading, value.info));
        break;
      case pb_bytes(4):  // sequence
      case pb_bytes(5):  // map
      case pb_bytes(7):  // opaque
      case pb_bytes(8):  // sparse tensor
      case pb_bytes(9):  // optional
        value.is_tensor = false;
        value.info = {};
        in.skip();
        break;
      default: in.skip();
    }
  }
  return {};
}

Status read_initializer(std::string_view message, OnnxReading& reading, Graph& graph) {
  TensorFields fields;
  read_tensor_fields(message, reading.position, fields);
  constexpr size_t kFaultText = 128;
  TESELA_RETURN_IF_ERROR(reading.charge(sizeof(Initializer) + kFaultText + fields.name.size()));
  Initializer& initializer = graph.initializers.emplace_back();
  initializer.name = reading.names.take(fields.name);
  Result<Tensor> tensor = make_tensor(fields, reading.source);
  if (tensor.ok())
    initializer.value = std::move(*tensor);
  else
    initializer.fault = tensor.status().with_prefix(fmt::format("initializer {}: ", in_quotes(fields.name)));
  return {};
}

Status read_sparse_initializer(std::string_view message, OnnxReading& reading, Graph& graph) {
  TensorFields values;  // with its name
  PbFields in(message, reading.position);
  while (in.next()) {
    if (in.key() == pb_bytes(1))
      read_tensor_fields(in.view(), reading.position, values);
    else
      in.skip();
  }
  TESELA_RETURN_IF_ERROR(reading.charge(sizeof(Initializer)));
  Initializer& initializer = graph.initializers.emplace_back();
  initializer.name = reading.names.take(values.name);
  initializer.fault =
      unsupported_error("initializer {}: is a sparse tensor; expected a dense one", in_quotes(values.name));
  return {};
}

Status add_name(PbFields& in, OnnxReading& reading, std::vector<Name>& names) {
  const std::string_view name = in.view();
  TESELA_RETURN_IF_ERROR(reading.charge(sizeof(Name) + name.size()));
  names.push_back(reading.names.take(name));
  return {};
}

Status add_declaration(PbFields& in, OnnxReading& reading, std::vector<ValueDeclaration>& values) {
  TESELA_RETURN_IF_ERROR(reading.charge(sizeof(ValueDeclaration)));
  return read_declaration(in.view(), reading, values.emplace_back());
}

std::string node_text(const Node& node) {
  return fmt::format("node {} ({}): ", in_quotes(node.name), in_quotes(node.type));
}

}  // namespace

Status count_nodes(std::string_view message, uint32_t field, OnnxReading& reading) {
  PbFields in(message, reading.position);
  while (in.next()) {
    if (in.key() == pb_bytes(field)) ++reading.nodes;
    in.skip();
  }
  if (reading.nodes <= reading.limits.max_nodes) return {};
  return limit_error("the model has more than {} nodes", reading.limits.max_nodes);
}

Status read_declaration(std::string_view message, OnnxReading& reading, ValueDeclaration& value) {
  PbFields in(message, reading.position);
  while (in.next()) {
    switch (in.key()) {
      case pb_bytes(1): value.name = reading.names.take(in.view()); break;
      case pb_bytes(2): TESELA_RETURN_IF_ERROR(read_type(in.view(), reading, value)); break;
      default: in.skip();
    }
  }
  return {};
}

Status read_node(std::string_view message, int64_t depth, OnnxReading& reading, Node& node) {
  TESELA_RETURN_IF_ERROR(reading.charge(sizeof(Node)));
  node.message = message;
  std::vector<std::string_view> attributes;  // read after the node's name is known, for messages
  PbFields in(message, reading.position);
  while (in.next()) {
    switch (in.key()) {
      case pb_bytes(1): TESELA_RETURN_IF_ERROR(add_name(in, reading, node.inputs)); break;
      case pb_bytes(2): TESELA_RETURN_IF_ERROR(add_name(in, reading, node.outputs)); break;
      case pb_bytes(3): node.name = in.view(); break;
      case pb_bytes(4): node.type = in.view(); break;
      case pb_bytes(5): attributes.push_back(in.view()); break;
      case pb_bytes(7): node.domain = normal_domain(in.view()); break;
      default: in.skip();
    }
  }
  TESELA_RETURN_IF_ERROR(reading.charge(attributes.size() * sizeof(Attribute)));
  node.attributes.reserve(attributes.size());
  for (const std::string_view attribute : attributes) {
    const Status read = read_attribute(attribute, depth, reading, node);
    // With nested subgraphs, the message names the innermost node.
    if (!read.ok()) return read.message().starts_with("node ") ? read : read.with_prefix(node_text(node));
  }
  return {};
}

Status read_graph(std::string_view message, int64_t depth, OnnxReading& reading, Graph& graph) {
  TESELA_RETURN_IF_ERROR(count_nodes(message, 1, reading));
  PbFields in(message, reading.position);
  while (in.next()) {
    switch (in.key()) {
      case pb_bytes(1): TESELA_RETURN_IF_ERROR(read_node(in.view(), depth, reading, graph.nodes.emplace_back())); break;
      case pb_bytes(2): graph.name = in.view(); break;
      case pb_bytes(5): TESELA_RETURN_IF_ERROR(read_initializer(in.view(), reading, graph)); break;
      case pb_bytes(11): TESELA_RETURN_IF_ERROR(add_declaration(in, reading, graph.inputs)); break;
      case pb_bytes(12): TESELA_RETURN_IF_ERROR(add_declaration(in, reading, graph.outputs)); break;
      case pb_bytes(13): TESELA_RETURN_IF_ERROR(add_declaration(in, reading, graph.values)); break;
      case pb_bytes(15): TESELA_RETURN_IF_ERROR(read_sparse_initializer(in.view(), reading, graph)); break;
      default: in.skip();
    }
  }
  return {};
}

}  // namespace tesela
