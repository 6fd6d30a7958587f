// SPDX-License-Identifier: Apache-2.0
// Attributes of operators from a file or a caller: names and values, not yet checked.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "types/tensor.h"

namespace tesela {

/// Kinds of attributes. The values are those of ONNX's AttributeProto.AttributeType.
enum class AttributeKind : int32_t {
  kUndefined = 0,
  kFloat = 1,
  kInt = 2,
  kString = 3,
  kTensor = 4,
  kGraph = 5,
  kFloats = 6,
  kInts = 7,
  kStrings = 8,
  kTensors = 9,
  kGraphs = 10,
  kSparseTensor = 11,
  kSparseTensors = 12,
  kTypeProto = 13,
  kTypeProtos = 14,
};

/// "FLOAT", "INTS", ...
std::string_view name(AttributeKind kind);

/// An attribute's value; monostate for kinds that none of our operators has (graphs, sparse tensors, ...).
using AttributeValue = std::variant<std::monostate, float, int64_t, std::string, Tensor, std::vector<float>,
                                    std::vector<int64_t>, std::vector<std::string>>;

struct Attribute {
  std::string name;
  AttributeKind kind = AttributeKind::kUndefined;
  AttributeValue value;
};

}  // namespace tesela
