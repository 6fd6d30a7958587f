// Reading a node of ONNX Runtime's graph.
#include "node.h"

#include <algorithm>
#include <cstring>

#include "attributes.h"

namespace tesela::ort {
namespace {

std::optional<Constant> read_constant(const Runtime& runtime, const OrtValueInfo* info) {
  bool is_constant = false;
  check(runtime.api, runtime.api.ValueInfo_IsConstantInitializer(info, &is_constant));
  if (!is_constant) return std::nullopt;
  const OrtValue* value = nullptr;
  check(runtime.api, runtime.api.ValueInfo_GetInitializerValue(info, &value));
  if (value == nullptr) return std::nullopt;
  return copy_constant(runtime, value);
}

NodeInput read_input(const Runtime& runtime, const OrtValueInfo* info, bool with_value) {
  NodeInput input;
  if (info == nullptr) return input;
  const OrtApi& api = runtime.api;
  const char* name = nullptr;
  check(api, api.GetValueInfoName(info, &name));
  input.name = name;
  if (input.omitted()) return input;
  const OrtTypeInfo* type = nullptr;
  const OrtTensorTypeAndShapeInfo* tensor = nullptr;
  check(api, api.GetValueInfoTypeInfo(info, &type));
  check(api, api.CastTypeInfoToTensorInfo(type, &tensor));
  read_type(runtime, tensor, input);
  if (with_value) input.constant = read_constant(runtime, info);
  return input;
}

std::vector<NodeInput> read_inputs(const Runtime& runtime, const OrtNode* node, const Node& ours) {
  size_t count = 0;
  check(runtime.api, runtime.api.Node_GetNumInputs(node, &count));
  std::vector<const OrtValueInfo*> infos(count);
  check(runtime.api, runtime.api.Node_GetInputs(node, infos.data(), count));
  std::vector<NodeInput> inputs;
  for (size_t i = 0; i < count; ++i) inputs.push_back(read_input(runtime, infos[i], ours.reads(i)));
  return inputs;
}

// What inference is told of one input.
struct KnownInput {
  std::vector<tesela_dim> dims;
  tesela_tensor constant = {};
  tesela_tensor_info info = {};

  explicit KnownInput(const NodeInput& input) {
    info.struct_size = sizeof info;
    info.dtype = input.dtype;
    info.rank = input.extents.empty() ? -1 : static_cast<int32_t>(input.extents.size());
    for (const int64_t extent : input.extents) dims.push_back({extent, nullptr});
    info.dims = dims.data();
    if (input.constant) {
      constant = input.constant->view();
      info.constant = &constant;
    }
  }
  KnownInput(const KnownInput&) = delete;
};

// Everything that can be refused without the inputs' values is refused here.
tesela_dtype infer_dtype(const Node& node) {
  std::vector<std::unique_ptr<KnownInput>> known;
  std::vector<const tesela_tensor_info*> infos;
  for (const NodeInput& input : node.inputs) {
    known.push_back(input.omitted() ? nullptr : std::make_unique<KnownInput>(input));
    infos.push_back(known.back() ? &known.back()->info : nullptr);
  }
  const auto inferred = make<Inferred>(tesela_op_infer, node.op.get(), infos.size(), infos.data());
  tesela_tensor_info output = {};
  output.struct_size = sizeof output;
  tesela_inferred_info(inferred.get(), &output);
  return output.dtype;
}

}  // namespace

std::optional<Node> begin_node(const char* domain, const char* type, int64_t version, const char* name,
                               const char* extents) {
  if (version < 1) return std::nullopt;
  tesela_op* op = nullptr;
  tesela_error error;
  const tesela_status status = tesela_op_create(domain, type, version, name, &op, &error);
  if (status == TESELA_ERROR_NO_MEMORY) check(status, error);
  // All else that is refused here is an operator that is not Tesela's.
  if (status != TESELA_OK) return std::nullopt;
  Node node;
  node.op.reset(op);
  node.label = std::string(type) + "-" + std::to_string(tesela_op_since_version(op));
  if (*name != '\0') node.label += " node '" + std::string(name) + "'";
  node.moves_input = std::strcmp(type, "ConstantOfShape") != 0;
  node.resizes = std::strcmp(type, "Resize") == 0 || std::strcmp(type, "Upsample") == 0;
  if (node.resizes) check(tesela_op_set_string(op, "tesela.extents", extents, &error), error);
  return node;
}

void read_type(const Runtime& runtime, const OrtTensorTypeAndShapeInfo* info, NodeInput& input) {
  if (info == nullptr) fail(ORT_NOT_IMPLEMENTED, "input '" + input.name + "' is not a tensor");
  ONNXTensorElementDataType element = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  check(runtime.api, runtime.api.GetTensorElementType(info, &element));
  input.dtype = dtype_of(element);
  if (input.dtype == 0)
    fail(ORT_NOT_IMPLEMENTED, "input '" + input.name + "' has element type " + std::to_string(element));
  input.extents = read_extents(runtime, info);
}

void finish_node(Node& node, const std::string& mode) {
  node.computes = !mode.empty() && mode != "nearest";
  node.output_dtype = infer_dtype(node);
}

std::optional<Node> read_node(const Runtime& runtime, const OrtNode* node, const char* extents) {
  const char* domain = nullptr;
  const char* type = nullptr;
  const char* name = nullptr;
  int version = 0;
  check(runtime.api, runtime.api.Node_GetDomain(node, &domain));
  check(runtime.api, runtime.api.Node_GetOperatorType(node, &type));
  check(runtime.api, runtime.api.Node_GetName(node, &name));
  check(runtime.api, runtime.api.Node_GetSinceVersion(node, &version));
  std::optional<Node> ours = begin_node(domain, type, version, name, extents);
  if (!ours) return std::nullopt;
  copy_attributes(runtime, node, ours->op.get());
  ours->inputs = read_inputs(runtime, node, *ours);
  finish_node(*ours, read_text(runtime, node, "mode"));
  return ours;
}

Plan make_plan(const Node& node, std::span<const tesela_tensor* const> inputs) {
  const auto plan = [&node](std::span<const tesela_tensor* const> given) {
    return make<Plan>(tesela_plan_create, node.op.get(), given.size(), given.data(), nullptr);
  };
  if (!node.cuts) return plan(inputs);
  tesela_plan* raw = nullptr;
  tesela_error error;
  const tesela_status status = tesela_plan_create(node.op.get(), inputs.size(), inputs.data(), nullptr, &raw, &error);
  if (status == TESELA_OK) return Plan(raw);
  if (status != TESELA_ERROR_TYPE) check(status, error);
  // Integers are refused where they are to be cut off.
  tesela_tensor widened = *inputs[0];
  widened.dtype = TESELA_FLOAT;
  std::vector<const tesela_tensor*> floats(inputs.begin(), inputs.end());
  floats[0] = &widened;
  return plan(floats);
}

Plan make_static_plan(const Node& node) {
  std::vector<tesela_tensor> tensors(node.inputs.size());
  std::vector<const tesela_tensor*> inputs;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const NodeInput& input = node.inputs[i];
    inputs.push_back(input.omitted() ? nullptr : &tensors[i]);
    if (input.omitted()) continue;
    if (node.reads(i)) {
      if (!input.constant) return nullptr;
      tensors[i] = input.constant->view();
      continue;
    }
    const bool known = !input.extents.empty() && std::ranges::all_of(input.extents, [](int64_t n) { return n >= 0; });
    if (!known) return nullptr;
    tensors[i] = {nullptr, input.dtype, static_cast<int32_t>(input.extents.size()), input.extents.data(), nullptr, 0};
  }
  return make_plan(node, inputs);
}

}  // namespace tesela::ort
