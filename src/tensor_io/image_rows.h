// SPDX-License-Identifier: Apache-2.0
// Images that are decoded and encoded row by row, in memory for a few rows.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tensor_io/image.h"

namespace tesela {

/// The bytes of a file in order, block by block; one block if they are in memory.
class FileBlocks {
 public:
  explicit FileBlocks(std::span<const std::byte> whole) : size_(whole.size()), rest_(whole) {}
  /// Of an open regular file, which must stay open. name: for messages.
  FileBlocks(int fd, size_t size, std::string name)
      : fd_(fd), size_(size), name_(std::move(name)), block_(kBlockBytes) {}
  FileBlocks(FileBlocks&&) = default;
  FileBlocks& operator=(FileBlocks&&) = delete;

  size_t size() const { return size_; }
  /// The block that `next` returns. It has the file's first 64 KiB, or all.
  std::span<const std::byte> head();
  /// Empty at the end of the file, and if it cannot be read: then status() says why. Valid until the next call.
  std::span<const std::byte> next();
  const Status& status() const { return status_; }

 private:
  static constexpr size_t kBlockBytes = size_t{64} << 10;

  int fd_ = -1;
  size_t size_;
  size_t at_ = 0;
  std::string name_;
  std::vector<std::byte> block_;
  std::span<const std::byte> rest_;
  Status status_;
};

class RowDecoder {
 public:
  ImageSize size;
  DataType type = DataType::kUint8;
  int passes = 1;  // an interlaced image is read several times over, each time into the rows that the last one left

  virtual ~RowDecoder() = default;
  /// The next rows, dense. Errors: parse, truncated, unsupported, limit, io, no_memory; then it must not be used again.
  virtual Status read_rows(std::byte* pixels, int64_t rows) = 0;

  size_t row_bytes() const {
    return static_cast<size_t>(size.width * size.channels * (type == DataType::kUint16 ? 2 : 1));
  }
};

class RowEncoder {
 public:
  std::vector<std::byte> bytes;  // of the file; the caller may take them away

  virtual ~RowEncoder() = default;
  /// The next rows, dense. Errors: no_memory.
  virtual Status write_rows(const std::byte* pixels, int64_t rows) = 0;
  /// After all rows.
  virtual Status finish() = 0;
};

/// Errors: as read_png and read_jpeg; limit also if what is kept besides the rows takes more than
/// limits.max_working_bytes.
Result<std::unique_ptr<RowDecoder>> open_png(FileBlocks file, const Limits& limits);
Result<std::unique_ptr<RowDecoder>> open_jpeg(FileBlocks file, const Limits& limits);

/// Whether the format holds such a tensor. Errors: as encode_png and encode_jpeg.
Status check_png(DataType type, const Extents& extents);
Status check_jpeg(DataType type, const Extents& extents);
/// Errors: those of the checks, value (quality), no_memory.
Result<std::unique_ptr<RowEncoder>> begin_png(DataType type, const Extents& extents);
Result<std::unique_ptr<RowEncoder>> begin_jpeg(DataType type, const Extents& extents, int quality);

/// All rows of an image.
Result<Tensor> read_image(Result<std::unique_ptr<RowDecoder>> decoder);
Result<FileParts> encode_image(const Tensor& tensor, Result<std::unique_ptr<RowEncoder>> encoder);

}  // namespace tesela
