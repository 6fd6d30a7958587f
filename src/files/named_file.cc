// SPDX-License-Identifier: Apache-2.0
// Opens files that models name, only inside the model's folder.
#include "files/named_file.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace tesela {
namespace {

// Opening a FIFO would block, and a terminal could become the controlling terminal.
constexpr int kOpenFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

Status check_location(std::string_view location) {
  const auto refuse = [&](std::string_view why) {
    return path_error("location {} {}; expected a file beside the model", in_quotes(location), why);
  };
  if (location.empty()) return refuse("is empty");
  if (location.find('\0') != std::string_view::npos) return refuse("contains a NUL");
  if (location.find('\\') != std::string_view::npos) return refuse("contains a backslash");
  if (location.front() == '/') return refuse("is an absolute path");
  if (location.back() == '/') return refuse("is a directory");
  if (location.starts_with("*/_ORT_MEM_ADDR_/")) return refuse("is an address in some process's memory");
  for (size_t begin = 0; begin <= location.size();) {
    const size_t end = std::min(location.find('/', begin), location.size());
    if (location.substr(begin, end - begin) == "..") return refuse("contains '..'");
    begin = end + 1;
  }
  return {};
}

Status open_error(int error_number, std::string_view location) {
  const std::string cannot = fmt::format("cannot open {}", in_quotes(location));
  // The errors of both ways of opening for links and for paths that leave the folder.
  if (error_number == ELOOP || error_number == EXDEV || error_number == ENOTDIR)
    return path_error(
        "{}: a symbolic link or a file where a directory is expected, or the path leaves the "
        "model's folder",
        cannot);
  if (error_number == ENXIO) return path_error("{}: not a regular file", cannot);
  return system_error(error_number, cannot);
}

// Opens each component alone and never through a link, as openat2 does in one call.
int open_walking(int directory, std::string_view location) {
  Descriptor at(::fcntl(directory, F_DUPFD_CLOEXEC, 0));
  while (at.valid()) {
    const size_t slash = location.find('/');
    const std::string name(location.substr(0, slash));
    location.remove_prefix(slash == std::string_view::npos ? location.size() : slash + 1);
    if (name.empty() || (name == "." && !location.empty())) continue;
    const int flags = location.empty() ? kOpenFlags | O_NOFOLLOW : O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    Descriptor next(uninterrupted([&] { return ::openat(at.get(), name.c_str(), flags); }));
    if (location.empty()) return next.release();
    at.swap(next);
  }
  return -1;
}

int open_resolved(int directory, const std::string& location) {
  open_how how = {};
  how.flags = kOpenFlags | O_NOFOLLOW;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  const long fd = uninterrupted([&] { return ::syscall(SYS_openat2, directory, location.c_str(), &how, sizeof how); });
  if (fd >= 0 || (errno != ENOSYS && errno != EPERM)) return static_cast<int>(fd);
  return open_walking(directory, location);  // an old kernel, or a sandbox without openat2
}

Status check_kind(const struct stat& info, std::string_view location) {
  if (!S_ISREG(info.st_mode)) return path_error("{} is not a regular file", in_quotes(location));
  // A hard link could be a second name of a file that the model's author must not read.
  if (info.st_nlink != 1)
    return path_error("{} has {} names (hard links); expected 1", in_quotes(location), info.st_nlink);
  return {};
}

}  // namespace

Result<Descriptor> open_beneath(const std::string& base, std::string_view location, bool walk) {
  TESELA_RETURN_IF_ERROR(check_location(location));
  const Descriptor directory(uninterrupted([&] { return ::open(base.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC); }));
  if (!directory.valid()) return system_error(errno, fmt::format("cannot open the folder {}", in_quotes(base)));
  const std::string name(location);
  Descriptor file(walk ? open_walking(directory.get(), name) : open_resolved(directory.get(), name));
  if (!file.valid()) return open_error(errno, location);
  return file;
}

Result<NamedFile> open_named_file(const std::string& base, std::string_view location) {
  TESELA_ASSIGN_OR_RETURN(Descriptor file, open_beneath(base, location));
  struct stat info;
  if (::fstat(file.get(), &info) != 0) return open_error(errno, location);
  TESELA_RETURN_IF_ERROR(check_kind(info, location));
  return NamedFile{std::move(file), info.st_size, {info.st_dev, info.st_ino}};
}

}  // namespace tesela
