// SPDX-License-Identifier: Apache-2.0
// Reads, decodes, encodes and writes images band by band.
#include "tensor_io/image_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <type_traits>

#include "files/file_bytes.h"
#include "tensor_io/image_rows.h"

namespace tesela {
namespace {

constexpr size_t kBandBytes = size_t{1} << 20;

/// Moves all bytes by pread or pwrite. Errors: io, truncated.
template <class Call, class Byte>
Status transfer(const Call& call, int fd, std::span<Byte> bytes, int64_t at, std::string_view name) {
  while (!bytes.empty()) {
    const ssize_t done = uninterrupted([&] { return call(fd, bytes.data(), bytes.size(), at); });
    constexpr const char* kVerb = std::is_const_v<Byte> ? "write" : "read";
    if (done < 0) return system_error(errno, fmt::format("cannot {} {}", kVerb, name));
    if (done == 0) return truncated_error("{} end at byte {}", name, at);
    bytes = bytes.subspan(static_cast<size_t>(done));
    at += done;
  }
  return {};
}

/// Calls band(offset, first row, rows) for all rows, and on_rows between.
template <class Band>
Status each_band(int64_t rows, size_t row_bytes, const Band& band, const std::function<Status(int64_t)>& on_rows) {
  const auto most = static_cast<int64_t>(std::max<size_t>(kBandBytes / std::max<size_t>(row_bytes, 1), 1));
  for (int64_t y = 0; y < rows; y += most) {
    TESELA_RETURN_IF_ERROR(on_rows(y));
    TESELA_RETURN_IF_ERROR(band(y * static_cast<int64_t>(row_bytes), std::min(most, rows - y)));
  }
  return {};
}

Result<std::unique_ptr<RowDecoder>> open_image(FileBlocks file, const Limits& limits) {
  const std::span<const std::byte> head = file.head();
  TESELA_RETURN_IF_ERROR(file.status());
  if (head.empty()) return truncated_error("the file is empty; expected an image");
  return head.front() == std::byte{0x89} ? open_png(std::move(file), limits) : open_jpeg(std::move(file), limits);
}

/// name: of the elements, for messages.
Result<UnpackedImage> unpack(FileBlocks file, const Limits& limits, int fd, const std::string& name,
                             const OnRows& on_rows) {
  TESELA_ASSIGN_OR_RETURN(const std::unique_ptr<RowDecoder> image, open_image(std::move(file), limits));
  const int64_t rows = image->size.height;
  const size_t row_bytes = image->row_bytes();
  std::vector<std::byte> pixels(std::min(std::max(kBandBytes, row_bytes), row_bytes * static_cast<size_t>(rows)));
  for (int pass = 0; pass < image->passes; ++pass) {
    const auto band = [&](int64_t offset, int64_t count) -> Status {
      const std::span part(pixels.data(), static_cast<size_t>(count) * row_bytes);
      if (pass > 0) TESELA_RETURN_IF_ERROR(transfer(::pread, fd, part, offset, name));
      TESELA_RETURN_IF_ERROR(image->read_rows(part.data(), count));
      return transfer(::pwrite, fd, std::span<const std::byte>(part), offset, name);
    };
    TESELA_RETURN_IF_ERROR(each_band(rows, row_bytes, band, [&](int64_t y) {
      return on_rows(static_cast<double>(pass * rows + y) / static_cast<double>(image->passes * rows));
    }));
  }
  return UnpackedImage{image->type, {rows, image->size.width, image->size.channels}};
}

}  // namespace

std::span<const std::byte> FileBlocks::head() {
  if (!rest_.empty() || fd_ < 0 || !status_.ok()) return rest_;
  size_t got = 0;
  while (got < block_.size()) {
    const ssize_t step = uninterrupted(
        [&] { return ::pread(fd_, block_.data() + got, block_.size() - got, static_cast<off_t>(at_ + got)); });
    if (step < 0) status_ = system_error(errno, fmt::format("cannot read {}", in_quotes(name_)));
    if (step <= 0) break;
    got += static_cast<size_t>(step);
  }
  at_ += got;
  rest_ = std::span<const std::byte>(block_).first(status_.ok() ? got : 0);
  return rest_;
}

std::span<const std::byte> FileBlocks::next() {
  head();
  return std::exchange(rest_, {});
}

Result<UnpackedImage> unpack_image(const std::string& path, const Limits& limits, int fd, const OnRows& on_rows) {
  TESELA_RETURN_IF_ERROR(check_path(path));
  // A pipe is refused below; without O_NONBLOCK, opening it would wait for a writer.
  constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
  const Descriptor in(uninterrupted([&] { return ::open(path.c_str(), kFlags); }));
  struct stat info = {};
  if (!in.valid() || ::fstat(in.get(), &info) != 0)
    return system_error(errno, fmt::format("cannot open {}", in_quotes(path)));
  if (!S_ISREG(info.st_mode)) return path_error("{} is not a regular file; expected an image", in_quotes(path));
  FileBlocks file(in.get(), static_cast<size_t>(info.st_size), path);
  Result<UnpackedImage> image = unpack(std::move(file), limits, fd, "the elements of " + in_quotes(path), on_rows);
  const tesela_status code = image.ok() ? TESELA_OK : image.status().code();
  // Those of the system name the file.
  if (code == TESELA_OK || code == TESELA_ERROR_IO) return image;
  return image.status().with_prefix(in_quotes(path) + ": ");
}

Status check_image(DataType type, const Extents& extents, FileFormat format) {
  if (format != FileFormat::kPng && format != FileFormat::kJpeg)
    return usage_error("format {} is not one of images; expected png or jpeg", static_cast<int32_t>(format));
  return format == FileFormat::kPng ? check_png(type, extents) : check_jpeg(type, extents);
}

Status pack_image(const PackedImage& image, const TensorFileOptions& options, int to, const OnRows& on_rows) {
  TESELA_RETURN_IF_ERROR(check_image(image.type, image.extents, options.format));
  TESELA_ASSIGN_OR_RETURN(const std::unique_ptr<RowEncoder> encoder,
                          options.format == FileFormat::kPng
                              ? begin_png(image.type, image.extents)
                              : begin_jpeg(image.type, image.extents, options.jpeg_quality));
  TESELA_ASSIGN_OR_RETURN(const int64_t size, byte_count(image.type, image.extents));
  const int64_t rows = image.extents[0];
  const auto row_bytes = static_cast<size_t>(size / rows);
  std::vector<std::byte> pixels(std::min(std::max(kBandBytes, row_bytes), static_cast<size_t>(size)));
  int64_t written = 0;
  const auto flush = [&]() -> Status {
    TESELA_RETURN_IF_ERROR(transfer(::pwrite, to, std::span<const std::byte>(encoder->bytes), written, "the image"));
    written += static_cast<int64_t>(encoder->bytes.size());
    encoder->bytes.clear();
    return {};
  };
  const auto band = [&](int64_t offset, int64_t count) -> Status {
    const std::span part(pixels.data(), static_cast<size_t>(count) * row_bytes);
    TESELA_RETURN_IF_ERROR(transfer(::pread, image.fd, part, offset, "the elements of the image"));
    TESELA_RETURN_IF_ERROR(encoder->write_rows(part.data(), count));
    return flush();
  };
  TESELA_RETURN_IF_ERROR(each_band(
      rows, row_bytes, band, [&](int64_t y) { return on_rows(static_cast<double>(y) / static_cast<double>(rows)); }));
  TESELA_RETURN_IF_ERROR(encoder->finish());
  return flush();
}

}  // namespace tesela
