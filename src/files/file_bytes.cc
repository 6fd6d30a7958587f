// SPDX-License-Identifier: Apache-2.0
// Reads files, including pipes; handles short reads and interrupted calls.
#include "files/file_bytes.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <system_error>
#include <utility>
#include <vector>

namespace tesela {
namespace {

// The kernel ends a read before it lets a signal be handled: 8 MiB take a few milliseconds.
constexpr size_t kReadStep = size_t{8} << 20;

// Reads up to `size` bytes; fewer only at the end of the file. If negative, errno is set.
ssize_t read_some(int fd, std::byte* into, size_t size) {
  size_t done = 0;
  while (done < size) {
    const ssize_t got = uninterrupted([&] { return ::read(fd, into + done, std::min(size - done, kReadStep)); });
    if (got < 0) return -1;
    if (got == 0) break;
    done += static_cast<size_t>(got);
  }
  return static_cast<ssize_t>(done);
}

Result<FileBytes> read_stream(int fd, std::string_view shown, int64_t max_bytes) {
  auto bytes = std::make_shared<std::vector<std::byte>>();
  constexpr size_t kStep = 64 << 10;
  while (true) {
    const size_t before = bytes->size();
    const size_t step = std::max(kStep, before / 2);
    bytes->resize(before + step);
    const ssize_t got = read_some(fd, bytes->data() + before, step);
    if (got < 0) return system_error(errno, fmt::format("cannot read {}", in_quotes(shown)));
    bytes->resize(before + static_cast<size_t>(got));
    if (bytes->size() > static_cast<uint64_t>(max_bytes))
      return limit_error("{} has more than {} bytes", in_quotes(shown), max_bytes);
    if (static_cast<size_t>(got) < step) return FileBytes{*bytes, bytes};
  }
}

Result<FileBytes> map_regular(int fd, size_t size, std::string_view shown) {
  const std::string cannot = fmt::format("cannot map {}", in_quotes(shown));
  Descriptor file(::fcntl(fd, F_DUPFD_CLOEXEC, 0));
  if (!file.valid()) return system_error(errno, cannot);
  void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (address == MAP_FAILED) return system_error(errno, cannot);
  std::shared_ptr<const void> owner(address, [size](const void* p) { ::munmap(const_cast<void*>(p), size); });
  const std::span bytes(static_cast<const std::byte*>(address), size);
  auto mapped = std::make_shared<const MappedFile>(std::move(file), bytes, std::string(shown));
  return FileBytes{bytes, std::move(owner), std::move(mapped)};
}

// The range of the next data, not holes, from `at` on; the rest of the file if the file system does not report holes.
std::pair<int64_t, int64_t> next_data(int fd, int64_t at, int64_t size) {
  const off_t begin = ::lseek(fd, at, SEEK_DATA);
  if (begin < 0) return errno == ENXIO ? std::pair(size, size) : std::pair(at, size);
  const off_t end = ::lseek(fd, begin, SEEK_HOLE);
  return {std::min<int64_t>(begin, size), end < 0 ? size : std::min<int64_t>(end, size)};
}

// Reads into fresh memory, which is zero, so holes need not be read.
Result<FileBytes> read_large(int fd, int64_t size, std::string_view shown) {
  const std::string cannot = fmt::format("cannot read {}", in_quotes(shown));
  const auto bytes = static_cast<size_t>(size);
  void* address = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address == MAP_FAILED) return system_error(errno, cannot);
  std::shared_ptr<const void> owner(address, [bytes](const void* p) { ::munmap(const_cast<void*>(p), bytes); });
  ::madvise(address, bytes, MADV_HUGEPAGE);
  auto* const into = static_cast<std::byte*>(address);
  for (int64_t at = 0; at < size;) {
    const auto [begin, end] = next_data(fd, at, size);
    if (::lseek(fd, begin, SEEK_SET) < 0) return system_error(errno, cannot);
    const ssize_t got = read_some(fd, into + begin, static_cast<size_t>(end - begin));
    if (got < 0) return system_error(errno, cannot);
    at = end;
    if (got < end - begin) size = begin + got;  // the file was truncated meanwhile
  }
  return FileBytes{{into, static_cast<size_t>(size)}, std::move(owner)};
}

Result<FileBytes> read_regular(int fd, int64_t size, std::string_view shown) {
  TESELA_ASSIGN_OR_RETURN(Tensor block, Tensor::allocate(DataType::kUint8, {size}));
  const ssize_t got = read_some(fd, block.mutable_data(), static_cast<size_t>(size));
  if (got < 0) return system_error(errno, fmt::format("cannot read {}", in_quotes(shown)));
  return FileBytes{{block.data(), static_cast<size_t>(got)}, block.storage()};
}

}  // namespace

Status MappedFile::check() const {
  struct stat info;
  if (::fstat(file_.get(), &info) != 0 || std::cmp_greater_equal(info.st_size, bytes_.size())) return {};
  return truncated_error("{} was cut short while it was in use: it had {} bytes and has {}", in_quotes(name_),
                         bytes_.size(), int64_t{info.st_size});
}

bool MappedFile::holds(const std::byte* at) const {
  return std::less_equal<>()(bytes_.data(), at) && std::less<>()(at, bytes_.data() + bytes_.size());
}

Result<Tensor> MappedFile::read(std::span<const std::byte> part) const {
  TESELA_ASSIGN_OR_RETURN(Tensor copy, Tensor::allocate(DataType::kUint8, {static_cast<int64_t>(part.size())}));
  for (size_t done = 0; done < part.size();) {
    const size_t step = std::min(part.size() - done, kReadStep);
    const auto at = static_cast<off_t>(part.data() - bytes_.data()) + static_cast<off_t>(done);
    const ssize_t got = uninterrupted([&] { return ::pread(file_.get(), copy.mutable_data() + done, step, at); });
    if (got < 0) return system_error(errno, fmt::format("cannot read {}", in_quotes(name_)));
    if (got == 0)
      return truncated_error("{} was cut short while it was in use: it had {} bytes", in_quotes(name_), bytes_.size());
    done += static_cast<size_t>(got);
  }
  return copy;
}

Descriptor::~Descriptor() {
  if (fd_ >= 0) ::close(fd_);
}

Status system_error(int error_number, std::string_view cannot) {
  const std::string why = std::generic_category().message(error_number);
  const auto status = [&] {
    switch (error_number) {
      case ENOMEM: return no_memory_error("{}: {}", cannot, why);
      case EISDIR:
      case ELOOP:
      case ENAMETOOLONG: return path_error("{}: {}", cannot, why);
      default: return io_error("{}: {}", cannot, why);
    }
  };
  Status made = status();
  errno = error_number;  // for callers of the C interface; nothing after this changes it
  return made;
}

static Status directory_error(const std::string& path) {
  Status made = path_error("{} is a directory; expected a file", in_quotes(path));
  errno = EISDIR;
  return made;
}

Status check_path(const std::string& path) {
  if (path.empty()) return path_error("a file's name is empty");
  if (path.find('\0') != std::string::npos) return path_error("the file name {} contains a NUL", in_quotes(path));
  return {};
}

Result<FileBytes> read_or_map(int fd, int64_t size, std::string_view shown, int64_t read_up_to) {
  return size > read_up_to ? map_regular(fd, static_cast<size_t>(size), shown) : read_regular(fd, size, shown);
}

Result<FileBytes> part_of(const FileBytes& file, int64_t offset, int64_t size, int64_t alignment) {
  constexpr int64_t kMaxCopied = 4096;  // inputs that determine shapes, and the values that inspect shows
  const std::span bytes = file.bytes.subspan(static_cast<size_t>(offset), static_cast<size_t>(size));
  const bool can_stay_mapped = size > kMaxCopied && alignment > 0 && offset % alignment == 0;
  if (file.mapped == nullptr || can_stay_mapped) return FileBytes{bytes, file.owner, file.mapped};
  TESELA_ASSIGN_OR_RETURN(const Tensor copy, file.mapped->read(bytes));
  return FileBytes{{copy.data(), static_cast<size_t>(size)}, copy.storage()};
}

Result<FileBytes> read_file(const std::string& path, int64_t max_bytes) {
  TESELA_RETURN_IF_ERROR(check_path(path));
  struct stat info;
  if (::stat(path.c_str(), &info) != 0) return system_error(errno, fmt::format("cannot open {}", in_quotes(path)));
  // Checked before opening, which can have side effects for a device.
  if (S_ISDIR(info.st_mode)) return directory_error(path);
  if (S_ISCHR(info.st_mode) || S_ISBLK(info.st_mode))
    return path_error("{} is a device; expected a file", in_quotes(path));
  const Descriptor file(uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY); }));
  if (!file.valid() || ::fstat(file.get(), &info) != 0)
    return system_error(errno, fmt::format("cannot open {}", in_quotes(path)));
  if (S_ISDIR(info.st_mode)) return directory_error(path);
  // Files in /proc have size 0 but are not empty.
  if (!S_ISREG(info.st_mode) || info.st_size == 0) return read_stream(file.get(), path, max_bytes);
  if (info.st_size > max_bytes)
    return limit_error("{} has {} bytes; the limit is {}", in_quotes(path), int64_t{info.st_size}, max_bytes);
  return info.st_size > kReadUpTo ? read_large(file.get(), info.st_size, path)
                                  : read_regular(file.get(), info.st_size, path);
}

}  // namespace tesela
