// SPDX-License-Identifier: Apache-2.0
// The bytes of a file, read or mapped, with their owner.
#pragma once

#include <cerrno>
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

/// Repeats a system call until no signal interrupts it.
template <class Call>
auto uninterrupted(const Call& call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

/// Owns and closes a file descriptor.
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

/// A mapped file: bytes that are not needed are not read. Reading the mapping beyond the end of a truncated file would
/// terminate the process, so bytes are not read from the mapping but copied when they are needed.
class MappedFile {
 public:
  MappedFile(Descriptor file, std::span<const std::byte> bytes, std::string name)
      : file_(std::move(file)), bytes_(bytes), name_(std::move(name)) {}

  /// Errors: truncated if the file is shorter than it was when it was mapped.
  Status check() const;

  /// Whether this is an address inside the mapping.
  bool holds(const std::byte* at) const;
  /// A copy of bytes of the mapping, 64-byte aligned. Errors: io, truncated, no_memory.
  Result<Tensor> read(std::span<const std::byte> part) const;

 private:
  Descriptor file_;
  std::span<const std::byte> bytes_;
  std::string name_;
};

struct FileBytes {
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;
  std::shared_ptr<const MappedFile> mapped = nullptr;  // null if the bytes were read
};

/// Files of constants up to this size are read; larger ones are mapped.
inline constexpr int64_t kReadUpTo = int64_t{64} << 20;

/// A whole file, read into memory: later changes of the file have no effect. Holes take no memory. Pipes are read to
/// their end. Errors: path (directories, devices, invalid names), io, limit (more than `max_bytes`), no_memory.
Result<FileBytes> read_file(const std::string& path, int64_t max_bytes);

/// The bytes of an open regular file of `size` bytes; mapped if there are more than `read_up_to`, then only part_of and
/// MappedFile::read may read them. shown: the file's name for messages. Errors: io, no_memory.
Result<FileBytes> read_or_map(int fd, int64_t size, std::string_view shown, int64_t read_up_to);

/// `size` bytes at `offset` of the result of read_or_map. For a mapped file they are a copy if they are few, or if
/// `alignment` is 0 or does not divide their offset; else they must not be read. Errors: io, truncated, no_memory.
Result<FileBytes> part_of(const FileBytes& file, int64_t offset, int64_t size, int64_t alignment);

/// An error of the operating system after "cannot open 'x'": path for unusable names, no_memory, else io.
Status system_error(int error_number, std::string_view cannot);

/// Errors: path if the text cannot be the name of a file.
Status check_path(const std::string& path);

}  // namespace tesela
