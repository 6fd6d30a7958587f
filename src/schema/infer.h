// SPDX-License-Identifier: Apache-2.0
// Shape inference: what is known about an operator's output before it runs.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "schema/op_desc.h"
#include "types/name.h"

namespace tesela {

/// One extent: a number, a symbol or unknown.
struct Dim {
  int64_t value = -1;  // >= 0 if known
  Name symbol;         // otherwise a name, or empty

  bool known() const { return value >= 0; }
  friend bool operator==(const Dim&, const Dim&) = default;
};

using Dims = SmallVector<Dim, 6>;

/// What is known about a tensor.
struct TensorInfo {
  DataType type = DataType::kUndefined;  // kUndefined: unknown
  std::optional<Dims> dims;              // empty: unknown rank
  std::optional<Tensor> constant;        // its value
  std::optional<Dims> shape_value;       // a 1-D int64 tensor's entries, partly known
};

/// True for the input that is resized or tiled; the others are read while planning.
inline bool is_data_input(const OpDesc& op, size_t position) {
  return position == 0 && op.schema->op != Operator::kConstantOfShape;
}

/// "2 x N x ?", "unknown rank".
std::string dims_text(const std::optional<Dims>& dims);

/// The type and shape of the only output. inputs: nullptr for an omitted one. Attributes and inputs must be
/// valid. Keeps symbols of unchanged extents, and infers 0 for a repeat of 0.
/// Errors: violations of the operator's rules for any data; messages do not name the operator.
Result<TensorInfo> infer(const OpDesc& op, std::span<const TensorInfo* const> inputs);

/// validate_inputs for inferred inputs; nullptr for an omitted one.
std::vector<Status> validate_inputs(const OpDesc& op, std::span<const TensorInfo* const> inputs);

/// infer() for an unchecked description: first checks attributes and the inputs' types. Messages begin with the
/// operator and its node.
Result<TensorInfo> infer_checked(const OpDesc& op, std::span<const TensorInfo* const> inputs);

}  // namespace tesela
