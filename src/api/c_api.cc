// The C interface: status codes, element types, tensors, tensor files.
#include <cstring>

#include "api/boundary.h"
#include "schema/ops_text.h"
#include "tensor_io/tensor_file.h"
#include "types/elements.h"
#include "types/memory_pool.h"
#include "types/packed.h"
#include "types/text.h"

using namespace tesela;
using namespace tesela::api;

static_assert(sizeof(tesela_string) == sizeof(StringRef));

extern "C" {

const char* tesela_version(void) {
  return TESELA_VERSION;
}

const char* tesela_status_name(tesela_status status) {
  switch (status) {
    case TESELA_OK: return "ok";
#define TESELA_STATUS(lower, upper, code, exit_code, python) \
  case TESELA_##upper: return #lower;
      TESELA_STATUS_TABLE(TESELA_STATUS)
#undef TESELA_STATUS
  }
  return "unknown";
}

int tesela_status_exit_code(tesela_status status) {
  switch (status) {
    case TESELA_OK: return 0;
#define TESELA_STATUS(lower, upper, code, exit_code, python) \
  case TESELA_##upper: return exit_code;
      TESELA_STATUS_TABLE(TESELA_STATUS)
#undef TESELA_STATUS
  }
  return tesela_status_exit_code(TESELA_ERROR_INTERNAL);
}

const char* tesela_dtype_name(tesela_dtype dtype) {
  const DataTypeTraits* found = find_traits(static_cast<DataType>(dtype));
  return found ? found->onnx_name.data() : nullptr;  // a literal, so it ends with a NUL
}

tesela_dtype tesela_dtype_from_name(const char* name) {
  if (name == nullptr) return 0;
  return static_cast<tesela_dtype>(find_data_type(name).value_or(DataType::kUndefined));
}

int32_t tesela_dtype_bits(tesela_dtype dtype) {
  const DataTypeTraits* found = find_traits(static_cast<DataType>(dtype));
  return found ? found->bits : 0;
}

const char* tesela_dtype_numpy_name(tesela_dtype dtype) {
  const DataTypeTraits* found = find_traits(static_cast<DataType>(dtype));
  return found ? found->numpy_name.data() : nullptr;  // as above
}

int32_t tesela_dtype_dlpack_code(tesela_dtype dtype) {
  const DataTypeTraits* found = find_traits(static_cast<DataType>(dtype));
  return found ? found->dlpack_code : -1;
}

tesela_dtype tesela_dtype_from_dlpack(int32_t code, int32_t bits) {
  return static_cast<tesela_dtype>(find_dlpack_type(code, bits).value_or(DataType::kUndefined));
}

/* ---- Values and blobs ------------------------------------------------------------------------------------------ */

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

const char* tesela_blob_data(const tesela_blob* blob) {
  return blob ? blob->bytes.c_str() : "";
}

size_t tesela_blob_size(const tesela_blob* blob) {
  return blob ? blob->bytes.size() : 0;
}

void tesela_blob_destroy(tesela_blob* blob) {
  delete blob;
}

tesela_status tesela_printable(const char* text, size_t length, tesela_blob** made, tesela_error* error) {
  return guard(error, [&]() -> Status {
    if ((text == nullptr && length > 0) || made == nullptr) return usage_error("tesela_printable: an argument is NULL");
    TESELA_RETURN_IF_ERROR(check_count("tesela_printable: length", length, 1));
    *made = make_blob(printable({text, length}, true));
    return {};
  });
}

/* ---- Elements as numbers --------------------------------------------------------------------------------------- */

}  // extern "C"

namespace {

// Calls f(index, element) for every element of a view, in row-major order; packed elements are unpacked.
template <class F>
void for_each_element(const TensorView& view, F&& f) {
  const int bits = element_bits(view.type);
  const Extents strides =
      view.strides_bytes.empty() && bits >= 8 ? dense_strides(view.type, view.extents) : view.strides_bytes;
  Extents index(view.extents.size(), 0);
  int64_t offset = 0;
  const int64_t count = product(view.extents);
  for (int64_t i = 0; i < count; ++i) {
    f(i, offset);
    if (bits < 8) continue;
    for (size_t d = index.size(); d-- > 0;) {
      offset += strides[d];
      if (++index[d] < view.extents[d]) break;
      offset -= strides[d] * view.extents[d];
      index[d] = 0;
    }
  }
}

Result<TensorView> read_numeric_view(const tesela_tensor* tensor) {
  if (tensor == nullptr) return usage_error("tensor is NULL");
  TESELA_ASSIGN_OR_RETURN(TensorView view, read_tensor_view(*tensor, true));
  if (view.type == DataType::kString) return type_error("tensor has type string; expected numbers");
  return view;
}

Status to_doubles(const TensorView& view, double* values) {
  const int bits = element_bits(view.type);
  const int parts = parts_of(view.type);
  for_each_element(view, [&](int64_t i, int64_t offset) {
    if (bits < 8) {
      const std::byte code{get_packed(view.data, view.bit_offset + i * bits, bits)};
      element_to_doubles(view.type, &code, values + i);
    } else {
      element_to_doubles(view.type, view.data + offset, values + i * parts);
    }
  });
  return {};
}

Status from_doubles(std::span<const double> values, const TensorView& view) {
  const int bits = element_bits(view.type);
  const int parts = parts_of(view.type);
  const int64_t count = product(view.extents) * parts;
  if (static_cast<int64_t>(values.size()) != count)
    return count_error("{} numbers for a {} tensor of shape {}; expected {}", values.size(), name(view.type),
                       shape_text(view.extents), count);
  auto* data = const_cast<std::byte*>(view.data);  // writable: the caller passed a mutable tensor
  const size_t part_bytes = bits < 8 ? 1 : static_cast<size_t>(bits / 8 / parts);
  for_each_element(view, [&](int64_t i, int64_t offset) {
    std::byte element[16];
    for (int part = 0; part < parts; ++part) {
      element_from_double(view.type, values[static_cast<size_t>(i * parts + part)], element);
      if (bits < 8)
        set_packed(data, view.bit_offset + i * bits, bits, static_cast<uint8_t>(element[0]));
      else
        std::memcpy(data + offset + static_cast<int64_t>(part_bytes) * part, element, part_bytes);
    }
  });
  return {};
}

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

}  // namespace

extern "C" {

tesela_status tesela_tensor_to_doubles(const tesela_tensor* tensor, double* values, tesela_error* error) {
  return guard(error, [&]() -> Status {
    TESELA_ASSIGN_OR_RETURN(const TensorView view, read_numeric_view(tensor));
    if (values == nullptr && product(view.extents) > 0) return usage_error("tesela_tensor_to_doubles: values is NULL");
    return to_doubles(view, values);
  });
}

tesela_status tesela_tensor_from_doubles(const double* values, size_t count, const tesela_tensor* tensor,
                                         tesela_error* error) {
  return guard(error, [&]() -> Status {
    TESELA_ASSIGN_OR_RETURN(const TensorView view, read_numeric_view(tensor));
    if (values == nullptr && count > 0) return usage_error("tesela_tensor_from_doubles: values is NULL");
    return from_doubles({values, count}, view);
  });
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

tesela_status tesela_ops(tesela_text_format format, tesela_blob** text, tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (text == nullptr) return usage_error("tesela_ops: text is NULL");
    TESELA_RETURN_IF_ERROR(check_text_format("tesela_ops", format, TESELA_TEXT_MARKDOWN));
    *text = make_blob(format == TESELA_TEXT_JSON       ? ops_json()
                      : format == TESELA_TEXT_MARKDOWN ? ops_markdown()
                                                       : ops_plain());
    return {};
  });
}

}  // extern "C"
