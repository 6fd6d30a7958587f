// SPDX-License-Identifier: Apache-2.0
// Replaces files atomically; writes directly if there is no file to replace.
#include "files/file_output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdlib>
#include <optional>
#include <random>

#include "files/file_bytes.h"
#include "files/unfinished_files.h"

namespace tesela {
namespace {

/// The destination of a path.
struct Target {
  std::string path;       // links resolved
  int duplicate_of = -1;  // a descriptor of this process, for /dev/stdout and similar names
  bool direct = false;    // a pipe or a device
  bool exists = false;
  mode_t mode = 0;
};

std::string directory_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// Opening these by name would give another open file with its own offset: a redirected stdout would be overwritten from
// its beginning, or replaced while the shell uses it.
int own_descriptor(std::string_view path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    int fd = -1;
    const char* end = path.data() + path.size();
    const auto parsed = std::from_chars(path.data() + folder.size(), end, fd);
    if (parsed.ec == std::errc() && parsed.ptr == end) return fd;
  }
  return -1;
}

Result<Target> find_target(const std::string& path) {
  TESELA_RETURN_IF_ERROR(check_path(path));
  Target target{path};
  target.duplicate_of = own_descriptor(path);
  if (target.duplicate_of >= 0) return target;
  struct stat info;
  if (::lstat(path.c_str(), &info) == 0 && S_ISLNK(info.st_mode)) {
    char* resolved = ::realpath(path.c_str(), nullptr);
    if (resolved == nullptr) return path_error("{} is a symbolic link to a missing file", in_quotes(path));
    target.path = resolved;
    std::free(resolved);
  }
  if (::stat(target.path.c_str(), &info) != 0) {
    if (errno != ENOENT) return system_error(errno, fmt::format("cannot write {}", in_quotes(path)));
    return target;
  }
  if (S_ISDIR(info.st_mode)) return path_error("{} is a directory; expected a file's name", in_quotes(path));
  target.exists = true;
  target.direct = !S_ISREG(info.st_mode);
  target.mode = info.st_mode & 0777;
  return target;
}

Status check_target(const Target& target) {
  if (target.duplicate_of >= 0) return {};
  const std::string cannot = fmt::format("cannot write {}", in_quotes(target.path));
  if (target.exists && ::access(target.path.c_str(), W_OK) != 0) return system_error(errno, cannot);
  if (target.direct) return {};
  if (target.path.back() == '/') return path_error("{} is a directory; expected a file's name", in_quotes(target.path));
  if (::access(directory_of(target.path).c_str(), W_OK | X_OK) != 0) return system_error(errno, cannot);
  return {};
}

// Starts writing data back to the disk, and waits for older data: otherwise a sync at the end, or the removal of the
// file, could take seconds for a large file, without handling signals.
bool flush_behind(int fd, int64_t written, int64_t step) {
  constexpr int64_t kMaxUnsynced = int64_t{8} << 20;
  if (written <= kMaxUnsynced) return true;
  const auto whole = SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
  const int64_t old = std::max<int64_t>(written - step - kMaxUnsynced, 0);
  if (::sync_file_range(fd, written - step, step, SYNC_FILE_RANGE_WRITE) == 0 &&
      ::sync_file_range(fd, old, written - kMaxUnsynced - old, whole) == 0)
    return true;
  return errno != EIO && errno != ENOSPC && errno != EDQUOT;  // a sync would not report these again
}

// Writes in steps that a disk takes in a few milliseconds, so that signals are handled between them. written: bytes
// before these; flush: for files that are synced.
bool write_all(int fd, std::span<const std::byte> bytes, int64_t& written, bool flush) {
  constexpr size_t kStep = size_t{1} << 20;
  while (!bytes.empty()) {
    const ssize_t done = uninterrupted([&] { return ::write(fd, bytes.data(), std::min(bytes.size(), kStep)); });
    if (done < 0) return false;
    written += done;
    if (flush && !flush_behind(fd, written, done)) return false;
    bytes = bytes.subspan(static_cast<size_t>(done));
  }
  return true;
}

bool write_parts(int fd, const FileParts& parts, bool flush) {
  int64_t written = 0;
  return write_all(fd, parts.head, written, flush) && write_all(fd, parts.body_bytes(), written, flush) &&
         write_all(fd, parts.tail, written, flush);
}

Status write_direct(const Target& target, const FileParts& parts) {
  const std::string cannot = fmt::format("cannot write {}", in_quotes(target.path));
  Descriptor out(target.duplicate_of >= 0 ? ::fcntl(target.duplicate_of, F_DUPFD_CLOEXEC, 0) : uninterrupted([&] {
    return ::open(target.path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  }));
  if (!out.valid() || !write_parts(out.get(), parts, false)) return system_error(errno, cannot);
  if (::close(out.release()) != 0 && errno != EINTR) return system_error(errno, cannot);
  return {};
}

// Creates a file beside `target` with an unused name, stored in `path`. If negative, errno is set.
int open_beside(const std::string& target, std::string& path, std::optional<UnfinishedFile>& unfinished) {
  std::random_device random;
  const size_t begin = target.rfind('/') + 1;  // 0 if there is no slash
  const std::string stem = target.substr(0, begin) + "." + target.substr(begin, 200);
  // O_EXCL detects collisions; a few tries are enough for accidental ones.
  for (int attempt = 0; attempt < 100; ++attempt) {
    path = fmt::format("{}.{:08x}", stem, random());
    unfinished.emplace(path);
    const int fd = unfinished->create();
    if (fd >= 0) return fd;
    const int kept = errno;
    unfinished.reset();
    errno = kept;
    if (errno != EEXIST) return fd;
  }
  return -1;
}

/// A temporary file, deleted unless it was renamed.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& target)
      : file_(open_beside(target, path_, unfinished_)), named_(file_.valid()) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    const int kept = errno;
    if (named_) ::unlink(path_.c_str());
    errno = kept;
  }

  int get() const { return file_.get(); }
  bool valid() const { return file_.valid(); }
  // An interrupted close has closed the file.
  bool close() { return ::close(file_.release()) == 0 || errno == EINTR; }
  bool rename_to(const std::string& target) {
    if (::rename(path_.c_str(), target.c_str()) != 0) return false;
    named_ = false;
    return true;
  }

 private:
  std::string path_;
  std::optional<UnfinishedFile> unfinished_;
  Descriptor file_;
  bool named_;
};

// The new name is durable only after its directory is synced.
bool sync_directory(const std::string& folder) {
  const Descriptor directory(uninterrupted([&] { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
  if (!directory.valid()) return true;  // it can be writable but not readable
  return uninterrupted([&] { return ::fsync(directory.get()); }) == 0 || errno == EINVAL || errno == ENOTSUP;
}

Status replace(const Target& target, const FileParts& parts) {
  const std::string cannot = fmt::format("cannot write {}", in_quotes(target.path));
  const std::string folder = directory_of(target.path);  // after the renaming no missing memory may cause a failure
  TemporaryFile file(target.path);
  if (!file.valid()) return system_error(errno, cannot);
  if (target.exists && ::fchmod(file.get(), target.mode) != 0) return system_error(errno, cannot);
  if (!write_parts(file.get(), parts, true)) return system_error(errno, cannot);
  if (uninterrupted([&] { return ::fsync(file.get()); }) != 0 && errno != EINVAL) return system_error(errno, cannot);
  if (!file.close()) return system_error(errno, cannot);
  if (!file.rename_to(target.path)) return system_error(errno, cannot);
  if (!sync_directory(folder))
    return system_error(errno,
                        fmt::format("{} is written, but its folder could not be synced: a crash of the system may "
                                    "undo it",
                                    in_quotes(target.path)));
  return {};
}

}  // namespace

Status check_output(const std::string& path) {
  TESELA_ASSIGN_OR_RETURN(const Target target, find_target(path));
  return check_target(target);
}

Status write_file(const std::string& path, const FileParts& parts) {
  TESELA_ASSIGN_OR_RETURN(const Target target, find_target(path));
  TESELA_RETURN_IF_ERROR(check_target(target));
  return target.direct || target.duplicate_of >= 0 ? write_direct(target, parts) : replace(target, parts);
}

}  // namespace tesela
