// The bytes of a file, read or mapped, with what keeps them alive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "types/status.h"
#include "types/tensor.h"

namespace tesela {

/// Closes a file descriptor when it goes.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor();

  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }
  int release() { return std::exchange(fd_, -1); }
  void swap(Descriptor& other) { std::swap(fd_, other.fd_); }

 private:
  int fd_;
};

/// A file that is mapped, so that bytes that nobody needs are not read. Reading the mapping beyond the end of a file that
/// was cut ends the process, so its bytes are not looked at there, but read where they are needed.
class MappedFile {
 public:
  MappedFile(Descriptor file, std::span<const std::byte> bytes, std::string name)
      : file_(std::move(file)), bytes_(bytes), name_(std::move(name)) {}

  /// Whether it is still as long as it was. Errors: truncated.
  Status check() const;

  /// Whether this is the address of one of its bytes.
  bool holds(const std::byte* at) const;
  /// A copy of bytes that it holds, 64-byte aligned. Errors: io, truncated, no_memory.
  Result<Tensor> read(std::span<const std::byte> part) const;

 private:
  Descriptor file_;
  std::span<const std::byte> bytes_;
  std::string name_;
};

struct FileBytes {
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> keeper;
  std::shared_ptr<const MappedFile> mapped = nullptr;  // null where the bytes were read
};

/// Files of constants up to this size are read; larger ones are mapped.
inline constexpr int64_t kReadUpTo = int64_t{64} << 20;

/// A whole file, which is read: what becomes of the file later changes nothing. Holes take no memory. Pipes are read to
/// their end. Errors: path (directories, devices, names that cannot be a file's), io, limit (more than `max_bytes`),
/// no_memory.
Result<FileBytes> read_file(const std::string& path, int64_t max_bytes);

/// The bytes of an open regular file of `size` bytes, mapped where there are more than `read_up_to`; then they are to be
/// looked at by part_of and MappedFile::read alone. shown: the file's name for messages. Errors: io, no_memory.
Result<FileBytes> read_or_map(int fd, int64_t size, std::string_view shown, int64_t read_up_to);

/// `size` bytes at `offset` of what read_or_map gave. Of a mapped file they are a copy where they are few, or where
/// `alignment` is 0 or does not divide their offset; else they are not to be looked at. Errors: io, truncated, no_memory.
Result<FileBytes> part_of(const FileBytes& file, int64_t offset, int64_t size, int64_t alignment);

/// What the operating system said about "cannot open 'x'": path for names that may not be used, no_memory,
/// else io.
Status system_error(int error_number, std::string_view cannot);

/// Errors: path where the text cannot be a file's name at all.
Status check_path(const std::string& path);

}  // namespace tesela
