// SPDX-License-Identifier: Apache-2.0
// Checks of a run's tensors.
#include "backend/tensor_checks.h"

namespace tesela {

Status check_type(DataType type, DataType expected, std::string_view what) {
  if (type == expected) return {};
  return type_error("the {} has type {}; the plan was made for {}", what, name(type), name(expected));
}

Status check_strides(DataType type, const Extents& extents, const Extents& strides, std::string_view what) {
  if (strides.empty()) return {};
  if (is_packed(type)) return usage_error("the {} has strides; {} tensors are always dense", what, name(type));
  if (strides.size() != extents.size())
    return rank_error("the {} has {} strides; expected {}", what, strides.size(), extents.size());
  return {};
}

}  // namespace tesela
