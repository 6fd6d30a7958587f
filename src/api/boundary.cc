// SPDX-License-Identifier: Apache-2.0
// Converts the caller's structs, and a Status to a tesela_error.
#include "api/boundary.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "backend/cores.h"

namespace tesela::api {

tesela_status report(tesela_status code, std::string_view text, tesela_error* error) noexcept {
  if (error == nullptr) return code;
  constexpr size_t kMax = 300;
  size_t length = std::min(text.size(), kMax);
  // A cut must not split a UTF-8 sequence.
  while (length < text.size() && length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) --length;
  error->code = code;
  std::memcpy(error->message, text.data(), length);
  std::memset(error->message + length, 0, sizeof error->message - length);
  return code;
}

Status check_count(std::string_view what, size_t count, size_t element_bytes) {
  if (count <= static_cast<size_t>(PTRDIFF_MAX) / element_bytes) return {};
  return count_error("{} is {}; no array has so many elements", what, count);
}

Status check_text_format(std::string_view function, tesela_text_format format, tesela_text_format third) {
  if (format == TESELA_TEXT_PLAIN || format == TESELA_TEXT_JSON || format == third) return {};
  constexpr std::string_view kExpected[] = {"TESELA_TEXT_PLAIN or TESELA_TEXT_JSON", "",
                                            "TESELA_TEXT_PLAIN, TESELA_TEXT_JSON or TESELA_TEXT_MARKDOWN",
                                            "TESELA_TEXT_PLAIN, TESELA_TEXT_JSON or TESELA_TEXT_SVG",
                                            "TESELA_TEXT_PLAIN, TESELA_TEXT_JSON or TESELA_TEXT_SARIF"};
  return usage_error("{}: text format {}; expected {}", function, static_cast<int>(format), kExpected[third]);
}

Result<Limits> read_limits(const tesela_limits* source, const Limits& if_null) {
  if (source == nullptr) return if_null;
  tesela_limits copy = {};
  TESELA_RETURN_IF_ERROR(read_struct(source, "limits", copy));
  Limits limits;
  const auto take = [](uint64_t value, int64_t& limit) {
    if (value != 0) limit = static_cast<int64_t>(std::min<uint64_t>(value, INT64_MAX));
  };
  take(copy.max_output_bytes, limits.max_output_bytes);
  take(copy.max_rank, limits.max_rank);
  take(copy.max_nodes, limits.max_nodes);
  take(copy.max_nesting, limits.max_nesting);
  take(copy.max_pixels, limits.max_pixels);
  take(copy.max_working_bytes, limits.max_working_bytes);
  limits.max_session_bytes = checked_add(limits.max_output_bytes, Limits::kBesidesOutput).value_or(INT64_MAX);
  take(copy.max_session_bytes, limits.max_session_bytes);
  return limits;
}

// Whether the bytes are certainly below 2^63: byte_count() costs the smallest calls a twentieth of their time.
static bool is_countable(const Extents& extents) {
  int bits = 0;
  for (const int64_t n : extents) bits += static_cast<int>(std::bit_width(static_cast<uint64_t>(n)));  // 64 if negative
  return bits <= 56;
}

template <class View>
Status read_tensor_view(const tesela_tensor& tensor, bool needs_data, View& view) {
  const auto type = static_cast<DataType>(tensor.dtype);
  if (find_traits(type) == nullptr) return type_error("tensor: dtype {} is unknown", tensor.dtype);
  if (tensor.rank < 0) return rank_error("tensor: rank {}; expected at least 0", tensor.rank);
  const auto rank = static_cast<size_t>(tensor.rank);
  if (rank > 0 && tensor.extents == nullptr) return usage_error("tensor: extents is NULL and rank is {}", rank);
  view.type = type;
  if (rank > 0) view.extents.append(tensor.extents, rank);
  if (rank > 0 && tensor.strides != nullptr) view.strides_bytes.append(tensor.strides, rank);
  int64_t bytes = 1;  // if not counted: there may be some
  if (tensor.data == nullptr || !is_countable(view.extents)) {
    TESELA_ASSIGN_OR_RETURN(bytes, byte_count(type, view.extents));
  }
  if (is_packed(type) && !view.strides_bytes.empty())
    return usage_error("tensor: {} tensors are always dense; expected strides NULL", name(type));
  if (tensor.bit_offset < 0 || (tensor.bit_offset != 0 && !is_packed(type)) ||
      (is_packed(type) && tensor.bit_offset % element_bits(type) != 0))
    return usage_error("tensor: bit_offset {} is not valid for type {}", tensor.bit_offset, name(type));
  if (needs_data && bytes > 0 && tensor.data == nullptr) return usage_error("tensor: data is NULL");
  view.data = static_cast<std::byte*>(tensor.data);
  view.bit_offset = tensor.bit_offset;
  return {};
}

template Status read_tensor_view(const tesela_tensor&, bool, TensorView&);
template Status read_tensor_view(const tesela_tensor&, bool, MutableTensorView&);

void write_tensor_view(const Tensor& tensor, tesela_tensor* view) {
  view->data = const_cast<std::byte*>(tensor.data());
  view->dtype = static_cast<tesela_dtype>(tensor.type());
  view->rank = static_cast<int32_t>(tensor.extents().size());
  view->extents = tensor.extents().data();
  view->strides = nullptr;
  view->bit_offset = 0;
}

Status read_executor(const tesela_run_options& options, Executor& executor) {
  if (options.executor != nullptr) {
    tesela_executor host = {};
    TESELA_RETURN_IF_ERROR(read_struct(options.executor, "executor", host));
    TESELA_ASSIGN_OR_RETURN(executor, Executor::on_host(host));
    return {};
  }
  if (options.threads < 0 || options.threads > kMaxThreads)
    return usage_error("options: threads is {}; expected 0 to {}", options.threads, kMaxThreads);
  executor = Executor::on_threads(options.threads);
  return {};
}

Status read_backend(const tesela_run_options& options, Backend& backend) {
  static_assert(static_cast<int>(Backend::reference) == TESELA_BACKEND_REFERENCE);
  const int number = options.backend;
  if (!is_backend(number)) return usage_error("options: backend {} is unknown", number);
  backend = static_cast<Backend>(number);
  return {};
}

RunOptions read_run_options(const tesela_run_options& options) {
  RunOptions run;
  if (options.scratch != nullptr) run.scratch = {static_cast<std::byte*>(options.scratch), options.scratch_bytes};
  run.cancel = options.cancel;
  if (options.on_progress != nullptr)
    run.on_progress = [options](double fraction) { options.on_progress(options.on_progress_context, fraction); };
  return run;
}

}  // namespace tesela::api
