// SPDX-License-Identifier: Apache-2.0
// What this copy of the library is, and what it found on the machine.
#include "doctor/facts.h"

#include "backend/cpu/targets.h"

#include <dlfcn.h>
#include <hwy/highway.h>

#include <cstdlib>

#include "backend/cores.h"
#include "backend/cpu/caches.h"
#include "doctor/versions.h"
#include "tesela/tesela.h"

namespace tesela {
namespace {

Json path_of_library() {
  Dl_info found = {};
  return dladdr(reinterpret_cast<const void*>(&tesela_version), &found) != 0 ? Json(found.dli_fname) : Json();
}

const char* architecture() {
#if HWY_ARCH_X86_64
  return "x86-64";
#elif HWY_ARCH_ARM_A64
  return "aarch64";
#else
  return "other";
#endif
}

const char* compiler() {
#if defined(__clang__)
  return __VERSION__;  // "Clang 14.0.6"
#else
  return "g++ " __VERSION__;
#endif
}

// The best first, which has the lowest bit. Those that only measure for tests are no instruction sets.
Json target_names(int64_t targets) {
  Json names = Json::array();
  for (int64_t rest = targets & ~HWY_EMU128; rest != 0; rest &= rest - 1)
    names.push_back(hwy::TargetName(rest & -rest));
  return names;
}

Json instruction_sets() {
  const int64_t compiled = HWY_TARGETS;
  const int64_t usable = hwy::SupportedTargets() & compiled;
  return {{"compiled", target_names(compiled)},
          {"detected", target_names(hwy::SupportedTargets())},
          {"chosen", hwy::TargetName(usable & -usable)}};
}

Json variable(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? Json() : Json(text);
}

Json caches() {
  Json reported = Json::array();
  for (const cpu::Cache& cache : cpu::reported_caches())
    reported.push_back({{"level", cache.level}, {"kind", cache.kind}, {"bytes", cache.bytes}});
  return {{"reported", reported},
          {"taken_bytes", cpu::last_level_cache_bytes()},
          {"TESELA_CACHE_BYTES", variable("TESELA_CACHE_BYTES")}};
}

Json threads() {
  const int quota = cores_of_quota("");
  return {{"default", available_cores()},
          {"affinity", cores_of_affinity()},
          {"quota", quota > 0 ? Json(quota) : Json()},
          {"TESELA_NUM_THREADS", variable("TESELA_NUM_THREADS")}};
}

void add_problem_of(Json& problems, const char* name, const std::string& allowed) {
  const Json text = variable(name);
  problems.push_back(std::string(name) + " is '" + text.string() + "', which has no effect; expected " + allowed);
}

Json problems() {
  Json found = Json::array();
  if (std::getenv("TESELA_CACHE_BYTES") != nullptr && cpu::cache_bytes_of_variable() == 0)
    add_problem_of(found, "TESELA_CACHE_BYTES", "a positive number of bytes");
  if (std::getenv("TESELA_NUM_THREADS") != nullptr && threads_of_variable() == 0)
    add_problem_of(found, "TESELA_NUM_THREADS", "1 to " + std::to_string(kMaxThreads));
  return found;
}

}  // namespace

Json library_facts() {
  return {{"version", tesela_version()}, {"library", path_of_library()},           {"architecture", architecture()},
          {"compiler", compiler()},      {"instruction_sets", instruction_sets()}, {"caches", caches()},
          {"threads", threads()},        {"libraries", library_versions()},        {"problems", problems()}};
}

}  // namespace tesela
