// SPDX-License-Identifier: Apache-2.0
// JPEG with libjpeg-turbo. Its errors are long jumps, so frames that they cross own nothing.
#include <cstdio>  // needed by jpeglib.h

#include <jpeglib.h>

#include <jerror.h>

#include <algorithm>
#include <csetjmp>
#include <cstdlib>
#include <cstring>

#include "tensor_io/decode_cost.h"
#include "tensor_io/image.h"

namespace tesela {
namespace {

enum class JpegFault { kBroken, kTruncated, kUnsupported, kScans, kMemoryLimit, kNoMemory };

/// libjpeg's error manager, with our fields.
struct JpegFailure {
  jpeg_error_mgr base;  // first: libjpeg has a pointer to it
  std::jmp_buf jump;
  JpegFault fault = JpegFault::kBroken;
  char message[JMSG_LENGTH_MAX] = {};

  Status status() const {
    switch (fault) {
      case JpegFault::kTruncated: return truncated_error("the JPEG file ends early");
      case JpegFault::kUnsupported: return unsupported_error("JPEG: {}", std::string_view(message));
      case JpegFault::kScans: return limit_error("the JPEG file has too many scans");
      case JpegFault::kMemoryLimit: return limit_error("the JPEG file needs more memory than the limit allows");
      case JpegFault::kNoMemory: return no_memory_error("no memory for a JPEG file");
      case JpegFault::kBroken: break;
    }
    return parse_error("JPEG: {}", std::string_view(message));
  }
};

JpegFault fault_of(int code) {
  switch (code) {
    case JWRN_JPEG_EOF:
    case JWRN_HIT_MARKER: return JpegFault::kTruncated;
    case JERR_BAD_PRECISION:
    case JERR_SOF_UNSUPPORTED:
    case JERR_IMAGE_TOO_BIG:
    case JERR_FRACT_SAMPLE_NOTIMPL: return JpegFault::kUnsupported;
    case JERR_NO_BACKING_STORE: return JpegFault::kMemoryLimit;
    case JERR_OUT_OF_MEMORY: return JpegFault::kNoMemory;
    default: return JpegFault::kBroken;
  }
}

[[noreturn]] void on_error(j_common_ptr codec) {
  auto* failure = reinterpret_cast<JpegFailure*>(codec->err);
  failure->base.format_message(codec, failure->message);
  failure->fault = fault_of(failure->base.msg_code);
  std::longjmp(failure->jump, 1);
}

// libjpeg continues after damage with invented pixels. We report an error.
void on_message(j_common_ptr codec, int level) {
  const int code = codec->err->msg_code;
  const bool harmless = code == JWRN_EXTRANEOUS_DATA || code == JWRN_ADOBE_XFORM;
  if (level < 0 && !harmless) on_error(codec);
}

void set_failure(JpegFailure& failure) {
  jpeg_std_error(&failure.base);
  failure.base.error_exit = on_error;
  failure.base.emit_message = on_message;
}

/// libjpeg's progress monitor, with our fields.
struct JpegProgress {
  jpeg_progress_mgr base = {};  // first: libjpeg has a pointer to it
  int most_scans = 0;
};

/// A file that is being read.
struct JpegReader {
  JpegFailure failure;
  JpegProgress progress;
  jpeg_decompress_struct codec = {};

  JpegReader() {
    set_failure(failure);
    codec.err = &failure.base;
  }
  JpegReader(const JpegReader&) = delete;
  ~JpegReader() { jpeg_destroy_decompress(&codec); }
};

// Every scan of a progressive file processes all pixels, and a scan can have ten bytes.
void on_progress(j_common_ptr codec) {
  const int most_scans = reinterpret_cast<JpegProgress*>(codec->progress)->most_scans;
  if (reinterpret_cast<j_decompress_ptr>(codec)->input_scan_number <= most_scans) return;
  auto* failure = reinterpret_cast<JpegFailure*>(codec->err);
  failure->fault = JpegFault::kScans;
  std::longjmp(failure->jump, 1);
}

bool read_header(JpegReader& reader, std::span<const std::byte> file) {
  if (setjmp(reader.failure.jump)) return false;
  jpeg_create_decompress(&reader.codec);
  jpeg_mem_src(&reader.codec, reinterpret_cast<const unsigned char*>(file.data()), file.size());
  jpeg_read_header(&reader.codec, TRUE);
  return true;
}

bool read_rows(JpegReader& reader, JSAMPROW pixels, size_t row_bytes) {
  jpeg_decompress_struct& codec = reader.codec;
  if (setjmp(reader.failure.jump)) return false;
  reader.progress.base.progress_monitor = on_progress;
  codec.progress = &reader.progress.base;
  jpeg_start_decompress(&codec);
  while (codec.output_scanline < codec.output_height) {
    JSAMPROW row = pixels + codec.output_scanline * row_bytes;
    jpeg_read_scanlines(&codec, &row, 1);
  }
  jpeg_finish_decompress(&codec);
  return true;
}

// Huffman codes have at least one bit for each block of 8 x 8, so a small file cannot contain a large image.
// libjpeg would first allocate and clear all of it.
Status check_file_size(const jpeg_decompress_struct& codec, const ImageSize& size, size_t file_bytes,
                       const Limits& limits, int& most_scans) {
  uint64_t blocks = 0;
  for (int i = 0; i < codec.num_components; ++i)
    blocks += uint64_t{codec.comp_info[i].width_in_blocks} * codec.comp_info[i].height_in_blocks;
  if (blocks / 8 > file_bytes)
    return truncated_error("the JPEG file has {} bytes; too few for {} x {} pixels", file_bytes, codec.image_width,
                           codec.image_height);
  const int64_t pixel_bytes = size.height * size.width * size.channels;
  TESELA_RETURN_IF_ERROR(check_decode_cost(size, pixel_bytes, file_bytes, limits));
  // One block of one scan costs about as much as two bytes (measured). About 14 scans are usual; 500 are suspicious
  // even in the smallest image.
  const int64_t scans = (decode_budget(file_bytes, limits) - pixel_bytes) / 2 / static_cast<int64_t>(blocks + 1);
  most_scans = static_cast<int>(std::clamp<int64_t>(scans, 1, 500));
  return {};
}

Status check_kind(const jpeg_decompress_struct& codec) {
  const J_COLOR_SPACE space = codec.jpeg_color_space;
  if (space != JCS_GRAYSCALE && space != JCS_YCbCr && space != JCS_RGB)
    return unsupported_error("a JPEG file of {} channels ({}); expected grey or RGB", codec.num_components,
                             space == JCS_CMYK || space == JCS_YCCK ? "CMYK" : "of no known colours");
  if (codec.arith_code != 0) return unsupported_error("a JPEG file with arithmetic coding; expected Huffman codes");
  return {};
}

/// A file that is being written.
struct JpegWriter {
  JpegFailure failure;
  jpeg_compress_struct codec = {};
  unsigned char* out = nullptr;
  unsigned long out_bytes = 0;

  JpegWriter() {
    set_failure(failure);
    codec.err = &failure.base;
  }
  JpegWriter(const JpegWriter&) = delete;
  ~JpegWriter() {
    jpeg_destroy_compress(&codec);
    std::free(out);
  }
};

bool write_image(JpegWriter& writer, const Tensor& tensor, const ImageSize& size, int quality) {
  jpeg_compress_struct& codec = writer.codec;
  if (setjmp(writer.failure.jump)) return false;
  jpeg_create_compress(&codec);
  jpeg_mem_dest(&codec, &writer.out, &writer.out_bytes);
  codec.image_width = static_cast<JDIMENSION>(size.width);
  codec.image_height = static_cast<JDIMENSION>(size.height);
  codec.input_components = static_cast<int>(size.channels);
  codec.in_color_space = size.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(&codec);
  jpeg_set_quality(&codec, quality, TRUE);
  jpeg_start_compress(&codec, TRUE);
  auto* pixels = reinterpret_cast<JSAMPROW>(const_cast<std::byte*>(tensor.data()));
  const auto row_bytes = static_cast<size_t>(size.width * size.channels);
  while (codec.next_scanline < codec.image_height) {
    JSAMPROW row = pixels + codec.next_scanline * row_bytes;
    jpeg_write_scanlines(&codec, &row, 1);
  }
  jpeg_finish_compress(&codec);
  return true;
}

}  // namespace

Result<Tensor> read_jpeg(std::span<const std::byte> file, const Limits& limits) {
  constexpr std::string_view kMark = "\xff\xd8\xff";
  if (std::memcmp(file.data(), kMark.data(), std::min(file.size(), kMark.size())) != 0)
    return parse_error("not a JPEG file: no mark at its beginning");
  if (file.size() < kMark.size()) return truncated_error("the JPEG file ends after {} bytes", file.size());
  JpegReader reader;
  jpeg_decompress_struct& codec = reader.codec;
  if (!read_header(reader, file)) return reader.failure.status();
  TESELA_RETURN_IF_ERROR(check_kind(codec));
  const bool grey = codec.jpeg_color_space == JCS_GRAYSCALE;
  const ImageSize size{codec.image_height, codec.image_width, grey ? 1 : 3};
  TESELA_RETURN_IF_ERROR(check_image_size(size, 1, limits));
  TESELA_RETURN_IF_ERROR(check_file_size(codec, size, file.size(), limits, reader.progress.most_scans));
  // The coefficients of a progressive file are kept until its last scan.
  codec.mem->max_memory_to_use = limits.max_working_bytes;
  codec.out_color_space = grey ? JCS_GRAYSCALE : JCS_RGB;
  TESELA_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate(DataType::kUint8, {size.height, size.width, size.channels}));
  const auto row_bytes = static_cast<size_t>(size.width * size.channels);
  if (!read_rows(reader, reinterpret_cast<JSAMPROW>(tensor.mutable_data()), row_bytes)) return reader.failure.status();
  return tensor;
}

Result<FileParts> encode_jpeg(const Tensor& tensor, int quality) {
  if (tensor.type() != DataType::kUint8) return image_type_error(tensor.type(), "JPEG", "uint8");
  if (quality < 1 || quality > 100) return value_error("JPEG quality is {}; expected 1 to 100", quality);
  TESELA_ASSIGN_OR_RETURN(const ImageSize size, image_size(tensor, "JPEG", JPEG_MAX_DIMENSION));
  if (size.channels != 1 && size.channels != 3)
    return shape_error("an image of {} channels as JPEG; expected 1 or 3", size.channels);
  JpegWriter writer;
  if (!write_image(writer, tensor, size, quality)) return writer.failure.status();
  const auto* begin = reinterpret_cast<const std::byte*>(writer.out);
  return FileParts{{begin, begin + writer.out_bytes}};
}

}  // namespace tesela
