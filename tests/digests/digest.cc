// SPDX-License-Identifier: Apache-2.0
#include "digests/digest.h"

#include <cstring>

namespace tesela::digests {
namespace {

// Replaces NaNs: parts of which all bits of the exponent are set, and some below.
template <class Bits>
void unite_nans(std::vector<std::byte>& bytes, Bits infinity, Bits nan) {
  for (size_t at = 0; at < bytes.size(); at += sizeof(Bits)) {
    Bits bits;
    std::memcpy(&bits, &bytes[at], sizeof(bits));
    constexpr Bits kSign = static_cast<Bits>(Bits{1} << (sizeof(Bits) * 8 - 1));
    if (static_cast<Bits>(bits & ~kSign) > infinity) std::memcpy(&bytes[at], &nan, sizeof(nan));
  }
}

void unite_nans(DataType type, std::vector<std::byte>& bytes) {
  switch (type) {
    case DataType::kFloat16: return unite_nans<uint16_t>(bytes, 0x7c00, 0x7e00);
    case DataType::kBfloat16: return unite_nans<uint16_t>(bytes, 0x7f80, 0x7fc0);
    case DataType::kFloat:
    case DataType::kComplex64: return unite_nans<uint32_t>(bytes, 0x7f800000, 0x7fc00000);
    case DataType::kDouble:
    case DataType::kComplex128: return unite_nans<uint64_t>(bytes, 0x7ff0000000000000, 0x7ff8000000000000);
    default: return;
  }
}

void add_strings(Digest& digest, const std::vector<std::byte>& bytes) {
  for (size_t at = 0; at < bytes.size(); at += sizeof(tesela_string)) {
    tesela_string text;
    std::memcpy(&text, &bytes[at], sizeof(text));
    digest.add(text.length);
    digest.add({reinterpret_cast<const std::byte*>(text.ptr), static_cast<size_t>(text.length)});
  }
}

}  // namespace

uint64_t digest_of(const Case& drawn, const Outcome& outcome) {
  Digest digest;
  digest.add(static_cast<uint64_t>(outcome.status));
  digest.add(static_cast<uint64_t>(drawn.dtype));
  if (outcome.status != TESELA_OK) return digest.value();
  digest.add(outcome.extents.size());
  for (const int64_t extent : outcome.extents) digest.add(static_cast<uint64_t>(extent));
  std::vector<std::byte> bytes = outcome.bytes;
  if (outcome.computed) unite_nans(drawn.dtype, bytes);
  if (drawn.dtype == DataType::kString)
    add_strings(digest, bytes);
  else
    digest.add(bytes);
  return digest.value();
}

}  // namespace tesela::digests
