// SPDX-License-Identifier: Apache-2.0
// Checks the sizes of small inputs.
#include "graph/small_inputs.h"

namespace tesela {

Status check_small_inputs(const OpDesc& op, std::span<const TensorInfo* const> inputs, const Limits& limits) {
  for (size_t k = 0; k < inputs.size(); ++k) {
    const std::string_view port = op.schema->inputs[k].name;
    // roi may have any size if no mode reads it.
    if (inputs[k] == nullptr || !inputs[k]->dims || port == "roi") continue;
    const Dims& dims = *inputs[k]->dims;
    if (static_cast<int64_t>(dims.size()) > limits.max_rank)
      return limit_error("input '{}' has rank {}; the limit is {}", port, dims.size(), limits.max_rank);
    if (!is_data_input(op, k) && dims.size() == 1 && dims[0].value > limits.max_rank)
      return limit_error("input '{}' has {} entries; the limit of a rank is {}", port, dims[0].value, limits.max_rank);
  }
  return {};
}

}  // namespace tesela
