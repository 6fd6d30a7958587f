// SPDX-License-Identifier: Apache-2.0
// Reads and writes .npy: element types, byte order, axis order.
#include "tensor_io/npy.h"

#include <algorithm>
#include <cstring>

#include "tensor_io/npy_header.h"
#include "types/packed.h"

namespace tesela {
namespace {

// NumPy's kinds of its own numbers, and DLPack's codes of the same.
constexpr struct {
  char kind;
  int32_t dlpack_code;
} kKinds[] = {{'i', 0}, {'u', 1}, {'f', 2}, {'c', 5}, {'b', 6}};

// The type in the file; kUndefined if it has only a width.
DataType named_type(const NpyHeader& header) {
  if (header.kind == 'S' || header.kind == 'U') return DataType::kString;
  for (const auto& [kind, code] : kKinds)
    if (kind == header.kind && header.item_bytes <= 16)
      return find_dlpack_type(code, static_cast<int32_t>(header.item_bytes) * 8).value_or(DataType::kUndefined);
  return DataType::kUndefined;
}

// As ml_dtypes writes: '<V2', '|V1', and '<f1' for float8e5m2.
bool holds_only_bits(const NpyHeader& header) {
  return header.kind == 'V' || (header.kind == 'f' && header.item_bytes == 1);
}

Result<DataType> element_type(const NpyHeader& header, DataType wanted) {
  const DataType named = named_type(header);
  if (wanted == DataType::kUndefined || wanted == named) {
    if (named != DataType::kUndefined) return named;
    if (holds_only_bits(header))
      return unsupported_error("descr {} does not say which type its {} bytes are; name the type",
                               in_quotes(header.descr), header.item_bytes);
    if (header.descr.ends_with("f16") || header.descr.ends_with("c32"))
      return unsupported_error("descr {} is a long double; expected float16, float32 or float64",
                               in_quotes(header.descr));
    return type_error("descr {} is not a known type", in_quotes(header.descr));
  }
  if (find_traits(wanted) == nullptr) return type_error("type {} is unknown", static_cast<int32_t>(wanted));
  const bool holds_bits = holds_only_bits(header) || header.kind == 'u' || header.kind == 'i';
  const int64_t width = std::max(element_bits(wanted), 8) / 8;
  if (!holds_bits || wanted == DataType::kString || header.item_bytes != width)
    return type_error("elements of type {} cannot be taken as {}; expected '<V{}', or integers of that width",
                      in_quotes(header.descr), name(wanted), width);
  return wanted;
}

Extents file_strides(const NpyHeader& header) {
  Extents strides(header.shape.size(), 0);
  int64_t stride = header.item_bytes;
  for (size_t i = 0; i < strides.size(); ++i) {
    const size_t d = header.fortran_order ? i : strides.size() - 1 - i;
    strides[d] = stride;
    stride *= header.shape[d];
  }
  return strides;
}

void swap_bytes(Tensor& tensor) {
  const bool complex = traits(tensor.type()).kind == DataKind::kComplex;
  const int64_t width = element_bits(tensor.type()) / (complex ? 16 : 8);
  std::byte* end = tensor.mutable_data() + tensor.bytes();
  for (std::byte* at = tensor.mutable_data(); at != end; at += width) std::reverse(at, at + width);
}

// One element per byte: its bits, extended with zeros or its sign.
Result<Tensor> packed(const Tensor& bytes, DataType type) {
  const int bits = element_bits(type);
  const bool is_signed = traits(type).kind == DataKind::kSigned;
  TESELA_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate(type, bytes.extents()));
  for (int64_t i = 0; i < bytes.count(); ++i) {
    const auto value = static_cast<unsigned>(bytes.data()[i]);
    const unsigned above = value >> bits;
    const bool negative = is_signed && (value >> (bits - 1) & 1u) != 0;
    if (above != 0 && !(negative && above == 0xffu >> bits))
      return value_error("byte {} is {}; expected one element of type {} in each byte", i, value, name(type));
    set_packed(tensor.mutable_data(), i * bits, bits, static_cast<uint8_t>(value & ((1u << bits) - 1u)));
  }
  return tensor;
}

void append_utf8(uint32_t c, std::string& out) {
  const auto add = [&](uint32_t byte) { out += static_cast<char>(byte); };
  const auto tail = [&](int shift) { add(0x80 | (c >> shift & 0x3f)); };
  if (c < 0x80) return add(c);
  if (c < 0x800) return add(0xc0 | c >> 6), tail(0);
  if (c < 0x10000) return add(0xe0 | c >> 12), tail(6), tail(0);
  add(0xf0 | c >> 18), tail(12), tail(6), tail(0);
}

// Strings of fixed width, padded with NULs: bytes ('S') or UCS-4 ('U').
Status append_text(const std::byte* item, const NpyHeader& header, std::string& out) {
  if (header.kind == 'S') {
    const std::string_view text(reinterpret_cast<const char*>(item), static_cast<size_t>(header.item_bytes));
    out += text.substr(0, text.find_last_not_of('\0') + 1);
    return {};
  }
  size_t length = static_cast<size_t>(header.item_bytes) / 4;
  const auto character = [&](size_t i) {
    uint32_t c = 0;
    std::memcpy(&c, item + 4 * i, 4);
    return header.big_endian ? __builtin_bswap32(c) : c;
  };
  while (length > 0 && character(length - 1) == 0) --length;
  for (size_t i = 0; i < length; ++i) {
    const uint32_t c = character(i);
    if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
      return value_error("a string has {:#x}, which is not a character", c);
    append_utf8(c, out);
  }
  return {};
}

/// Items in row-major order, wherever the file has them.
class ItemWalk {
 public:
  ItemWalk(const std::byte* data, const NpyHeader& header)
      : at_(data), header_(header), strides_(file_strides(header)), index_(header.shape.size(), 0) {}

  const std::byte* next() {
    const std::byte* item = at_;
    for (size_t d = index_.size(); d-- > 0;) {
      at_ += strides_[d];
      if (++index_[d] < header_.shape[d]) break;
      at_ -= strides_[d] * header_.shape[d];
      index_[d] = 0;
    }
    return item;
  }

 private:
  const std::byte* at_;
  const NpyHeader& header_;
  Extents strides_;
  Extents index_;
};

Result<Tensor> read_strings(const std::byte* data, const NpyHeader& header, const Limits& limits) {
  if (header.item_bytes == 0) return unsupported_error("strings of 0 characters");
  TESELA_ASSIGN_OR_RETURN(const int64_t bytes, byte_count(DataType::kString, header.shape));
  if (bytes > limits.max_output_bytes)
    return limit_error("a string tensor of {} bytes; the limit is {}", bytes, limits.max_output_bytes);
  // The characters first: how many bytes they take is known only then, and references to them must not move.
  auto text = std::make_shared<std::string>();
  const auto room = static_cast<size_t>(limits.max_output_bytes - bytes);
  TESELA_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate(DataType::kString, header.shape));
  std::span<StringRef> refs(reinterpret_cast<StringRef*>(tensor.mutable_data()), static_cast<size_t>(tensor.count()));
  ItemWalk walk(data, header);
  for (StringRef& ref : refs) {
    const size_t begin = text->size();
    TESELA_RETURN_IF_ERROR(append_text(walk.next(), header, *text));
    if (text->size() > room)
      return limit_error("a string tensor of more than {} bytes, which is the limit", limits.max_output_bytes);
    ref = {nullptr, text->size() - begin};
  }
  const char* at = text->data();
  for (StringRef& ref : refs) {
    ref.data = at;
    at += ref.size;
  }
  tensor.keep(std::move(text));
  return tensor;
}

Result<Tensor> read_numbers(const FileBytes& file, const NpyHeader& header, DataType type) {
  const std::byte* data = file.bytes.data() + header.data_offset;
  const DataType carrier = is_packed(type) ? DataType::kUint8 : type;
  const bool reorder = header.fortran_order && header.shape.size() > 1;
  const bool swap = header.big_endian && header.item_bytes > 1;
  const bool aligned = reinterpret_cast<uintptr_t>(data) % 16 == 0;
  if (file.owner && aligned && !reorder && !swap && !is_packed(type))
    return Tensor::borrow(type, header.shape, data, file.owner);
  const Extents strides = reorder ? file_strides(header) : Extents();
  TESELA_ASSIGN_OR_RETURN(Tensor tensor, Tensor::copy_of({data, carrier, header.shape, strides}));
  if (swap) swap_bytes(tensor);
  if (is_packed(type)) return packed(tensor, type);
  return tensor;
}

}  // namespace

Result<Tensor> read_npy(const FileBytes& file, const TensorFileOptions& options) {
  TESELA_ASSIGN_OR_RETURN(const NpyHeader header, read_npy_header(file.bytes, options.limits.max_rank));
  TESELA_ASSIGN_OR_RETURN(const DataType type, element_type(header, options.type));
  TESELA_ASSIGN_OR_RETURN(const int64_t count, element_count(header.shape));
  const auto expected = checked_mul(count, header.item_bytes);
  if (!expected)
    return shape_error("an array of shape {} of elements of {} bytes has more than 2^63 - 1 bytes",
                       shape_text(header.shape), header.item_bytes);
  const size_t data_bytes = file.bytes.size() - header.data_offset;
  if (std::cmp_less(data_bytes, *expected))
    return truncated_error("the array has {} bytes; expected {} for shape {} of {}", data_bytes, *expected,
                           shape_text(header.shape), in_quotes(header.descr));
  if (std::cmp_greater(data_bytes, *expected))
    return parse_error("{} bytes follow the array; expected none", data_bytes - static_cast<size_t>(*expected));
  if (count == 0) return Tensor::allocate(type, header.shape);
  if (type == DataType::kString) return read_strings(file.bytes.data() + header.data_offset, header, options.limits);
  return read_numbers(file, header, type);
}

Result<FileParts> encode_npy(const Tensor& tensor) {
  const DataTypeTraits& type = traits(tensor.type());
  for (const auto& [kind, code] : kKinds) {
    if (type.dlpack_code != code || type.bits < 8) continue;
    const int32_t bytes = type.bits / 8;
    const std::string head = npy_header(fmt::format("{}{}{}", bytes == 1 ? '|' : '<', kind, bytes), tensor.extents());
    const auto head_bytes = std::as_bytes(std::span(head));
    return FileParts{{head_bytes.begin(), head_bytes.end()}, tensor};
  }
  return unsupported_error(".npy has no type {}; write a .pb file", name(tensor.type()));
}

}  // namespace tesela
