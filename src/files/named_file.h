// SPDX-License-Identifier: Apache-2.0
// Files that a model names, in or below its folder only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "files/file_bytes.h"

namespace tesela {

/// A regular file, open for reading.
struct NamedFile {
  Descriptor file;
  int64_t size = 0;
  std::pair<uint64_t, uint64_t> identity = {};  // device and inode
};

/// Opens base/location. Every file that a model names is opened here: the .bin of an IR, external data of ONNX.
/// The location is a relative path below the base directory, without symbolic links, to a regular file without other
/// names: a model must not disclose files outside its own folder.
/// Errors: path, io.
Result<NamedFile> open_named_file(const std::string& base, std::string_view location);

/// Opens any kind of file otherwise the same way. walk: component by component, as on kernels without openat2.
Result<Descriptor> open_beneath(const std::string& base, std::string_view location, bool walk = false);

}  // namespace tesela
