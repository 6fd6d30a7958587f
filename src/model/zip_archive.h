// Zip archives: the directory, and the bytes of one entry.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/file_bytes.h"

namespace tesela {

/// An entry whose place in the archive was checked.
struct ZipEntry {
  std::string_view name;  // only a key here, never a path
  bool encrypted = false;
  uint16_t method = 0;  // 0 stored, 8 deflate
  uint32_t crc = 0;
  uint64_t stored_bytes = 0;  // in the archive
  uint64_t bytes = 0;         // unpacked, as the directory claims
  uint64_t header_offset = 0;
  uint64_t data_offset = 0;
};

/// All entries, by position. Errors: parse (overlaps, a name twice, contradictions), truncated.
Result<std::vector<ZipEntry>> read_zip_directory(std::span<const std::byte> archive);

/// An entry's bytes; those of a stored one are borrowed. Produces at most max_bytes, and at most 1,100 times
/// what the archive holds, which is more than deflate can. Errors: unsupported (encryption, other methods),
/// limit, parse (checksum, sizes), truncated, no_memory.
Result<FileBytes> read_zip_entry(const FileBytes& archive, const ZipEntry& entry, int64_t max_bytes);

}  // namespace tesela
