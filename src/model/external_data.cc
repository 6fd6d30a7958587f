// Containment of external data: what may be opened, and which bytes of it may be read.
#include "model/external_data.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>

namespace tesela {
namespace {

// A FIFO would block the opening, and a terminal would become ours.
constexpr int kOpenFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

Result<int64_t> parse_number(std::string_view key, std::string_view text) {
  int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (text.empty() || parsed.ec != std::errc() || parsed.ptr != end || value < 0)
    return value_error("external data: {} is {}; expected a number from 0 to 2^63 - 1", key, quoted(text));
  return value;
}

Status check_location(std::string_view location) {
  const auto refuse = [&](std::string_view why) {
    return path_error("external data: location {} {}; expected a file beside the model", quoted(location), why);
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
  const std::string cannot = fmt::format("external data: cannot open {}", quoted(location));
  // What the two ways of opening say about links and ways out.
  if (error_number == ELOOP || error_number == EXDEV || error_number == ENOTDIR)
    return path_error(
        "{}: a symbolic link or a file stands where a directory is expected, or the path leaves the "
        "model's folder",
        cannot);
  if (error_number == ENXIO) return path_error("{}: not a regular file", cannot);
  return system_error(error_number, cannot);
}

// Each component alone and never through a link: what openat2 does in one call.
int open_walking(int directory, std::string_view location) {
  Descriptor at(::fcntl(directory, F_DUPFD_CLOEXEC, 0));
  while (at.valid()) {
    const size_t slash = location.find('/');
    const std::string name(location.substr(0, slash));
    location.remove_prefix(slash == std::string_view::npos ? location.size() : slash + 1);
    if (name.empty() || (name == "." && !location.empty())) continue;
    const int flags = location.empty() ? kOpenFlags | O_NOFOLLOW : O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    Descriptor next(::openat(at.get(), name.c_str(), flags));
    if (location.empty()) return next.release();
    at.swap(next);
  }
  return -1;
}

int open_resolved(int directory, const std::string& location) {
  open_how how = {};
  how.flags = kOpenFlags | O_NOFOLLOW;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  const long fd = ::syscall(SYS_openat2, directory, location.c_str(), &how, sizeof how);
  if (fd >= 0 || (errno != ENOSYS && errno != EPERM)) return static_cast<int>(fd);
  return open_walking(directory, location);  // an old kernel, or a sandbox that does not know the call
}

Status check_kind(const struct stat& info, std::string_view location) {
  if (!S_ISREG(info.st_mode)) return path_error("external data: {} is not a regular file", quoted(location));
  // A hard link could be a second name for a file that the model's author may not read.
  if (info.st_nlink != 1)
    return path_error("external data: {} has {} names (hard links); expected 1", quoted(location), info.st_nlink);
  return {};
}

}  // namespace

Result<ExternalPlace> parse_external(std::span<const std::pair<std::string_view, std::string_view>> entries) {
  ExternalPlace place;
  bool seen[3] = {};
  constexpr std::string_view kKeys[] = {"location", "offset", "length"};
  for (const auto& [key, value] : entries) {
    const auto which = static_cast<size_t>(std::find(std::begin(kKeys), std::end(kKeys), key) - kKeys);
    if (which == std::size(kKeys)) continue;  // a checksum, or what a newer version may add
    if (seen[which]) return parse_error("external data: key '{}' is given twice", key);
    seen[which] = true;
    if (which == 0) {
      place.location = value;
      continue;
    }
    TESELA_ASSIGN_OR_RETURN(const int64_t number, parse_number(key, value));
    if (which == 1)
      place.offset = number;
    else
      place.length = number;
  }
  if (!seen[0]) return path_error("external data: key 'location' is missing");
  return place;
}

Result<Descriptor> open_beneath(const std::string& base, std::string_view location, bool walk) {
  TESELA_RETURN_IF_ERROR(check_location(location));
  const Descriptor directory(::open(base.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!directory.valid())
    return system_error(errno, fmt::format("external data: cannot open the folder {}", quoted(base)));
  const std::string name(location);
  Descriptor file(walk ? open_walking(directory.get(), name) : open_resolved(directory.get(), name));
  if (!file.valid()) return open_error(errno, location);
  return file;
}

Result<FileBytes> ExternalFiles::whole_file(std::string_view location) {
  if (const auto known = by_location_.find(location); known != by_location_.end()) return known->second;
  if (base_.empty())
    return path_error("external data: {} is in another file, and a model from memory has no folder", quoted(location));
  TESELA_ASSIGN_OR_RETURN(const Descriptor file, open_beneath(base_, location));
  struct stat info;
  if (::fstat(file.get(), &info) != 0) return open_error(errno, location);
  TESELA_RETURN_IF_ERROR(check_kind(info, location));
  const FileIdentity identity{info.st_dev, info.st_ino};
  auto known = files_.find(identity);
  if (known == files_.end()) {
    // Many small files together are large too: those beyond the first 64 MiB are mapped.
    TESELA_ASSIGN_OR_RETURN(FileBytes bytes, read_regular(file.get(), info.st_size, location, kReadUpTo - read_bytes_));
    if (info.st_size <= kReadUpTo - read_bytes_) read_bytes_ += info.st_size;
    if (bytes.mapped != nullptr) mapped_.push_back(bytes.mapped);
    known = files_.emplace(identity, std::move(bytes)).first;
  }
  by_location_.emplace(location, known->second);
  return known->second;
}

Result<FileBytes> ExternalFiles::find(const ExternalPlace& place, int64_t bytes) {
  if (place.length && *place.length != bytes)
    return parse_error("external data: length is {}; expected {} bytes, by type and dims", *place.length, bytes);
  TESELA_ASSIGN_OR_RETURN(FileBytes file, whole_file(place.location));
  const auto size = static_cast<int64_t>(file.bytes.size());
  if (place.offset > size || bytes > size - place.offset)
    return truncated_error("external data: {} has {} bytes; expected {} at offset {}", quoted(place.location), size,
                           bytes, place.offset);
  file.bytes = file.bytes.subspan(static_cast<size_t>(place.offset), static_cast<size_t>(bytes));
  return file;
}

}  // namespace tesela
