// SPDX-License-Identifier: Apache-2.0
// Reads and writes .npz.
#include "tensor_io/npz.h"

#include <zlib.h>

#include <algorithm>

#include "tensor_io/decode_cost.h"
#include "tensor_io/npy.h"
#include "tensor_io/npy_header.h"
#include "tensor_io/zip_archive.h"

namespace tesela {
namespace {

constexpr std::string_view kExtension = ".npy";
constexpr int64_t kMaxNpyHeadBytes = 70'000;  // more than the longest .npy header

std::string_view array_name(std::string_view entry) {
  return entry.ends_with(kExtension) ? entry.substr(0, entry.size() - kExtension.size()) : entry;
}

std::string names_text(const std::vector<ZipEntry>& entries) {
  std::string text;
  for (const ZipEntry& entry : entries) {
    if (text.size() > 120) return text + ", ...";
    text += fmt::format("{}{}", text.empty() ? "" : ", ", in_quotes(array_name(entry.name)));
  }
  return text;
}

Result<const ZipEntry*> choose(const std::vector<ZipEntry>& entries, const std::string& name) {
  for (const ZipEntry& entry : entries)
    if (!name.empty() && (entry.name == name || entry.name == name + std::string(kExtension))) return &entry;
  if (entries.empty()) return value_error("the archive has no arrays");
  if (!name.empty()) return value_error("the archive has no array {}; it has {}", in_quotes(name), names_text(entries));
  if (entries.size() > 1)
    return value_error("the archive has {} arrays, {}; name one", entries.size(), names_text(entries));
  return &entries[0];
}

/// A buffer of little-endian numbers.
class Record {
 public:
  template <class T>
  Record& add(T value) {
    for (size_t i = 0; i < sizeof(T); ++i) bytes_.push_back(static_cast<std::byte>(value >> (8 * i) & 0xff));
    return *this;
  }
  Record& add(std::span<const std::byte> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return *this;
  }
  std::vector<std::byte>& bytes() { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

constexpr uint16_t kVersion = 45;  // zip64
constexpr uint16_t kUtf8Name = 0x800;
constexpr uint16_t kDate = 0x21;  // 1980-01-01: equal arrays give equal files

// The common part of local and central header, from the flags to the length of the extra field.
void add_shared(Record& record, uint32_t crc, size_t name_bytes, uint16_t extra_bytes) {
  record.add(kUtf8Name).add(uint16_t{0}).add(uint16_t{0}).add(kDate).add(crc).add(kIn64Bits).add(kIn64Bits);
  record.add(static_cast<uint16_t>(name_bytes)).add(extra_bytes);
}

Record local_header(std::string_view name, uint32_t crc, uint64_t size) {
  Record record;
  record.add(uint32_t{0x04034b50}).add(kVersion);
  add_shared(record, crc, name.size(), 20);
  record.add(std::as_bytes(std::span(name)));
  record.add(uint16_t{1}).add(uint16_t{16}).add(size).add(size);
  return record;
}

Record directory(std::string_view name, uint32_t crc, uint64_t size, uint64_t offset) {
  Record record;
  record.add(uint32_t{0x02014b50}).add(kVersion).add(kVersion);
  add_shared(record, crc, name.size(), 20);
  record.add(uint16_t{0}).add(uint16_t{0}).add(uint16_t{0}).add(uint32_t{0}).add(uint32_t{0});
  record.add(std::as_bytes(std::span(name)));
  record.add(uint16_t{1}).add(uint16_t{16}).add(size).add(size);
  const uint64_t bytes = record.bytes().size();
  const uint64_t end = offset + bytes;
  record.add(uint32_t{0x06064b50}).add(uint64_t{44}).add(kVersion).add(kVersion).add(uint32_t{0}).add(uint32_t{0});
  record.add(uint64_t{1}).add(uint64_t{1}).add(bytes).add(offset);
  record.add(uint32_t{0x07064b50}).add(uint32_t{0}).add(end).add(uint32_t{1});
  record.add(uint32_t{0x06054b50}).add(uint16_t{0}).add(uint16_t{0}).add(uint16_t{1}).add(uint16_t{1});
  record.add(static_cast<uint32_t>(bytes)).add(kIn64Bits).add(uint16_t{0});
  return record;
}

// Checks the memory of strings by the header, before the rest is unpacked: each string takes 16 bytes besides its own,
// however well it was compressed. Other errors are reported when the entry is read.
Status check_strings(const FileBytes& file, const ZipEntry& entry, const Limits& limits) {
  if (entry.encrypted || (entry.method != 0 && entry.method != 8)) return {};
  TESELA_ASSIGN_OR_RETURN(const std::vector<std::byte> head, peek_zip_entry(file, entry, kMaxNpyHeadBytes));
  const Result<NpyHeader> header = read_npy_header(head, limits.max_rank);
  if (!header.ok() || (header->kind != 'S' && header->kind != 'U')) return {};
  const Result<int64_t> bytes = byte_count(DataType::kString, header->shape);
  const int64_t most = decode_budget(entry.stored_bytes, limits);
  if (!bytes.ok() || *bytes <= most) return {};
  return limit_error("{}: a string tensor of {} bytes from {} packed ones; the limit is {}", in_quotes(entry.name),
                     *bytes, entry.stored_bytes, most);
}

}  // namespace

Result<NamedTensor> read_npz(const FileBytes& file, const TensorFileOptions& options) {
  TESELA_ASSIGN_OR_RETURN(std::vector<ZipEntry> entries, read_zip_directory(file.bytes));
  TESELA_ASSIGN_OR_RETURN(const ZipEntry* entry, choose(entries, options.entry));
  const int64_t limit = checked_add(options.limits.max_output_bytes, kMaxNpyHeadBytes).value_or(INT64_MAX);
  TESELA_RETURN_IF_ERROR(check_strings(file, *entry, options.limits));
  TESELA_ASSIGN_OR_RETURN(const FileBytes bytes, read_zip_entry(file, *entry, limit, options.limits));
  Result<Tensor> tensor = read_npy(bytes, options);
  if (!tensor.ok()) return tensor.status().with_prefix(in_quotes(entry->name) + ": ");
  return NamedTensor{std::string(array_name(entry->name)), std::move(*tensor)};
}

Result<FileParts> encode_npz(const Tensor& tensor, const TensorFileOptions& options) {
  const std::string name = std::string(array_name(options.entry.empty() ? "arr_0" : options.entry)) + ".npy";
  if (name.size() > UINT16_MAX)
    return usage_error("an array's name of {} bytes; zip allows {}", name.size(), UINT16_MAX);
  TESELA_ASSIGN_OR_RETURN(FileParts parts, encode_npy(tensor));
  const auto body = parts.body_bytes();
  uLong crc = crc32_z(0, reinterpret_cast<const Bytef*>(parts.head.data()), parts.head.size());
  // With a null pointer, zlib would restart the checksum.
  if (!body.empty()) crc = crc32_z(crc, reinterpret_cast<const Bytef*>(body.data()), body.size());
  const uint64_t size = parts.head.size() + body.size();
  Record local = local_header(name, static_cast<uint32_t>(crc), size);
  const uint64_t offset = local.bytes().size() + size;
  local.add(std::span<const std::byte>(parts.head));
  parts.head = std::move(local.bytes());
  parts.tail = std::move(directory(name, static_cast<uint32_t>(crc), size, offset).bytes());
  return parts;
}

}  // namespace tesela
