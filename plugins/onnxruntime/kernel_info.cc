// SPDX-License-Identifier: Apache-2.0
// Reads a node from the information that custom operators get.
#include "kernel_info.h"

namespace tesela::ort {
namespace {

constexpr Overridden kOperators[] = {
    {"Tile", 2, 3, false},
    {"Resize", 1, 4, true},
    {"Upsample", 1, 2, false},
    {"ConstantOfShape", 1, 1, false},
};

// Reads a text in two calls: the first returns its size.
template <class Query>
std::string query_text(const OrtApi& api, Query query) {
  size_t size = 0;
  check(api, query(nullptr, &size));
  std::string text(size, '\0');
  check(api, query(text.data(), &size));
  text.resize(size > 0 ? size - 1 : 0);  // the size includes the terminating zero
  return text;
}

template <class Element, class Query>
std::vector<Element> query_elements(const OrtApi& api, Query query) {
  size_t count = 0;
  check(api, query(nullptr, &count));
  std::vector<Element> elements(count);
  if (count > 0) check(api, query(elements.data(), &count));
  return elements;
}

// Reading a missing attribute fails; there is no other way to detect it.
bool exists(const OrtApi& api, OrtStatus* status) {
  if (status == nullptr) return true;
  api.ReleaseStatus(status);
  return false;
}

void copy_tensor(const Runtime& runtime, const OrtKernelInfo* info, const char* name, Op& op) {
  const OrtApi& api = runtime.api;
  OrtAllocator* allocator = nullptr;
  check(api, api.GetAllocatorWithDefaultOptions(&allocator));
  OrtValue* value = nullptr;
  if (!exists(api, api.KernelInfoGetAttribute_tensor(info, name, allocator, &value))) return;
  const std::unique_ptr<OrtValue, decltype(api.ReleaseValue)> owner(value, api.ReleaseValue);
  op.set_tensor(name, View(copy_constant(runtime, value).view()));
}

void copy_attribute(const Runtime& runtime, const OrtKernelInfo* info, const char* name, Op& op) {
  const OrtApi& api = runtime.api;
  size_t size = 0;
  switch (op.attribute_kind(name)) {
    case TESELA_ATTRIBUTE_INT: {
      int64_t value = 0;
      if (exists(api, api.KernelInfoGetAttribute_int64(info, name, &value))) op.set(name, value);
      return;
    }
    case TESELA_ATTRIBUTE_FLOAT: {
      float value = 0;
      if (exists(api, api.KernelInfoGetAttribute_float(info, name, &value))) op.set(name, value);
      return;
    }
    case TESELA_ATTRIBUTE_STRING: {
      if (!exists(api, api.KernelInfoGetAttribute_string(info, name, nullptr, &size))) return;
      op.set(name, query_text(api, [&](char* out, size_t* length) {
               return api.KernelInfoGetAttribute_string(info, name, out, length);
             }));
      return;
    }
    case TESELA_ATTRIBUTE_INTS: {
      if (!exists(api, api.KernelInfoGetAttributeArray_int64(info, name, nullptr, &size))) return;
      op.set(name, query_elements<int64_t>(api, [&](int64_t* out, size_t* length) {
               return api.KernelInfoGetAttributeArray_int64(info, name, out, length);
             }));
      return;
    }
    case TESELA_ATTRIBUTE_FLOATS: {
      if (!exists(api, api.KernelInfoGetAttributeArray_float(info, name, nullptr, &size))) return;
      op.set(name, query_elements<float>(api, [&](float* out, size_t* length) {
               return api.KernelInfoGetAttributeArray_float(info, name, out, length);
             }));
      return;
    }
    default: copy_tensor(runtime, info, name, op);
  }
}

std::string text_of(const OrtApi& api, const OrtKernelInfo* info, const char* name) {
  size_t size = 0;
  if (!exists(api, api.KernelInfoGetAttribute_string(info, name, nullptr, &size))) return "";
  return query_text(
      api, [&](char* out, size_t* length) { return api.KernelInfoGetAttribute_string(info, name, out, length); });
}

std::optional<Constant> read_constant(const Runtime& runtime, const OrtKernelInfo* info, size_t i) {
  int is_constant = 0;
  const OrtValue* value = nullptr;
  check(runtime.api, runtime.api.KernelInfoGetConstantInput_tensor(info, i, &is_constant, &value));
  if (is_constant == 0 || value == nullptr) return std::nullopt;
  return copy_constant(runtime, value);
}

NodeInput read_input(const Runtime& runtime, const OrtKernelInfo* info, size_t i, bool with_value) {
  const OrtApi& api = runtime.api;
  NodeInput input;
  input.name =
      query_text(api, [&](char* out, size_t* length) { return api.KernelInfo_GetInputName(info, i, out, length); });
  if (input.omitted()) return input;
  OrtTypeInfo* type = nullptr;
  check(api, api.KernelInfo_GetInputTypeInfo(info, i, &type));
  const std::unique_ptr<OrtTypeInfo, decltype(api.ReleaseTypeInfo)> owner(type, api.ReleaseTypeInfo);
  const OrtTensorTypeAndShapeInfo* tensor = nullptr;
  check(api, api.CastTypeInfoToTensorInfo(type, &tensor));
  read_type(runtime, tensor, input);
  if (with_value) input.constant = read_constant(runtime, info, i);
  return input;
}

}  // namespace

std::span<const Overridden> overridden_operators() {
  return kOperators;
}

Node begin_overridden(const Overridden& op, size_t inputs, const char* name, const char* extents) {
  std::optional<Node> node = begin_node("", op.name, operator_version(op.name, inputs), name, extents);
  if (!node) fail(ORT_NOT_IMPLEMENTED, std::string(op.name) + " is not an operator of Tesela's");
  return std::move(*node);
}

Node read_node(const Runtime& runtime, const OrtKernelInfo* info, const Overridden& op, const char* extents) {
  const OrtApi& api = runtime.api;
  size_t inputs = 0;
  check(api, api.KernelInfo_GetInputCount(info, &inputs));
  const std::string name =
      query_text(api, [&](char* out, size_t* length) { return api.KernelInfo_GetNodeName(info, out, length); });
  Node node = begin_overridden(op, inputs, name.c_str(), extents);
  for (const std::string& attribute : node.op.attributes()) copy_attribute(runtime, info, attribute.c_str(), node.op);
  for (size_t i = 0; i < inputs; ++i) node.inputs.push_back(read_input(runtime, info, i, node.reads(i)));
  finish_node(node, text_of(api, info, "mode"));
  return node;
}

}  // namespace tesela::ort
