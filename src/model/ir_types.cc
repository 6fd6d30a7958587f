// SPDX-License-Identifier: Apache-2.0
// Reads the elements of IR constants.
#include "model/ir_types.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "model/tensor_bytes.h"

namespace tesela {
namespace {

constexpr IrType kOwn[] = {
    {"u1", "BIN", DataType::kUint8, IrStorage::kBits},
    {"u3", "U3", DataType::kUint8, IrStorage::kSplit3},
    {"u6", "U6", DataType::kUint8, IrStorage::kSplit6},
    {"nf4", "NF4", DataType::kUint4, IrStorage::kDense},
};

// Ports use FP32 and BOOL, attributes f32 and boolean.
std::string precision_of(std::string_view name) {
  if (name == "boolean") return "BOOL";
  std::string upper(name);
  std::transform(upper.begin(), upper.end(), upper.begin(), [](char c) { return c >= 'a' ? c - 32 : c; });
  const bool is_plain_float = name == "f16" || name == "f32" || name == "f64";
  return is_plain_float ? "FP" + upper.substr(1) : upper;
}

// Elements that are stored together, and their bytes; an incomplete group takes the same number of bytes.
struct Group {
  int64_t elements;
  int64_t bytes;
};

Group group_of(IrStorage storage) {
  if (storage == IrStorage::kBits) return {8, 1};
  return storage == IrStorage::kSplit3 ? Group{8, 3} : Group{4, 3};
}

unsigned bits_at(std::span<const std::byte> bytes, int64_t byte, int shift, unsigned mask) {
  return (static_cast<unsigned>(bytes[static_cast<size_t>(byte)]) >> shift) & mask;
}

// Element k of the group at byte `base`; the first element is in the most significant bits of each plane.
unsigned element_of(IrStorage storage, std::span<const std::byte> bytes, int64_t base, int k) {
  if (storage == IrStorage::kBits) return bits_at(bytes, base, 7 - k, 1);
  if (storage == IrStorage::kSplit3)
    return bits_at(bytes, base + k / 4, 6 - k % 4 * 2, 3) | bits_at(bytes, base + 2, 7 - k, 1) << 2;
  return bits_at(bytes, base + k / 2, 4 - k % 2 * 4, 15) | bits_at(bytes, base + 2, 6 - k * 2, 3) << 4;
}

Result<Tensor> unpacked(const IrType& type, Extents extents, std::span<const std::byte> bytes) {
  TESELA_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate(type.type, std::move(extents)));
  const Group group = group_of(type.storage);
  std::byte* out = tensor.mutable_data();
  for (int64_t i = 0; i < tensor.count(); ++i)
    out[i] = static_cast<std::byte>(
        element_of(type.storage, bytes, i / group.elements * group.bytes, static_cast<int>(i % group.elements)));
  return tensor;
}

// Layout, in int32: the number of strings; the begin of each, and the end of the last; then the characters.
Result<Tensor> read_texts(Extents extents, std::span<const std::byte> bytes, const std::shared_ptr<const void>& owner) {
  TESELA_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate(DataType::kString, std::move(extents)));
  const auto number = [&](size_t k) {
    int32_t value = 0;
    std::memcpy(&value, bytes.data() + 4 * k, sizeof value);
    return value;
  };
  const auto count = static_cast<size_t>(tensor.count());
  if (bytes.size() / 4 < count + 2 || std::cmp_not_equal(number(0), count))
    return parse_error("its {} bytes begin with {} strings; expected {} and their offsets", bytes.size(),
                       bytes.size() >= 4 ? number(0) : 0, count);
  const auto characters = bytes.subspan(4 * (count + 2));
  auto* refs = reinterpret_cast<StringRef*>(tensor.mutable_data());
  for (size_t i = 0; i < count; ++i) {
    const int32_t begin = number(i + 1);
    const int32_t end = number(i + 2);
    if (begin < 0 || end < begin || static_cast<size_t>(end) > characters.size())
      return parse_error("string {} has the offsets {} to {}; expected two that ascend within 0 to {}", i, begin, end,
                         characters.size());
    refs[i] = {reinterpret_cast<const char*>(characters.data()) + begin, static_cast<uint64_t>(end - begin)};
  }
  tensor.keep(owner);
  return tensor;
}

}  // namespace

std::span<const IrType> all_ir_types() {
  static const std::vector<std::string> precisions = [] {
    std::vector<std::string> names;
    for (const DataTypeTraits& row : all_data_types()) names.push_back(precision_of(row.openvino_name));
    return names;
  }();
  static const std::vector<IrType> types = [] {
    std::vector<IrType> list;
    for (size_t i = 0; i < all_data_types().size(); ++i) {
      const DataTypeTraits& row = all_data_types()[i];
      const IrStorage storage = row.kind == DataKind::kText ? IrStorage::kText : IrStorage::kDense;
      if (!row.openvino_name.empty()) list.push_back({row.openvino_name, precisions[i], row.type, storage});
    }
    list.insert(list.end(), std::begin(kOwn), std::end(kOwn));
    return list;
  }();
  return types;
}

// Made when the library is loaded: after a fork during another thread's first use they would be half made.
[[maybe_unused]] static const std::span<const IrType> made_early = all_ir_types();

const IrType* find_ir_type(std::string_view name) {
  const auto types = all_ir_types();
  const auto found = std::find_if(types.begin(), types.end(), [&](const IrType& type) { return type.name == name; });
  return found == types.end() ? nullptr : &*found;
}

const IrType* find_ir_precision(std::string_view precision) {
  const auto types = all_ir_types();
  const auto found =
      std::find_if(types.begin(), types.end(), [&](const IrType& type) { return type.precision == precision; });
  return found == types.end() ? nullptr : &*found;
}

Result<int64_t> ir_stored_bytes(const IrType& type, const Extents& extents) {
  if (type.storage == IrStorage::kDense) return byte_count(type.type, extents);
  TESELA_ASSIGN_OR_RETURN(const int64_t count, element_count(extents));
  const Group group = group_of(type.storage);
  return (count / group.elements + (count % group.elements != 0 ? 1 : 0)) * group.bytes;
}

Result<Tensor> read_ir_tensor(const IrType& type, Extents extents, std::span<const std::byte> bytes,
                              const std::shared_ptr<const void>& owner) {
  switch (type.storage) {
    case IrStorage::kDense: return tensor_over_bytes(type.type, std::move(extents), bytes, owner, true);
    case IrStorage::kText: return read_texts(std::move(extents), bytes, owner);
    default: return unpacked(type, std::move(extents), bytes);
  }
}

}  // namespace tesela
