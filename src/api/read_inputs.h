// SPDX-License-Identifier: Apache-2.0
// Converts the caller's inputs for inference and planning.
#pragma once

#include "api/boundary.h"
#include "api/op_handles.h"
#include "schema/infer.h"

namespace tesela::api {

/// Errors: usage, count.
Status check_inputs(const tesela_op* op, size_t count, const void* inputs);

/// Type and dims of a tensor, and its value if `with_value`; dense values are borrowed. info: fresh.
Status info_of_tensor(const tesela_tensor& tensor, bool with_value, TensorInfo& info);

/// Errors: usage, type, rank, value, count.
Result<TensorInfo> read_info(const tesela_tensor_info& source);

/// The inputs of an operator, as inference and planning expect them.
class InputInfos {
 public:
  /// count: the number of inputs.
  explicit InputInfos(size_t count) { infos_.reserve(count); }
  void omit() { pointers_.push_back(nullptr); }
  TensorInfo& add() {
    pointers_.push_back(&infos_.emplace_back());
    return infos_.back();
  }
  std::span<const TensorInfo* const> get() const { return {pointers_.data(), pointers_.size()}; }

 private:
  SmallVector<TensorInfo, 4> infos_;
  SmallVector<const TensorInfo*, 4> pointers_;
};

}  // namespace tesela::api
