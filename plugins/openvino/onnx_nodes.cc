// SPDX-License-Identifier: Apache-2.0
// Converts nodes of ONNX models to Tesela's nodes while OpenVINO's frontend reads them.
#include "onnx_nodes.h"

#include <openvino/frontend/extension/conversion.hpp>

#include "operator.h"

namespace tesela::openvino {
namespace {

using ov::frontend::NodeContext;
using ov::op::v0::Constant;

std::string text_of_any(const std::string& name, const ov::Any& value) {
  if (value.is<std::string>()) return value.as<std::string>();
  if (value.is<int64_t>()) return text_of(value.as<int64_t>());
  if (value.is<std::vector<int64_t>>()) return text_of(value.as<std::vector<int64_t>>());
  // The frontend converts the model's floats to doubles.
  if (value.is<double>()) return text_of(static_cast<float>(value.as<double>()));
  if (value.is<std::vector<double>>()) {
    const auto& list = value.as<std::vector<double>>();
    return text_of(std::vector<float>(list.begin(), list.end()));
  }
  throw Error(TESELA_ERROR_UNSUPPORTED, "attribute '" + name + "' has an unsupported kind");
}

bool is_omitted(const ov::Output<ov::Node>& input) {
  return std::string_view(input.get_node()->get_type_name()) == "NullNode";
}

// The frontend converts an empty constant to a scalar zero. Lists have rank 1, so a scalar is never another list.
bool is_empty_list(const std::string& type, size_t port, const NodeContext& context) {
  const bool takes_list = port > 0 && !(type == "Tile" && context.get_input_size() == 3);
  const auto constant = ov::as_type_ptr<Constant>(context.get_input(static_cast<int>(port)).get_node_shared_ptr());
  return takes_list && constant != nullptr && constant->get_shape().empty() && constant->cast_vector<double>()[0] == 0;
}

// The frontend does not provide a node's version, so this finds one by the node's inputs and attributes.
OperatorDescription read_description(const std::string& type, const Attributes& fields, const NodeContext& context) {
  OperatorDescription description{kOnnx, type, 0, {}, fields};
  std::vector<std::string> given;
  for (const std::string& name : operator_attributes(type)) {
    const ov::Any value = context.get_attribute_as_any(name);
    if (value.empty()) continue;
    given.push_back(name);
    description.attributes.emplace_back(name, text_of_any(name, value));
  }
  description.opset = operator_version(type, context.get_input_size(), given);
  return description;
}

ov::OutputVector convert(const std::string& type, const Attributes& fields, const NodeContext& context) {
  OperatorDescription description = read_description(type, fields, context);
  ov::OutputVector inputs;
  for (size_t i = 0; i < context.get_input_size(); ++i) {
    const ov::Output<ov::Node> input = context.get_input(static_cast<int>(i));
    if (is_omitted(input)) continue;
    if (is_empty_list(type, i, context))
      inputs.push_back(std::make_shared<Constant>(input.get_element_type(), ov::Shape{0}));
    else
      inputs.push_back(input);
    description.ports.push_back(static_cast<int64_t>(i));
  }
  return make_node(inputs, std::move(description), context.get_name())->outputs();
}

// fields: plan fields.
ov::Extension::Ptr extension_for(const std::string& type, const Attributes& fields) {
  return std::make_shared<ov::frontend::ConversionExtension>(
      type, [type, fields](const NodeContext& context) { return convert(type, fields, context); });
}

}  // namespace

// Without ConstantOfShape: the frontend passes no tensor attributes to extensions. It converts ConstantOfShape to
// Broadcast, which ir_extensions and the pass replace.
std::vector<ov::Extension::Ptr> onnx_extensions(const Attributes& fields) {
  return {extension_for("Tile", {}), extension_for("Upsample", fields), extension_for("Resize", fields)};
}

}  // namespace tesela::openvino
