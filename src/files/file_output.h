// SPDX-License-Identifier: Apache-2.0
// Writes a file completely or not at all.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "types/status.h"
#include "types/tensor.h"

namespace tesela {

/// The bytes of a file to write: those before the tensor's data, the data, which is not copied, and those after.
struct FileParts {
  std::vector<std::byte> head;
  Tensor body = {};
  std::vector<std::byte> tail = {};

  std::span<const std::byte> body_bytes() const {
    return body.defined() ? std::span(body.data(), static_cast<size_t>(body.bytes())) : std::span<const std::byte>();
  }
};

/// Reports early what write_file would refuse: directories, missing folders, files without write permission.
/// Errors: path, io.
Status check_output(const std::string& path);

/// Writes a file through a temporary file in the same folder: an older file stays unchanged until the new one is
/// complete and on the disk, and its mode is kept. A symbolic link stays one. Pipes, devices and /dev/stdout are
/// written directly. A quick_exit meanwhile leaves no temporary file.
/// Errors: path, io (also if the new file is in place but its folder could not be synced).
Status write_file(const std::string& path, const FileParts& parts);

}  // namespace tesela
