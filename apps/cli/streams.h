// Whole pipes in, whole results out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tesela::cli {

/// Opens what the caller closed of the three standard streams, so that no file of ours gets its number: a
/// message would be written into it. What is opened can neither be read nor written with success.
void occupy_standard_streams();

/// True for "-", the standard input or output.
bool is_standard(std::string_view path);

/// What comes out of "-" or of a pipe that has a name. Nothing for every other path: files, and what is none.
/// Errors: io, limit (more than max_bytes).
std::optional<std::string> read_stream(const std::string& path, uint64_t max_bytes);

/// Results, at once and in full. Errors: io.
void write_standard_output(std::string_view bytes);

/// Messages for people; that nobody can read them stops nothing.
void write_standard_error(std::string_view text);

}  // namespace tesela::cli
