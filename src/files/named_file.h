// Files that a model names: beside it or beneath its folder, and nowhere else.
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

/// Opens base/location, where every file that a model names is opened: the .bin of an IR, external data of ONNX.
/// A location is a relative path that stays beneath the base directory and meets no symbolic link on its way to a
/// regular file with no other name: a model must not be able to show what is outside its own folder.
/// Errors: path, io.
Result<NamedFile> open_named_file(const std::string& base, std::string_view location);

/// The same but for the kind of file. walk: component by component, as on kernels without openat2.
Result<Descriptor> open_beneath(const std::string& base, std::string_view location, bool walk = false);

}  // namespace tesela
