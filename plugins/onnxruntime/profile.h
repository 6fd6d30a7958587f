// The table of nodes, shapes and times that a session leaves behind.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace tesela::ort {

/// Written where the option says when the last of its users is gone. Any number of threads may add to it.
class Profile {
 public:
  /// target: a file, which is made at once, or "stderr". Failure: the file cannot be written.
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
    int64_t least_ns = 0;
  };
  std::string target_;
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, Row> rows_;
};

}  // namespace tesela::ort
