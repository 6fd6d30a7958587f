// SPDX-License-Identifier: Apache-2.0
// Images of any size, in memory for a few rows: tesela_image_* of tesela.h with owners and exceptions. tesela.hpp includes
// this header.
//
//   tesela::File elements = tesela::File::unnamed("/var/tmp");
//   const tesela::ImageInfo image = tesela::unpack_image("photo.png", elements);
//   tesela::pack_image(image, elements, tesela::File::create("copy.jpg"), {.format = TESELA_FILE_JPEG});
#pragma once

#include <fcntl.h>
#include <unistd.h>
#include <tesela/tesela.hpp>

#include <cerrno>
#include <cstdlib>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace tesela {
inline namespace v1 {

// ---- Images by rows ---------------------------------------------------------------------------------------

/// An open regular file, which is closed when its owner is destroyed. Movable, not copyable.
class File {
 public:
  /// Takes a descriptor.
  explicit File(int descriptor) noexcept : descriptor_(descriptor) {}
  /// A file to read.
  static File open(const std::string& path) { return File(opened(path, O_RDONLY, "open")); }
  /// A new or emptied file, to write and read.
  static File create(const std::string& path) { return File(opened(path, O_RDWR | O_CREAT | O_TRUNC, "write")); }
  /// A file without a name, to write and read, which is gone when it is closed. folder: of the disk that it is on.
  static File unnamed(const std::string& folder) {
    const int descriptor = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (descriptor >= 0) return File(descriptor);
    // Some file systems have names only.
    std::string path = folder + "/.tesela.XXXXXX";
    File named(::mkostemp(path.data(), O_CLOEXEC));
    if (named.descriptor() < 0 || ::unlink(path.c_str()) != 0) fail("write", path);
    return named;
  }
  File(File&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  File& operator=(File&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~File() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  /// Of the open file; -1 after it was moved away.
  int descriptor() const { return descriptor_; }

 private:
  static int opened(const std::string& path, int flags, const char* what) {
    const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
    if (descriptor < 0) fail(what, path);
    return descriptor;
  }
  [[noreturn]] static void fail(const char* what, const std::string& path) {
    const std::string why = std::generic_category().message(errno);
    throw Error(TESELA_ERROR_IO, std::string("cannot ") + what + " '" + path + "': " + why);
  }

  int descriptor_;
};

/// The type and the extents of the elements of an image: [height, width] or [height, width, channels].
struct ImageInfo {
  tesela_dtype dtype = 0;
  Shape extents = {};
};

/// Decodes a PNG or JPEG file to `to`, from its beginning: the dense elements of what Value::read reads. limits: none by
/// default. options: progress and cancellation.
inline ImageInfo unpack_image(const std::string& path, const File& to, const std::optional<Limits>& limits = {},
                              const RunOptions& options = {}) {
  ImageInfo image;
  image.extents.resize(3);
  const detail::LimitsPointer most(limits);
  detail::RunCall(options).run([&](const tesela_run_options* run, tesela_error* error) {
    return tesela_image_unpack(path.c_str(), most, to.descriptor(), run, &image.dtype, image.extents.data(), error);
  });
  return image;
}

/// Throws what pack_image would throw for such elements.
inline void check_image(const ImageInfo& image, tesela_file_format format) {
  const auto rank = static_cast<int32_t>(image.extents.size());
  const tesela_tensor tensor = {nullptr, image.dtype, rank, image.extents.data(), nullptr, 0};
  call(tesela_image_check, &tensor, format);
}

/// Encodes the dense elements in `from`, from its beginning, to `to`: the bytes that write() writes. file.format must be
/// set. options: progress and cancellation.
inline void pack_image(const ImageInfo& image, const File& from, const File& to, const FileOptions& file,
                       const RunOptions& options = {}) {
  const auto rank = static_cast<int32_t>(image.extents.size());
  const tesela_tensor tensor = {nullptr, image.dtype, rank, image.extents.data(), nullptr, 0};
  const detail::FileOptionsPointer given(file);
  detail::RunCall(options).run([&](const tesela_run_options* run, tesela_error* error) {
    return tesela_image_pack(&tensor, from.descriptor(), given, to.descriptor(), run, error);
  });
}

}  // namespace v1
}  // namespace tesela
