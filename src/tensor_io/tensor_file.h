// SPDX-License-Identifier: Apache-2.0
// Tensor files: format detection, and dispatch to the reader and writer of each format.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "types/limits.h"
#include "types/tensor.h"

namespace tesela {

enum class FileFormat : int32_t { kAuto = 0, kNpy = 1, kNpz = 2, kPb = 3, kPng = 4, kJpeg = 5 };

struct TensorFileOptions {
  FileFormat format = FileFormat::kAuto;  // kAuto: reading, by the first bytes; writing, by the extension
  DataType type = DataType::kUndefined;   // reading .npy: the type of the bytes; kUndefined: as in the file
  std::string entry;                      // .npz: the name of the array; empty for the only one
  std::string name;                       // writing .pb: the tensor's name
  Limits limits;
  int jpeg_quality = 92;  // 1 to 100
};

struct NamedTensor {
  std::string name;  // "" if the file has none
  Tensor tensor;
};

/// Errors: io, path, parse, truncated, unsupported, limit, no_memory.
Result<NamedTensor> read_tensor(const std::string& path, const TensorFileOptions& options);
Result<NamedTensor> read_tensor(std::span<const std::byte> bytes, const TensorFileOptions& options);

/// The bytes of a file of that format, which must not be kAuto.
/// Errors: unsupported (with a suggestion), type, shape.
Result<std::vector<std::byte>> encode_tensor(const TensorView& tensor, const TensorFileOptions& options);

/// Writes the file atomically. Errors: as encode_tensor, usage (an unknown extension), io, path.
Status write_tensor(const TensorView& tensor, const std::string& path, const TensorFileOptions& options);

}  // namespace tesela
