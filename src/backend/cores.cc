// SPDX-License-Identifier: Apache-2.0
// How many cores the process may use: affinity, control groups, and the variable TESELA_NUM_THREADS.
#include "backend/cores.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
#include <thread>

namespace tesela {
namespace {

bool has_item(std::string_view list, std::string_view item) {
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    if (list.substr(begin, end - begin) == item) return true;
    begin = end + 1;
  }
  return false;
}

/// A mounted hierarchy with CPU quotas.
struct Hierarchy {
  bool is_v2 = false;
  std::string mounted;  // the group that is mounted
  std::string at;
};

// A line of mountinfo: id, parent, device, root, mount point, options, tags ..., "-", type, source, super options.
std::optional<Hierarchy> parse_mount(const std::string& line) {
  std::istringstream words(line);
  Hierarchy found;
  std::string word;
  words >> word >> word >> word >> found.mounted >> found.at;
  while (words >> word && word != "-") {
  }
  std::string type;
  std::string options;
  words >> type >> word >> options;
  found.is_v2 = type == "cgroup2";
  if (!found.is_v2 && !(type == "cgroup" && has_item(options, "cpu"))) return {};
  return found;
}

// The process's group in the hierarchy; a line is "0::GROUP" or "ID:CONTROLLERS:GROUP".
std::string group_of_process(const Hierarchy& hierarchy, const std::string& root) {
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const size_t controllers = line.find(':');
    const size_t group = controllers == std::string::npos ? controllers : line.find(':', controllers + 1);
    if (group == std::string::npos) continue;
    const std::string list = line.substr(controllers + 1, group - controllers - 1);
    if (hierarchy.is_v2 ? list.empty() : has_item(list, "cpu")) return line.substr(group + 1);
  }
  return "/";
}

// 0: no quota.
double quota_of_group(const Hierarchy& hierarchy, const std::string& folder) {
  double quota = 0;  // not a number ("max") or -1 if there is none
  double period = 0;
  if (hierarchy.is_v2)
    std::ifstream(folder + "/cpu.max") >> quota >> period;
  else if (std::ifstream(folder + "/cpu.cfs_quota_us") >> quota)
    std::ifstream(folder + "/cpu.cfs_period_us") >> period;
  return quota > 0 && period > 0 ? quota / period : 0;
}

// The lowest quota of the group and those above it; 0 if there is none.
double lowest_quota(const Hierarchy& hierarchy, const std::string& root) {
  std::string group = group_of_process(hierarchy, root);
  if (hierarchy.mounted != "/" && group.starts_with(hierarchy.mounted)) group.erase(0, hierarchy.mounted.size());
  if (group.starts_with("/..")) group.clear();  // of another namespace
  double lowest = 0;
  while (true) {
    const double quota = quota_of_group(hierarchy, root + hierarchy.at + group);
    if (quota > 0) lowest = lowest > 0 ? std::min(lowest, quota) : quota;
    const size_t slash = group.rfind('/');
    if (slash == std::string::npos) return lowest;
    group.erase(slash);
  }
}

}  // namespace

int cores_of_quota(const std::string& root) {
  double lowest = 0;
  std::ifstream mounts(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    const std::optional<Hierarchy> hierarchy = parse_mount(line);
    if (!hierarchy) continue;
    const double quota = lowest_quota(*hierarchy, root);
    if (quota > 0) lowest = lowest > 0 ? std::min(lowest, quota) : quota;
  }
  constexpr double kMost = 1 << 20;
  return static_cast<int>(std::ceil(std::min(lowest, kMost)));
}

int cores_of_affinity() {
  cpu_set_t set;
  CPU_ZERO(&set);
  const bool is_set = sched_getaffinity(0, sizeof set, &set) == 0;
  return std::max(is_set ? CPU_COUNT(&set) : static_cast<int>(std::thread::hardware_concurrency()), 1);
}

int threads_of_variable() {
  const char* text = std::getenv("TESELA_NUM_THREADS");
  if (text == nullptr) return 0;
  int threads = 0;
  const char* end = text + std::strlen(text);
  const auto [at, fault] = std::from_chars(text, end, threads);
  return fault == std::errc() && at == end && threads >= 1 && threads <= kMaxThreads ? threads : 0;
}

int available_cores() {
  // Read once. A static local would be locked meanwhile, and a child of fork would wait for ever.
  static std::atomic<int> known_variable = -1;
  if (known_variable < 0) known_variable = threads_of_variable();
  if (known_variable > 0) return known_variable;
  static std::atomic<int> known_quota = -1;
  if (known_quota < 0) known_quota = cores_of_quota("");
  const int cores = cores_of_affinity();
  return known_quota > 0 ? std::min(cores, known_quota.load()) : cores;
}

}  // namespace tesela
