// SPDX-License-Identifier: Apache-2.0
// Single elements as numbers, for every numeric type.
#include "types/elements.h"

#include <algorithm>
#include <cstring>

namespace tesela {
namespace {

// Rounds to integers of 2 and 4 bits, half to even and saturated.
uint8_t round_to_packed(DataType type, double value) {
  const DataTypeTraits& t = traits(type);
  const bool is_signed = t.kind == DataKind::kSigned;
  const int top = 1 << (is_signed ? t.bits - 1 : t.bits);
  const int rounded = round_to_integer<int32_t>(value);
  const int clamped = std::clamp(rounded, is_signed ? -top : 0, top - 1);
  return static_cast<uint8_t>(clamped & ((1 << t.bits) - 1));
}

double packed_to_double(DataType type, uint8_t code) {
  const DataTypeTraits& t = traits(type);
  const int value = code & ((1 << t.bits) - 1);
  const bool negative = t.kind == DataKind::kSigned && (value >> (t.bits - 1)) != 0;
  return negative ? value - (1 << t.bits) : value;
}

}  // namespace

bool element_from_double(DataType type, double value, std::byte* element) {
  std::memset(element, 0, 16);
  if (traits(type).compute != ComputeType::kNone) {
    visit_computed(type, [&](auto stored) {
      using T = typename decltype(stored)::Type;
      const T rounded = store_as<T>(value);
      std::memcpy(element, &rounded, sizeof rounded);
    });
    return true;
  }
  if (const auto format = find_float_format(type))
    element[0] = static_cast<std::byte>(encode(*format, value));
  else if (type == DataType::kFloat8e8m0)
    element[0] = std::byte{encode_e8m0(value)};
  else if (is_packed(type))
    element[0] = std::byte{round_to_packed(type, value)};
  else
    return false;
  return true;
}

void element_to_doubles(DataType type, const std::byte* element, double* values) {
  const auto code = static_cast<uint8_t>(element[0]);
  if (traits(type).compute != ComputeType::kNone) {
    visit_computed(type, [&](auto stored) {
      using T = typename decltype(stored)::Type;
      for (int part = 0; part < parts_of(type); ++part) {
        T value;
        std::memcpy(&value, element + static_cast<size_t>(part) * sizeof(T), sizeof value);
        values[part] = load_as<double>(value);
      }
    });
  } else if (const auto format = find_float_format(type)) {
    values[0] = decode(*format, code);
  } else if (type == DataType::kFloat8e8m0) {
    values[0] = decode_e8m0(code);
  } else if (is_packed(type)) {
    values[0] = packed_to_double(type, code);
  } else {
    values[0] = std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace tesela
