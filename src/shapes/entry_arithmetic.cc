// SPDX-License-Identifier: Apache-2.0
// Arithmetic as in ONNX, where all runtimes agree.
#include "shapes/entry_arithmetic.h"

#include <cmath>

namespace tesela {
namespace {

bool is_real(DataType type) {
  return type == DataType::kFloat || type == DataType::kDouble;
}

Entry real_entry(DataType type, double value) {
  // One operation on two floats in double, rounded to float, equals the operation in float.
  return {true, 0, type == DataType::kFloat ? static_cast<double>(static_cast<float>(value)) : value};
}

Entry integer_entry(DataType type, int64_t value) {
  if (type == DataType::kInt32 && (value < INT32_MIN || value > INT32_MAX)) return {};
  return {true, value};
}

Entry checked(DataType type, std::optional<int64_t> value) {
  return value ? integer_entry(type, *value) : Entry();
}

Entry bool_entry(bool value) {
  return {true, value ? 1 : 0};
}

bool is_integer(const Entry& entry, int64_t value) {
  return entry.known && entry.integer == value;
}

double number(DataType type, const Entry& entry) {
  return is_real(type) ? entry.real : static_cast<double>(entry.integer);
}

int compared(DataType type, const Entry& a, const Entry& b) {
  if (is_real(type)) return a.real < b.real ? -1 : a.real > b.real ? 1 : 0;
  return a.integer < b.integer ? -1 : a.integer > b.integer ? 1 : 0;
}

// Symbols are extents, which are at least 0.
bool is_symbol_beside_negative(const Entry& a, const Entry& b) {
  return (!a.symbol.empty() && b.known && b.integer < 0) || (!b.symbol.empty() && a.known && a.integer < 0);
}

bool has_nan(DataType type, const Entry& a, const Entry& b) {
  return is_real(type) && (std::isnan(a.real) || std::isnan(b.real));
}

}  // namespace

Entry add_entries(DataType type, const Entry& a, const Entry& b) {
  if (is_real(type)) return a.known && b.known ? real_entry(type, a.real + b.real) : Entry();
  if (is_integer(b, 0)) return a;
  if (is_integer(a, 0)) return b;
  return a.known && b.known ? checked(type, checked_add(a.integer, b.integer)) : Entry();
}

Entry subtract_entries(DataType type, const Entry& a, const Entry& b) {
  if (is_real(type)) return a.known && b.known ? real_entry(type, a.real - b.real) : Entry();
  if (is_integer(b, 0)) return a;
  int64_t difference = 0;
  if (!a.known || !b.known || __builtin_sub_overflow(a.integer, b.integer, &difference)) return {};
  return integer_entry(type, difference);
}

Entry multiply_entries(DataType type, const Entry& a, const Entry& b) {
  if (is_real(type)) return a.known && b.known ? real_entry(type, a.real * b.real) : Entry();
  if (is_integer(b, 1) || is_integer(a, 0)) return a;
  if (is_integer(a, 1) || is_integer(b, 0)) return b;
  return a.known && b.known ? checked(type, checked_mul(a.integer, b.integer)) : Entry();
}

Entry divide_entries(DataType type, const Entry& a, const Entry& b) {
  if (is_real(type)) return a.known && b.known ? real_entry(type, a.real / b.real) : Entry();
  if (is_integer(b, 1)) return a;
  // For negative numbers some runtimes round down and some truncate.
  if (!a.known || !b.known || a.integer < 0 || b.integer <= 0) return {};
  return integer_entry(type, a.integer / b.integer);
}

Entry larger_entry(DataType type, const Entry& a, const Entry& b) {
  if (!a.known || !b.known || has_nan(type, a, b)) return {};
  return compared(type, a, b) < 0 ? b : a;
}

Entry smaller_entry(DataType type, const Entry& a, const Entry& b) {
  if (!a.known || !b.known || has_nan(type, a, b)) return {};
  return compared(type, a, b) > 0 ? b : a;
}

Entry equal_entries(DataType type, const Entry& a, const Entry& b) {
  if (!is_real(type) && is_symbol_beside_negative(a, b)) return bool_entry(false);
  if (!is_real(type) && !a.symbol.empty() && a.symbol == b.symbol) return bool_entry(true);
  if (!a.known || !b.known) return {};
  return bool_entry(!has_nan(type, a, b) && compared(type, a, b) == 0);
}

Entry greater_entries(DataType type, const Entry& a, const Entry& b) {
  return a.known && b.known ? bool_entry(!has_nan(type, a, b) && compared(type, a, b) > 0) : Entry();
}

Entry less_entries(DataType type, const Entry& a, const Entry& b) {
  return a.known && b.known ? bool_entry(!has_nan(type, a, b) && compared(type, a, b) < 0) : Entry();
}

Entry unknown_entry(DataType, const Entry&, const Entry&) {
  return {};
}

Entry floor_entry(DataType type, const Entry& a) {
  return a.known && is_real(type) ? real_entry(type, std::floor(a.real)) : Entry();
}

Entry ceil_entry(DataType type, const Entry& a) {
  return a.known && is_real(type) ? real_entry(type, std::ceil(a.real)) : Entry();
}

Entry round_entry(DataType type, const Entry& a) {
  return a.known && is_real(type) ? real_entry(type, std::nearbyint(a.real)) : Entry();
}

Entry negate_entry(DataType type, const Entry& a) {
  if (!a.known) return {};
  if (is_real(type)) return real_entry(type, -a.real);
  return a.integer == INT64_MIN ? Entry() : integer_entry(type, -a.integer);
}

Entry cast_entry(const Entry& a, DataType from, DataType to) {
  const bool keeps_symbols = !is_real(from) && !is_real(to) && to != DataType::kBool;
  if (!a.known) return keeps_symbols ? a : Entry();
  if (to == DataType::kBool) return bool_entry(number(from, a) != 0);
  if (is_real(to)) {
    // An int64 is converted to float with one rounding, not through double.
    if (to == DataType::kFloat && !is_real(from)) return {true, 0, static_cast<float>(a.integer)};
    return real_entry(to, number(from, a));
  }
  if (!is_real(from)) return integer_entry(to, a.integer);
  const double whole = std::trunc(a.real);
  if (!(whole >= -0x1p63 && whole < 0x1p63)) return {};
  return integer_entry(to, static_cast<int64_t>(whole));
}

}  // namespace tesela
