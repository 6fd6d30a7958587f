// SPDX-License-Identifier: Apache-2.0
// Parses elements and checks the ranges of their types.
#include "element_value.h"

#include <cmath>
#include <limits>
#include <vector>

#include "elements.h"
#include "failure.h"
#include "numbers.h"

namespace tesela::cli {
namespace {

[[noreturn]] void refuse_range(std::string_view what, tesela_dtype dtype, std::string_view text, const std::string& low,
                               const std::string& high) {
  usage(std::string(what) + ": " + in_quotes(text) + " is outside the range of " + tesela_dtype_name(dtype) + ", [" +
        low + ", " + high + "]");
}

[[noreturn]] void refuse_text(std::string_view what, tesela_dtype dtype, std::string_view text) {
  usage(std::string(what) + ": " + in_quotes(text) + " is not a valid " + tesela_dtype_name(dtype));
}

// A double cannot hold every 64-bit integer, so those are stored directly; narrower ones fit.
void store_integer(const tesela_tensor& element, int64_t number) {
  if (element.dtype == TESELA_INT64) {
    *static_cast<int64_t*>(element.data) = number;
    return;
  }
  const double value = static_cast<double>(number);
  call(tesela_tensor_from_doubles, &value, size_t{1}, &element);
}

void parse_signed(std::string_view what, const tesela_tensor& element, std::string_view text) {
  const int64_t high = static_cast<int64_t>(UINT64_MAX >> (65 - tesela_dtype_bits(element.dtype)));
  const int64_t low = -high - 1;
  const auto number = integer_from<int64_t>(text);
  if (number && *number >= low && *number <= high) return store_integer(element, *number);
  if (!is_integer_text(text)) refuse_text(what, element.dtype, text);
  refuse_range(what, element.dtype, text, std::to_string(low), std::to_string(high));
}

void parse_unsigned(std::string_view what, const tesela_tensor& element, std::string_view text) {
  const uint64_t high = UINT64_MAX >> (64 - tesela_dtype_bits(element.dtype));
  const auto number = integer_from<uint64_t>(text);
  if (!number && !is_integer_text(text)) refuse_text(what, element.dtype, text);
  if (!number || *number > high) refuse_range(what, element.dtype, text, "0", std::to_string(high));
  if (element.dtype == TESELA_UINT64) {
    *static_cast<uint64_t*>(element.data) = *number;
  } else {
    store_integer(element, static_cast<int64_t>(*number));
  }
}

struct FiniteRange {
  double low;
  double high;
};

// For types of up to 16 bits, the range of the values of all their codes.
FiniteRange finite_range(tesela_dtype dtype) {
  const int32_t bits = tesela_dtype_bits(dtype);
  if (bits == 64) return {-std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};
  if (bits == 32) return {-std::numeric_limits<float>::max(), std::numeric_limits<float>::max()};
  std::vector<uint16_t> codes(size_t{1} << 16);
  for (size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<uint16_t>(i);
  const int64_t count = int64_t{1 << 20} / bits;
  const tesela_tensor all{codes.data(), dtype, 1, &count, nullptr, 0};
  FiniteRange range{INFINITY, -INFINITY};
  visit_numbers(all, [&](int64_t, std::span<const double> numbers) {
    for (const double number : numbers) {
      if (!std::isfinite(number)) continue;
      range = {std::fmin(range.low, number), std::fmax(range.high, number)};
    }
  });
  return range;
}

void parse_floating(std::string_view what, const tesela_tensor& element, std::string_view text) {
  // A float is parsed directly: through a double it would be rounded twice.
  if (element.dtype == TESELA_FLOAT) {
    const auto number = float_from<float>(text);
    if (number) {
      *static_cast<float*>(element.data) = *number;
      return;
    }
  }
  const auto number = float_from<double>(text);
  if (!number) refuse_text(what, element.dtype, text);
  const FiniteRange range = finite_range(element.dtype);
  const bool outside = std::isfinite(*number) && (*number < range.low || *number > range.high);
  double stored = 0;
  call(tesela_tensor_from_doubles, &*number, size_t{1}, &element);
  call(tesela_tensor_to_doubles, &element, &stored);
  // Some types have no infinity or no NaN and store another number instead.
  const bool same_kind = std::isnan(*number) ? std::isnan(stored) : std::isfinite(*number) || stored == *number;
  if (outside || !same_kind)
    refuse_range(what, element.dtype, text, number_text(element.dtype, range.low),
                 number_text(element.dtype, range.high));
}

}  // namespace

Value parse_element(std::string_view what, tesela_dtype dtype, std::string_view text) {
  const std::string_view type = tesela_dtype_name(dtype);
  if (dtype == TESELA_STRING || is_complex(dtype))
    fail(TESELA_ERROR_TYPE, std::string(what) + ": a value of type " + std::string(type) +
                                " cannot be given; ConstantOfShape has none in any version");
  Value value(dtype, {1});
  const tesela_tensor element = value.c();
  if (dtype == TESELA_BOOL) {
    *static_cast<uint8_t*>(element.data) = parse_flag(what, text) ? 1 : 0;
  } else if (type.starts_with("int")) {
    parse_signed(what, element, text);
  } else if (type.starts_with("uint")) {
    parse_unsigned(what, element, text);
  } else {
    parse_floating(what, element, text);
  }
  return value;
}

}  // namespace tesela::cli
