// SPDX-License-Identifier: Apache-2.0
// Writes a session's table of nodes, shapes and times.
#include "profile.h"

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "runtime.h"

namespace tesela::ort {
namespace {

constexpr const char* kStandardError = "stderr";

std::string microseconds(int64_t nanoseconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", static_cast<double>(nanoseconds) / 1e3);
  return text;
}

}  // namespace

Profile::Profile(std::string target) : target_(std::move(target)) {
  if (target_ != kStandardError && !std::ofstream(target_))
    fail(ORT_INVALID_ARGUMENT, std::string(kProviderName) + ": option 'profile': cannot write '" + target_ + "'");
}

Profile::~Profile() {
  try {
    const std::string text = table();
    if (target_ == kStandardError)
      std::fputs(text.c_str(), stderr);
    else if (!(std::ofstream(target_) << text << std::flush))
      std::fprintf(stderr, "%s: cannot write the profile to '%s'\n", kProviderName, target_.c_str());
  } catch (...) {
    std::fputs("TeselaExecutionProvider: cannot make the profile\n", stderr);
  }
}

void Profile::add(const std::string& node, const std::string& shapes, int64_t nanoseconds) {
  const std::lock_guard lock(mutex_);
  Row& row = rows_[{node, shapes}];
  row.min_ns = row.runs == 0 ? nanoseconds : std::min(row.min_ns, nanoseconds);
  row.total_ns += nanoseconds;
  ++row.runs;
}

std::string Profile::table() const {
  const std::lock_guard lock(mutex_);
  std::string text = "| node | shapes | runs | mean us | least us |\n|---|---|---|---|---|\n";
  for (const auto& [name, row] : rows_)
    text += "| " + name.first + " | " + name.second + " | " + std::to_string(row.runs) + " | " +
            microseconds(row.total_ns / row.runs) + " | " + microseconds(row.min_ns) + " |\n";
  return text;
}

}  // namespace tesela::ort
