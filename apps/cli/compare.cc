// SPDX-License-Identifier: Apache-2.0
// Compares element by element; reports the first and the largest mismatch.
#include "compare.h"

#include <cmath>
#include <functional>
#include <vector>

#include "elements.h"
#include "failure.h"

namespace tesela::cli {
namespace {

struct Mismatches {
  int64_t count = 0;
  int64_t first = 0;  // index of an element
  std::string got, expected;
  double largest = 0;

  void add(int64_t element, double difference, const std::function<void()>& describe_first) {
    if (count++ == 0) {
      first = element;
      describe_first();
    }
    largest = std::fmax(largest, difference);
  }
};

bool close(double got, double expected, const Tolerance& tolerance) {
  if (std::isnan(got) || std::isnan(expected)) return std::isnan(got) && std::isnan(expected);
  // With an infinity, any tolerance would be infinite.
  if (std::isinf(got) || std::isinf(expected)) return got == expected;
  return std::fabs(got - expected) <= tolerance.absolute + tolerance.relative * std::fabs(expected);
}

std::string element_text(tesela_dtype dtype, const double* numbers) {
  if (!is_complex(dtype)) return number_text(dtype, numbers[0]);
  const std::string imaginary = number_text(dtype, numbers[1]);
  return number_text(dtype, numbers[0]) + (imaginary.starts_with('-') ? "" : "+") + imaginary + "j";
}

// Reads pieces of both tensors at the same elements.
void compare_numbers(const tesela_tensor& got, const tesela_tensor& expected, const Tolerance& tolerance,
                     Mismatches& found) {
  const Tolerance allowed = is_floating(got.dtype) ? tolerance : Tolerance{0, 0};
  const size_t step = is_complex(got.dtype) ? 2 : 1;
  std::vector<double> wanted;
  visit_numbers(got, [&](int64_t first, std::span<const double> numbers) {
    wanted.resize(numbers.size());
    int64_t extent = 0;
    const tesela_tensor piece = piece_of(expected, first, static_cast<int64_t>(numbers.size() / step), &extent);
    call(tesela_tensor_to_doubles, &piece, wanted.data());
    for (size_t i = 0; i < numbers.size(); ++i) {
      if (close(numbers[i], wanted[i], allowed)) continue;
      const size_t element = i / step * step;
      found.add(first + static_cast<int64_t>(i / step), std::fabs(numbers[i] - wanted[i]), [&] {
        found.got = element_text(got.dtype, &numbers[element]);
        found.expected = element_text(got.dtype, &wanted[element]);
      });
    }
  });
}

// For elements that are not numbers, or that doubles would round.
template <class Element, class Difference, class Text>
void compare_exactly(const tesela_tensor& got, const tesela_tensor& expected, const Difference& difference,
                     const Text& text, Mismatches& found) {
  const auto a = elements_of<Element>(got);
  const auto b = elements_of<Element>(expected);
  for (size_t i = 0; i < a.size(); ++i) {
    const double distance = difference(a[i], b[i]);
    if (distance == 0) continue;
    found.add(static_cast<int64_t>(i), distance, [&] {
      found.got = text(a[i]);
      found.expected = text(b[i]);
    });
  }
}

template <class Integer>
void compare_integers(const tesela_tensor& got, const tesela_tensor& expected, Mismatches& found) {
  const auto distance = [](Integer a, Integer b) {
    const uint64_t high = static_cast<uint64_t>(a > b ? a : b);
    return static_cast<double>(high - static_cast<uint64_t>(a > b ? b : a));
  };
  compare_exactly<Integer>(
      got, expected, distance, [](Integer n) { return std::to_string(n); }, found);
}

void compare_strings(const tesela_tensor& got, const tesela_tensor& expected, Mismatches& found) {
  const auto bytes = [](const tesela_string& s) { return std::string_view(s.length ? s.ptr : "", s.length); };
  const auto differs = [&](const tesela_string& a, const tesela_string& b) { return bytes(a) == bytes(b) ? 0.0 : 1.0; };
  compare_exactly<tesela_string>(got, expected, differs, string_text, found);
}

std::string position(const tesela_tensor& tensor, int64_t element) {
  std::string text;
  for (int32_t axis = tensor.rank; axis-- > 0;) {
    text = std::to_string(element % tensor.extents[axis]) + (text.empty() ? "" : ",") + text;
    element /= tensor.extents[axis];
  }
  return "[" + text + "]";
}

}  // namespace

std::optional<std::string> find_mismatch(const tesela_tensor& got, const tesela_tensor& expected,
                                         const Tolerance& tolerance) {
  if (type_and_shape(got) != type_and_shape(expected))
    return "is " + type_and_shape(got) + ", expected " + type_and_shape(expected);
  Mismatches found;
  if (got.dtype == TESELA_STRING) {
    compare_strings(got, expected, found);
  } else if (got.dtype == TESELA_INT64) {
    compare_integers<int64_t>(got, expected, found);
  } else if (got.dtype == TESELA_UINT64) {
    compare_integers<uint64_t>(got, expected, found);
  } else {
    compare_numbers(got, expected, tolerance, found);
  }
  if (found.count == 0) return std::nullopt;
  std::string text = position(got, found.first) + " is " + found.got + ", expected " + found.expected;
  if (got.dtype != TESELA_STRING) text += "; the largest difference is " + number_text(TESELA_DOUBLE, found.largest);
  return text + "; mismatches: " + std::to_string(found.count);
}

}  // namespace tesela::cli
