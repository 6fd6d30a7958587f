// SPDX-License-Identifier: Apache-2.0
// Images as tensors: [height, width, channels], uint8 or uint16.
#pragma once

#include <optional>

#include "files/file_output.h"
#include "tensor_io/tensor_file.h"

namespace tesela {

/// Grey has one channel, palettes are expanded, transparency is an additional channel. EXIF orientation is not
/// applied. Errors: parse, truncated, value (no pixels), limit (pixels, bytes), unsupported.
Result<Tensor> read_png(std::span<const std::byte> file, const Limits& limits);

/// The same; only grey and RGB of 8 bits.
Result<Tensor> read_jpeg(std::span<const std::byte> file, const Limits& limits);

/// tensor: dense uint8 or uint16, [H, W] or [H, W, C] with C of 1 to 4. Errors: unsupported (types), shape.
Result<FileParts> encode_png(const Tensor& tensor);

/// tensor: dense uint8, [H, W] or [H, W, C] with C of 1 or 3. quality: 1 to 100. Errors: unsupported, shape,
/// value.
Result<FileParts> encode_jpeg(const Tensor& tensor, int quality);

/// The extents of an image, for the codecs.
struct ImageSize {
  int64_t height = 0;
  int64_t width = 0;
  int64_t channels = 0;
};

/// Errors: limit.
Status check_image_size(const ImageSize& size, int64_t sample_bytes, const Limits& limits);

/// bytes: produced and visited by decoding. Errors: limit.
Status check_decode_cost(const ImageSize& size, int64_t bytes, size_t file_bytes, const Limits& limits);

/// The size of a tensor to write. Errors: shape.
Result<ImageSize> image_size(const Extents& extents, std::string_view format, int64_t largest_extent);

/// The error for a type that the format does not support, with a suggestion. Errors: unsupported, always.
Status image_type_error(DataType type, std::string_view format, std::string_view allowed);

}  // namespace tesela
