// Files that are being written, which go where the process ends by quick_exit.
#pragma once

#include <string>

namespace tesela {

/// From here until it goes, a quick_exit, which a signal handler may call, removes the file, once it is there.
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
