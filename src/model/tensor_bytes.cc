// SPDX-License-Identifier: Apache-2.0
// Makes tensors from the bytes of files.
#include "model/tensor_bytes.h"

#include <algorithm>
#include <cstring>

namespace tesela {
namespace {

// Files may have any padding bits after the last packed element; in a Tensor they are zero.
bool has_pad_bits(const Tensor& tensor) {
  const int bits = static_cast<int>(tensor.count() * element_bits(tensor.type()) % 8);
  return bits != 0 && (static_cast<unsigned>(tensor.data()[tensor.bytes() - 1]) >> bits) != 0;
}

}  // namespace

int64_t borrowed_alignment(DataType type, std::span<const int64_t> extents) {
  if (is_packed(type)) return product(extents) * element_bits(type) % 8 == 0 ? 1 : 0;
  return std::max(element_bits(type) / (traits(type).kind == DataKind::kComplex ? 2 : 1) / 8, 1);
}

Result<Tensor> tensor_over_bytes(DataType type, Extents extents, std::span<const std::byte> bytes,
                                 const std::shared_ptr<const void>& owner, bool borrow) {
  const auto alignment = static_cast<uintptr_t>(std::max<int64_t>(borrowed_alignment(type, extents), 1));
  Tensor tensor = Tensor::borrow(type, std::move(extents), bytes.data(), owner);
  if (tensor.count() == 0) return Tensor::allocate(type, tensor.extents());
  const bool aligned = reinterpret_cast<uintptr_t>(bytes.data()) % alignment == 0;
  if (borrow && aligned && !(is_packed(type) && has_pad_bits(tensor))) return tensor;
  TESELA_ASSIGN_OR_RETURN(Tensor copy, Tensor::allocate(type, tensor.extents()));
  std::memcpy(copy.mutable_data(), bytes.data(), bytes.size());
  if (is_packed(type) && has_pad_bits(copy)) {
    const int used = static_cast<int>(copy.count() * element_bits(type) % 8);
    copy.mutable_data()[bytes.size() - 1] &= static_cast<std::byte>((1u << used) - 1u);
  }
  return copy;
}

}  // namespace tesela
