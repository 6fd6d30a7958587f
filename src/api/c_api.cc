// SPDX-License-Identifier: Apache-2.0
// The C interface: status codes, element types, blobs, elements as numbers, the list of operators.
#include <cstring>

#include "api/boundary.h"
#include "schema/ops_text.h"
#include "types/elements.h"
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

/* ---- Blobs ----------------------------------------------------------------------------------------------------- */

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
