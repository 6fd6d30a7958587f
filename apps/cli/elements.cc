// SPDX-License-Identifier: Apache-2.0
// Reads tensors in pieces, and formats elements.
#include "elements.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "failure.h"
#include "numbers.h"

namespace tesela::cli {

int64_t element_count(const tesela_tensor& tensor) {
  int64_t count = 1;
  for (int32_t axis = 0; axis < tensor.rank; ++axis) {
    if (tensor.extents[axis] == 0) return 0;
    count *= tensor.extents[axis];  // cannot overflow, since the tensor exists
  }
  return count;
}

std::string type_and_shape(const tesela_tensor& tensor) {
  std::string text = std::string(tesela_dtype_name(tensor.dtype)) + "[";
  for (int32_t axis = 0; axis < tensor.rank; ++axis) text += (axis ? "," : "") + std::to_string(tensor.extents[axis]);
  return text + "]";
}

bool is_complex(tesela_dtype dtype) {
  return dtype == TESELA_COMPLEX64 || dtype == TESELA_COMPLEX128;
}

bool is_floating(tesela_dtype dtype) {
  const std::string_view name = tesela_dtype_name(dtype);
  return name.starts_with("float") || name == "double" || name == "bfloat16" || is_complex(dtype);
}

tesela_tensor piece_of(const tesela_tensor& dense, int64_t first, int64_t count, int64_t* extent) {
  tesela_tensor piece = dense;
  *extent = count;
  piece.rank = 1;
  piece.extents = extent;
  piece.strides = nullptr;
  piece.data = static_cast<char*>(dense.data) + first / 8 * tesela_dtype_bits(dense.dtype);
  return piece;
}

void visit_numbers(const tesela_tensor& dense, const std::function<void(int64_t, std::span<const double>)>& use) {
  constexpr int64_t kPiece = int64_t{1} << 16;
  const int64_t count = element_count(dense);
  const int64_t numbers_each = is_complex(dense.dtype) ? 2 : 1;
  std::vector<double> numbers(static_cast<size_t>(std::min(count, kPiece) * numbers_each));
  for (int64_t first = 0; first < count; first += kPiece) {
    int64_t extent = 0;
    const tesela_tensor piece = piece_of(dense, first, std::min(kPiece, count - first), &extent);
    call(tesela_tensor_to_doubles, &piece, numbers.data());
    use(first, std::span(numbers).first(static_cast<size_t>(extent * numbers_each)));
  }
}

std::string number_text(tesela_dtype dtype, double number) {
  if (!is_floating(dtype)) return std::to_string(static_cast<int64_t>(number));  // 100000, not 1e+05
  char text[32];
  const bool is_double = dtype == TESELA_DOUBLE || dtype == TESELA_COMPLEX128;
  // A float prints as 0.1, not as its double, 0.10000000149011612.
  const auto end = is_double ? std::to_chars(text, text + sizeof text, number)
                             : std::to_chars(text, text + sizeof text, static_cast<float>(number));
  return {text, end.ptr};
}

std::string string_text(const tesela_string& element) {
  return in_quotes(std::string_view(element.ptr == nullptr ? "" : element.ptr, element.length));
}

}  // namespace tesela::cli
