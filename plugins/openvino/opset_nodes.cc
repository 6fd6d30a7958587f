// SPDX-License-Identifier: Apache-2.0
// Converts OpenVINO's own Tile and Interpolate to Tesela's nodes, in models in memory and while an IR is read.
#include "opset_nodes.h"

#include <algorithm>
#include <numeric>
#include <openvino/op/broadcast.hpp>
#include <openvino/op/interpolate.hpp>
#include <openvino/op/tile.hpp>

#include "tensors.h"

namespace tesela::openvino {
namespace {

struct Version {
  ov::DiscreteTypeInfo type;
  int64_t opset;
  std::shared_ptr<ov::Node> (*make)();
  std::vector<std::string> attributes;
};

template <class Node>
Version version_of(int64_t opset) {
  const ov::DiscreteTypeInfo& type = Node::get_type_info_static();
  return {type, opset, [] { return std::shared_ptr<ov::Node>(std::make_shared<Node>()); },
          Op(type.name, opset, {.domain = kOpenvino}).attributes()};
}

const std::vector<Version>& versions() {
  static const std::vector<Version> all = {
      version_of<ov::op::v0::Tile>(1),
      version_of<ov::op::v0::Interpolate>(1),
      version_of<ov::op::v4::Interpolate>(4),
      version_of<ov::op::v11::Interpolate>(11),
  };
  return all;
}

const Version* find_version(const ov::DiscreteTypeInfo& type) {
  for (const Version& version : versions())
    if (version.type == type) return &version;
  return nullptr;
}

// OpenVINO's nodes use this coefficient and ignore `cube_coeff`. Its PyTorch frontend relies on this and leaves the
// attribute at its default of -0.75.
constexpr const char* kPillowCoefficient = "-0.5";

void set_pillow_coefficient(Attributes& attributes) {
  if (std::ranges::find(attributes, Attributes::value_type{"mode", "bicubic_pillow"}) == attributes.end()) return;
  std::erase_if(attributes, [](const auto& attribute) { return attribute.first == "cube_coeff"; });
  attributes.emplace_back("cube_coeff", kPillowCoefficient);
}

std::shared_ptr<Operator> make_operator(const Version& version, const ov::OutputVector& inputs, Attributes attributes,
                                        const std::string& name = "") {
  set_pillow_coefficient(attributes);
  OperatorDescription description{kOpenvino, version.type.name, version.opset, {}, std::move(attributes)};
  description.ports.resize(inputs.size());
  std::iota(description.ports.begin(), description.ports.end(), 0);
  return make_node(inputs, std::move(description), name);
}

// Replaces the Broadcast that OpenVINO makes of ONNX's ConstantOfShape, if the CPU plugin would change the value.
std::shared_ptr<Operator> make_fill(const ov::op::v3::Broadcast& node) {
  const auto value = ov::as_type_ptr<ov::op::v0::Constant>(node.get_input_node_shared_ptr(0));
  const bool fills = value != nullptr && ov::shape_size(value->get_shape()) == 1 && node.get_input_size() == 2 &&
                     node.get_input_element_type(1) == ov::element::i64 &&
                     node.get_broadcast_spec().m_type == ov::op::BroadcastType::NUMPY;
  if (!fills || !is_supported(value->get_element_type()) || is_kept_by_cpu_plugin(*value)) return nullptr;
  constexpr const char* kType = "ConstantOfShape";
  return make_node({node.input_value(1), node.input_value(0)}, {kOnnx, kType, operator_version(kType, 1), {0, 0}, {}},
                   node.get_friendly_name());
}

// Reads a node's attributes as text and leaves out empty lists.
class AttributeReader : public ov::AttributeVisitor {
 public:
  Attributes attributes;

  void on_adapter(const std::string& name, ov::ValueAccessor<void>&) override {
    throw Error(TESELA_ERROR_UNSUPPORTED, "attribute '" + name + "' has an unsupported kind");
  }
  void on_adapter(const std::string& name, ov::ValueAccessor<std::string>& value) override {
    attributes.emplace_back(name, value.get());
  }
  void on_adapter(const std::string& name, ov::ValueAccessor<bool>& value) override {
    attributes.emplace_back(name, value.get() ? "1" : "0");
  }
  void on_adapter(const std::string& name, ov::ValueAccessor<float>& value) override {
    attributes.emplace_back(name, text_of(value.get()));
  }
  void on_adapter(const std::string& name, ov::ValueAccessor<double>& value) override {
    attributes.emplace_back(name, text_of(static_cast<float>(value.get())));
  }
  void on_adapter(const std::string& name, ov::ValueAccessor<std::vector<int64_t>>& value) override {
    add_list(name, value.get());
  }
  void on_adapter(const std::string& name, ov::ValueAccessor<std::vector<uint64_t>>& value) override {
    const std::vector<uint64_t> list = value.get();
    add_list(name, {list.begin(), list.end()});
  }

 private:
  void add_list(const std::string& name, const std::vector<int64_t>& list) {
    if (!list.empty()) attributes.emplace_back(name, text_of(list));
  }
};

// Reads a layer's attributes unchanged from the file: OpenVINO's Interpolate-1 would sort its axes.
class LayerExtension : public ov::BaseOpExtension {
 public:
  explicit LayerExtension(const Version& version) : version_(version) {}
  const ov::DiscreteTypeInfo& get_type_info() const override { return version_.type; }
  std::vector<ov::Extension::Ptr> get_attached_extensions() const override { return {}; }

  ov::OutputVector create(const ov::OutputVector& inputs, ov::AttributeVisitor& visitor) const override {
    if (!inputs.empty() && !is_supported(inputs[0].get_element_type())) return create_original(inputs, visitor);
    Attributes attributes;
    for (const std::string& name : version_.attributes) {
      std::string text;
      visitor.on_attribute(name, text);
      if (!text.empty()) attributes.emplace_back(name, std::move(text));
    }
    return make_operator(version_, inputs, std::move(attributes))->outputs();
  }

 private:
  ov::OutputVector create_original(const ov::OutputVector& inputs, ov::AttributeVisitor& visitor) const {
    const std::shared_ptr<ov::Node> node = version_.make();
    node->set_arguments(inputs);
    if (node->visit_attributes(visitor)) node->constructor_validate_and_infer_types();
    return node->outputs();
  }
  const Version& version_;
};

class BroadcastExtension : public ov::OpExtension<ov::op::v3::Broadcast> {
 public:
  ov::OutputVector create(const ov::OutputVector& inputs, ov::AttributeVisitor& visitor) const override {
    const ov::OutputVector original = ov::OpExtension<ov::op::v3::Broadcast>::create(inputs, visitor);
    const auto replacement = replacement_of(original[0].get_node_shared_ptr());
    return replacement != nullptr ? replacement->outputs() : original;
  }
};

}  // namespace

std::shared_ptr<Operator> replacement_of(const std::shared_ptr<ov::Node>& node) {
  if (const auto broadcast = ov::as_type_ptr<ov::op::v3::Broadcast>(node)) return make_fill(*broadcast);
  const Version* const version = find_version(node->get_type_info());
  if (version == nullptr || !is_supported(node->get_input_element_type(0))) return nullptr;
  AttributeReader reader;
  node->visit_attributes(reader);
  return make_operator(*version, node->input_values(), std::move(reader.attributes), node->get_friendly_name());
}

std::vector<ov::Extension::Ptr> ir_extensions() {
  std::vector<ov::Extension::Ptr> all = {std::make_shared<BroadcastExtension>()};
  for (const Version& version : versions()) all.push_back(std::make_shared<LayerExtension>(version));
  return all;
}

}  // namespace tesela::openvino
