// Unfinished files, deleted if the process ends by quick_exit.
#pragma once

#include <string>

namespace tesela {

/// While this object lives, quick_exit, which a signal handler may call, deletes the file if it exists.
class UnfinishedFile {
 public:
  explicit UnfinishedFile(const std::string& path) noexcept;
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;
  ~UnfinishedFile();

 private:
  int place_ = -1;
};

}  // namespace tesela
