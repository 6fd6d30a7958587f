// SPDX-License-Identifier: Apache-2.0
// Calls on files that are larger than memory: the Python package runs them, and asks this program what its options mean.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arguments.h"
#include "report.h"

namespace tesela::cli {

struct StreamFlags {
  std::string memory, compression;  // as given; the package reads them
  std::optional<std::vector<int64_t>> chunks, shards;
  bool prints_call = false;

  bool streams() const { return !memory.empty() || !compression.empty() || chunks || shards; }
};

/// --memory, --chunks, --shards and --compression, and the hidden option by which the package asks for the call.
void add_stream_flags(CLI::App& verb, StreamFlags& flags);

/// Errors: unsupported, if the call streams: an option, or a file of `paths` that only the package reads or writes.
void refuse_streams(const std::string& verb, const StreamFlags& flags, const std::vector<std::string>& paths);

/// What every call has: threads, limits and the options above.
Json stream_call(const StreamFlags& flags, const RunFlags& run);
/// Prints a call. Returns the exit status.
int print_call(const Json& call);

}  // namespace tesela::cli
