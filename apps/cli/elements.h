// SPDX-License-Identifier: Apache-2.0
// The elements of dense tensors as numbers, in pieces, so that large tensors need little memory.
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
/// Real or complex floating-point types.
bool is_floating(tesela_dtype dtype);

/// The elements of a tensor of exactly this type, without copies or rounding.
template <class Element>
std::span<const Element> elements_of(const tesela_tensor& tensor) {
  return {static_cast<const Element*>(tensor.data), static_cast<size_t>(element_count(tensor))};
}

/// Calls use(first, numbers) for each piece; `first` is the index of its first element. A complex element is two
/// numbers. For every type except string.
void visit_numbers(const tesela_tensor& dense, const std::function<void(int64_t, std::span<const double>)>& use);

/// A one-dimensional view of `count` elements from `first` on; `extent` stores the view's extent. first: a multiple of
/// 64, so that packed elements begin at a whole byte.
tesela_tensor piece_of(const tesela_tensor& dense, int64_t first, int64_t count, int64_t* extent);

/// The shortest text that reads back as this number of this type; for integers, of those that a double can hold.
std::string number_text(tesela_dtype dtype, double number);
std::string string_text(const tesela_string& element);

}  // namespace tesela::cli
