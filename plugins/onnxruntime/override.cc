// SPDX-License-Identifier: Apache-2.0
// For versions of ONNX Runtime without plugin execution providers: custom operators with the standard operators' names,
// which take precedence over ONNX Runtime's kernels.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>

#include "attributes.h"
#include "kernel.h"
#include "kernel_info.h"
#include "options.h"

namespace tesela::ort {
namespace {

// One for each type of X: inference cannot report a type without a rank, but ONNX Runtime needs the output's type.
// ConstantOfShape has one without a type, since an attribute sets its type.
class CustomOp : public OrtCustomOp {
 public:
  CustomOp(const Runtime& runtime, const Overridden& op, ONNXTensorElementDataType type, const char* extents,
           bool infers);

 private:
  std::unique_ptr<Kernel> make_kernel(const OrtKernelInfo* info) const;
  void infer(OrtShapeInferContext* context) const;

  Runtime runtime_;
  const Overridden& op_;
  ONNXTensorElementDataType type_;
  const char* extents_;
};

const CustomOp& self(const OrtCustomOp* op) {
  return *static_cast<const CustomOp*>(op);
}

CustomOp::CustomOp(const Runtime& runtime, const Overridden& op, ONNXTensorElementDataType type, const char* extents,
                   bool infers)
    : OrtCustomOp(), runtime_(runtime), op_(op), type_(type), extents_(extents) {
  version = kMinApiVersion;
  GetName = [](const OrtCustomOp* op) noexcept { return self(op).op_.name; };
  GetExecutionProviderType = [](const OrtCustomOp*) noexcept -> const char* { return nullptr; };
  GetInputType = [](const OrtCustomOp* op, size_t i) noexcept {
    return i == 0 ? self(op).type_ : ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  };
  GetInputTypeCount = [](const OrtCustomOp* op) noexcept { return self(op).op_.max_inputs; };
  GetInputCharacteristic = [](const OrtCustomOp* op, size_t i) noexcept {
    return i < self(op).op_.required_inputs ? INPUT_OUTPUT_REQUIRED : INPUT_OUTPUT_OPTIONAL;
  };
  GetInputMemoryType = [](const OrtCustomOp*, size_t) noexcept { return OrtMemTypeDefault; };
  GetOutputType = [](const OrtCustomOp* op, size_t) noexcept { return self(op).type_; };
  GetOutputTypeCount = [](const OrtCustomOp*) noexcept { return size_t{1}; };
  GetOutputCharacteristic = [](const OrtCustomOp*, size_t) noexcept { return INPUT_OUTPUT_REQUIRED; };
  CreateKernelV2 = [](const OrtCustomOp* op, const OrtApi* api, const OrtKernelInfo* info,
                      void** kernel) noexcept -> OrtStatusPtr {
    return guard(*api, [&] { *kernel = self(op).make_kernel(info).release(); });
  };
  KernelComputeV2 = [](void* kernel, OrtKernelContext* context) noexcept -> OrtStatusPtr {
    auto& typed = *static_cast<Kernel*>(kernel);
    return typed.Compute(&typed, nullptr, context);
  };
  KernelDestroy = [](void* kernel) noexcept { delete static_cast<Kernel*>(kernel); };
  if (!infers) return;
  InferOutputShapeFn = [](const OrtCustomOp* op, OrtShapeInferContext* context) noexcept -> OrtStatusPtr {
    return guard(self(op).runtime_.api, [&] { self(op).infer(context); });
  };
}

// ONNX Runtime allocates outputs of the type that it inferred.
void check_output(const OrtApi& api, const OrtKernelInfo* info, const Node& node) {
  OrtTypeInfo* type = nullptr;
  check(api, api.KernelInfo_GetOutputTypeInfo(info, 0, &type));
  const std::unique_ptr<OrtTypeInfo, decltype(api.ReleaseTypeInfo)> owner(type, api.ReleaseTypeInfo);
  const OrtTensorTypeAndShapeInfo* tensor = nullptr;
  check(api, api.CastTypeInfoToTensorInfo(type, &tensor));
  ONNXTensorElementDataType element = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  check(api, api.GetTensorElementType(tensor, &element));
  if (dtype_of(element) != node.output_dtype)
    fail(ORT_NOT_IMPLEMENTED, node.label + ": its output has type " + tesela_dtype_name(node.output_dtype) +
                                  ", which a custom operator cannot report if the output's rank is unknown");
}

std::unique_ptr<Kernel> CustomOp::make_kernel(const OrtKernelInfo* info) const {
  Node node = read_node(runtime_, info, op_, extents_);
  check_output(runtime_.api, info, node);
  std::vector<int> places;
  for (size_t i = 0; i < node.inputs.size(); ++i) places.push_back(node.inputs[i].omitted() ? -1 : static_cast<int>(i));
  return std::make_unique<Kernel>(Session{runtime_, Logger(runtime_, nullptr, Log::kOff), nullptr}, std::move(node),
                                  std::move(places));
}

// ---- Inference ----

// What ONNX Runtime knows about one input; none if it is omitted, so that it has no type.
std::optional<TensorInfo> read_info(const OrtApi& api, const OrtTensorTypeAndShapeInfo* raw) {
  ONNXTensorElementDataType type = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  check(api, api.GetTensorElementType(raw, &type));
  if (dtype_of(type) == 0) return std::nullopt;
  size_t rank = 0;
  check(api, api.GetDimensionsCount(raw, &rank));
  std::vector<int64_t> extents(rank);
  std::vector<const char*> symbols(rank);
  check(api, api.GetDimensions(raw, extents.data(), rank));
  check(api, api.GetSymbolicDimensions(raw, symbols.data(), rank));
  TensorInfo info(dtype_of(type));
  if (rank == 0) return info;  // a scalar cannot be told from an unknown rank
  info.dims.emplace();
  for (size_t d = 0; d < rank; ++d)
    info.dims->push_back(extents[d] < 0 ? Dim(symbols[d] == nullptr ? "" : symbols[d]) : Dim(extents[d]));
  return info;
}

// A unique name for an unknown extent: equal names mean equal extents.
std::string fresh_symbol() {
  static std::atomic<uint64_t> count = 0;
  return "tesela_" + std::to_string(count++);
}

void set_output(const OrtApi& api, OrtShapeInferContext* context, const TensorInfo& output) {
  OrtTensorTypeAndShapeInfo* raw = nullptr;
  check(api, api.CreateTensorTypeAndShapeInfo(&raw));
  const std::unique_ptr<OrtTensorTypeAndShapeInfo, decltype(api.ReleaseTensorTypeAndShapeInfo)> info(
      raw, api.ReleaseTensorTypeAndShapeInfo);
  check(api, api.SetTensorElementType(raw, type_of(output.dtype)));
  std::vector<int64_t> extents;
  std::vector<std::string> symbols;
  for (const Dim& dim : *output.dims) {
    extents.push_back(dim.value);
    symbols.push_back(dim.known() ? "" : dim.symbol.empty() ? fresh_symbol() : dim.symbol);
  }
  std::vector<const char*> names;
  for (const std::string& symbol : symbols) names.push_back(symbol.c_str());
  check(api, api.SetDimensions(raw, extents.data(), extents.size()));
  check(api, api.SetSymbolicDimensions(raw, names.data(), names.size()));
  check(api, api.ShapeInferContext_SetOutputTypeShape(context, 0, raw));
}

const OrtOpAttr* find_attribute(const OrtApi& api, const OrtShapeInferContext* context, const char* name) {
  const OrtOpAttr* attribute = nullptr;
  if (OrtStatus* const missing = api.ShapeInferContext_GetAttribute(context, name, &attribute))
    api.ReleaseStatus(missing);
  return attribute;
}

OrtOpAttrType attribute_type(tesela_attribute_kind kind) {
  switch (kind) {
    case TESELA_ATTRIBUTE_FLOAT: return ORT_OP_ATTR_FLOAT;
    case TESELA_ATTRIBUTE_INT: return ORT_OP_ATTR_INT;
    case TESELA_ATTRIBUTE_STRING: return ORT_OP_ATTR_STRING;
    case TESELA_ATTRIBUTE_TENSOR: return ORT_OP_ATTR_TENSOR;
    case TESELA_ATTRIBUTE_FLOATS: return ORT_OP_ATTR_FLOATS;
    case TESELA_ATTRIBUTE_INTS: return ORT_OP_ATTR_INTS;
    case TESELA_ATTRIBUTE_NONE: break;
  }
  return ORT_OP_ATTR_UNDEFINED;
}

void CustomOp::infer(OrtShapeInferContext* context) const {
  const OrtApi& api = runtime_.api;
  size_t count = 0;
  check(api, api.ShapeInferContext_GetInputCount(context, &count));
  Node node = begin_overridden(op_, count, "", extents_);
  for (const std::string& name : node.op.attributes())
    if (const OrtOpAttr* const value = find_attribute(api, context, name.c_str()))
      copy_attribute(runtime_, value, name.c_str(), attribute_type(node.op.attribute_kind(name)), node.op);
  std::vector<std::optional<TensorInfo>> infos;
  for (size_t i = 0; i < count; ++i) {
    OrtTensorTypeAndShapeInfo* raw = nullptr;
    check(api, api.ShapeInferContext_GetInputTypeShape(context, i, &raw));
    infos.push_back(read_info(api, raw));
  }
  const TensorInfo output = node.op.infer(infos).info();
  if (output.dims) set_output(api, context, output);
}

// ---- Registration ----

std::vector<ONNXTensorElementDataType> types_of(const Overridden& op) {
  if (std::string(op.name) == "ConstantOfShape") return {ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED};
  std::vector<ONNXTensorElementDataType> types;
  // No operator here supports types after bfloat16 in ONNX Runtime, which has no complex tensors either.
  for (tesela_dtype dtype = TESELA_FLOAT; dtype <= TESELA_BFLOAT16; ++dtype)
    if (dtype != TESELA_COMPLEX64 && dtype != TESELA_COMPLEX128) types.push_back(type_of(dtype));
  return types;
}

// Never deleted: sessions refer to these and may live until the process ends.
OrtCustomOpDomain* domain_of(const OrtApi& api, uint32_t minor, const char* extents) {
  static std::mutex mutex;
  static auto& made = *new std::map<std::pair<const OrtApi*, std::string>, OrtCustomOpDomain*>();
  const std::lock_guard lock(mutex);
  OrtCustomOpDomain*& domain = made[{&api, extents}];
  if (domain != nullptr) return domain;
  OrtCustomOpDomain* started = nullptr;
  check(api, api.CreateCustomOpDomain("", &started));
  for (const Overridden& op : overridden_operators()) {
    // Before 1.23 inference cannot read the tensor attribute with the fill value.
    if (minor < kApiVersion && std::string(op.name) == "ConstantOfShape") continue;
    // Before 1.24 an omitted input crashes the process before inference is called.
    const bool infers = minor >= 24 || !op.omits_inputs;
    for (const ONNXTensorElementDataType type : types_of(op))
      check(api,
            api.CustomOpDomain_Add(started, new CustomOp(Runtime{api, nullptr, false}, op, type, extents, infers)));
  }
  return domain = started;
}

// Reads the session's entry "tesela.extents", since custom operators have no options.
const char* read_extents(const OrtApi& api, const OrtSessionOptions* options) {
  constexpr const char* kEntry = "tesela.extents";
  int is_given = 0;
  check(api, api.HasSessionConfigEntry(options, kEntry, &is_given));
  if (is_given == 0) return kHostExtents;
  size_t size = 0;
  check(api, api.GetSessionConfigEntry(options, kEntry, nullptr, &size));
  std::string value(size, '\0');
  check(api, api.GetSessionConfigEntry(options, kEntry, value.data(), &size));
  value.resize(size > 0 ? size - 1 : 0);  // the size includes the terminating zero
  return pick_extents(value);
}

// 23 for "1.23.2": the version of the interface.
uint32_t minor_version(const std::string& version) {
  return version.starts_with("1.") ? static_cast<uint32_t>(std::atoi(version.c_str() + 2)) : 0;
}

}  // namespace
}  // namespace tesela::ort

TESELA_EXPORT OrtStatus* RegisterCustomOps(OrtSessionOptions* options, const OrtApiBase* base) {
  using namespace tesela::ort;
  // Asking for a missing version prints to stderr, so this asks only for one that exists.
  const uint32_t minor = minor_version(base->GetVersionString());
  const OrtApi* const api = minor < kMinApiVersion ? nullptr : base->GetApi(std::min(minor, kApiVersion));
  if (api == nullptr) return version_error(*base, "Tesela's operators need", kMinApiVersion);
  return guard(*api, [&] {
    stay_loaded();
    check(*api, api->AddCustomOpDomain(options, domain_of(*api, minor, read_extents(*api, options))));
  });
}
