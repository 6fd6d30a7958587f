// SPDX-License-Identifier: Apache-2.0
// The owning tensor: aligned storage, and copies that own their strings.
#include "types/tensor.h"

#include <cstring>

#include "types/block.h"
#include "types/out_of_memory.h"
#include "types/packed.h"

namespace tesela {

TensorView pad_rank(TensorView view, size_t rank) {
  if (view.extents.size() >= rank) return view;
  const size_t ones = rank - view.extents.size();
  Extents extents(ones, 1);
  for (const int64_t extent : view.extents) extents.push_back(extent);
  if (!view.strides_bytes.empty()) {
    Extents strides(ones, 0);  // an axis of one element needs no stride
    for (const int64_t stride : view.strides_bytes) strides.push_back(stride);
    view.strides_bytes = std::move(strides);
  }
  view.extents = std::move(extents);
  return view;
}

Extents dense_strides(DataType type, std::span<const int64_t> extents) {
  Extents strides(extents.size(), 0);
  if (product(extents) == 0) return strides;  // no elements, and the other extents may overflow
  int64_t stride = element_bits(type) / 8;
  for (size_t d = extents.size(); d-- > 0;) {
    strides[d] = stride;
    stride *= extents[d];
  }
  return strides;
}

void copy_elements(const TensorView& from, const MutableTensorView& to) {
  const auto width = static_cast<size_t>(element_bits(from.type) / 8);
  const int64_t count = product(from.extents);
  if (from.strides_bytes.empty() && to.strides_bytes.empty()) {
    if (count > 0) std::memcpy(to.data, from.data, static_cast<size_t>(count) * width);
    return;
  }
  const Extents from_strides = strides_of(from);
  const Extents to_strides = strides_of(to);
  Extents index(from.extents.size(), 0);
  int64_t from_at = 0;
  int64_t to_at = 0;
  for (int64_t i = 0; i < count; ++i) {
    std::memcpy(to.data + to_at, from.data + from_at, width);
    for (size_t d = index.size(); d-- > 0;) {
      from_at += from_strides[d];
      to_at += to_strides[d];
      if (++index[d] < from.extents[d]) break;
      from_at -= from_strides[d] * from.extents[d];
      to_at -= to_strides[d] * from.extents[d];
      index[d] = 0;
    }
  }
}

// Allocates a tensor's block; an error has a message.
static Result<std::shared_ptr<const Block>> make_block(DataType type, const Extents& extents, int64_t bytes) {
  try {
    return std::make_shared<const Block>(static_cast<size_t>(bytes));
  } catch (const OutOfMemory&) {
    return no_memory_error("out of memory: {} bytes for a {} tensor of shape [{}]", bytes, name(type),
                           fmt::join(extents, ", "));
  }
}

Result<Tensor> Tensor::allocate(DataType type, Extents extents) {
  TESELA_ASSIGN_OR_RETURN(const int64_t bytes, byte_count(type, extents));
  if (bytes > (int64_t{1} << 62)) return no_memory_error("a tensor of {} bytes does not fit in memory", bytes);
  Tensor tensor;
  TESELA_ASSIGN_OR_RETURN(auto block, make_block(type, extents, bytes));
  tensor.type_ = type;
  tensor.extents_ = std::move(extents);
  tensor.data_ = block->data();
  if (type == DataType::kString) std::memset(block->data(), 0, static_cast<size_t>(bytes));
  // Padding bits of the last byte of a packed tensor are zero.
  if (bytes > 0 && is_packed(type)) block->data()[bytes - 1] = std::byte{0};
  tensor.storage_ = std::move(block);
  return tensor;
}

Tensor Tensor::borrow(DataType type, Extents extents, const std::byte* data, std::shared_ptr<const void> owner) {
  Tensor tensor;
  tensor.type_ = type;
  tensor.extents_ = std::move(extents);
  tensor.data_ = data;
  tensor.storage_ = std::move(owner);
  return tensor;
}

Result<Tensor> Tensor::from_strings(Extents extents, std::span<const std::string_view> values) {
  TESELA_ASSIGN_OR_RETURN(Tensor tensor, allocate(DataType::kString, std::move(extents)));
  size_t total = 0;
  for (const std::string_view value : values) total += value.size();
  auto text = std::make_shared<std::string>();
  text->reserve(total);
  for (const std::string_view value : values) text->append(value);
  auto* refs = reinterpret_cast<StringRef*>(tensor.mutable_data());
  const char* at = text->data();
  for (size_t i = 0; i < values.size(); ++i) {
    refs[i] = {at, values[i].size()};
    at += values[i].size();
  }
  tensor.keep(std::move(text));
  return tensor;
}

Result<Tensor> Tensor::copy_of(const TensorView& view) {
  TESELA_ASSIGN_OR_RETURN(const int64_t count, element_count(view.extents));
  TESELA_ASSIGN_OR_RETURN(Tensor tensor, allocate(view.type, view.extents));
  if (count == 0) return tensor;
  const int bits = element_bits(view.type);
  if (bits < 8) {
    for (int64_t i = 0; i < count; ++i)
      set_packed(tensor.mutable_data(), i * bits, bits, get_packed(view.data, view.bit_offset + i * bits, bits));
    return tensor;
  }
  copy_elements(view, tensor.mutable_view());
  if (view.type != DataType::kString) return tensor;
  std::vector<std::string_view> values;
  values.reserve(static_cast<size_t>(count));
  for (const StringRef& ref : tensor.as<StringRef>()) values.push_back(ref.view());
  return from_strings(view.extents, values);
}

int64_t Tensor::bytes() const {
  const int64_t bits = element_bits(type_);
  return bits >= 8 ? count() * (bits / 8) : (count() * bits + 7) / 8;
}

}  // namespace tesela
