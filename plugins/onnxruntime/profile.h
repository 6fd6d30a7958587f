// SPDX-License-Identifier: Apache-2.0
// A session's table of nodes, shapes and times.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace tesela::ort {

/// Written by the destructor, to the option's target. `add` is thread-safe.
class Profile {
 public:
  /// target: a file, created at once, or "stderr". Failure: the file cannot be written.
  explicit Profile(std::string target);
  ~Profile();
  Profile(const Profile&) = delete;
  Profile& operator=(const Profile&) = delete;

  /// shapes: "float 1x3x4x4 -> 1x3x8x8".
  void add(const std::string& node, const std::string& shapes, int64_t nanoseconds);
  /// Markdown.
  std::string table() const;

 private:
  struct Row {
    int64_t runs = 0;
    int64_t total_ns = 0;
    int64_t min_ns = 0;
  };
  std::string target_;
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, Row> rows_;
};

}  // namespace tesela::ort
