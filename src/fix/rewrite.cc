// SPDX-License-Identifier: Apache-2.0
// Writes NodeProto, AttributeProto and TensorProto.
#include "fix/rewrite.h"

#include <algorithm>
#include <bit>

#include "fix/wire.h"
#include "model/pb_fields.h"

namespace tesela::fix {
namespace {

static_assert(std::endian::native == std::endian::little, "raw_data is little-endian");

// The fields as they are in the file.
std::string_view text_between(const char* begin, const char* end) {
  return {begin, static_cast<size_t>(end - begin)};
}

/// Calls `visit` with each field's key, value if it has a length, and all bytes.
void for_each_field(std::string_view message,
                    const std::function<void(uint32_t key, std::string_view value, std::string_view field)>& visit) {
  PbPosition position = nullptr;
  PbFields in(message, position);
  struct Field {
    uint32_t key;
    std::string_view value;
    const char* begin;
  };
  std::optional<Field> last;
  const auto finish = [&](const char* end) {
    if (last) visit(last->key, last->value, text_between(last->begin, end));
  };
  while (in.next()) {
    finish(position);
    last = Field{in.key(), {}, position};
    if ((in.key() & 7u) == static_cast<uint32_t>(protozero::pbf_wire_type::length_delimited))
      last->value = in.view();
    else
      in.skip();
  }
  finish(message.data() + message.size());
}

std::string attribute_message(const Attribute& attribute) {
  std::string message;
  add_bytes(message, 1, attribute.name);
  if (const auto* number = std::get_if<float>(&attribute.value)) add_float(message, 2, *number);
  if (const auto* number = std::get_if<int64_t>(&attribute.value)) add_varint(message, 3, *number);
  if (const auto* text = std::get_if<std::string>(&attribute.value)) add_bytes(message, 4, *text);
  if (const auto* list = std::get_if<std::vector<float>>(&attribute.value))
    for (const float number : *list) add_float(message, 7, number);
  add_varint(message, 20, static_cast<int64_t>(attribute.kind));
  return message;
}

std::string constant_node(const Tensor& value, std::string_view name) {
  std::string tensor;
  for (const int64_t extent : value.extents()) add_varint(tensor, 1, extent);
  add_varint(tensor, 2, static_cast<int64_t>(value.type()));
  add_bytes(tensor, 9, {reinterpret_cast<const char*>(value.data()), static_cast<size_t>(value.bytes())});
  std::string attribute;
  add_bytes(attribute, 1, "value");
  add_bytes(attribute, 5, tensor);
  add_varint(attribute, 20, static_cast<int64_t>(AttributeKind::kTensor));
  std::string node;
  add_bytes(node, 2, name);
  add_bytes(node, 3, name);
  add_bytes(node, 4, "Constant");
  add_bytes(node, 5, attribute);
  return node;
}

std::string name_of(std::string_view attribute) {
  std::string name;
  for_each_field(attribute, [&](uint32_t key, std::string_view value, std::string_view) {
    if (key == pb_bytes(1)) name = value;
  });
  return name;
}

/// Writes the fields of a node in their order, with those that change in their places.
class NodeWriter {
 public:
  NodeWriter(const Node& node, const Call& before, const Call& after, const std::vector<std::string>& inputs)
      : node_(node), before_(before), after_(after), inputs_(inputs) {}

  std::string message() {
    if (node_.inputs.empty()) add_inputs(0);
    for_each_field(node_.message,
                   [this](uint32_t key, std::string_view value, std::string_view field) { add(key, value, field); });
    for (const Attribute& attribute : after_.op.attributes)
      if (before_.op.find(attribute.name) == nullptr) add_bytes(message_, 5, attribute_message(attribute));
    return std::move(message_);
  }

 private:
  void add(uint32_t key, std::string_view value, std::string_view field) {
    switch (key) {
      case pb_bytes(1): return add_input();
      case pb_bytes(4):
        if (!std::exchange(has_type_, true)) add_bytes(message_, 4, after_.op.schema->type);
        return;
      case pb_bytes(5): return add_attribute(value, field);
      default: message_ += field;
    }
  }

  void add_input() {
    if (read_ < inputs_.size()) add_bytes(message_, 1, inputs_[read_]);
    if (++read_ == node_.inputs.size()) add_inputs(read_);
  }

  void add_inputs(size_t from) {
    for (size_t k = from; k < inputs_.size(); ++k) add_bytes(message_, 1, inputs_[k]);
  }

  void add_attribute(std::string_view value, std::string_view field) {
    const std::string name = name_of(value);
    const Attribute* attribute = after_.op.find(name);
    if (attribute == nullptr) return;
    if (find_same(before_.op, *attribute) != nullptr)
      message_ += field;
    else
      add_bytes(message_, 5, attribute_message(*attribute));
  }

  const Node& node_;
  const Call& before_;
  const Call& after_;
  const std::vector<std::string>& inputs_;
  std::string message_;
  size_t read_ = 0;  // inputs of the old node so far
  bool has_type_ = false;
};

}  // namespace

std::string changed_node(const Node& node, const Call& before, const Call& after, uint32_t field,
                         const std::function<std::string(std::string_view purpose)>& new_name) {
  std::string fields;
  std::vector<std::string> inputs;
  for (size_t k = 0; k < after.inputs.size(); ++k) {
    const CallInput& input = after.inputs[k];
    std::string& name = inputs.emplace_back();
    if (input.old) name = node.inputs[*input.old].text();
    if (!input.constant) continue;
    name = new_name(after.op.schema->inputs[k].name);
    add_bytes(fields, field, constant_node(*input.constant, name));
  }
  add_bytes(fields, field, NodeWriter(node, before, after, inputs).message());
  return fields;
}

std::string with_version(std::string_view import, int64_t version) {
  std::string message;
  for_each_field(import, [&](uint32_t key, std::string_view, std::string_view field) {
    if (key != pb_varint(2)) message += field;
  });
  add_varint(message, 2, version);
  return message;
}

}  // namespace tesela::fix
