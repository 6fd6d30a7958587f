// The elements of dense tensors as numbers, piece by piece, so that large ones need little memory.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "tesela/tesela.h"

namespace tesela::cli {

int64_t element_count(const tesela_tensor& tensor);

/// "float[1,3,8,8]".
std::string type_and_shape(const tesela_tensor& tensor);

bool is_complex(tesela_dtype dtype);
/// Real or complex numbers that round.
bool is_floating(tesela_dtype dtype);

/// The elements of a tensor of this very type: no copy, no rounding.
template <class Element>
std::span<const Element> elements_of(const tesela_tensor& tensor) {
  return {static_cast<const Element*>(tensor.data), static_cast<size_t>(element_count(tensor))};
}

/// Calls use(first, numbers) for one piece after the other, beginning at element `first`. Complex elements
/// are two numbers. Every type but string.
void visit_numbers(const tesela_tensor& dense, const std::function<void(int64_t, std::span<const double>)>& use);

/// `count` elements from `first` on, as a view of one axis; extent is where the view keeps its length.
/// first: a multiple of 64, so that packed elements begin with a byte.
tesela_tensor piece_of(const tesela_tensor& dense, int64_t first, int64_t count, int64_t* extent);

/// The shortest text that reads back as this number of this type; of integers those that a double holds.
std::string number_text(tesela_dtype dtype, double number);
std::string string_text(const tesela_string& element);

}  // namespace tesela::cli
