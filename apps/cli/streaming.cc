// SPDX-License-Identifier: Apache-2.0
#include "streaming.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "arguments.h"
#include "failure.h"
#include "numbers.h"
#include "streams.h"

namespace tesela::cli {
namespace {

// Those of python/tesela/_streaming/formats.py that the program does not read; test_cli_stream.py compares them.
constexpr std::array<std::string_view, 4> kEndings = {".zarr", ".zip", ".tif", ".tiff"};

bool is_streamed(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  for (char& c : path) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view ending) { return path.ends_with(ending); });
}

CLI::Option* add_extents_of(CLI::App& verb, const std::string& name, const std::string& help,
                            std::optional<std::vector<int64_t>>& extents) {
  return add_text(verb, name, "N,N,...", help,
                  [name, &extents](const std::string& text) { extents = parse_integers(name, text, 1, INT64_MAX); });
}

}  // namespace

void add_stream_flags(CLI::App& verb, StreamFlags& flags) {
  constexpr const char* kGroup = "Files larger than memory (in the Python package)";
  add_text(verb, "--memory", "BYTES",
           "Compute by regions within this memory, such as 256MiB (default for .zarr, .tif and .tiff: a quarter of the "
           "machine's)",
           [&flags](const std::string& text) { flags.memory = text; })
      ->group(kGroup);
  add_extents_of(verb, "--chunks", "The chunks of a .zarr output, or the tiles of a .tif", flags.chunks)->group(kGroup);
  add_extents_of(verb, "--shards", "The shards of a .zarr output", flags.shards)->group(kGroup);
  add_text(verb, "--compression", "NAME", "For a .zarr output zstd or none; for a .tif zlib or none (the default)",
           [&flags](const std::string& text) { flags.compression = text; })
      ->group(kGroup);
  add_flag(verb, "--print-call", flags.prints_call, "Print the call as JSON and do not run it")->group("");
}

void refuse_streams(const std::string& verb, const StreamFlags& flags, const std::vector<std::string>& paths) {
  const auto found = std::find_if(paths.begin(), paths.end(), is_streamed);
  if (!flags.streams() && found == paths.end()) return;
  const std::string what =
      flags.streams() ? "--memory, --chunks, --shards and --compression are" : in_quotes(*found) + " is";
  fail(TESELA_ERROR_UNSUPPORTED,
       what +
           " for the Python package: install that with 'pip install .' in Tesela's folder, and run "
           "'python -m tesela " +
           verb + " ...'");
}

Json stream_call(const StreamFlags& flags, const RunFlags& run) {
  Json call = {
      {"threads", run.threads}, {"quiet", run.quiet}, {"memory", flags.memory}, {"compression", flags.compression}};
  call["max_output"] = run.max_output_bytes;
  call["chunks"] = flags.chunks ? Json(*flags.chunks) : Json();
  call["shards"] = flags.shards ? Json(*flags.shards) : Json();
  return call;
}

int print_call(const Json& call) {
  write_standard_output(json_text(call));
  return 0;
}

}  // namespace tesela::cli
