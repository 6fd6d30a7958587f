// SPDX-License-Identifier: Apache-2.0
// Writes JPEG with libjpeg-turbo. Its errors are long jumps, so frames that they cross own nothing.
#include <cstdio>  // needed by jpeglib.h

#include <jpeglib.h>

#include <jerror.h>

#include <array>
#include <new>

#include "tensor_io/image_rows.h"
#include "tensor_io/jpeg_failure.h"

namespace tesela {
namespace {

/// libjpeg's destination of bytes, with our fields.
struct JpegDestination {
  jpeg_destination_mgr base = {};  // first: libjpeg has a pointer to it
  std::vector<std::byte>& out;
  std::array<std::byte, size_t{16} << 10> buffer;

  void reset() {
    base.next_output_byte = reinterpret_cast<JOCTET*>(buffer.data());
    base.free_in_buffer = buffer.size();
  }
  bool append(size_t count) {
    try {
      out.insert(out.end(), buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(count));
      return true;
    } catch (const std::bad_alloc&) {
      return false;  // an exception must not cross libjpeg
    }
  }
};

void take_bytes(j_compress_ptr codec, size_t count) {
  auto* destination = reinterpret_cast<JpegDestination*>(codec->dest);
  if (!destination->append(count)) jump_on_error(reinterpret_cast<j_common_ptr>(codec), JERR_OUT_OF_MEMORY);
  destination->reset();
}

void begin_bytes(j_compress_ptr codec) {
  reinterpret_cast<JpegDestination*>(codec->dest)->reset();
}

boolean take_full_buffer(j_compress_ptr codec) {
  take_bytes(codec, reinterpret_cast<JpegDestination*>(codec->dest)->buffer.size());
  return TRUE;
}

void take_last_bytes(j_compress_ptr codec) {
  auto* destination = reinterpret_cast<JpegDestination*>(codec->dest);
  take_bytes(codec, destination->buffer.size() - destination->base.free_in_buffer);
}

/// A file that is being written.
struct JpegWriter {
  JpegFailure failure;
  JpegDestination destination;
  jpeg_compress_struct codec = {};

  explicit JpegWriter(std::vector<std::byte>& out) : destination{.out = out, .buffer = {}} {
    set_failure(failure);
    codec.err = &failure.base;
    destination.base.init_destination = begin_bytes;
    destination.base.empty_output_buffer = take_full_buffer;
    destination.base.term_destination = take_last_bytes;
  }
  JpegWriter(const JpegWriter&) = delete;
  ~JpegWriter() { jpeg_destroy_compress(&codec); }
};

bool begin_image(JpegWriter& writer, const ImageSize& size, int quality) {
  jpeg_compress_struct& codec = writer.codec;
  if (setjmp(writer.failure.jump)) return false;
  jpeg_create_compress(&codec);
  codec.dest = &writer.destination.base;
  codec.image_width = static_cast<JDIMENSION>(size.width);
  codec.image_height = static_cast<JDIMENSION>(size.height);
  codec.input_components = static_cast<int>(size.channels);
  codec.in_color_space = size.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(&codec);
  jpeg_set_quality(&codec, quality, TRUE);
  jpeg_start_compress(&codec, TRUE);
  return true;
}

bool write_rows_of(JpegWriter& writer, JSAMPROW pixels, int64_t rows) {
  jpeg_compress_struct& codec = writer.codec;
  if (setjmp(writer.failure.jump)) return false;
  const size_t row_bytes = size_t{codec.image_width} * static_cast<size_t>(codec.input_components);
  for (int64_t y = 0; y < rows; ++y) {
    JSAMPROW row = pixels + static_cast<size_t>(y) * row_bytes;
    jpeg_write_scanlines(&codec, &row, 1);
  }
  return true;
}

bool write_end(JpegWriter& writer) {
  if (setjmp(writer.failure.jump)) return false;
  jpeg_finish_compress(&writer.codec);
  return true;
}

class JpegEncoder final : public RowEncoder {
 public:
  JpegEncoder() : writer_(bytes) {}

  Status begin(const ImageSize& size, int quality) {
    return begin_image(writer_, size, quality) ? Status() : writer_.failure.status();
  }
  Status write_rows(const std::byte* pixels, int64_t rows) override {
    const auto from = reinterpret_cast<JSAMPROW>(const_cast<std::byte*>(pixels));
    return write_rows_of(writer_, from, rows) ? Status() : writer_.failure.status();
  }
  Status finish() override { return write_end(writer_) ? Status() : writer_.failure.status(); }

 private:
  JpegWriter writer_;
};

}  // namespace

Result<std::unique_ptr<RowEncoder>> begin_jpeg(DataType type, const Extents& extents, int quality) {
  TESELA_RETURN_IF_ERROR(check_jpeg(type, extents));
  if (quality < 1 || quality > 100) return value_error("JPEG quality is {}; expected 1 to 100", quality);
  auto encoder = std::make_unique<JpegEncoder>();
  TESELA_RETURN_IF_ERROR(encoder->begin(*image_size(extents, "JPEG", JPEG_MAX_DIMENSION), quality));
  return std::unique_ptr<RowEncoder>(std::move(encoder));
}

Status check_jpeg(DataType type, const Extents& extents) {
  if (type != DataType::kUint8) return image_type_error(type, "JPEG", "uint8");
  TESELA_ASSIGN_OR_RETURN(const ImageSize size, image_size(extents, "JPEG", JPEG_MAX_DIMENSION));
  if (size.channels != 1 && size.channels != 3)
    return shape_error("JPEG cannot hold {} channels; expected 1 or 3", size.channels);
  return {};
}

Result<FileParts> encode_jpeg(const Tensor& tensor, int quality) {
  return encode_image(tensor, begin_jpeg(tensor.type(), tensor.extents(), quality));
}

}  // namespace tesela
