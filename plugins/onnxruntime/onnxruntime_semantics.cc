// SPDX-License-Identifier: Apache-2.0
// Applies the rules of ONNX Runtime's own CPU kernels.
#include "onnxruntime_semantics.h"

#include <limits>

#include "attributes.h"

namespace tesela::ort {
namespace {

bool is_truncated(tesela_dtype dtype) {
  return dtype == TESELA_INT32 || dtype == TESELA_INT8 || dtype == TESELA_UINT8;
}

// Converts like x86: truncates toward zero; values outside of 32 bits give the smallest integer.
template <class Integer>
Integer truncate(float value) {
  constexpr float kLimit = 0x1p31f;
  const int32_t whole =
      value >= -kLimit && value < kLimit ? static_cast<int32_t>(value) : std::numeric_limits<int32_t>::min();
  return static_cast<Integer>(whole);
}

// Calls body with a pointer to the elements.
template <class Body>
void with_integers(const tesela_tensor& tensor, Body body) {
  switch (tensor.dtype) {
    case TESELA_INT32: return body(static_cast<int32_t*>(tensor.data));
    case TESELA_INT8: return body(static_cast<int8_t*>(tensor.data));
    default: return body(static_cast<uint8_t*>(tensor.data));
  }
}

}  // namespace

void apply_onnxruntime_semantics(const Runtime& runtime, const OrtNode* node, Node& tesela_node) {
  if (!tesela_node.resizes) return;
  const bool crops = read_text(runtime, node, "coordinate_transformation_mode") == "tf_crop_and_resize";
  const bool integers = is_truncated(tesela_node.inputs[0].dtype);
  if (read_int(runtime, node, "antialias", 0) != 0 && (crops || integers))
    fail(ORT_NOT_IMPLEMENTED, "semantics=onnxruntime leaves antialias of integers and crops to ONNX Runtime");
  const size_t rank = tesela_node.inputs[0].extents.size();  // 0: unknown
  tesela_node.needs_shapes =
      read_text(runtime, node, "mode") == "cubic" && (crops || integers) && (rank == 0 || rank == 4);
  tesela_node.truncates = integers && tesela_node.computes;
  tesela_node.op.set("tesela.rules", "onnxruntime_positions");
}

void widen_to_float(const tesela_tensor& from, size_t begin, size_t end, float* to) {
  with_integers(from, [&](const auto* elements) {
    for (size_t i = begin; i < end; ++i) to[i] = static_cast<float>(elements[i]);
  });
}

void truncate_from_float(const float* from, size_t begin, size_t end, const tesela_tensor& to) {
  with_integers(to, [&](auto* elements) {
    using Integer = std::remove_pointer_t<decltype(elements)>;
    for (size_t i = begin; i < end; ++i) elements[i] = truncate<Integer>(from[i]);
  });
}

}  // namespace tesela::ort
