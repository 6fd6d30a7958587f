// Reading files: short reads, interrupted calls, pipes, and names that are no files.
#include "files/file_bytes.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <vector>

#include "types/tensor.h"

namespace tesela {
namespace {

// Reads up to `size` bytes; fewer only at the end of the file. Negative: errno says why.
ssize_t read_some(int fd, std::byte* into, size_t size) {
  size_t done = 0;
  while (done < size) {
    const ssize_t got = ::read(fd, into + done, std::min(size - done, size_t{1} << 30));
    if (got < 0 && errno == EINTR) continue;
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
    if (got < 0) return system_error(errno, fmt::format("cannot read {}", quoted(shown)));
    bytes->resize(before + static_cast<size_t>(got));
    if (bytes->size() > static_cast<uint64_t>(max_bytes))
      return limit_error("{} brings more than {} bytes", quoted(shown), max_bytes);
    if (static_cast<size_t>(got) < step) return FileBytes{*bytes, bytes};
  }
}

Result<FileBytes> map_regular(int fd, size_t size, std::string_view shown) {
  void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (address == MAP_FAILED) return system_error(errno, fmt::format("cannot map {}", quoted(shown)));
  std::shared_ptr<const void> keeper(address, [size](const void* p) { ::munmap(const_cast<void*>(p), size); });
  // Where descriptors have run out nobody looks after the file.
  auto mapped = std::make_shared<const MappedFile>(Descriptor(::fcntl(fd, F_DUPFD_CLOEXEC, 0)),
                                                   static_cast<int64_t>(size), std::string(shown));
  return FileBytes{{static_cast<const std::byte*>(address), size}, std::move(keeper), std::move(mapped)};
}

}  // namespace

Status MappedFile::check() const {
  struct stat info;
  if (!file_.valid() || ::fstat(file_.get(), &info) != 0 || info.st_size >= size_) return {};
  return truncated_error("{} was cut short while it was in use: it had {} bytes and has {}", quoted(name_), size_,
                         int64_t{info.st_size});
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
  errno = error_number;  // for callers of the C interface: nothing behind here fails and changes it
  return made;
}

static Status directory_error(const std::string& path) {
  Status made = path_error("{} is a directory; expected a file", quoted(path));
  errno = EISDIR;
  return made;
}

Status check_path(const std::string& path) {
  if (path.empty()) return path_error("a file's name is empty");
  if (path.find('\0') != std::string::npos) return path_error("the file name {} contains a NUL", quoted(path));
  return {};
}

Result<FileBytes> read_regular(int fd, int64_t size, std::string_view shown, int64_t read_up_to) {
  if (size > read_up_to) return map_regular(fd, static_cast<size_t>(size), shown);
  TESELA_ASSIGN_OR_RETURN(Tensor block, Tensor::allocate(DataType::kUint8, {size}));
  const ssize_t got = read_some(fd, block.mutable_data(), static_cast<size_t>(size));
  if (got < 0) return system_error(errno, fmt::format("cannot read {}", quoted(shown)));
  return FileBytes{{block.data(), static_cast<size_t>(got)}, block.storage()};
}

Result<FileBytes> read_file(const std::string& path, int64_t max_stream_bytes) {
  TESELA_RETURN_IF_ERROR(check_path(path));
  struct stat info;
  if (::stat(path.c_str(), &info) != 0) return system_error(errno, fmt::format("cannot open {}", quoted(path)));
  // Asked before opening: opening a device may already do something.
  if (S_ISDIR(info.st_mode)) return directory_error(path);
  if (S_ISCHR(info.st_mode) || S_ISBLK(info.st_mode))
    return path_error("{} is a device; expected a file", quoted(path));
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  if (!file.valid() || ::fstat(file.get(), &info) != 0)
    return system_error(errno, fmt::format("cannot open {}", quoted(path)));
  if (S_ISDIR(info.st_mode)) return directory_error(path);
  // Files of /proc say that they are empty, and are not.
  if (!S_ISREG(info.st_mode) || info.st_size == 0) return read_stream(file.get(), path, max_stream_bytes);
  return read_regular(file.get(), info.st_size, path, kReadUpTo);
}

}  // namespace tesela
