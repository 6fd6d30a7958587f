// SPDX-License-Identifier: Apache-2.0
// Selects a format by a file's first bytes, or by its extension.
#include "tensor_io/tensor_file.h"

#include <array>

#include "files/file_bytes.h"
#include "files/file_output.h"
#include "tensor_io/image.h"
#include "tensor_io/npy.h"
#include "tensor_io/npz.h"
#include "tensor_io/tensor_pb.h"

namespace tesela {
namespace {

struct Mark {
  std::string_view bytes;
  FileFormat format;
};

constexpr std::array<Mark, 5> kMarks = {{{"\x93NUMPY", FileFormat::kNpy},
                                         {"PK\x03\x04", FileFormat::kNpz},
                                         {"PK\x05\x06", FileFormat::kNpz},
                                         {"\x89PNG\r\n\x1a\n", FileFormat::kPng},
                                         {"\xff\xd8\xff", FileFormat::kJpeg}}};

struct Ending {
  std::string_view text;
  FileFormat format;
};

constexpr std::array<Ending, 6> kEndings = {{{".npy", FileFormat::kNpy},
                                             {".npz", FileFormat::kNpz},
                                             {".pb", FileFormat::kPb},
                                             {".png", FileFormat::kPng},
                                             {".jpg", FileFormat::kJpeg},
                                             {".jpeg", FileFormat::kJpeg}}};

// Of a file that is not empty. One that ends within a signature is a truncated file of that format.
FileFormat format_of(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  for (const Mark& mark : kMarks)
    if (text.starts_with(mark.bytes.substr(0, text.size()))) return mark.format;
  return FileFormat::kPb;
}

Result<FileFormat> format_of(const std::string& path) {
  const size_t dot = path.rfind('.');
  std::string ending = dot == std::string::npos ? "" : path.substr(dot);
  for (char& c : ending)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  for (const Ending& row : kEndings)
    if (row.text == ending) return row.format;
  return usage_error("{} has no known file ending; expected an ending .npy, .npz, .pb, .png, .jpg or .jpeg",
                     in_quotes(path));
}

Result<NamedTensor> unnamed(Result<Tensor> tensor) {
  if (!tensor.ok()) return tensor.status();
  return NamedTensor{"", std::move(*tensor)};
}

Result<NamedTensor> read_pb(const FileBytes& file, const TensorFileOptions& options) {
  Result<NamedTensor> tensor = read_tensor_pb(file, options.limits);
  if (tensor.ok() || options.format == FileFormat::kPb) return tensor;
  return tensor.status().with_prefix("not .npy, .npz, .png or .jpg; as .pb: ");
}

Result<NamedTensor> decode(const FileBytes& file, const TensorFileOptions& options) {
  if (file.bytes.empty()) return truncated_error("the file is empty; expected a tensor");
  switch (options.format == FileFormat::kAuto ? format_of(file.bytes) : options.format) {
    case FileFormat::kNpy: return unnamed(read_npy(file, options));
    case FileFormat::kNpz: return read_npz(file, options);
    case FileFormat::kPng: return unnamed(read_png(file.bytes, options.limits));
    case FileFormat::kJpeg: return unnamed(read_jpeg(file.bytes, options.limits));
    case FileFormat::kPb:
    case FileFormat::kAuto: return read_pb(file, options);
  }
  return usage_error("format {} is unknown", static_cast<int32_t>(options.format));
}

// The dense elements, without a copy if the tensor is dense.
Result<Tensor> dense(const TensorView& view) {
  if (find_traits(view.type) == nullptr)
    return type_error("type {} is unknown; expected 1 to {}", static_cast<int32_t>(view.type), all_data_types().size());
  TESELA_ASSIGN_OR_RETURN([[maybe_unused]] const int64_t bytes, byte_count(view.type, view.extents));
  if (!view.strides_bytes.empty() || is_packed(view.type)) return Tensor::copy_of(view);
  return Tensor::borrow(view.type, view.extents, view.data, nullptr);
}

Result<FileParts> encode(const TensorView& view, FileFormat format, const TensorFileOptions& options) {
  TESELA_ASSIGN_OR_RETURN(const Tensor tensor, dense(view));
  switch (format) {
    case FileFormat::kNpy: return encode_npy(tensor);
    case FileFormat::kNpz: return encode_npz(tensor, options);
    case FileFormat::kPb: return encode_tensor_pb(tensor, options.name);
    case FileFormat::kPng: return encode_png(tensor);
    case FileFormat::kJpeg: return encode_jpeg(tensor, options.jpeg_quality);
    case FileFormat::kAuto: break;
  }
  return usage_error("format {} is not a file format; expected npy, npz, pb, png or jpeg",
                     static_cast<int32_t>(format));
}

}  // namespace

Result<NamedTensor> read_tensor(const std::string& path, const TensorFileOptions& options) {
  TESELA_ASSIGN_OR_RETURN(const FileBytes file, read_file(path, options.limits.max_session_bytes));
  Result<NamedTensor> tensor = decode(file, options);
  if (!tensor.ok()) return tensor.status().with_prefix(in_quotes(path) + ": ");
  return tensor;
}

Result<NamedTensor> read_tensor(std::span<const std::byte> bytes, const TensorFileOptions& options) {
  return decode({bytes, nullptr}, options);
}

Result<std::vector<std::byte>> encode_tensor(const TensorView& tensor, const TensorFileOptions& options) {
  TESELA_ASSIGN_OR_RETURN(FileParts parts, encode(tensor, options.format, options));
  const auto body = parts.body_bytes();
  parts.head.reserve(parts.head.size() + body.size() + parts.tail.size());
  parts.head.insert(parts.head.end(), body.begin(), body.end());
  parts.head.insert(parts.head.end(), parts.tail.begin(), parts.tail.end());
  return std::move(parts.head);
}

Status write_tensor(const TensorView& tensor, const std::string& path, const TensorFileOptions& options) {
  FileFormat format = options.format;
  if (format == FileFormat::kAuto) {
    TESELA_ASSIGN_OR_RETURN(format, format_of(path));
  }
  TESELA_RETURN_IF_ERROR(check_output(path));
  TESELA_ASSIGN_OR_RETURN(const FileParts parts, encode(tensor, format, options));
  return write_file(path, parts);
}

}  // namespace tesela
