// SPDX-License-Identifier: Apache-2.0
// The facts about the library for people.
#include <fmt/core.h>

#include "doctor/facts.h"
#include "types/text.h"

namespace tesela {
namespace {

std::string joined(const Json& names) {
  std::string text;
  for (const Json& name : names.entries()) text += (text.empty() ? "" : ", ") + name.string();
  return text.empty() ? "none" : text;
}

std::string in_units(int64_t bytes) {
  if (bytes % (1 << 20) == 0) return fmt::format("{} MiB", bytes >> 20);
  if (bytes % (1 << 10) == 0) return fmt::format("{} KiB", bytes >> 10);
  return fmt::format("{} bytes", bytes);
}

std::string setting(const Json& values, const char* name) {
  const Json& value = values[name];
  return value.is_null() ? "" : fmt::format(" ({}={})", name, printable(value.string()));
}

std::string caches_line(const Json& caches) {
  std::string reported;
  for (const Json& cache : caches["reported"].entries())
    if (cache["kind"].string() != "Instruction")
      reported += fmt::format("{}L{} {}", reported.empty() ? "" : ", ", cache["level"].integer(),
                              in_units(cache["bytes"].integer()));
  return fmt::format("{} reported; {} taken{}", reported.empty() ? "none" : reported,
                     in_units(caches["taken_bytes"].integer()), setting(caches, "TESELA_CACHE_BYTES"));
}

std::string threads_line(const Json& threads) {
  const Json& quota = threads["quota"];
  return fmt::format("{} by default; affinity {}, {}{}", threads["default"].integer(), threads["affinity"].integer(),
                     quota.is_null() ? "no quota" : fmt::format("quota {}", quota.integer()),
                     setting(threads, "TESELA_NUM_THREADS"));
}

std::string libraries_line(const Json& libraries) {
  std::string text;
  for (const Json::Member& row : libraries.members())
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", row.key, row.value.string());
  return text;
}

}  // namespace

std::string facts_text(const Json& facts) {
  const Json& sets = facts["instruction_sets"];
  const Json& library = facts["library"];
  std::string text = fmt::format("tesela {}, {}, {}\n", facts["version"].string(), facts["architecture"].string(),
                                 facts["compiler"].string());
  text += fmt::format("library: {}\n", library.is_null() ? "unknown" : printable(library.string()));
  text += fmt::format("instruction sets: {} chosen; detected {}; compiled {}\n", sets["chosen"].string(),
                      joined(sets["detected"]), joined(sets["compiled"]));
  text += fmt::format("caches: {}\n", caches_line(facts["caches"]));
  text += fmt::format("threads: {}\n", threads_line(facts["threads"]));
  text += fmt::format("libraries: {}\n", libraries_line(facts["libraries"]));
  for (const Json& problem : facts["problems"].entries())
    text += fmt::format("problem: {}\n", printable(problem.string()));
  return text;
}

}  // namespace tesela
