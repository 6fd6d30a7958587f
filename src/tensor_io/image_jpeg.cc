// SPDX-License-Identifier: Apache-2.0
// Reads JPEG with libjpeg-turbo. Its errors are long jumps, so frames that they cross own nothing.
#include <cstdio>  // needed by jpeglib.h

#include <jpeglib.h>

#include <jerror.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "tensor_io/decode_cost.h"
#include "tensor_io/image_rows.h"
#include "tensor_io/jpeg_failure.h"

namespace tesela {
namespace {

/// libjpeg's progress monitor, with our fields.
struct JpegProgress {
  jpeg_progress_mgr base = {};  // first: libjpeg has a pointer to it
  int most_scans = 0;
};

/// libjpeg's source of bytes, with our fields.
struct JpegSource {
  jpeg_source_mgr base = {};  // first: libjpeg has a pointer to it
  FileBlocks file;
};

void do_nothing(j_decompress_ptr) {}

boolean fill_buffer(j_decompress_ptr codec) {
  auto* source = reinterpret_cast<JpegSource*>(codec->src);
  const std::span<const std::byte> block = source->file.next();
  if (block.empty()) jump_on_error(reinterpret_cast<j_common_ptr>(codec), JWRN_JPEG_EOF);
  source->base.next_input_byte = reinterpret_cast<const JOCTET*>(block.data());
  source->base.bytes_in_buffer = block.size();
  return TRUE;
}

void skip_bytes(j_decompress_ptr codec, long count) {
  if (count <= 0) return;
  auto left = static_cast<size_t>(count);
  jpeg_source_mgr& source = *codec->src;
  while (left > source.bytes_in_buffer) {
    left -= source.bytes_in_buffer;
    fill_buffer(codec);
  }
  source.next_input_byte += left;
  source.bytes_in_buffer -= left;
}

/// A file that is being read.
struct JpegReader {
  JpegFailure failure;
  JpegProgress progress;
  JpegSource source;
  jpeg_decompress_struct codec = {};

  explicit JpegReader(FileBlocks blocks) : source{.file = std::move(blocks)} {
    set_failure(failure);
    codec.err = &failure.base;
    source.base.init_source = do_nothing;
    source.base.fill_input_buffer = fill_buffer;
    source.base.skip_input_data = skip_bytes;
    source.base.resync_to_restart = jpeg_resync_to_restart;
    source.base.term_source = do_nothing;
  }
  JpegReader(const JpegReader&) = delete;
  ~JpegReader() { jpeg_destroy_decompress(&codec); }

  Status status() const { return source.file.status().ok() ? failure.status() : source.file.status(); }
};

// Every scan of a progressive file processes all pixels, and a scan can have ten bytes.
void on_progress(j_common_ptr codec) {
  const int most_scans = reinterpret_cast<JpegProgress*>(codec->progress)->most_scans;
  if (reinterpret_cast<j_decompress_ptr>(codec)->input_scan_number <= most_scans) return;
  auto* failure = reinterpret_cast<JpegFailure*>(codec->err);
  failure->fault = JpegFault::kScans;
  std::longjmp(failure->jump, 1);
}

bool read_header(JpegReader& reader) {
  if (setjmp(reader.failure.jump)) return false;
  jpeg_create_decompress(&reader.codec);
  reader.codec.src = &reader.source.base;
  jpeg_read_header(&reader.codec, TRUE);
  return true;
}

bool start(JpegReader& reader) {
  if (setjmp(reader.failure.jump)) return false;
  reader.progress.base.progress_monitor = on_progress;
  reader.codec.progress = &reader.progress.base;
  jpeg_start_decompress(&reader.codec);
  return true;
}

bool read_rows_into(JpegReader& reader, JSAMPROW pixels, size_t row_bytes, int64_t rows) {
  jpeg_decompress_struct& codec = reader.codec;
  if (setjmp(reader.failure.jump)) return false;
  for (int64_t y = 0; y < rows; ++y) {
    JSAMPROW row = pixels + static_cast<size_t>(y) * row_bytes;
    jpeg_read_scanlines(&codec, &row, 1);
  }
  if (codec.output_scanline == codec.output_height) jpeg_finish_decompress(&codec);
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

class JpegDecoder final : public RowDecoder {
 public:
  explicit JpegDecoder(FileBlocks file) : reader_(std::move(file)) {}

  Status open(const Limits& limits) {
    jpeg_decompress_struct& codec = reader_.codec;
    if (!read_header(reader_)) return reader_.status();
    TESELA_RETURN_IF_ERROR(check_kind(codec));
    const bool grey = codec.jpeg_color_space == JCS_GRAYSCALE;
    size = {codec.image_height, codec.image_width, grey ? 1 : 3};
    type = DataType::kUint8;
    TESELA_RETURN_IF_ERROR(check_image_size(size, 1, limits));
    TESELA_RETURN_IF_ERROR(
        check_file_size(codec, size, reader_.source.file.size(), limits, reader_.progress.most_scans));
    // The coefficients of a progressive file are kept until its last scan.
    codec.mem->max_memory_to_use = limits.max_working_bytes;
    codec.out_color_space = grey ? JCS_GRAYSCALE : JCS_RGB;
    return {};
  }

  Status read_rows(std::byte* pixels, int64_t rows) override {
    if (!std::exchange(started_, true) && !start(reader_)) return reader_.status();
    const auto into = reinterpret_cast<JSAMPROW>(pixels);
    return read_rows_into(reader_, into, row_bytes(), rows) ? Status() : reader_.status();
  }

 private:
  JpegReader reader_;
  bool started_ = false;
};

}  // namespace

Result<std::unique_ptr<RowDecoder>> open_jpeg(FileBlocks file, const Limits& limits) {
  constexpr std::string_view kMark = "\xff\xd8\xff";
  const std::span<const std::byte> head = file.head();
  TESELA_RETURN_IF_ERROR(file.status());
  if (std::memcmp(head.data(), kMark.data(), std::min(head.size(), kMark.size())) != 0)
    return parse_error("not a JPEG file: it does not begin with JPEG's signature");
  if (head.size() < kMark.size()) return truncated_error("the JPEG file ends after {} bytes", head.size());
  auto decoder = std::make_unique<JpegDecoder>(std::move(file));
  TESELA_RETURN_IF_ERROR(decoder->open(limits));
  return std::unique_ptr<RowDecoder>(std::move(decoder));
}

Result<Tensor> read_jpeg(std::span<const std::byte> file, const Limits& limits) {
  return read_image(open_jpeg(FileBlocks(file), limits));
}

}  // namespace tesela
