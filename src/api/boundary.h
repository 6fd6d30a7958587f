// SPDX-License-Identifier: Apache-2.0
// The boundary of the C interface: no exception leaves it, and a Status becomes a tesela_error.
#pragma once

#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "backend/backend.h"
#include "backend/float_environment.h"
#include "schema/infer.h"
#include "tesela/tesela.h"
#include "types/limits.h"
#include "types/out_of_memory.h"
#include "types/status.h"
#include "types/tensor.h"

namespace tesela::api {

/// Writes the code of an error and its text to `error` (which may be null), at most 300 characters, and returns the code.
tesela_status report(tesela_status code, std::string_view text, tesela_error* error) noexcept;
inline tesela_status report(const Status& status, tesela_error* error) noexcept {
  if (!status.ok()) return report(status.code(), status.message(), error);
  if (error != nullptr) {  // for the smallest calls a whole text of zeros takes long
    error->code = TESELA_OK;
    error->message[0] = '\0';
  }
  return TESELA_OK;
}

/// Runs the body of a C function in the library's floating-point environment. Exceptions become codes.
template <class Body>
tesela_status guard(tesela_error* error, Body&& body) noexcept {
  const FloatEnvironment environment;
  try {
    return report(body(), error);
  } catch (const OutOfMemory& fault) {
    return report(TESELA_ERROR_NO_MEMORY, fault.what(), error);
  } catch (const std::bad_alloc&) {
    return report(TESELA_ERROR_NO_MEMORY, "out of memory", error);
  } catch (const std::exception& fault) {
    return report(TESELA_ERROR_INTERNAL, fault.what(), error);
  } catch (...) {
    return TESELA_ERROR_INTERNAL;
  }
}

/// Copies the caller's struct, of whatever size it was compiled with, to `copy`, which is all zero: missing fields stay
/// zero. what: the struct's name in messages. Errors: usage (a struct_size of 0, which would hide a struct that was not
/// filled).
template <class Struct>
Status read_struct(const Struct* source, std::string_view what, Struct& copy) {
  copy.struct_size = sizeof copy;
  if (source == nullptr) return {};
  if (source->struct_size == 0) return usage_error("{}: struct_size is 0; expected the size of the struct", what);
  // A copy of a size known to the compiler takes a tenth of a call's time less.
  if (source->struct_size >= sizeof copy)
    copy = *source;
  else
    __builtin_memcpy(static_cast<void*>(&copy), source, source->struct_size);
  copy.struct_size = sizeof copy;
  return {};
}

/// Writes `source` to the caller's struct, up to the caller's size; nothing if that is 0.
template <class Struct>
void write_struct(const Struct& source, Struct* target) {
  if (target == nullptr) return;
  const size_t known = target->struct_size;
  __builtin_memcpy(static_cast<void*>(target), &source, known > sizeof source ? sizeof source : known);
  if (known != 0) target->struct_size = known;
}

/// Errors: count if an array of such elements cannot be so long.
Status check_count(std::string_view what, size_t count, size_t element_bytes);

/// Errors: usage, with the function's name, if the format is neither plain text nor JSON nor this third one.
Status check_text_format(std::string_view function, tesela_text_format format,
                         tesela_text_format third = TESELA_TEXT_PLAIN);

/// NULL gives `if_null`; members of 0 give the defaults. Errors: usage.
Result<Limits> read_limits(const tesela_limits* source, const Limits& if_null);

/// The caller's tensor as a view. View: TensorView or MutableTensorView, fresh. Errors: usage (missing data or
/// extents), type, rank, shape.
template <class View>
Status read_tensor_view(const tesela_tensor& tensor, bool needs_data, View& view);

inline Result<TensorView> read_tensor_view(const tesela_tensor& tensor, bool needs_data) {
  TensorView view;
  TESELA_RETURN_IF_ERROR(read_tensor_view(tensor, needs_data, view));
  return view;
}

/// A view of our tensor, valid as long as the tensor.
void write_tensor_view(const Tensor& tensor, tesela_tensor* view);

}  // namespace tesela::api

// The handles of the C interface that more than one file creates.
struct tesela_value {
  tesela::Tensor tensor;
  std::string name;
};

struct tesela_blob {
  std::string bytes;
};

namespace tesela::api {

inline tesela_blob* make_blob(std::string bytes) {
  return new tesela_blob{std::move(bytes)};
}

inline tesela_value* make_value(Tensor tensor, std::string name = {}) {
  return new tesela_value{std::move(tensor), std::move(name)};
}

/// The executor of the options: the host's, or one of `threads`. Errors: usage.
Status read_executor(const tesela_run_options& options, Executor& executor);

/// The scratch memory, cancellation flag and progress callback of the options.
RunOptions read_run_options(const tesela_run_options& options);

/// Errors: usage (an unknown backend).
Status read_backend(const tesela_run_options& options, Backend& backend);

}  // namespace tesela::api
