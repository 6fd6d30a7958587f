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

/// A file that is mapped: what is read beyond its end ends the process.
class MappedFile {
 public:
  MappedFile(Descriptor file, int64_t size, std::string name)
      : file_(std::move(file)), size_(size), name_(std::move(name)) {}

  /// Whether it is still as long as it was. Errors: truncated.
  Status check() const;

 private:
  Descriptor file_;
  int64_t size_;
  std::string name_;
};

struct FileBytes {
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> keeper;
  std::shared_ptr<const MappedFile> mapped = nullptr;  // null where the bytes were read
};

/// Files up to this size are read; larger ones are mapped, and must not be cut short meanwhile.
inline constexpr int64_t kReadUpTo = int64_t{64} << 20;

/// A whole file. Pipes are read to their end.
/// Errors: path (directories, devices, names that cannot be a file's), io, limit (a pipe that brings more
/// than `max_stream_bytes`), no_memory.
Result<FileBytes> read_file(const std::string& path, int64_t max_stream_bytes);

/// The bytes of an open regular file of `size` bytes, mapped where there are more than `read_up_to`.
/// shown: the file's name for messages. Errors: io, no_memory.
Result<FileBytes> read_regular(int fd, int64_t size, std::string_view shown, int64_t read_up_to);

/// What the operating system said about "cannot open 'x'": path for names that may not be used, no_memory,
/// else io.
Status system_error(int error_number, std::string_view cannot);

/// Errors: path where the text cannot be a file's name at all.
Status check_path(const std::string& path);

}  // namespace tesela
