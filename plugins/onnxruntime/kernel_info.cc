// A node as ONNX Runtime shows it to custom operators.
#include "kernel_info.h"

namespace tesela::ort {
namespace {

constexpr Overridden kOperators[] = {
    {"Tile", 2, 3, false},
    {"Resize", 1, 4, true},
    {"Upsample", 1, 2, false},
    {"ConstantOfShape", 1, 1, false},
};

// A text that is asked for with no room, then with enough.
template <class Ask>
std::string ask_text(const OrtApi& api, Ask ask) {
  size_t size = 0;
  check(api, ask(nullptr, &size));
  std::string text(size, '\0');
  check(api, ask(text.data(), &size));
  text.resize(size > 0 ? size - 1 : 0);  // the size counts the zero at the end
  return text;
}

template <class Element, class Ask>
std::vector<Element> ask_elements(const OrtApi& api, Ask ask) {
  size_t count = 0;
  check(api, ask(nullptr, &count));
  std::vector<Element> elements(count);
  if (count > 0) check(api, ask(elements.data(), &count));
  return elements;
}

// A missing attribute is known by the failure to read it alone.
bool is_there(const OrtApi& api, OrtStatus* status) {
  if (status == nullptr) return true;
  api.ReleaseStatus(status);
  return false;
}

void copy_tensor(const Runtime& runtime, const OrtKernelInfo* info, const char* name, Op& op) {
  const OrtApi& api = runtime.api;
  OrtAllocator* allocator = nullptr;
  check(api, api.GetAllocatorWithDefaultOptions(&allocator));
  OrtValue* value = nullptr;
  if (!is_there(api, api.KernelInfoGetAttribute_tensor(info, name, allocator, &value))) return;
  const std::unique_ptr<OrtValue, decltype(api.ReleaseValue)> owner(value, api.ReleaseValue);
  op.set_tensor(name, View(copy_constant(runtime, value).view()));
}

void copy_attribute(const Runtime& runtime, const OrtKernelInfo* info, const char* name, Op& op) {
  const OrtApi& api = runtime.api;
  size_t size = 0;
  switch (op.attribute_kind(name)) {
    case TESELA_ATTRIBUTE_INT: {
      int64_t value = 0;
      if (is_there(api, api.KernelInfoGetAttribute_int64(info, name, &value))) op.set(name, value);
      return;
    }
    case TESELA_ATTRIBUTE_FLOAT: {
      float value = 0;
      if (is_there(api, api.KernelInfoGetAttribute_float(info, name, &value))) op.set(name, value);
      return;
    }
    case TESELA_ATTRIBUTE_STRING: {
      if (!is_there(api, api.KernelInfoGetAttribute_string(info, name, nullptr, &size))) return;
      op.set(name, ask_text(api, [&](char* out, size_t* most) {
               return api.KernelInfoGetAttribute_string(info, name, out, most);
             }));
      return;
    }
    case TESELA_ATTRIBUTE_INTS: {
      if (!is_there(api, api.KernelInfoGetAttributeArray_int64(info, name, nullptr, &size))) return;
      op.set(name, ask_elements<int64_t>(api, [&](int64_t* out, size_t* most) {
               return api.KernelInfoGetAttributeArray_int64(info, name, out, most);
             }));
      return;
    }
    case TESELA_ATTRIBUTE_FLOATS: {
      if (!is_there(api, api.KernelInfoGetAttributeArray_float(info, name, nullptr, &size))) return;
      op.set(name, ask_elements<float>(api, [&](float* out, size_t* most) {
               return api.KernelInfoGetAttributeArray_float(info, name, out, most);
             }));
      return;
    }
    default: copy_tensor(runtime, info, name, op);
  }
}

std::string text_of(const OrtApi& api, const OrtKernelInfo* info, const char* name) {
  size_t size = 0;
  if (!is_there(api, api.KernelInfoGetAttribute_string(info, name, nullptr, &size))) return "";
  return ask_text(api,
                  [&](char* out, size_t* most) { return api.KernelInfoGetAttribute_string(info, name, out, most); });
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
  input.name = ask_text(api, [&](char* out, size_t* most) { return api.KernelInfo_GetInputName(info, i, out, most); });
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
  if (!node) fail(ORT_NOT_IMPLEMENTED, std::string(op.name) + " is no operator of Tesela's");
  return std::move(*node);
}

Node read_node(const Runtime& runtime, const OrtKernelInfo* info, const Overridden& op, const char* extents) {
  const OrtApi& api = runtime.api;
  size_t inputs = 0;
  check(api, api.KernelInfo_GetInputCount(info, &inputs));
  const std::string name =
      ask_text(api, [&](char* out, size_t* most) { return api.KernelInfo_GetNodeName(info, out, most); });
  Node node = begin_overridden(op, inputs, name.c_str(), extents);
  for (const std::string& attribute : node.op.attributes()) copy_attribute(runtime, info, attribute.c_str(), node.op);
  for (size_t i = 0; i < inputs; ++i) node.inputs.push_back(read_input(runtime, info, i, node.reads(i)));
  finish_node(node, text_of(api, info, "mode"));
  return node;
}

}  // namespace tesela::ort
