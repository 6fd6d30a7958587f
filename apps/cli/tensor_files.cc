// SPDX-License-Identifier: Apache-2.0
// Formats, file extensions, and early checks.
#include "tensor_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <system_error>

#include "failure.h"
#include "numbers.h"
#include "streams.h"

namespace tesela::cli {
namespace {

struct Format {
  std::string_view name;  // also the file extension
  tesela_file_format format;
};
constexpr std::array<Format, 6> kFormats = {{{"npy", TESELA_FILE_NPY},
                                             {"npz", TESELA_FILE_NPZ},
                                             {"pb", TESELA_FILE_PB},
                                             {"png", TESELA_FILE_PNG},
                                             {"jpg", TESELA_FILE_JPEG},
                                             {"jpeg", TESELA_FILE_JPEG}}};

// A stream also contains the file's header.
constexpr uint64_t kHeaderBytes = uint64_t{1} << 20;
constexpr uint64_t kDefaultOutputBytes = uint64_t{4} << 30;

std::string lower_case_extension(std::string_view path) {
  const size_t dot = path.rfind('.');
  const size_t slash = path.rfind('/');
  if (dot == std::string_view::npos || (slash != std::string_view::npos && dot < slash)) return "";
  std::string extension(path.substr(dot + 1));
  // ASCII only, like the extensions; std::tolower depends on the locale.
  for (char& c : extension) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return extension;
}

std::optional<tesela_file_format> find_format(std::string_view name) {
  const auto found = std::find_if(kFormats.begin(), kFormats.end(), [&](const Format& f) { return f.name == name; });
  if (found == kFormats.end()) return std::nullopt;
  return found->format;
}

bool is_image(std::string_view bytes) {
  return bytes.starts_with("\x89PNG") || bytes.starts_with("\xFF\xD8\xFF");
}

// Not with std::ifstream, which has no bytes if memory is missing or the call is interrupted.
std::string first_bytes(const std::string& path) {
  std::array<char, 4> bytes{};
  const int fd = uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); });
  if (fd < 0) return "";
  const ssize_t got = uninterrupted([&] { return ::read(fd, bytes.data(), bytes.size()); });
  ::close(fd);
  return {bytes.data(), static_cast<size_t>(std::max<ssize_t>(got, 0))};
}

[[noreturn]] void fail_unwritable(const std::string& path) {
  const bool is_path = errno == ENAMETOOLONG || errno == ELOOP;
  fail(is_path ? TESELA_ERROR_PATH : TESELA_ERROR_IO,
       "cannot write " + in_quotes(path) + ": " + std::generic_category().message(errno));
}

std::string directory_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

void refuse_overwriting(const std::string& path, const struct stat& output, const std::vector<std::string>& sources) {
  for (const std::string& source : sources) {
    struct stat input = {};
    if (!S_ISREG(output.st_mode) || ::stat(source.c_str(), &input) != 0) continue;
    if (input.st_dev == output.st_dev && input.st_ino == output.st_ino)
      fail(TESELA_ERROR_PATH, "the output " + in_quotes(path) + " is also an input file; name another one");
  }
}

void check_writable(const std::string& path, const std::vector<std::string>& sources) {
  if (path.empty()) fail(TESELA_ERROR_PATH, "the name of an output is empty");
  struct stat info = {};
  if (::stat(path.c_str(), &info) == 0) {
    if (S_ISDIR(info.st_mode)) fail(TESELA_ERROR_PATH, in_quotes(path) + " is a directory; expected a file's name");
    refuse_overwriting(path, info, sources);
    if (::access(path.c_str(), W_OK) != 0) fail_unwritable(path);
    if (!S_ISREG(info.st_mode)) return;  // pipes and devices are not replaced
  } else if (errno != ENOENT) {
    fail_unwritable(path);
  } else if (::lstat(path.c_str(), &info) == 0) {
    fail(TESELA_ERROR_PATH, in_quotes(path) + " is a symbolic link to a missing file");
  }
  if (::access(directory_of(path).c_str(), W_OK | X_OK) != 0) fail_unwritable(path);
}

}  // namespace

std::string format_names() {
  std::string names;
  for (const Format& format : kFormats) names += (names.empty() ? "" : ", ") + std::string(format.name);
  return names;
}

tesela_dtype parse_dtype(std::string_view what, const std::string& name) {
  const tesela_dtype dtype = dtype_from_name(name);
  if (dtype == 0) usage(std::string(what) + ": " + in_quotes(name) + " is not an element type; try float or uint8");
  return dtype;
}

LoadedTensor load_tensor(const TensorSource& source, const Limits& limits) {
  const FileOptions options = {.dtype = source.dtype, .entry = source.entry, .limits = limits};
  const uint64_t elements = limits.max_output_bytes == 0 ? kDefaultOutputBytes : limits.max_output_bytes;
  if (const auto bytes = read_stream(source.path, elements + kHeaderBytes))
    return {Value::read_memory(std::as_bytes(std::span(*bytes)), options), is_image(*bytes)};
  const bool image = is_image(first_bytes(source.path));
  return {Value::read(source.path, options), image};
}

TensorTarget plan_output(const std::string& path, std::string_view format, const std::vector<std::string>& sources) {
  TensorTarget target{path};
  const std::string name = format.empty() ? lower_case_extension(path) : std::string(format);
  const std::optional<tesela_file_format> found = find_format(name);
  if (!found && !format.empty()) usage("--format: " + in_quotes(format) + " is not one of " + format_names());
  if (!found && is_standard(path)) usage("writing to '-' needs --format, one of " + format_names());
  if (!found) usage(in_quotes(path) + " has no known file ending; use one of " + format_names());
  target.format = *found;
  if (!is_standard(path)) check_writable(path, sources);
  return target;
}

void check_type(const TensorTarget& target, tesela_dtype dtype) {
  // Every format supports this shape, so an error is about the type.
  Value sample(dtype, {1, 1, 1});
  std::memset(sample.c().data, 0, (static_cast<size_t>(dtype_bits(dtype)) + 7) / 8);
  encode(sample.view(), {.format = target.format});
}

void store_tensor(const View& tensor, const TensorTarget& target, const std::string& name) {
  const FileOptions options = {.format = target.format, .entry = name, .name = name};
  if (!is_standard(target.path)) return write(tensor, target.path, options);
  write_standard_output(encode(tensor, options));
}

}  // namespace tesela::cli
