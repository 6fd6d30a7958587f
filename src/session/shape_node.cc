// Shape: extents as data.
#include "session/shape_node.h"

#include <algorithm>

namespace tesela {
namespace {

int64_t int_attribute(const Node& node, std::string_view name, int64_t absent) {
  for (const Attribute& attribute : node.attributes)
    if (attribute.name == name)
      if (const auto* value = std::get_if<int64_t>(&attribute.value)) return *value;
  return absent;
}

// A position from the front or, negative, from the back, clamped to [0, rank]; before the addition, which so
// cannot overflow.
int64_t bounded(int64_t position, int64_t rank) {
  position = std::clamp(position, -rank, rank);
  return position < 0 ? position + rank : position;
}

std::optional<Tensor> extents_tensor(const Dims& dims) {
  Result<Tensor> tensor = Tensor::allocate(DataType::kInt64, {static_cast<int64_t>(dims.size())});
  if (!tensor.ok()) return std::nullopt;
  auto* values = reinterpret_cast<int64_t*>(tensor->mutable_data());
  for (size_t d = 0; d < dims.size(); ++d) values[d] = dims[d].value;
  return *tensor;
}

}  // namespace

KnownInfo shape_of(const Node& node, const KnownInfo& input, const Limits& limits) {
  auto info = std::make_shared<TensorInfo>();
  info->type = DataType::kInt64;
  info->dims.emplace(1);
  if (!input || !input->dims || static_cast<int64_t>(input->dims->size()) > limits.max_rank) return info;
  const auto rank = static_cast<int64_t>(input->dims->size());
  const int64_t start = bounded(int_attribute(node, "start", 0), rank);
  const int64_t end = std::max(start, bounded(int_attribute(node, "end", rank), rank));
  info->shape_value.emplace(input->dims->data() + start, static_cast<size_t>(end - start));
  (*info->dims)[0].value = end - start;
  if (all_known(info->shape_value)) info->constant = extents_tensor(*info->shape_value);
  return info;
}

}  // namespace tesela
