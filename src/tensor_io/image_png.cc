// SPDX-License-Identifier: Apache-2.0
// PNG with libpng. Its errors are long jumps, so frames that they cross own nothing.
#include <png.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "tensor_io/image.h"

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
  std::span<const std::byte> rest;
  PngFailure failure;
  png_infop info = nullptr;
  png_structp png =
      png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &failure, on_error, on_warning, &failure, on_allocate, on_free);

  explicit PngReader(std::span<const std::byte> file) : rest(file) {
    if (png) info = png_create_info_struct(png);
  }
  PngReader(const PngReader&) = delete;
  ~PngReader() { png_destroy_read_struct(&png, &info, nullptr); }
};

void on_read(png_structp png, png_bytep into, size_t count) {
  auto* reader = static_cast<PngReader*>(png_get_io_ptr(png));
  if (count > reader->rest.size()) {
    reader->failure.truncated = true;
    png_error(png, "end of file");
  }
  std::memcpy(into, reader->rest.data(), count);
  reader->rest = reader->rest.subspan(count);
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

// Reads row by row in every pass: interlaced rows are completed in place.
bool read_rows(PngReader& reader, png_bytep pixels, size_t row_bytes, int64_t rows) {
  png_structp png = reader.png;
  if (setjmp(png_jmpbuf(png))) return false;
  const int passes = png_get_interlace_type(png, reader.info) == PNG_INTERLACE_NONE ? 1 : PNG_INTERLACE_ADAM7_PASSES;
  for (int pass = 0; pass < passes; ++pass)
    for (int64_t y = 0; y < rows; ++y) png_read_row(png, pixels + static_cast<size_t>(y) * row_bytes, nullptr);
  png_read_end(png, nullptr);
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
Status check_header(std::span<const std::byte> file, const Limits& limits) {
  const size_t shown = std::min(file.size(), kSignature.size());
  if (std::memcmp(file.data(), kSignature.data(), shown) != 0)
    return parse_error("not a PNG file: no mark at its beginning");
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
  if (least / 1100 > static_cast<int64_t>(file.size()))
    return truncated_error("the PNG file has {} bytes; too few for {} x {} pixels", file.size(), size.width,
                           size.height);
  return {};
}

/// A file that is being written.
struct PngWriter {
  std::vector<std::byte> out;
  PngFailure failure;
  png_infop info = nullptr;
  png_structp png =
      png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &failure, on_error, on_warning, &failure, on_allocate, on_free);

  PngWriter() {
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

bool write_image(PngWriter& writer, const Tensor& tensor, const ImageSize& size) {
  constexpr int kColors[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGBA};
  const int bits = element_bits(tensor.type());
  png_structp png = writer.png;
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_write_fn(png, &writer, on_write, nullptr);
  png_set_user_limits(png, kMaxExtent, kMaxExtent);
  png_set_IHDR(png, writer.info, static_cast<png_uint_32>(size.width), static_cast<png_uint_32>(size.height), bits,
               kColors[size.channels - 1], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, writer.info);
  if (bits == 16) png_set_swap(png);
  const auto row_bytes = static_cast<size_t>(size.width * size.channels * (bits / 8));
  for (int64_t y = 0; y < size.height; ++y)
    png_write_row(png, reinterpret_cast<png_const_bytep>(tensor.data()) + static_cast<size_t>(y) * row_bytes);
  png_write_end(png, nullptr);
  return true;
}

}  // namespace

Result<Tensor> read_png(std::span<const std::byte> file, const Limits& limits) {
  TESELA_RETURN_IF_ERROR(check_header(file, limits));
  PngReader reader(file);
  if (reader.info == nullptr) return no_memory_error("no memory for a PNG file");
  if (!read_info(reader)) return reader.failure.status();
  const ImageSize size{png_get_image_height(reader.png, reader.info), png_get_image_width(reader.png, reader.info),
                       png_get_channels(reader.png, reader.info)};
  const bool wide = png_get_bit_depth(reader.png, reader.info) == 16;
  TESELA_RETURN_IF_ERROR(check_image_size(size, wide ? 2 : 1, limits));
  const bool interlaced = png_get_interlace_type(reader.png, reader.info) != PNG_INTERLACE_NONE;
  TESELA_RETURN_IF_ERROR(check_cost(size, wide ? 2 : 1, interlaced, file.size(), limits));
  TESELA_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate(wide ? DataType::kUint16 : DataType::kUint8,
                                                          {size.height, size.width, size.channels}));
  const auto row_bytes = static_cast<size_t>(size.width * size.channels * (wide ? 2 : 1));
  if (png_get_rowbytes(reader.png, reader.info) != row_bytes) return internal_error("a PNG row of unexpected size");
  if (!read_rows(reader, reinterpret_cast<png_bytep>(tensor.mutable_data()), row_bytes, size.height))
    return reader.failure.status();
  return tensor;
}

Result<FileParts> encode_png(const Tensor& tensor) {
  if (tensor.type() != DataType::kUint8 && tensor.type() != DataType::kUint16)
    return image_type_error(tensor.type(), "PNG", "uint8 or uint16");
  TESELA_ASSIGN_OR_RETURN(const ImageSize size, image_size(tensor, "PNG", kMaxExtent));
  if (size.channels < 1 || size.channels > 4)
    return shape_error("an image of {} channels as PNG; expected 1 to 4", size.channels);
  PngWriter writer;
  if (writer.info == nullptr) return no_memory_error("no memory for a PNG file");
  if (!write_image(writer, tensor, size)) return writer.failure.status();
  return FileParts{std::move(writer.out)};
}

}  // namespace tesela
