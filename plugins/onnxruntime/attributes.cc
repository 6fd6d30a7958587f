// SPDX-License-Identifier: Apache-2.0
// Attributes of ONNX Runtime's nodes.
#include "attributes.h"

#include <vector>

#include "tensors.h"

namespace tesela::ort {
namespace {

// All elements of an attribute.
template <class Element>
std::vector<Element> read_elements(const OrtApi& api, const OrtOpAttr* attribute, OrtOpAttrType type) {
  size_t bytes = 0;
  // With an empty buffer the call sets `bytes` to the needed size, and fails unless that is 0.
  if (OrtStatus* const refused = api.ReadOpAttr(attribute, type, nullptr, 0, &bytes)) api.ReleaseStatus(refused);
  std::vector<Element> elements(bytes / sizeof(Element));
  if (bytes > 0) check(api, api.ReadOpAttr(attribute, type, elements.data(), bytes, &bytes));
  return elements;
}

Constant read_tensor(const Runtime& runtime, const OrtOpAttr* attribute, const std::string& name) {
  OrtValue* value = nullptr;
  check(runtime.api, runtime.api.OpAttr_GetTensorAttributeAsOrtValue(attribute, &value));
  if (value == nullptr) fail(ORT_INVALID_GRAPH, "attribute '" + name + "' has no tensor");
  const std::unique_ptr<OrtValue, decltype(runtime.api.ReleaseValue)> owner(value, runtime.api.ReleaseValue);
  return copy_constant(runtime, value);
}

}  // namespace

void copy_attribute(const Runtime& runtime, const OrtOpAttr* attribute, const char* name, OrtOpAttrType type, Op& op) {
  const OrtApi& api = runtime.api;
  size_t bytes = 0;
  switch (type) {
    case ORT_OP_ATTR_INT: {
      int64_t value = 0;
      check(api, api.ReadOpAttr(attribute, type, &value, sizeof value, &bytes));
      op.set(name, value);
      return;
    }
    case ORT_OP_ATTR_FLOAT: {
      float value = 0;
      check(api, api.ReadOpAttr(attribute, type, &value, sizeof value, &bytes));
      op.set(name, value);
      return;
    }
    case ORT_OP_ATTR_STRING: op.set(name, read_text(api, attribute)); return;
    case ORT_OP_ATTR_INTS: op.set(name, read_elements<int64_t>(api, attribute, type)); return;
    case ORT_OP_ATTR_FLOATS: op.set(name, read_elements<float>(api, attribute, type)); return;
    case ORT_OP_ATTR_TENSOR: op.set_tensor(name, View(read_tensor(runtime, attribute, name).view())); return;
    default: fail(ORT_NOT_IMPLEMENTED, "attribute '" + std::string(name) + "' has an unsupported kind");
  }
}

void copy_attributes(const Runtime& runtime, const OrtNode* node, Op& op) {
  size_t count = 0;
  check(runtime.api, runtime.api.Node_GetNumAttributes(node, &count));
  std::vector<const OrtOpAttr*> attributes(count);
  check(runtime.api, runtime.api.Node_GetAttributes(node, attributes.data(), count));
  for (const OrtOpAttr* attribute : attributes) {
    const char* name = nullptr;
    OrtOpAttrType type = ORT_OP_ATTR_UNDEFINED;
    check(runtime.api, runtime.api.OpAttr_GetName(attribute, &name));
    check(runtime.api, runtime.api.OpAttr_GetType(attribute, &type));
    copy_attribute(runtime, attribute, name, type, op);
  }
}

std::string read_text(const OrtApi& api, const OrtOpAttr* attribute) {
  const auto text = read_elements<char>(api, attribute, ORT_OP_ATTR_STRING);
  return std::string(text.begin(), text.end());
}

const OrtOpAttr* find_attribute(const Runtime& runtime, const OrtNode* node, const char* name) {
  const OrtOpAttr* attribute = nullptr;
  // For a missing attribute some versions fail, others return null.
  if (OrtStatus* const refused = runtime.api.Node_GetAttributeByName(node, name, &attribute)) {
    runtime.api.ReleaseStatus(refused);
    return nullptr;
  }
  return attribute;
}

int64_t read_int(const Runtime& runtime, const OrtNode* node, const char* name, int64_t otherwise) {
  const OrtOpAttr* const attribute = find_attribute(runtime, node, name);
  int64_t value = otherwise;
  size_t bytes = 0;
  if (attribute != nullptr)
    check(runtime.api, runtime.api.ReadOpAttr(attribute, ORT_OP_ATTR_INT, &value, sizeof value, &bytes));
  return value;
}

std::string read_text(const Runtime& runtime, const OrtNode* node, const char* name) {
  const OrtOpAttr* const attribute = find_attribute(runtime, node, name);
  return attribute == nullptr ? "" : read_text(runtime.api, attribute);
}

}  // namespace tesela::ort
