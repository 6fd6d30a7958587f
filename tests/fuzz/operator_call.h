// SPDX-License-Identifier: Apache-2.0
// A call of an operator drawn from a fuzzer's bytes: mostly valid, one in five with something that is not.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "fuzz/input.h"
#include "schema/schema.h"

namespace tesela::testing {

/// A tensor with its own dense bytes; none for the tensor that is resized or tiled, of which plans read only the shape.
struct DrawnTensor {
  DataType type = DataType::kUndefined;
  std::vector<int64_t> extents;
  std::vector<std::byte> bytes;

  tesela_tensor view() const;
};

using DrawnValue = std::variant<int64_t, float, std::string, std::vector<int64_t>, std::vector<float>, DrawnTensor>;

struct DrawnAttribute {
  std::string name;
  DrawnValue value;
};

struct DrawnCall {
  const OpSchema* row = nullptr;
  std::vector<DrawnAttribute> attributes;
  std::vector<DrawnAttribute> fields;              // plan fields, without their prefix
  std::vector<std::optional<DrawnTensor>> inputs;  // in the order of the row's ports; empty: omitted
};

/// Shapes have few elements. domain: that of the operators to choose from; null for all.
DrawnCall draw_call(Input& input, const std::string_view* domain = nullptr);

/// The operator with its attributes; null if one of them was refused.
tesela_op* make_op(const DrawnCall& call, tesela_error* error);

/// Pointers to the inputs of a C function.
struct InputViews {
  explicit InputViews(const DrawnCall& call);
  std::vector<tesela_tensor> tensors;
  std::vector<const tesela_tensor*> pointers;
};

/// The call as text, for reports.
std::string describe(const DrawnCall& call);

}  // namespace tesela::testing
