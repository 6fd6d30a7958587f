// SPDX-License-Identifier: Apache-2.0
// Reads a node of ONNX Runtime's graph.
#include "node.h"

#include <algorithm>
#include <cstring>

#include "attributes.h"
#include "graph.h"

namespace tesela::ort {
namespace {

NodeInput read_input(const Runtime& runtime, const OrtValueInfo* info, bool with_value) {
  NodeInput input;
  if (info == nullptr) return input;
  const OrtApi& api = runtime.api;
  input.name = name_of(api, info);
  if (input.omitted()) return input;
  const OrtTypeInfo* type = nullptr;
  const OrtTensorTypeAndShapeInfo* tensor = nullptr;
  check(api, api.GetValueInfoTypeInfo(info, &type));
  check(api, api.CastTypeInfoToTensorInfo(type, &tensor));
  read_type(runtime, tensor, input);
  if (with_value) input.constant = read_constant(runtime, info);
  return input;
}

std::vector<NodeInput> read_inputs(const Runtime& runtime, const OrtNode* node, const Node& tesela_node) {
  const Values infos = inputs_of(runtime.api, node);
  std::vector<NodeInput> inputs;
  for (size_t i = 0; i < infos.size(); ++i) inputs.push_back(read_input(runtime, infos[i], tesela_node.reads(i)));
  return inputs;
}

// Reports every error that can be found without the inputs' values.
tesela_dtype infer_dtype(const Node& node) {
  std::vector<std::optional<TensorInfo>> infos;
  for (const NodeInput& input : node.inputs) {
    infos.emplace_back();
    if (input.omitted()) continue;
    infos.back() = TensorInfo(input.dtype);
    if (!input.extents.empty()) infos.back()->dims.emplace(input.extents.begin(), input.extents.end());
    if (input.constant) infos.back()->constant = View(input.constant->view());
  }
  return node.op.infer(infos).info().dtype;
}

// The same inputs with the first one as float.
struct Floats {
  tesela_tensor first;
  std::vector<const tesela_tensor*> inputs;

  explicit Floats(Inputs of) : first(*of[0]), inputs(of.begin(), of.end()) {
    first.dtype = TESELA_FLOAT;
    inputs[0] = &first;
  }
  Floats(const Floats&) = delete;
};

// None: the operator is not Tesela's.
std::optional<Op> make_op(const char* domain, const char* type, int64_t version, const char* name) {
  if (version < 1) return std::nullopt;
  try {
    return Op(type, version, {.node = name, .domain = domain});
  } catch (const Error& error) {
    if (error.code() == TESELA_ERROR_NO_MEMORY) throw;
    return std::nullopt;
  }
}

}  // namespace

std::optional<Node> begin_node(const char* domain, const char* type, int64_t version, const char* name,
                               const char* extents) {
  std::optional<Op> op = make_op(domain, type, version, name);
  if (!op) return std::nullopt;
  Node node{.op = std::move(*op), .label = std::string(type) + "-"};
  node.label += std::to_string(node.op.since_version());
  if (*name != '\0') node.label += " node '" + std::string(name) + "'";
  node.moves_input = std::strcmp(type, "ConstantOfShape") != 0;
  node.resizes = std::strcmp(type, "Resize") == 0 || std::strcmp(type, "Upsample") == 0;
  if (node.resizes) node.op.set("tesela.extents", extents);
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
  std::optional<Node> tesela_node = begin_node(domain, type, version, name, extents);
  if (!tesela_node) return std::nullopt;
  copy_attributes(runtime, node, tesela_node->op);
  tesela_node->inputs = read_inputs(runtime, node, *tesela_node);
  finish_node(*tesela_node, read_text(runtime, node, "mode"));
  return tesela_node;
}

Plan make_plan(const Node& node, Inputs inputs, PlanCache* cache) {
  const auto plan = [&](Inputs given) {
    const tesela_op* const op = node.op.get();
    return Plan(cache == nullptr
                    ? make<Plan::Owner>(tesela_plan_create, op, given.size(), given.data(), nullptr)
                    : make<Plan::Owner>(tesela_plan_cache_get, cache->get(), op, given.size(), given.data(), nullptr));
  };
  if (!node.truncates) return plan(inputs);
  try {
    return plan(inputs);
  } catch (const Error& error) {
    if (error.code() != TESELA_ERROR_TYPE) throw;
  }
  // Tesela has no such plan for integers: compute as floats, then truncate.
  return plan(Floats(inputs).inputs);
}

std::optional<Plan> find_plan(const Node& node, Inputs inputs, PlanCache& cache) {
  const auto find = [&](Inputs given) {
    return Plan::Owner(tesela_plan_cache_find(cache.get(), node.op.get(), given.size(), given.data(), nullptr));
  };
  Plan::Owner found = find(inputs);
  if (found == nullptr && node.truncates) found = find(Floats(inputs).inputs);
  return found == nullptr ? std::nullopt : std::optional<Plan>(std::move(found));
}

std::optional<Plan> make_static_plan(const Node& node) {
  std::vector<tesela_tensor> tensors(node.inputs.size());
  std::vector<const tesela_tensor*> inputs;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const NodeInput& input = node.inputs[i];
    inputs.push_back(input.omitted() ? nullptr : &tensors[i]);
    if (input.omitted()) continue;
    if (node.reads(i)) {
      if (!input.constant) return std::nullopt;
      tensors[i] = input.constant->view();
      continue;
    }
    const bool known = !input.extents.empty() && std::ranges::all_of(input.extents, [](int64_t n) { return n >= 0; });
    if (!known) return std::nullopt;
    tensors[i] = {nullptr, input.dtype, static_cast<int32_t>(input.extents.size()), input.extents.data(), nullptr, 0};
  }
  return make_plan(node, inputs, nullptr);
}

}  // namespace tesela::ort
