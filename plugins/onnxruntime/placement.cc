// SPDX-License-Identifier: Apache-2.0
// Follows the blocked layout through a graph, as ONNX Runtime's layout transformation does after nodes are assigned.
#include "placement.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "attributes.h"
#include "graph.h"

namespace tesela::ort {
namespace {

constexpr int64_t kChannelAlignment = 4;  // of a convolution's input channels
constexpr int64_t kSmallestBlock = 8;     // channels in a block: 8 with AVX2, 16 with AVX-512
// Below it, positions in float32 and in double are the same whole numbers.
constexpr int64_t kMaxExtent = int64_t{1} << 24;

// Below so many bytes of output a node that only copies costs more in this provider than in ONNX Runtime's own, whose
// calls are shorter; from twice as many on, Tesela's stores and threads are worth it.
constexpr int64_t kSmallOutput = int64_t{512} << 10;
// A filled tensor with unknown extents counts as small, since exporters create masks and states with them, unless its known
// extents alone give so many bytes: then the unknown one counts regions.
constexpr int64_t kSmallRegion = int64_t{16} << 10;
// The same for a Resize that keeps all extents, of which ONNX Runtime's copy takes 0.8 of Tesela's at 16 KiB, as long at
// 128 KiB, and 1.5 at 512 KiB.
constexpr int64_t kSmallUnchanged = int64_t{256} << 10;
// Tile copies so many bytes at once, or ONNX Runtime's kernel takes up to 77 times as long: 1 us for 300 runs of 8 bytes.
constexpr int64_t kShortestRun = 64;
constexpr int64_t kFewRuns = 256;  // shorter ones, which take no longer than the longer call
constexpr const char* kShorterCall = "ONNX Runtime's kernel takes less time for an output below 512 KiB";

// extents: -1 for an unknown one; empty if the rank is unknown.
struct TensorType {
  tesela_dtype dtype = 0;
  std::vector<int64_t> extents;
};

// none if it is not a tensor.
std::optional<TensorType> tensor_type(const Runtime& runtime, const OrtValueInfo* value) {
  const OrtTypeInfo* type = nullptr;
  const OrtTensorTypeAndShapeInfo* tensor = nullptr;
  check(runtime.api, runtime.api.GetValueInfoTypeInfo(value, &type));
  if (type != nullptr) check(runtime.api, runtime.api.CastTypeInfoToTensorInfo(type, &tensor));
  if (tensor == nullptr) return std::nullopt;
  ONNXTensorElementDataType element = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  check(runtime.api, runtime.api.GetTensorElementType(tensor, &element));
  return TensorType{dtype_of(element), read_extents(runtime, tensor)};
}

// The extents of a float tensor; none for another type.
std::optional<std::vector<int64_t>> float_extents(const Runtime& runtime, const OrtValueInfo* value) {
  std::optional<TensorType> type = tensor_type(runtime, value);
  if (!type || type->dtype != TESELA_FLOAT) return std::nullopt;
  return std::move(type->extents);
}

// Types of which every version of ONNX Runtime copies and fills tensors.
bool is_common(tesela_dtype dtype) {
  constexpr tesela_dtype kCommon[] = {TESELA_FLOAT,  TESELA_DOUBLE, TESELA_INT8,  TESELA_INT16,
                                      TESELA_INT32,  TESELA_INT64,  TESELA_UINT8, TESELA_UINT16,
                                      TESELA_UINT32, TESELA_UINT64, TESELA_BOOL};
  return std::ranges::find(kCommon, dtype) != std::end(kCommon);
}

bool has_known_extents(const TensorType& type) {
  return !type.extents.empty() && std::ranges::all_of(type.extents, [](int64_t extent) { return extent >= 0; });
}

// As if each unknown extent were 1.
int64_t least_bytes(const TensorType& type) {
  int64_t bytes = tesela_dtype_bits(type.dtype) / 8;
  for (const int64_t extent : type.extents)
    if (extent >= 0 && __builtin_mul_overflow(bytes, extent, &bytes)) return INT64_MAX;
  return bytes;
}

// Whether Tile copies runs of enough bytes or few of them, and its output is small.
bool is_small_tile(const TensorType& in, const TensorType& out) {
  const int64_t bytes = least_bytes(out);
  if (!is_common(out.dtype) || !has_known_extents(in) || !has_known_extents(out) || bytes >= kSmallOutput) return false;
  if (in.extents.size() != out.extents.size()) return false;
  int64_t run = tesela_dtype_bits(out.dtype) / 8;
  for (size_t k = in.extents.size(); k-- > 0;) {
    run *= in.extents[k];
    if (out.extents[k] != in.extents[k]) return run >= kShortestRun || bytes <= kFewRuns * run;
  }
  return true;
}

struct Operator {
  std::string_view type;
  int version = 0;
};

// Of ONNX's own domain; an empty type otherwise.
Operator operator_of(const OrtApi& api, const OrtNode* node) {
  const char* domain = "";
  const char* type = "";
  int version = 0;
  check(api, api.Node_GetDomain(node, &domain));
  check(api, api.Node_GetOperatorType(node, &type));
  check(api, api.Node_GetSinceVersion(node, &version));
  const std::string_view name = domain;
  return name.empty() || name == "ai.onnx" ? Operator{type, version} : Operator{};
}

// Whether a convolution writes the blocked layout, and whether it reads it.
struct Convolution {
  bool writes = false;
  bool reads = false;
};

Convolution convolution_of(const Runtime& runtime, const OrtNode* node) {
  const Values inputs = inputs_of(runtime.api, node);
  bool is_constant = false;
  if (inputs.size() >= 2) check(runtime.api, runtime.api.ValueInfo_IsConstantInitializer(inputs[1], &is_constant));
  if (!is_constant) return {};
  const auto weights = float_extents(runtime, inputs[1]);
  if (!weights || weights->size() != 4) return {};
  const int64_t outputs = (*weights)[0];
  const int64_t channels = (*weights)[1];
  const int64_t groups = read_int(runtime, node, "group", 1);
  if (groups == 1)
    return {.writes = channels < kSmallestBlock || channels % kChannelAlignment == 0,
            .reads = channels >= kSmallestBlock};
  const bool depthwise = channels == 1 && outputs == groups;
  // Groups are whole blocks of 16, which are whole blocks of 8 too.
  const bool whole = channels % (2 * kSmallestBlock) == 0 && outputs / groups % (2 * kSmallestBlock) == 0;
  return {.writes = depthwise || whole, .reads = depthwise || whole};
}

bool is_resize(std::string_view type) {
  return type == "Resize" || type == "Upsample";
}
bool is_pool(std::string_view type) {
  return type == "MaxPool" || type == "AveragePool" || type == "GlobalMaxPool" || type == "GlobalAveragePool";
}
bool is_elementwise(std::string_view type) {
  constexpr std::string_view kKept[] = {"Relu",      "LeakyRelu", "Sigmoid", "Tanh", "HardSigmoid",
                                        "HardSwish", "Add",       "Sum",     "Mul",  "Concat"};
  return std::ranges::find(kKept, type) != std::end(kKept);
}

// Whether a pool writes the blocked layout whatever its input has: it gets whole blocks of channels, of 16 or of 8. Pools of
// the whole plane do not.
bool pools_blocks(const Runtime& runtime, const Operator& of, const OrtValueInfo* input) {
  if (of.type != "MaxPool" && of.type != "AveragePool") return false;
  const auto extents = float_extents(runtime, input);
  return extents && extents->size() == 4 && (*extents)[1] > 0 && (*extents)[1] % (2 * kSmallestBlock) == 0;
}

// Whether no two of the values have different extents, as far as these are known.
bool same_extents(const Runtime& runtime, const Values& values) {
  std::optional<std::vector<int64_t>> first;
  for (const OrtValueInfo* value : values) {
    const auto extents = float_extents(runtime, value);
    if (!extents) return false;
    if (!first) first = extents;
    if (extents->size() != first->size()) continue;
    for (size_t k = 0; k < extents->size(); ++k)
      if ((*extents)[k] >= 0 && (*first)[k] >= 0 && (*extents)[k] != (*first)[k]) return false;
  }
  return true;
}

// The scales that the node's constants give; none if a run decides them.
std::optional<std::vector<double>> constant_scales(const Runtime& runtime, const Operator& of, const Values& inputs,
                                                   const std::vector<int64_t>& extents) {
  const bool has_roi = of.type == "Resize" && of.version >= 11;
  const size_t at = has_roi ? 2 : 1;
  const bool has_scales = inputs.size() > at && !name_of(runtime.api, inputs[at]).empty();
  const bool has_sizes = has_roi && inputs.size() > 3 && !name_of(runtime.api, inputs[3]).empty();
  std::vector<double> scales;
  if (has_scales) {
    const std::optional<Constant> constant = read_constant(runtime, inputs[at]);
    if (!constant || constant->dtype != TESELA_FLOAT) return std::nullopt;
    const auto* const values = reinterpret_cast<const float*>(constant->bytes.data());
    scales.assign(values, values + constant->bytes.size() / sizeof(float));
  }
  if (scales.empty() && has_sizes) {
    const std::optional<Constant> constant = read_constant(runtime, inputs[3]);
    if (!constant || constant->dtype != TESELA_INT64 || constant->bytes.size() != 4 * sizeof(int64_t))
      return std::nullopt;
    const auto* const sizes = reinterpret_cast<const int64_t*>(constant->bytes.data());
    for (size_t k = 0; k < 4; ++k) {
      if (extents[k] < 1) return std::nullopt;
      scales.push_back(static_cast<double>(sizes[k]) / static_cast<double>(extents[k]));
    }
  }
  return scales.size() == 4 ? std::optional(scales) : std::nullopt;
}

std::string text_or(const Runtime& runtime, const OrtNode* node, const char* name, std::string_view value) {
  const std::string text = read_text(runtime, node, name);
  return text.empty() ? std::string(value) : text;
}

// Whether none of the attributes is used whose rules ONNX Runtime has for some settings only.
bool is_plain(const Runtime& runtime, const OrtNode* node) {
  return find_attribute(runtime, node, "axes") == nullptr && read_int(runtime, node, "exclude_outside", 0) == 0 &&
         text_or(runtime, node, "keep_aspect_ratio_policy", "stretch") == "stretch";
}

// Whether a Resize of floats keeps all extents: both kernels copy the input then.
bool keeps_extents(const Runtime& runtime, const OrtNode* node, const Operator& of, const Values& inputs) {
  constexpr std::string_view kCoordinates[] = {"half_pixel", "pytorch_half_pixel", "asymmetric", "align_corners"};
  if (of.type != "Resize" || of.version < 11 || inputs.empty() || !is_plain(runtime, node)) return false;
  if (read_int(runtime, node, "antialias", 0) != 0) return false;
  const std::string coordinates = text_or(runtime, node, "coordinate_transformation_mode", "half_pixel");
  if (std::ranges::find(kCoordinates, coordinates) == std::end(kCoordinates)) return false;
  const auto extents = float_extents(runtime, inputs[0]);
  if (!extents || extents->size() != 4) return false;
  const auto scales = constant_scales(runtime, of, inputs, *extents);
  return scales && std::ranges::all_of(*scales, [](double scale) { return scale == 1; });
}

// Whether the node enlarges planes of float by whole scales with a setting that ONNX Runtime's kernel for the blocked layout
// takes, and its rules are the standard's for it: nearest gives the same bits, linear the same positions.
bool is_integer_upscale(const Runtime& runtime, const OrtNode* node, const Operator& of, const Values& inputs) {
  if (of.version < 9 || inputs.empty() || !is_plain(runtime, node)) return false;
  const std::string mode = text_or(runtime, node, "mode", "nearest");
  const bool has_coordinates = of.type == "Resize" && of.version >= 11;
  const std::string coordinates =
      has_coordinates ? text_or(runtime, node, "coordinate_transformation_mode", "half_pixel") : "asymmetric";
  const std::string rounding = has_coordinates ? text_or(runtime, node, "nearest_mode", "round_prefer_floor") : "floor";
  // The kernel ignores antialias, which changes nothing where the scale is at least 1.
  const bool nearest = mode == "nearest" && coordinates == "asymmetric" && rounding == "floor";
  const bool linear = mode == "linear" &&
                      (coordinates == "asymmetric" || coordinates == "half_pixel" || coordinates == "align_corners");
  if (!nearest && !linear) return false;
  const auto extents = float_extents(runtime, inputs[0]);
  if (!extents || extents->size() != 4) return false;
  const auto scales = constant_scales(runtime, of, inputs, *extents);
  if (!scales || (*scales)[0] != 1 || (*scales)[1] != 1) return false;
  for (size_t k = 2; k < 4; ++k) {
    const double scale = (*scales)[k];
    if (scale < 1 || scale != std::floor(scale) || scale * static_cast<double>((*extents)[k]) >= kMaxExtent)
      return false;
  }
  return true;
}

}  // namespace

FasterKernels::FasterKernels(const Runtime& runtime, std::span<const OrtNode* const> nodes) : runtime_(runtime) {
#if defined(__x86_64__)  // elsewhere ONNX Runtime may have no blocked layout
  for (const OrtNode* node : nodes)
    if (can_write_blocked(node)) blocked_.insert(name_of(runtime.api, outputs_of(runtime.api, node)[0]));
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node)
    if (reads_blocked(*node)) want_inputs(*node);
#else
  static_cast<void>(nodes);
#endif
}

bool FasterKernels::can_write_blocked(const OrtNode* node) const {
  const OrtApi& api = runtime_.api;
  const Operator of = operator_of(api, node);
  const Values inputs = inputs_of(api, node);
  const auto is_blocked = [&](const OrtValueInfo* value) { return blocked_.contains(name_of(api, value)); };
  if (of.type == "Conv") return convolution_of(runtime_, node).writes;
  if (is_resize(of.type))
    return !inputs.empty() && is_blocked(inputs[0]) && is_integer_upscale(runtime_, node, of, inputs);
  // Indices of a MaxPool, its second output, are of the other layout.
  if (is_pool(of.type))
    return !inputs.empty() && outputs_of(api, node).size() == 1 &&
           (is_blocked(inputs[0]) || pools_blocks(runtime_, of, inputs[0]));
  if (of.type == "BatchNormalization" || of.type == "Clip") return !inputs.empty() && is_blocked(inputs[0]);
  if (of.type == "Concat") return std::ranges::all_of(inputs, is_blocked) && read_int(runtime_, node, "axis", 0) == 1;
  return is_elementwise(of.type) && std::ranges::all_of(inputs, is_blocked) && same_extents(runtime_, inputs);
}

// A convolution or a pool, or an operator between one and its input.
bool FasterKernels::reads_blocked(const OrtNode* node) const {
  const Operator of = operator_of(runtime_.api, node);
  if (of.type == "Conv") return convolution_of(runtime_, node).reads;
  const Values outputs = outputs_of(runtime_.api, node);
  if (outputs.empty()) return false;
  const std::string name = name_of(runtime_.api, outputs[0]);
  return wanted_.contains(name) || (is_pool(of.type) && blocked_.contains(name));
}

void FasterKernels::want_inputs(const OrtNode* node) {
  for (const OrtValueInfo* input : inputs_of(runtime_.api, node))
    if (std::string name = name_of(runtime_.api, input); blocked_.contains(name)) wanted_.insert(std::move(name));
}

const char* FasterKernels::reason(const OrtNode* node) const {
  const OrtApi& api = runtime_.api;
  const Operator of = operator_of(api, node);
  const Values inputs = inputs_of(api, node);
  const Values outputs = outputs_of(api, node);
  if (outputs.empty()) return nullptr;
  const std::optional<TensorType> out = tensor_type(runtime_, outputs[0]);
  if (!out) return nullptr;
  if (of.type == "Tile" && of.version >= 6 && inputs.size() == 2) {
    const std::optional<TensorType> in = tensor_type(runtime_, inputs[0]);
    return in && is_small_tile(*in, *out) ? kShorterCall : nullptr;
  }
  if (of.type == "ConstantOfShape") {
    const int64_t limit = has_known_extents(*out) ? kSmallOutput : kSmallRegion;
    return least_bytes(*out) < limit && is_common(out->dtype) ? kShorterCall : nullptr;
  }
  if (!is_resize(of.type)) return nullptr;
  if (wanted_.contains(name_of(api, outputs[0])))
    return "ONNX Runtime's kernel keeps the blocked layout of the convolutions around the node";
  if (least_bytes(*out) < kSmallUnchanged && keeps_extents(runtime_, node, of, inputs))
    return "ONNX Runtime's kernel copies an input that keeps its extents";
  const std::string mode = read_text(runtime_, node, "mode");
  if (least_bytes(*out) < kSmallOutput && (mode.empty() || mode == "nearest") &&
      is_integer_upscale(runtime_, node, of, inputs))
    return "ONNX Runtime's kernel repeats elements by whole numbers, with the same bits";
  return nullptr;
}

}  // namespace tesela::ort
