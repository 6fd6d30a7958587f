// SPDX-License-Identifier: Apache-2.0
// Images that become files of elements, and such files that become images: in memory for a few rows.
#pragma once

#include <functional>
#include <string>

#include "tensor_io/tensor_file.h"

namespace tesela {

/// Called now and then with the share that is done. Errors: cancelled, which ends the work.
using OnRows = std::function<Status(double)>;

struct UnpackedImage {
  DataType type = DataType::kUint8;
  Extents extents;
};

/// Writes the elements of a PNG or JPEG file, as read_tensor reads them, to the open file `fd` from its beginning.
/// Errors: io, path, parse, truncated, unsupported, limit, no_memory, cancelled.
Result<UnpackedImage> unpack_image(const std::string& path, const Limits& limits, int fd, const OnRows& on_rows);

/// Whether an image can hold such a tensor. Errors: unsupported, shape.
Status check_image(DataType type, const Extents& extents, FileFormat format);

/// What is encoded: the elements in the open file `fd` from its beginning.
struct PackedImage {
  int fd = -1;
  DataType type = DataType::kUint8;
  Extents extents;
};

/// Writes a PNG or JPEG file to the open file `to`: the bytes of write_tensor. Errors: those of check_image, io,
/// truncated, no_memory, cancelled.
Status pack_image(const PackedImage& image, const TensorFileOptions& options, int to, const OnRows& on_rows);

}  // namespace tesela
