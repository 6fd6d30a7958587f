// Writing a file whole or not at all.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "types/status.h"
#include "types/tensor.h"

namespace tesela {

/// The bytes of a file to be: those before a tensor's, the tensor's own, which are not copied, and those
/// after.
struct FileParts {
  std::vector<std::byte> head;
  Tensor body = {};
  std::vector<std::byte> tail = {};

  std::span<const std::byte> body_bytes() const {
    return body.defined() ? std::span(body.data(), static_cast<size_t>(body.bytes())) : std::span<const std::byte>();
  }
};

/// Finds out early what write_file would refuse: directories, missing folders, files that may not be written.
/// Errors: path, io.
Status check_output(const std::string& path);

/// Writes a file by way of a temporary one beside it: an older file stays as it is until the new one is
/// complete and on the disk, and keeps its mode. A symbolic link stays one. Pipes, devices and /dev/stdout
/// are written directly. A quick_exit meanwhile leaves no temporary file. Errors: path, io; io too where the new file stands and its folder could not be synced.
Status write_file(const std::string& path, const FileParts& parts);

}  // namespace tesela
