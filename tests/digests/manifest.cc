// SPDX-License-Identifier: Apache-2.0
#include "digests/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <locale>
#include <map>
#include <stdexcept>
#include <vector>

#include "backend/cpu/kernels.h"
#include "digests/digest.h"
#include "digests/instruction_set.h"

namespace tesela::digests {
namespace {

// What ran, for the report.
struct Tally {
  std::map<std::string, int64_t> operators;
  std::map<std::string, int64_t> types;
  std::map<std::string, int64_t> refusals;
  int64_t cases = 0;
  int64_t elements = 0;
  Use use;
};

uint64_t run_and_digest(const Case& drawn, const Way& way, Tally& tally) {
  const Outcome outcome = run_case(drawn, way, tally.use);
  ++tally.cases;
  ++tally.operators[fmt::format("{}{}-{}", drawn.domain.empty() ? "" : drawn.domain + ".", drawn.type, drawn.opset)];
  ++tally.types[std::string(name(drawn.dtype))];
  if (outcome.status != TESELA_OK) ++tally.refusals[tesela_status_name(outcome.status)];
  int64_t count = 1;
  for (const int64_t extent : outcome.extents) count *= extent;
  if (outcome.status == TESELA_OK) tally.elements += count;
  return digest_of(drawn, outcome);
}

uint64_t digest_of_group(int64_t group, const Way& way, Tally& tally) {
  Digest digest;
  for (int64_t i = 0; i < kGroupSize; ++i)
    digest.add(run_and_digest(make_case(static_cast<uint64_t>(group * kGroupSize + i)), way, tally));
  return digest.value();
}

std::string join(const std::map<std::string, int64_t>& counts) {
  std::string text;
  for (const auto& [name, count] : counts) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, count);
  return text;
}

Way way_of_manifest() {
  Way way;
  way.reference = true;
  return way;
}

// Names the cases of a group that differ from the reference backend on this machine.
void explain(int64_t group, const Way& way) {
  Use use;
  bool found = false;
  for (int64_t i = 0; i < kGroupSize; ++i) {
    const Case drawn = make_case(static_cast<uint64_t>(group * kGroupSize + i));
    const Outcome outcome = run_case(drawn, way, use);
    const Outcome expected = run_case(drawn, way_of_manifest(), use);
    if (digest_of(drawn, outcome) == digest_of(drawn, expected)) continue;
    found = true;
    fmt::print("group {} differs in {}\n", group, text_of(drawn));
    if (outcome.status != expected.status)
      fmt::print("  status {}, reference {} {}{}\n", tesela_status_name(outcome.status),
                 tesela_status_name(expected.status), outcome.message, expected.message);
    for (size_t at = 0; at < std::min(outcome.bytes.size(), expected.bytes.size()); ++at)
      if (outcome.bytes[at] != expected.bytes[at]) {
        fmt::print("  first at byte {} of {}: {:02x}, reference {:02x}\n", at, expected.bytes.size(),
                   static_cast<unsigned>(outcome.bytes[at]), static_cast<unsigned>(expected.bytes[at]));
        break;
      }
  }
  if (!found)
    fmt::print(
        "group {} differs, but not from this program's reference backend: compare --group {} --each with that of "
        "another build\n",
        group, group);
}

// Reasons why the run proves less than it should.
std::vector<std::string> missing_of(const Way& way, const std::string& target, const Tally& tally) {
  std::vector<std::string> missing;
  if (used_instruction_set() != target) missing.push_back("the target is " + used_instruction_set());
  for (size_t k = 0; k < std::size(cpu::kKernelRows); ++k) {
    const cpu::KernelRow& row = cpu::kKernelRows[k];
    // Outputs that leave the L2 cache are not drawn.
    if (row.is_partial || std::string_view(row.name) == "move_fill_by_string") continue;
    const bool ran = cpu::kernel_tasks[k] > 0;
    if (ran != (!way.reference && has_kernel(row, target)))
      missing.push_back(fmt::format("{} {}", row.name, ran ? "ran" : "did not run"));
  }
  if (way.threads > 1 && tally.use.most_threads != way.threads)
    missing.push_back(fmt::format("no run was divided among more than {} threads", tally.use.most_threads));
  if (way.cut != Cut::kWhole && tally.use.boxes <= tally.cases) missing.push_back("outputs were not cut");
  if (way.alignment > 0 && tally.use.unaligned <= tally.cases) missing.push_back("tensors were aligned");
  if (!tally.use.kept_environment) missing.push_back("a call changed the caller's floating-point environment");
  return missing;
}

void report(const Tally& tally) {
  fmt::print("operators: {}\ntypes: {}\nrefused: {}\nkernels:", join(tally.operators), join(tally.types),
             join(tally.refusals));
  for (size_t k = 0; k < std::size(cpu::kKernelRows); ++k)
    fmt::print(" {} {}", cpu::kKernelRows[k].name, cpu::kernel_tasks[k].load());
  fmt::print("\ndivided among threads: {}, at most {}; boxes: {}; unaligned tensors: {}\n", tally.use.divided,
             tally.use.most_threads, tally.use.boxes, tally.use.unaligned);
}

std::vector<uint64_t> read_manifest(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  file.imbue(std::locale::classic());
  std::vector<uint64_t> digests;
  std::string word;
  while (file >> word) digests.push_back(std::stoull(word, nullptr, 16));
  if (digests.empty()) throw std::runtime_error(path + " has no digest");
  return digests;
}

}  // namespace

int write_manifest(const std::string& path, int64_t groups) {
  Tally tally;
  std::ofstream file(path);
  for (int64_t group = 0; group < groups; ++group)
    file << fmt::format("{:016x}\n", digest_of_group(group, way_of_manifest(), tally));
  file.close();
  if (!file) throw std::runtime_error("cannot write " + path);
  report(tally);
  return 0;
}

int check_manifest(const std::string& path, const Groups& groups, const Way& way, const std::string& target) {
  const std::vector<uint64_t> expected = read_manifest(path);
  const int64_t all = std::ssize(expected);
  const int64_t end = groups.count < 0 ? all : std::min(all, groups.first + groups.count);
  if (groups.first >= end) throw std::runtime_error("no group is left to check");
  Tally tally;
  std::vector<int64_t> different;
  for (int64_t group = groups.first; group < end; ++group)
    if (digest_of_group(group, way, tally) != expected[static_cast<size_t>(group)]) different.push_back(group);
  report(tally);
  const std::vector<std::string> missing = missing_of(way, target, tally);
  for (const std::string& what : missing) fmt::print("not shown: {}\n", what);
  for (size_t i = 0; i < different.size() && i < 3; ++i) explain(different[i], way);
  fmt::print("{} cases, {} elements, {}: {} of {} groups differ\n", tally.cases, tally.elements,
             way.reference ? "reference" : target, different.size(), end - groups.first);
  return different.empty() && missing.empty() ? 0 : 1;
}

int print_group(int64_t group, const Way& way) {
  Tally tally;
  for (int64_t i = 0; i < kGroupSize; ++i) {
    const Case drawn = make_case(static_cast<uint64_t>(group * kGroupSize + i));
    fmt::print("{:016x} {}\n", run_and_digest(drawn, way, tally), text_of(drawn));
  }
  return 0;
}

}  // namespace tesela::digests
