// SPDX-License-Identifier: Apache-2.0
// Reads tensors from files in a model's folder.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "files/file_bytes.h"

namespace tesela {

/// The location of a TensorProto's bytes in another file.
struct ExternalPlace {
  std::string_view location;
  int64_t offset = 0;
  std::optional<int64_t> length = {};
};

/// entries: the pairs of TensorProto.external_data. Errors: parse (a key twice), path (no location), value.
Result<ExternalPlace> parse_external(std::span<const std::pair<std::string_view, std::string_view>> entries);

/// The files with a model's tensors. Each is opened once, even under several names. Locations: see open_named_file.
class ExternalFiles {
 public:
  /// base: the model's directory; if empty, every location is refused.
  explicit ExternalFiles(std::string base) : base_(std::move(base)) {}

  /// `bytes` bytes at `place`; see part_of for when they may be read.
  /// Errors: path, io, truncated, parse (a length other than `bytes`), no_memory.
  Result<FileBytes> find(const ExternalPlace& place, int64_t bytes, int64_t alignment);
  /// The files mapped so far.
  const std::vector<std::shared_ptr<const MappedFile>>& mapped() const { return mapped_; }
  /// Those asked for so far.
  const std::set<std::string, std::less<>>& locations() const { return locations_; }

 private:
  Result<FileBytes> whole_file(std::string_view location);

  using FileIdentity = std::pair<uint64_t, uint64_t>;  // device and inode
  std::string base_;
  int64_t read_bytes_ = 0;  // of the files that were read, not mapped
  std::map<FileIdentity, FileBytes> files_;
  std::vector<std::shared_ptr<const MappedFile>> mapped_;
  std::map<std::string, FileBytes, std::less<>> by_location_;
  std::set<std::string, std::less<>> locations_;
};

}  // namespace tesela
