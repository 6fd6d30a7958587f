// SPDX-License-Identifier: Apache-2.0
// Checks of tensors for both image formats.
#include "tensor_io/image.h"

#include "tensor_io/decode_cost.h"
#include "tensor_io/image_rows.h"

namespace tesela {

Status check_image_size(const ImageSize& size, int64_t sample_bytes, const Limits& limits) {
  const auto pixels = checked_mul(size.height, size.width);
  if (!pixels || *pixels > limits.max_pixels)
    return limit_error("the image has {} x {} pixels; the limit is {} in all", size.width, size.height,
                       limits.max_pixels);
  const auto bytes = checked_mul(*pixels, size.channels * sample_bytes);
  if (!bytes || *bytes > limits.max_output_bytes)
    return limit_error("the image has {} x {} pixels of {} bytes; the limit is {} bytes", size.width, size.height,
                       size.channels * sample_bytes, limits.max_output_bytes);
  return {};
}

Status check_decode_cost(const ImageSize& size, int64_t bytes, size_t file_bytes, const Limits& limits) {
  const int64_t most = decode_budget(file_bytes, limits);
  if (bytes <= most) return {};
  return limit_error("reading the image of {} x {} pixels processes {} bytes, from a file of {}; the limit is {}",
                     size.width, size.height, bytes, file_bytes, most);
}

Result<ImageSize> image_size(const Extents& extents, std::string_view format, int64_t largest_extent) {
  if (extents.size() != 2 && extents.size() != 3)
    return shape_error("{} cannot hold shape {}; expected [height, width] or [height, width, channels]", format,
                       shape_text(extents));
  const ImageSize size{extents[0], extents[1], extents.size() == 3 ? extents[2] : 1};
  for (const int64_t extent : {size.height, size.width})
    if (extent < 1 || extent > largest_extent)
      return shape_error("{} cannot hold shape {}; expected 1 to {} rows and columns", format, shape_text(extents),
                         largest_extent);
  return size;
}

Status image_type_error(DataType type, std::string_view format, std::string_view allowed) {
  const bool real = find_traits(type) != nullptr && traits(type).kind == DataKind::kFloating;
  return unsupported_error("{} cannot hold type {}; expected {}{}", format, name(type), allowed,
                           real ? ": scale to 0..255 and cast to uint8, or write a .npy file" : "");
}

Result<Tensor> read_image(Result<std::unique_ptr<RowDecoder>> decoder) {
  if (!decoder.ok()) return decoder.status();
  const ImageSize& size = (*decoder)->size;
  TESELA_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate((*decoder)->type, {size.height, size.width, size.channels}));
  for (int pass = 0; pass < (*decoder)->passes; ++pass)
    TESELA_RETURN_IF_ERROR((*decoder)->read_rows(tensor.mutable_data(), size.height));
  return tensor;
}

Result<FileParts> encode_image(const Tensor& tensor, Result<std::unique_ptr<RowEncoder>> encoder) {
  if (!encoder.ok()) return encoder.status();
  TESELA_RETURN_IF_ERROR((*encoder)->write_rows(tensor.data(), tensor.extents()[0]));
  TESELA_RETURN_IF_ERROR((*encoder)->finish());
  return FileParts{std::move((*encoder)->bytes)};
}

}  // namespace tesela
