// SPDX-License-Identifier: Apache-2.0
// The C interface: tensors that the library owns, and tensor files.
#include <algorithm>

#include "api/boundary.h"
#include "tensor_io/image_files.h"
#include "tensor_io/tensor_file.h"
#include "types/memory_pool.h"

using namespace tesela;
using namespace tesela::api;

namespace {

Status check_file_options(const TensorFileOptions& options) {
  if (options.format < FileFormat::kAuto || options.format > FileFormat::kJpeg)
    return usage_error("options: format {} is unknown", static_cast<int>(options.format));
  if (options.type != DataType::kUndefined && find_traits(options.type) == nullptr)
    return type_error("options: dtype {} is unknown", static_cast<int>(options.type));
  if (options.jpeg_quality < 1 || options.jpeg_quality > 100)
    return usage_error("options: jpeg_quality is {}; expected 1 to 100", options.jpeg_quality);
  return {};
}

Result<TensorFileOptions> read_file_options(const tesela_file_options* source) {
  tesela_file_options copy = {};
  TESELA_RETURN_IF_ERROR(read_struct(source, "options", copy));
  TensorFileOptions options;
  options.format = static_cast<FileFormat>(copy.format);
  options.type = static_cast<DataType>(copy.dtype);
  if (copy.entry != nullptr) options.entry = copy.entry;
  if (copy.name != nullptr) options.name = copy.name;
  TESELA_ASSIGN_OR_RETURN(options.limits, read_limits(copy.limits, Limits()));
  if (copy.jpeg_quality != 0) options.jpeg_quality = copy.jpeg_quality;
  TESELA_RETURN_IF_ERROR(check_file_options(options));
  return options;
}

// Passes a tensor that was read to the caller.
Status store_tensor(Result<NamedTensor> read, tesela_value** value, const char** tensor_name) {
  if (!read.ok()) return read.status();
  *value = make_value(std::move(read->tensor), std::move(read->name));
  if (tensor_name != nullptr) *tensor_name = (*value)->name.c_str();
  return {};
}

// Progress and cancellation of the caller's options.
Result<OnRows> read_on_rows(const tesela_run_options* source) {
  tesela_run_options copy = {};
  TESELA_RETURN_IF_ERROR(read_struct(source, "options", copy));
  return OnRows([run = read_run_options(copy)](double share) -> Status {
    if (run.on_progress) run.on_progress(share);
    if (run.cancel != nullptr && __atomic_load_n(run.cancel, __ATOMIC_RELAXED) != 0)
      return cancelled_error("the image was cancelled");
    return {};
  });
}

}  // namespace

extern "C" {

/* ---- Values ---------------------------------------------------------------------------------------------------- */

tesela_status tesela_value_create(tesela_dtype dtype, int32_t rank, const int64_t* extents, const tesela_limits* limits,
                                  tesela_value** value, tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (value == nullptr) return usage_error("tesela_value_create: value is NULL");
    TESELA_ASSIGN_OR_RETURN(const TensorView view,
                            read_tensor_view({nullptr, dtype, rank, extents, nullptr, 0}, false));
    TESELA_ASSIGN_OR_RETURN(const Limits most, read_limits(limits, Limits::none()));
    TESELA_RETURN_IF_ERROR(check_size(view.type, view.extents, most));
    TESELA_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate(view.type, view.extents));
    *value = make_value(std::move(tensor));
    return {};
  });
}

tesela_status tesela_value_copy(const tesela_tensor* tensor, const tesela_limits* limits, tesela_value** value,
                                tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (tensor == nullptr || value == nullptr) return usage_error("tesela_value_copy: an argument is NULL");
    TESELA_ASSIGN_OR_RETURN(const TensorView view, read_tensor_view(*tensor, true));
    TESELA_ASSIGN_OR_RETURN(const Limits most, read_limits(limits, Limits::none()));
    TESELA_ASSIGN_OR_RETURN(Tensor copy, copy_within(view, most));
    *value = make_value(std::move(copy));
    return {};
  });
}

void tesela_value_view(const tesela_value* value, tesela_tensor* view) {
  if (view == nullptr) return;
  if (value == nullptr)
    *view = {};
  else
    write_tensor_view(value->tensor, view);
}

void tesela_value_destroy(tesela_value* value) {
  delete value;
}

uint64_t tesela_trim_memory(uint64_t keep_bytes) {
  return MemoryPool::shared().trim(static_cast<size_t>(keep_bytes));
}

/* ---- Files ----------------------------------------------------------------------------------------------------- */

tesela_status tesela_value_read(const char* path, const tesela_file_options* options, tesela_value** value,
                                const char** tensor_name, tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (path == nullptr || value == nullptr) return usage_error("tesela_value_read: an argument is NULL");
    TESELA_ASSIGN_OR_RETURN(const TensorFileOptions file_options, read_file_options(options));
    return store_tensor(read_tensor(path, file_options), value, tensor_name);
  });
}

tesela_status tesela_value_read_memory(const void* data, size_t size, const tesela_file_options* options,
                                       tesela_value** value, const char** tensor_name, tesela_error* error) {
  return guard(error, [&]() -> Status {
    if ((data == nullptr && size > 0) || value == nullptr)
      return usage_error("tesela_value_read_memory: an argument is NULL");
    TESELA_RETURN_IF_ERROR(check_count("tesela_value_read_memory: size", size, 1));
    TESELA_ASSIGN_OR_RETURN(const TensorFileOptions file_options, read_file_options(options));
    Result<NamedTensor> read = read_tensor(std::span(static_cast<const std::byte*>(data), size), file_options);
    if (!read.ok()) return read.status();
    // The caller may free the bytes at any time, so nothing may point into them.
    TESELA_ASSIGN_OR_RETURN(read->tensor, Tensor::copy_of(read->tensor.view()));
    return store_tensor(std::move(read), value, tensor_name);
  });
}

tesela_status tesela_tensor_write(const tesela_tensor* tensor, const char* path, const tesela_file_options* options,
                                  tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (tensor == nullptr || path == nullptr) return usage_error("tesela_tensor_write: an argument is NULL");
    TESELA_ASSIGN_OR_RETURN(const TensorView view, read_tensor_view(*tensor, true));
    TESELA_ASSIGN_OR_RETURN(const TensorFileOptions file_options, read_file_options(options));
    return write_tensor(view, path, file_options);
  });
}

tesela_status tesela_tensor_encode(const tesela_tensor* tensor, const tesela_file_options* options, tesela_blob** blob,
                                   tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (tensor == nullptr || blob == nullptr) return usage_error("tesela_tensor_encode: an argument is NULL");
    TESELA_ASSIGN_OR_RETURN(const TensorView view, read_tensor_view(*tensor, true));
    TESELA_ASSIGN_OR_RETURN(const TensorFileOptions file_options, read_file_options(options));
    if (file_options.format == FileFormat::kAuto)
      return usage_error("tesela_tensor_encode: options.format must name a format");
    TESELA_ASSIGN_OR_RETURN(const std::vector<std::byte> bytes, encode_tensor(view, file_options));
    *blob = make_blob(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    return {};
  });
}

/* ---- Images by rows -------------------------------------------------------------------------------------------- */

tesela_status tesela_image_unpack(const char* path, const tesela_limits* limits, int to,
                                  const tesela_run_options* options, tesela_dtype* dtype, int64_t* extents,
                                  tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (path == nullptr || dtype == nullptr || extents == nullptr)
      return usage_error("tesela_image_unpack: an argument is NULL");
    TESELA_ASSIGN_OR_RETURN(const Limits most, read_limits(limits, Limits::none()));
    TESELA_ASSIGN_OR_RETURN(const OnRows on_rows, read_on_rows(options));
    TESELA_ASSIGN_OR_RETURN(const UnpackedImage image, unpack_image(path, most, to, on_rows));
    *dtype = static_cast<tesela_dtype>(image.type);
    std::copy(image.extents.begin(), image.extents.end(), extents);
    return {};
  });
}

tesela_status tesela_image_check(const tesela_tensor* tensor, tesela_file_format format, tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (tensor == nullptr) return usage_error("tesela_image_check: tensor is NULL");
    TESELA_ASSIGN_OR_RETURN(const TensorView view, read_tensor_view(*tensor, false));
    return check_image(view.type, view.extents, static_cast<FileFormat>(format));
  });
}

tesela_status tesela_image_pack(const tesela_tensor* tensor, int from, const tesela_file_options* options, int to,
                                const tesela_run_options* run_options, tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (tensor == nullptr) return usage_error("tesela_image_pack: tensor is NULL");
    TESELA_ASSIGN_OR_RETURN(const TensorView view, read_tensor_view(*tensor, false));
    TESELA_ASSIGN_OR_RETURN(const TensorFileOptions file_options, read_file_options(options));
    TESELA_ASSIGN_OR_RETURN(const OnRows on_rows, read_on_rows(run_options));
    const PackedImage image{from, view.type, view.extents};
    return pack_image(image, file_options, to, on_rows);
  });
}

}  // extern "C"
