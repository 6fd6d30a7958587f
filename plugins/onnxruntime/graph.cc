// SPDX-License-Identifier: Apache-2.0
// Reads ONNX Runtime's graphs.
#include "graph.h"

namespace tesela::ort {
namespace {

// What one function counts and another one writes.
template <class Item, class Owner>
std::vector<const Item*> items_of(const OrtApi& api, const Owner* owner,
                                  OrtStatus* (*count_items)(const Owner*, size_t*),
                                  OrtStatus* (*get_items)(const Owner*, const Item**, size_t)) {
  size_t count = 0;
  check(api, count_items(owner, &count));
  std::vector<const Item*> items(count);
  check(api, get_items(owner, items.data(), count));
  return items;
}

}  // namespace

std::vector<const OrtNode*> nodes_of(const OrtApi& api, const OrtGraph* graph) {
  return items_of<OrtNode>(api, graph, api.Graph_GetNumNodes, api.Graph_GetNodes);
}

Values inputs_of(const OrtApi& api, const OrtNode* node) {
  return items_of<OrtValueInfo>(api, node, api.Node_GetNumInputs, api.Node_GetInputs);
}

Values outputs_of(const OrtApi& api, const OrtNode* node) {
  return items_of<OrtValueInfo>(api, node, api.Node_GetNumOutputs, api.Node_GetOutputs);
}

std::string name_of(const OrtApi& api, const OrtValueInfo* value) {
  const char* name = "";
  if (value != nullptr) check(api, api.GetValueInfoName(value, &name));
  return name;
}

std::optional<Constant> read_constant(const Runtime& runtime, const OrtValueInfo* value) {
  bool is_constant = false;
  check(runtime.api, runtime.api.ValueInfo_IsConstantInitializer(value, &is_constant));
  const OrtValue* held = nullptr;
  if (is_constant) check(runtime.api, runtime.api.ValueInfo_GetInitializerValue(value, &held));
  return held == nullptr ? std::nullopt : std::optional(copy_constant(runtime, held));
}

}  // namespace tesela::ort
