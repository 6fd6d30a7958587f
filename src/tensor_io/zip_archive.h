// SPDX-License-Identifier: Apache-2.0
// Zip archives: the directory, and the bytes of one entry.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "files/file_bytes.h"
#include "types/limits.h"

namespace tesela {

/// In a field of 32 bits: the value is in one of 64 bits.
inline constexpr uint32_t kIn64Bits = 0xffffffff;

/// An entry whose position in the archive was checked.
struct ZipEntry {
  std::string_view name;  // only a key here, never a path
  bool encrypted = false;
  uint16_t method = 0;  // 0 stored, 8 deflate
  uint32_t crc = 0;
  uint64_t stored_bytes = 0;  // in the archive
  uint64_t bytes = 0;         // unpacked, by the directory
  uint64_t header_offset = 0;
  uint64_t data_offset = 0;
};

/// All entries, by position. Errors: parse (overlaps, duplicate names, contradictions), truncated.
Result<std::vector<ZipEntry>> read_zip_directory(std::span<const std::byte> archive);

/// The bytes of an entry; those of a stored entry are borrowed. Produces at most max_bytes, and at most what decoding
/// may cost (decode_cost.h). Errors: unsupported (encryption, other methods), limit, parse (checksum, sizes),
/// truncated, no_memory.
Result<FileBytes> read_zip_entry(const FileBytes& archive, const ZipEntry& entry, int64_t max_bytes,
                                 const Limits& limits);

/// The first `most` bytes of an entry, or fewer if it is shorter or damaged; nothing is checked.
Result<std::vector<std::byte>> peek_zip_entry(const FileBytes& archive, const ZipEntry& entry, size_t most);

}  // namespace tesela
