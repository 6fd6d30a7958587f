// SPDX-License-Identifier: Apache-2.0
// External data of ONNX models: parses its location and reads its bytes.
#include "model/external_data.h"

#include <algorithm>
#include <charconv>

#include "files/named_file.h"

namespace tesela {
namespace {

Result<int64_t> parse_number(std::string_view key, std::string_view text) {
  int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (text.empty() || parsed.ec != std::errc() || parsed.ptr != end || value < 0)
    return value_error("external data: {} is {}; expected a number from 0 to 2^63 - 1", key, in_quotes(text));
  return value;
}

}  // namespace

Result<ExternalPlace> parse_external(std::span<const std::pair<std::string_view, std::string_view>> entries) {
  ExternalPlace place;
  bool seen[3] = {};
  constexpr std::string_view kKeys[] = {"location", "offset", "length"};
  for (const auto& [key, value] : entries) {
    const auto which = static_cast<size_t>(std::find(std::begin(kKeys), std::end(kKeys), key) - kKeys);
    if (which == std::size(kKeys)) continue;  // a checksum, or a key of a newer version
    if (seen[which]) return parse_error("external data: key '{}' is given twice", key);
    seen[which] = true;
    if (which == 0) {
      place.location = value;
      continue;
    }
    TESELA_ASSIGN_OR_RETURN(const int64_t number, parse_number(key, value));
    if (which == 1)
      place.offset = number;
    else
      place.length = number;
  }
  if (!seen[0]) return path_error("external data: key 'location' is missing");
  return place;
}

Result<FileBytes> ExternalFiles::whole_file(std::string_view location) {
  if (const auto known = by_location_.find(location); known != by_location_.end()) return known->second;
  if (base_.empty())
    return path_error("external data: {} is in another file, and a model from memory has no folder",
                      in_quotes(location));
  const Result<NamedFile> opened = open_named_file(base_, location);
  if (!opened.ok()) return opened.status().with_prefix("external data: ");
  auto known = files_.find(opened->identity);
  if (known == files_.end()) {
    // Many small files can be large together: those beyond the first 64 MiB are mapped.
    TESELA_ASSIGN_OR_RETURN(FileBytes bytes,
                            read_or_map(opened->file.get(), opened->size, location, kReadUpTo - read_bytes_));
    if (opened->size <= kReadUpTo - read_bytes_) read_bytes_ += opened->size;
    if (bytes.mapped != nullptr) mapped_.push_back(bytes.mapped);
    known = files_.emplace(opened->identity, std::move(bytes)).first;
  }
  by_location_.emplace(location, known->second);
  return known->second;
}

Result<FileBytes> ExternalFiles::find(const ExternalPlace& place, int64_t bytes, int64_t alignment) {
  if (!locations_.contains(place.location)) locations_.emplace(place.location);
  if (place.length && *place.length != bytes)
    return parse_error("external data: length is {}; expected {} bytes, by type and dims", *place.length, bytes);
  TESELA_ASSIGN_OR_RETURN(const FileBytes file, whole_file(place.location));
  const auto size = static_cast<int64_t>(file.bytes.size());
  if (place.offset > size || bytes > size - place.offset)
    return truncated_error("external data: {} has {} bytes; expected {} at offset {}", in_quotes(place.location), size,
                           bytes, place.offset);
  Result<FileBytes> part = part_of(file, place.offset, bytes, alignment);
  if (!part.ok()) return part.status().with_prefix("external data: ");
  return part;
}

}  // namespace tesela
