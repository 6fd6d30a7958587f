// SPDX-License-Identifier: Apache-2.0
// Checked sizes of tensors.
#include "types/shape.h"

#include <algorithm>

namespace tesela {

Result<int64_t> element_count(std::span<const int64_t> extents) {
  int64_t count = 1;
  bool overflows = false;
  bool any_zero = false;
  bool any_negative = false;
  for (const int64_t extent : extents) {
    overflows |= __builtin_mul_overflow(count, extent, &count);
    any_zero |= extent == 0;
    any_negative |= extent < 0;
  }
  for (size_t d = 0; any_negative && d < extents.size(); ++d)
    if (extents[d] < 0) return shape_error("axis {} has extent {}; expected at least 0", d, extents[d]);
  if (any_zero) return int64_t{0};
  if (overflows) return shape_error("a tensor of shape {} has more than 2^63 - 1 elements", shape_text(extents));
  return count;
}

Result<int64_t> byte_count(DataType type, std::span<const int64_t> extents) {
  TESELA_ASSIGN_OR_RETURN(const int64_t count, element_count(extents));
  const int64_t bits = element_bits(type);
  if (bits < 8) {
    const int64_t per_byte = 8 / bits;
    return count / per_byte + (count % per_byte != 0);
  }
  const auto bytes = checked_mul(count, bits / 8);
  if (!bytes)
    return shape_error("a {} tensor of shape {} has more than 2^63 - 1 bytes", name(type), shape_text(extents));
  return *bytes;
}

namespace {

// Shortens long lists, since the texts go into one-line messages.
std::string joined(std::span<const int64_t> values, std::string_view separator) {
  constexpr size_t kShown = 12;
  std::string out;
  for (size_t i = 0; i < std::min(values.size(), kShown); ++i) {
    if (i > 0) out += separator;
    out += std::to_string(values[i]);
  }
  if (values.size() > kShown) out += fmt::format("{}... ({} in all)", separator, values.size());
  return out;
}

}  // namespace

std::string shape_text(std::span<const int64_t> extents) {
  return extents.empty() ? "scalar" : joined(extents, "x");
}

std::string list_text(std::span<const int64_t> values) {
  return fmt::format("[{}]", joined(values, ", "));
}

}  // namespace tesela
