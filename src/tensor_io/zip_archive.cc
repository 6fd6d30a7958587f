// SPDX-License-Identifier: Apache-2.0
// A strict zip reader: sizes are not trusted, positions are checked, entries must not overlap.
#include "tensor_io/zip_archive.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "tensor_io/decode_cost.h"
#include "types/tensor.h"

namespace tesela {
namespace {

constexpr uint32_t kLocalHeader = 0x04034b50, kCentralHeader = 0x02014b50, kEnd = 0x06054b50;
constexpr uint32_t kZip64End = 0x06064b50, kZip64Locator = 0x07064b50;
constexpr size_t kLocalBytes = 30, kCentralBytes = 46, kEndBytes = 22, kZip64EndBytes = 56, kLocatorBytes = 20;

/// Numbers at offsets that are known to be in range.
template <class T>
T number_at(std::span<const std::byte> bytes, uint64_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

bool fits(std::span<const std::byte> bytes, uint64_t offset, uint64_t length) {
  return offset <= bytes.size() && length <= bytes.size() - offset;
}

std::string_view text_at(std::span<const std::byte> bytes, uint64_t offset, size_t length) {
  return {reinterpret_cast<const char*>(bytes.data()) + offset, length};
}

/// Where the directory is.
struct Directory {
  uint64_t entries = 0;
  uint64_t bytes = 0;
  uint64_t offset = 0;
  uint64_t end = 0;  // where the data after the directory begins
};

// The end record is last, except for a comment of up to 64 KiB.
std::optional<size_t> find_end(std::span<const std::byte> archive) {
  if (archive.size() < kEndBytes) return std::nullopt;
  const size_t last = archive.size() - kEndBytes;
  for (size_t back = 0; back <= std::min<size_t>(last, UINT16_MAX); ++back)
    if (number_at<uint32_t>(archive, last - back) == kEnd && number_at<uint16_t>(archive, last - back + 20) == back)
      return last - back;
  return std::nullopt;
}

Status read_zip64_end(std::span<const std::byte> archive, size_t end, Directory& directory) {
  const auto broken = [] { return parse_error("the zip64 end record is missing or broken"); };
  if (end < kLocatorBytes || number_at<uint32_t>(archive, end - kLocatorBytes) != kZip64Locator) return broken();
  const auto at = number_at<uint64_t>(archive, end - kLocatorBytes + 8);
  if (!fits(archive.first(end - kLocatorBytes), at, kZip64EndBytes)) return broken();
  if (number_at<uint32_t>(archive, at) != kZip64End) return broken();
  directory = {number_at<uint64_t>(archive, at + 32), number_at<uint64_t>(archive, at + 40),
               number_at<uint64_t>(archive, at + 48), at};
  return {};
}

Result<Directory> find_directory(std::span<const std::byte> archive) {
  const auto end = find_end(archive);
  if (!end) return truncated_error("the zip archive has no end record; it is cut short or broken");
  if (number_at<uint16_t>(archive, *end + 4) != 0 || number_at<uint16_t>(archive, *end + 6) != 0)
    return unsupported_error("a zip archive in several parts");
  Directory directory{number_at<uint16_t>(archive, *end + 10), number_at<uint32_t>(archive, *end + 12),
                      number_at<uint32_t>(archive, *end + 16), *end};
  if (directory.entries == UINT16_MAX || directory.bytes == kIn64Bits || directory.offset == kIn64Bits)
    TESELA_RETURN_IF_ERROR(read_zip64_end(archive, *end, directory));
  if (directory.bytes > directory.end || directory.offset != directory.end - directory.bytes)
    return parse_error("the zip directory is not where the end record says");
  if (directory.entries > directory.bytes / kCentralBytes)
    return parse_error("the zip directory has {} bytes; too few for {} entries", directory.bytes, directory.entries);
  return directory;
}

// The 64-bit fields are in the order of the fields that they replace, and only for these.
Status read_zip64_sizes(std::span<const std::byte> extra, ZipEntry& entry) {
  while (extra.size() >= 4) {
    const auto id = number_at<uint16_t>(extra, 0);
    const size_t length = number_at<uint16_t>(extra, 2);
    if (length > extra.size() - 4) break;
    auto data = extra.subspan(4, length);
    extra = extra.subspan(4 + length);
    if (id != 1) continue;
    for (uint64_t* value : {&entry.bytes, &entry.stored_bytes, &entry.header_offset}) {
      if (*value != kIn64Bits) continue;
      if (data.size() < 8) return parse_error("the zip64 sizes of {} are missing", in_quotes(entry.name));
      *value = number_at<uint64_t>(data, 0);
      data = data.subspan(8);
    }
    return {};
  }
  return parse_error("the zip64 sizes of {} are missing", in_quotes(entry.name));
}

// The local header must match the directory, or two readers could see different archives.
Status locate_data(std::span<const std::byte> before_directory, ZipEntry& entry) {
  const auto broken = [&] {
    return parse_error("the zip entry {} is not where the directory says", in_quotes(entry.name));
  };
  const uint64_t at = entry.header_offset;
  if (!fits(before_directory, at, kLocalBytes)) return broken();
  if (number_at<uint32_t>(before_directory, at) != kLocalHeader) return broken();
  const size_t name_bytes = number_at<uint16_t>(before_directory, at + 26);
  const size_t extra_bytes = number_at<uint16_t>(before_directory, at + 28);
  if (!fits(before_directory, at + kLocalBytes, name_bytes + extra_bytes)) return broken();
  if (text_at(before_directory, at + kLocalBytes, name_bytes) != entry.name ||
      number_at<uint16_t>(before_directory, at + 8) != entry.method)
    return parse_error("the zip entry {} has another name or method in its own header", in_quotes(entry.name));
  entry.data_offset = at + kLocalBytes + name_bytes + extra_bytes;
  return fits(before_directory, entry.data_offset, entry.stored_bytes) ? Status() : broken();
}

Result<ZipEntry> read_central_header(std::span<const std::byte> directory, size_t& at) {
  const auto broken = [] { return parse_error("the zip directory is broken"); };
  if (!fits(directory, at, kCentralBytes) || number_at<uint32_t>(directory, at) != kCentralHeader) return broken();
  const size_t name_bytes = number_at<uint16_t>(directory, at + 28);
  const size_t extra_bytes = number_at<uint16_t>(directory, at + 30);
  const size_t comment_bytes = number_at<uint16_t>(directory, at + 32);
  if (!fits(directory, at + kCentralBytes, name_bytes + extra_bytes + comment_bytes)) return broken();
  ZipEntry entry;
  entry.name = text_at(directory, at + kCentralBytes, name_bytes);
  entry.encrypted = (number_at<uint16_t>(directory, at + 8) & 1) != 0;
  entry.method = number_at<uint16_t>(directory, at + 10);
  entry.crc = number_at<uint32_t>(directory, at + 16);
  entry.stored_bytes = number_at<uint32_t>(directory, at + 20);
  entry.bytes = number_at<uint32_t>(directory, at + 24);
  entry.header_offset = number_at<uint32_t>(directory, at + 42);
  if (entry.stored_bytes == kIn64Bits || entry.bytes == kIn64Bits || entry.header_offset == kIn64Bits)
    TESELA_RETURN_IF_ERROR(read_zip64_sizes(directory.subspan(at + kCentralBytes + name_bytes, extra_bytes), entry));
  at += kCentralBytes + name_bytes + extra_bytes + comment_bytes;
  return entry;
}

Status check_apart(std::vector<ZipEntry>& entries) {
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  for (size_t i = 1; i < entries.size(); ++i)
    if (entries[i].name == entries[i - 1].name)
      return parse_error("the zip archive has two entries {}", in_quotes(entries[i].name));
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return a.header_offset < b.header_offset; });
  for (size_t i = 1; i < entries.size(); ++i)
    if (entries[i].header_offset < entries[i - 1].data_offset + entries[i - 1].stored_bytes)
      return parse_error("the zip entries {} and {} overlap", in_quotes(entries[i - 1].name),
                         in_quotes(entries[i].name));
  return {};
}

/// Owns zlib's state.
struct Inflater {
  z_stream stream = {};
  bool ready = inflateInit2(&stream, -MAX_WBITS) == Z_OK;
  Inflater() = default;
  Inflater(const Inflater&) = delete;
  ~Inflater() {
    if (ready) inflateEnd(&stream);
  }
};

// Fills `out` from `in`; one extra byte detects a stream that is longer than declared.
Status inflate_all(std::span<const std::byte> in, std::span<std::byte> out, std::string_view name) {
  Inflater inflater;
  if (!inflater.ready) return no_memory_error("no memory to unpack {}", in_quotes(name));
  z_stream& z = inflater.stream;
  std::byte beyond{};
  int state = Z_OK;
  while (state == Z_OK) {
    const size_t in_step = std::min(in.size(), size_t{1} << 30), out_step = std::min(out.size(), size_t{1} << 30);
    z.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(in.data()));
    z.avail_in = static_cast<uInt>(in_step);
    z.next_out = reinterpret_cast<Bytef*>(out.empty() ? &beyond : out.data());
    z.avail_out = out.empty() ? 1 : static_cast<uInt>(out_step);
    const bool was_full = out.empty();
    state = inflate(&z, Z_NO_FLUSH);
    in = in.subspan(in_step - z.avail_in);
    if (was_full && z.avail_out == 0) return parse_error("{} unpacks to more bytes than it claims", in_quotes(name));
    if (!was_full) out = out.subspan(out_step - z.avail_out);
  }
  if (state == Z_BUF_ERROR) return truncated_error("the packed data of {} end early", in_quotes(name));
  if (state == Z_MEM_ERROR) return no_memory_error("no memory to unpack {}", in_quotes(name));
  if (state != Z_STREAM_END) return parse_error("the packed data of {} are broken", in_quotes(name));
  if (!out.empty()) return parse_error("{} unpacks to {} bytes fewer than it claims", in_quotes(name), out.size());
  if (!in.empty()) return parse_error("{} bytes follow the packed data of {}", in.size(), in_quotes(name));
  return {};
}

}  // namespace

Result<std::vector<ZipEntry>> read_zip_directory(std::span<const std::byte> archive) {
  TESELA_ASSIGN_OR_RETURN(const Directory directory, find_directory(archive));
  const auto headers = archive.subspan(directory.offset, directory.bytes);
  std::vector<ZipEntry> entries;
  size_t at = 0;
  for (uint64_t i = 0; i < directory.entries; ++i) {
    TESELA_ASSIGN_OR_RETURN(ZipEntry entry, read_central_header(headers, at));
    TESELA_RETURN_IF_ERROR(locate_data(archive.first(directory.offset), entry));
    entries.push_back(entry);
  }
  if (at != headers.size()) return parse_error("the zip directory has more than its {} entries", entries.size());
  TESELA_RETURN_IF_ERROR(check_apart(entries));
  return entries;
}

Result<std::vector<std::byte>> peek_zip_entry(const FileBytes& archive, const ZipEntry& entry, size_t most) {
  const auto stored = archive.bytes.subspan(entry.data_offset, entry.stored_bytes);
  std::vector<std::byte> head(static_cast<size_t>(std::min<uint64_t>(most, entry.bytes)));
  if (entry.method == 0) {
    head.resize(std::min(head.size(), stored.size()));
    std::copy_n(stored.begin(), head.size(), head.begin());
    return head;
  }
  Inflater inflater;
  if (!inflater.ready) return no_memory_error("no memory to unpack {}", in_quotes(entry.name));
  z_stream& z = inflater.stream;
  z.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(stored.data()));
  z.avail_in = static_cast<uInt>(std::min(stored.size(), size_t{1} << 30));
  z.next_out = reinterpret_cast<Bytef*>(head.data());
  z.avail_out = static_cast<uInt>(head.size());
  inflate(&z, Z_SYNC_FLUSH);
  head.resize(head.size() - z.avail_out);
  return head;
}

static Status check_entry(const ZipEntry& entry, int64_t max_bytes, const Limits& limits) {
  if (entry.encrypted) return unsupported_error("{} is encrypted", in_quotes(entry.name));
  if (entry.method != 0 && entry.method != 8)
    return unsupported_error("{} is packed by method {}; expected 0 (stored) or 8 (deflate)", in_quotes(entry.name),
                             entry.method);
  if (std::cmp_greater(entry.bytes, max_bytes))
    return limit_error("{} has {} bytes unpacked; the limit is {}", in_quotes(entry.name), entry.bytes, max_bytes);
  const int64_t most = decode_budget(entry.stored_bytes, limits);
  if (std::cmp_greater(entry.bytes, most))
    return limit_error("{} claims {} bytes from {} packed ones; the limit is {}", in_quotes(entry.name), entry.bytes,
                       entry.stored_bytes, most);
  return {};
}

Result<FileBytes> read_zip_entry(const FileBytes& archive, const ZipEntry& entry, int64_t max_bytes,
                                 const Limits& limits) {
  TESELA_RETURN_IF_ERROR(check_entry(entry, max_bytes, limits));
  FileBytes data{archive.bytes.subspan(entry.data_offset, entry.stored_bytes), archive.owner};
  if (entry.method == 0) {
    if (entry.bytes != entry.stored_bytes)
      return parse_error("{} is stored, but its two sizes differ", in_quotes(entry.name));
  } else {
    TESELA_ASSIGN_OR_RETURN(Tensor block, Tensor::allocate(DataType::kUint8, {static_cast<int64_t>(entry.bytes)}));
    const std::span<std::byte> out(block.mutable_data(), entry.bytes);
    TESELA_RETURN_IF_ERROR(inflate_all(data.bytes, out, entry.name));
    data = {out, block.storage()};
  }
  if (crc32_z(0, reinterpret_cast<const Bytef*>(data.bytes.data()), data.bytes.size()) != entry.crc)
    return parse_error("the checksum of {} is wrong", in_quotes(entry.name));
  return data;
}

}  // namespace tesela
