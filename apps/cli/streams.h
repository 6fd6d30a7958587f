// SPDX-License-Identifier: Apache-2.0
// Reads and writes complete streams.
#pragma once

#include <cerrno>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tesela::cli {

/// Opens those of the three standard streams that the caller closed, so that no other file gets their numbers and our
/// messages. Reads and writes of the new ones fail.
void open_closed_streams();

/// True for "-", the standard input or output.
bool is_standard(std::string_view path);

/// Repeats a system call while signals interrupt it.
template <class Call>
auto uninterrupted(const Call& call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

/// The bytes of "-" or of a named pipe. None for other paths, even if they do not exist.
/// Errors: io, limit (more than max_bytes).
std::optional<std::string> read_stream(const std::string& path, uint64_t max_bytes);

/// Writes results completely. Errors: io.
void write_standard_output(std::string_view bytes);

/// Writes messages; errors are ignored.
void write_standard_error(std::string_view text);

}  // namespace tesela::cli
