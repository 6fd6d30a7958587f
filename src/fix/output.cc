// SPDX-License-Identifier: Apache-2.0
// Writes fixed models, and the files that they refer to.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "files/file_output.h"
#include "files/named_file.h"
#include "fix/fix.h"

namespace tesela {
namespace {

// "out/" of "out/m.onnx"; empty for a name alone.
std::string folder_of(const std::string& path) {
  return path.substr(0, path.rfind('/') + 1);
}

bool is_same_file(const std::string& a, const std::string& b) {
  struct stat first, second;
  if (::stat(a.c_str(), &first) != 0 || ::stat(b.c_str(), &second) != 0) return false;
  return first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

Tensor body_of(const FileBytes& file) {
  return Tensor::borrow(DataType::kUint8, {static_cast<int64_t>(file.bytes.size())}, file.bytes.data(), file.owner);
}

// Whether a file that is in place has these bytes. It is compared in parts: it can be large.
Result<bool> has_bytes(const std::string& path, const FileBytes& file) {
  const Descriptor other(uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); }));
  struct stat info;
  if (!other.valid() || ::fstat(other.get(), &info) != 0) return system_error(errno, "cannot open " + in_quotes(path));
  if (!S_ISREG(info.st_mode) || info.st_size != static_cast<off_t>(file.bytes.size())) return false;
  std::vector<std::byte> part(size_t{1} << 20);
  for (size_t at = 0; at < file.bytes.size();) {
    const ssize_t read = uninterrupted([&] { return ::read(other.get(), part.data(), part.size()); });
    if (read < 0) return system_error(errno, "cannot read " + in_quotes(path));
    const auto count = static_cast<size_t>(read);
    if (count == 0 || count > file.bytes.size() - at) return false;
    TESELA_ASSIGN_OR_RETURN(const FileBytes ours, part_of(file, static_cast<int64_t>(at), read, 0));
    if (std::memcmp(ours.bytes.data(), part.data(), count) != 0) return false;
    at += count;
  }
  return true;
}

/// Copies external data beside the new model; deletes the copies again unless they are kept.
class DataCopies {
 public:
  explicit DataCopies(const Model& model) : model_(model) {}
  DataCopies(const DataCopies&) = delete;
  DataCopies& operator=(const DataCopies&) = delete;
  ~DataCopies() {
    for (const std::string& path : made_) ::unlink(path.c_str());
  }

  void keep() { made_.clear(); }

  Status copy(const std::string& location, const std::string& folder) {
    if (location.find('/') != std::string::npos)
      return path_error(
          "external data {} is in a folder below the model's, and is not copied; write the new model into {}",
          in_quotes(location), in_quotes(model_.folder));
    const Result<NamedFile> opened = open_named_file(model_.folder, location);
    if (!opened.ok()) return opened.status().with_prefix("external data: ");
    TESELA_ASSIGN_OR_RETURN(const FileBytes file, read_or_map(opened->file.get(), opened->size, location, kReadUpTo));
    const std::string path = folder + location;
    struct stat info;
    if (::lstat(path.c_str(), &info) == 0) {
      TESELA_ASSIGN_OR_RETURN(const bool is_same, has_bytes(path, file));
      if (is_same) return {};
      return path_error("{} exists: the new model would refer to it, and it is not the model's external data",
                        in_quotes(path));
    }
    made_.reserve(made_.size() + 1);
    TESELA_RETURN_IF_ERROR(write_file(path, {{}, body_of(file), {}}));
    made_.push_back(path);
    return {};
  }

 private:
  const Model& model_;
  std::vector<std::string> made_;
};

// Makes the new model's external data available in its folder. Errors: path, io.
Status provide_data(const Model& model, const std::string& path, DataCopies& copies) {
  if (model.locations.empty()) return {};
  struct stat info;
  if (::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode))
    return path_error("{} is not a file in a folder, where the model's external data would be", in_quotes(path));
  const std::string folder = folder_of(path);
  const bool stays = is_same_file(model.folder, folder.empty() ? "." : folder);
  for (const std::string& location : model.locations) {
    if (folder + location == path || is_same_file(model.folder + "/" + location, path))
      return path_error("{} has the name of the model's external data; expected another one", in_quotes(path));
    if (!stays) TESELA_RETURN_IF_ERROR(copies.copy(location, folder));
  }
  return {};
}

}  // namespace

Status write_fixed(const Model& model, const Fixed& fixed, const std::string& path) {
  TESELA_RETURN_IF_ERROR(check_output(path));
  if (!model.file.empty() && is_same_file(model.file, path))
    return path_error("{} is the model itself; expected another file", in_quotes(path));
  DataCopies copies(model);
  TESELA_RETURN_IF_ERROR(provide_data(model, path, copies));
  const auto* bytes = reinterpret_cast<const std::byte*>(fixed.bytes.data());
  const Tensor body = Tensor::borrow(DataType::kUint8, {static_cast<int64_t>(fixed.bytes.size())}, bytes, nullptr);
  TESELA_RETURN_IF_ERROR(write_file(path, {{}, body, {}}));
  copies.keep();
  return {};
}

}  // namespace tesela
