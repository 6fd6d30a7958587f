// SPDX-License-Identifier: Apache-2.0
// Unfinished files, deleted if the process ends by quick_exit.
#pragma once

#include <string>

namespace tesela {

/// While this object lives, quick_exit, which a signal handler may call, deletes the file if it exists. The path must live as long.
class UnfinishedFile {
 public:
  explicit UnfinishedFile(const std::string& path) noexcept;
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;
  ~UnfinishedFile();

  /// Creates the file for writing and returns its descriptor. If negative, errno is set: EEXIST if it exists,
  /// ECANCELED if another thread has called quick_exit.
  int create() noexcept;

 private:
  const std::string& path_;
  int place_ = -1;
};

}  // namespace tesela
