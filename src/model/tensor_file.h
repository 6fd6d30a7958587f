// Tensors in files: which format it is, and the door to each format's reader and writer.
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
  FileFormat format = FileFormat::kAuto;  // reading: kAuto looks at the first bytes; writing: at the name's ending
  DataType type = DataType::kUndefined;   // reading .npy: what the bytes are; kUndefined as the file says
  std::string entry;                      // .npz: the array's name; empty for the only one
  std::string name;                       // writing .pb: the tensor's name
  Limits limits;
  int jpeg_quality = 92;  // 1 to 100
};

struct NamedTensor {
  std::string name;  // "" where the file has none
  Tensor tensor;
};

/// Errors: io, path, parse, truncated, unsupported, limit, no_memory.
Result<NamedTensor> read_tensor(const std::string& path, const TensorFileOptions& options);
Result<NamedTensor> read_tensor(std::span<const std::byte> bytes, const TensorFileOptions& options);

/// The bytes of a file of that format, which must not be kAuto.
/// Errors: unsupported (what the format cannot carry, with advice), type, shape.
Result<std::vector<std::byte>> encode_tensor(const TensorView& tensor, const TensorFileOptions& options);

/// Writes the file whole or not at all. Errors: as encode_tensor, usage (an ending that names no format), io, path.
Status write_tensor(const TensorView& tensor, const std::string& path, const TensorFileOptions& options);

}  // namespace tesela
