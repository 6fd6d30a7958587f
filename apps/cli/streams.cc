// SPDX-License-Identifier: Apache-2.0
// Reads and writes streams; continues after partial and interrupted calls.
#include "streams.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "failure.h"
#include "numbers.h"

namespace tesela::cli {
namespace {

// The kernel ends a call before it lets a signal be handled: 8 MiB take a few milliseconds.
constexpr size_t kStep = size_t{8} << 20;

[[noreturn]] void fail_io(const std::string& cannot) {
  fail(TESELA_ERROR_IO, cannot + ": " + std::generic_category().message(errno));
}

/// An open file, closed at the end; standard streams stay open.
struct Opened {
  int fd;
  ~Opened() {
    if (fd > STDERR_FILENO) ::close(fd);
  }
};

bool is_pipe(const std::string& path) {
  struct stat info = {};
  return ::stat(path.c_str(), &info) == 0 && (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode));
}

int open_reading(const std::string& path) {
  const int fd = uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); });
  if (fd < 0) fail_io("cannot open " + in_quotes(path));
  return fd;
}

}  // namespace

void open_closed_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(fd, F_GETFD) < 0 && errno == EBADF)
      // open returns the lowest free number, which is fd: the lower ones are open.
      (void)::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

bool is_standard(std::string_view path) {
  return path == "-";
}

std::optional<std::string> read_stream(const std::string& path, uint64_t max_bytes) {
  if (!is_standard(path) && !is_pipe(path)) return std::nullopt;
  const std::string shown = is_standard(path) ? "the standard input" : in_quotes(path);
  const Opened in{is_standard(path) ? STDIN_FILENO : open_reading(path)};
  std::string bytes;
  size_t size = 0;
  while (true) {
    bytes.resize(std::max(size + size / 2, size + (size_t{64} << 10)));
    const size_t room = std::min(bytes.size() - size, kStep);
    const ssize_t got = uninterrupted([&] { return ::read(in.fd, bytes.data() + size, room); });
    if (got < 0) fail_io("cannot read " + shown);
    size += static_cast<size_t>(got);
    bytes.resize(size);
    if (got == 0) return bytes;
    if (size > max_bytes) fail(TESELA_ERROR_LIMIT, shown + " has more than " + std::to_string(max_bytes) + " bytes");
  }
}

void write_standard_output(std::string_view bytes) {
  while (!bytes.empty()) {
    const size_t step = std::min(bytes.size(), kStep);
    const ssize_t done = uninterrupted([&] { return ::write(STDOUT_FILENO, bytes.data(), step); });
    if (done < 0) fail_io("cannot write the standard output");
    bytes.remove_prefix(static_cast<size_t>(done));
  }
}

void write_standard_error(std::string_view text) {
  while (!text.empty()) {
    const ssize_t done = uninterrupted([&] { return ::write(STDERR_FILENO, text.data(), text.size()); });
    if (done < 0) return;
    text.remove_prefix(static_cast<size_t>(done));
  }
}

}  // namespace tesela::cli
