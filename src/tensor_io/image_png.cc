// SPDX-License-Identifier: Apache-2.0
// PNG with libpng. Its errors are long jumps, so frames that they cross own nothing.
#include <png.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "tensor_io/image_rows.h"

namespace tesela {
namespace {

constexpr std::string_view kSignature = "\x89PNG\r\n\x1a\n";
constexpr size_t kHeaderBytes = 33;  // signature and IHDR
constexpr int64_t kMaxExtent = INT32_MAX;

/// The state for libpng's callbacks.
struct PngFailure {
  char message[96] = {};
  bool truncated = false;
  bool no_memory = false;

  Status status() const {
    if (no_memory) return no_memory_error("no memory for a PNG file");
    if (truncated) return truncated_error("the PNG file ends early");
    return parse_error("PNG: {}", std::string_view(message));
  }
};

[[noreturn]] void on_error(png_structp png, png_const_charp message) {
  auto* failure = static_cast<PngFailure*>(png_get_error_ptr(png));
  std::strncpy(failure->message, message, sizeof failure->message - 1);
  // libpng's message for compressed pixels that end before the image.
  if (std::strstr(message, "Not enough image data") != nullptr) failure->truncated = true;
  png_longjmp(png, 1);
}

void on_warning(png_structp, png_const_charp) {}

// libpng and zlib report failed allocations with various messages, so this function records them.
png_voidp on_allocate(png_structp png, png_alloc_size_t bytes) {
  void* const block = std::malloc(bytes);
  if (block == nullptr) static_cast<PngFailure*>(png_get_mem_ptr(png))->no_memory = true;
  return block;
}

void on_free(png_structp, png_voidp block) {
  std::free(block);
}

/// A file that is being read.
struct PngReader {
  FileBlocks file;
  std::span<const std::byte> rest;
  PngFailure failure;
  png_infop info = nullptr;
  png_structp png =
      png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &failure, on_error, on_warning, &failure, on_allocate, on_free);

  explicit PngReader(FileBlocks blocks) : file(std::move(blocks)) {
    if (png) info = png_create_info_struct(png);
  }
  PngReader(const PngReader&) = delete;
  ~PngReader() { png_destroy_read_struct(&png, &info, nullptr); }

  Status status() const { return file.status().ok() ? failure.status() : file.status(); }
};

void on_read(png_structp png, png_bytep into, size_t count) {
  auto* reader = static_cast<PngReader*>(png_get_io_ptr(png));
  while (count > 0) {
    if (reader->rest.empty()) reader->rest = reader->file.next();
    if (reader->rest.empty()) {
      reader->failure.truncated = true;
      png_error(png, "end of file");
    }
    const size_t step = std::min(count, reader->rest.size());
    std::memcpy(into, reader->rest.data(), step);
    reader->rest = reader->rest.subspan(step);
    into += step;
    count -= step;
  }
}

// Chunks that do not affect pixel values are skipped: texts, profiles and others may unpack to a thousand
// times their size.
bool read_info(PngReader& reader) {
  png_structp png = reader.png;
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_read_fn(png, &reader, on_read);
  png_set_user_limits(png, kMaxExtent, kMaxExtent);
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
  png_read_info(png, reader.info);
  png_set_palette_to_rgb(png);
  png_set_expand_gray_1_2_4_to_8(png);
  if (png_get_valid(png, reader.info, PNG_INFO_tRNS) != 0) png_set_tRNS_to_alpha(png);
  if (png_get_bit_depth(png, reader.info) == 16) png_set_swap(png);
  png_set_interlace_handling(png);
  png_read_update_info(png, reader.info);
  return true;
}

// Interlaced rows are completed in place.
bool read_rows_into(PngReader& reader, png_bytep pixels, size_t row_bytes, int64_t rows) {
  png_structp png = reader.png;
  if (setjmp(png_jmpbuf(png))) return false;
  for (int64_t y = 0; y < rows; ++y) png_read_row(png, pixels + static_cast<size_t>(y) * row_bytes, nullptr);
  return true;
}

bool read_end(PngReader& reader) {
  if (setjmp(png_jmpbuf(reader.png))) return false;
  png_read_end(reader.png, nullptr);
  return true;
}

uint32_t big_endian_at(std::span<const std::byte> file, size_t at) {
  uint32_t value;
  std::memcpy(&value, file.data() + at, sizeof value);
  return __builtin_bswap32(value);
}

// Each row is one call, each interlaced row seven: their cost in bytes, as measured. No product is large, because
// check_header has compared the size with the file's.
Status check_cost(const ImageSize& size, int64_t sample_bytes, bool interlaced, size_t file_bytes,
                  const Limits& limits) {
  constexpr int64_t kOfARow = 16, kOfAnInterlacedRow = 32;
  const int64_t pixels = size.height * size.width * size.channels * sample_bytes;
  const int64_t rows = size.height * (interlaced ? kOfAnInterlacedRow : kOfARow);
  return check_decode_cost(size, pixels + rows, file_bytes, limits);
}

// The size is at a fixed position, and is checked before libpng reads the file.
Status check_header(FileBlocks& blocks, const Limits& limits) {
  const std::span<const std::byte> file = blocks.head();
  TESELA_RETURN_IF_ERROR(blocks.status());
  const size_t shown = std::min(file.size(), kSignature.size());
  if (std::memcmp(file.data(), kSignature.data(), shown) != 0)
    return parse_error("not a PNG file: it does not begin with PNG's signature");
  if (file.size() < kHeaderBytes)
    return truncated_error("the PNG file ends in its header, after {} bytes", file.size());
  if (std::memcmp(file.data() + 12, "IHDR", 4) != 0) return parse_error("the PNG file does not begin with its header");
  const ImageSize size{big_endian_at(file, 20), big_endian_at(file, 16), 1};
  if (size.width < 1 || size.width > kMaxExtent || size.height < 1 || size.height > kMaxExtent)
    return value_error("the image has {} x {} pixels; expected at least 1 x 1", size.width, size.height);
  TESELA_RETURN_IF_ERROR(check_image_size(size, 1, limits));
  // Deflate expands a byte to at most 1,032, so a small file cannot contain a large image: nothing is
  // allocated.
  const auto depth = static_cast<int64_t>(file[24]);
  const int64_t least = size.height * size.width / 8 * std::clamp<int64_t>(depth, 1, 16);
  if (least / 1100 > static_cast<int64_t>(blocks.size()))
    return truncated_error("the PNG file has {} bytes; too few for {} x {} pixels", blocks.size(), size.width,
                           size.height);
  // libpng has three rows, of at most four channels.
  const int64_t rows = size.width * 4 * (depth == 16 ? 2 : 1) * 3;
  if (rows > limits.max_working_bytes)
    return limit_error("rows of the PNG file, of {} pixels, take {} bytes; the limit is {}", size.width, rows,
                       limits.max_working_bytes);
  return {};
}

/// A file that is being written.
struct PngWriter {
  std::vector<std::byte>& out;
  PngFailure failure;
  png_infop info = nullptr;
  png_structp png =
      png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &failure, on_error, on_warning, &failure, on_allocate, on_free);

  explicit PngWriter(std::vector<std::byte>& bytes) : out(bytes) {
    if (png) info = png_create_info_struct(png);
  }
  PngWriter(const PngWriter&) = delete;
  ~PngWriter() { png_destroy_write_struct(&png, &info); }

  bool append(png_bytep bytes, size_t count) {
    try {
      const auto* begin = reinterpret_cast<const std::byte*>(bytes);
      out.insert(out.end(), begin, begin + count);
      return true;
    } catch (const std::bad_alloc&) {
      return false;  // an exception must not cross libpng
    }
  }
};

void on_write(png_structp png, png_bytep bytes, size_t count) {
  auto* writer = static_cast<PngWriter*>(png_get_io_ptr(png));
  if (writer->append(bytes, count)) return;
  writer->failure.no_memory = true;
  png_error(png, "no memory");
}

bool begin_image(PngWriter& writer, const ImageSize& size, int bits) {
  constexpr int kColors[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGBA};
  png_structp png = writer.png;
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_write_fn(png, &writer, on_write, nullptr);
  png_set_user_limits(png, kMaxExtent, kMaxExtent);
  png_set_IHDR(png, writer.info, static_cast<png_uint_32>(size.width), static_cast<png_uint_32>(size.height), bits,
               kColors[size.channels - 1], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, writer.info);
  if (bits == 16) png_set_swap(png);
  return true;
}

bool write_rows_of(PngWriter& writer, png_const_bytep pixels, size_t row_bytes, int64_t rows) {
  if (setjmp(png_jmpbuf(writer.png))) return false;
  for (int64_t y = 0; y < rows; ++y) png_write_row(writer.png, pixels + static_cast<size_t>(y) * row_bytes);
  return true;
}

bool write_end(PngWriter& writer) {
  if (setjmp(png_jmpbuf(writer.png))) return false;
  png_write_end(writer.png, nullptr);
  return true;
}

class PngDecoder final : public RowDecoder {
 public:
  explicit PngDecoder(FileBlocks file) : reader_(std::move(file)) {}

  Status open(const Limits& limits) {
    const size_t file_bytes = reader_.file.size();
    if (reader_.info == nullptr) return no_memory_error("no memory for a PNG file");
    if (!read_info(reader_)) return reader_.status();
    size = {png_get_image_height(reader_.png, reader_.info), png_get_image_width(reader_.png, reader_.info),
            png_get_channels(reader_.png, reader_.info)};
    const bool wide = png_get_bit_depth(reader_.png, reader_.info) == 16;
    type = wide ? DataType::kUint16 : DataType::kUint8;
    TESELA_RETURN_IF_ERROR(check_image_size(size, wide ? 2 : 1, limits));
    const bool interlaced = png_get_interlace_type(reader_.png, reader_.info) != PNG_INTERLACE_NONE;
    passes = interlaced ? PNG_INTERLACE_ADAM7_PASSES : 1;
    TESELA_RETURN_IF_ERROR(check_cost(size, wide ? 2 : 1, interlaced, file_bytes, limits));
    if (png_get_rowbytes(reader_.png, reader_.info) != row_bytes())
      return internal_error("a PNG row of unexpected size");
    left_ = size.height * passes;
    return {};
  }

  Status read_rows(std::byte* pixels, int64_t rows) override {
    if (!read_rows_into(reader_, reinterpret_cast<png_bytep>(pixels), row_bytes(), rows)) return reader_.status();
    left_ -= rows;
    return left_ > 0 || read_end(reader_) ? Status() : reader_.status();
  }

 private:
  PngReader reader_;
  int64_t left_ = 0;
};

class PngEncoder final : public RowEncoder {
 public:
  PngEncoder() : writer_(bytes) {}

  Status begin(const ImageSize& size, int bits) {
    if (writer_.info == nullptr) return no_memory_error("no memory for a PNG file");
    row_bytes_ = static_cast<size_t>(size.width * size.channels * (bits / 8));
    return begin_image(writer_, size, bits) ? Status() : writer_.failure.status();
  }
  Status write_rows(const std::byte* pixels, int64_t rows) override {
    const auto* const from = reinterpret_cast<png_const_bytep>(pixels);
    return write_rows_of(writer_, from, row_bytes_, rows) ? Status() : writer_.failure.status();
  }
  Status finish() override { return write_end(writer_) ? Status() : writer_.failure.status(); }

 private:
  PngWriter writer_;
  size_t row_bytes_ = 0;
};

}  // namespace

Result<std::unique_ptr<RowDecoder>> open_png(FileBlocks file, const Limits& limits) {
  TESELA_RETURN_IF_ERROR(check_header(file, limits));
  auto decoder = std::make_unique<PngDecoder>(std::move(file));
  TESELA_RETURN_IF_ERROR(decoder->open(limits));
  return std::unique_ptr<RowDecoder>(std::move(decoder));
}

Result<std::unique_ptr<RowEncoder>> begin_png(DataType type, const Extents& extents) {
  TESELA_RETURN_IF_ERROR(check_png(type, extents));
  auto encoder = std::make_unique<PngEncoder>();
  TESELA_RETURN_IF_ERROR(encoder->begin(*image_size(extents, "PNG", kMaxExtent), element_bits(type)));
  return std::unique_ptr<RowEncoder>(std::move(encoder));
}

Status check_png(DataType type, const Extents& extents) {
  if (type != DataType::kUint8 && type != DataType::kUint16) return image_type_error(type, "PNG", "uint8 or uint16");
  TESELA_ASSIGN_OR_RETURN(const ImageSize size, image_size(extents, "PNG", kMaxExtent));
  if (size.channels < 1 || size.channels > 4)
    return shape_error("PNG cannot hold {} channels; expected 1 to 4", size.channels);
  return {};
}

Result<Tensor> read_png(std::span<const std::byte> file, const Limits& limits) {
  return read_image(open_png(FileBlocks(file), limits));
}

Result<FileParts> encode_png(const Tensor& tensor) {
  return encode_image(tensor, begin_png(tensor.type(), tensor.extents()));
}

}  // namespace tesela
