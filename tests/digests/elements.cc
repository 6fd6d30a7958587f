// SPDX-License-Identifier: Apache-2.0
// Elements of every type, by their bits.
#include <cstring>

#include "digests/case.h"
#include "tesela/tesela.h"
#include "types/float_formats.h"

namespace tesela::digests {
namespace {

enum class Kind : uint8_t { kOrdinary, kWide, kSpecials, kRaw };

struct Format {
  int exponent_bits;
  int mantissa_bits;
};

// The format of one part of a type with 16 bits or more.
Format format_of(DataType type) {
  switch (type) {
    case DataType::kFloat16: return {5, 10};
    case DataType::kBfloat16: return {8, 7};
    case DataType::kFloat:
    case DataType::kComplex64: return {8, 23};
    default: return {11, 52};
  }
}

uint64_t special_bits(const Format& format, uint64_t mantissa, Random& random) {
  const uint64_t all = (uint64_t{1} << format.exponent_bits) - 1;
  const uint64_t one = uint64_t{1} << format.mantissa_bits;
  switch (random.pick(0, 5)) {
    case 0: return all << format.mantissa_bits;                    // infinity
    case 1: return all << format.mantissa_bits | mantissa;         // NaN, quiet or signalling
    case 2: return 0;                                              // zero
    case 3: return mantissa;                                       // denormal
    case 4: return (all - 1) << format.mantissa_bits | (one - 1);  // the largest number
    default: return one;                                           // the smallest normal number
  }
}

uint64_t float_bits(const Format& format, Kind kind, Random& random) {
  const int width = 1 + format.exponent_bits + format.mantissa_bits;
  const uint64_t raw = random.bits();
  if (kind == Kind::kRaw) return raw;
  const uint64_t sign = (raw >> 63) << (width - 1);
  const uint64_t mantissa = raw & ((uint64_t{1} << format.mantissa_bits) - 1);
  if (kind == Kind::kSpecials && random.one_in(6)) return sign | special_bits(format, mantissa, random);
  const auto bias = (int64_t{1} << (format.exponent_bits - 1)) - 1;
  const int64_t spread = kind == Kind::kWide ? bias - 1 : 4;
  return sign | static_cast<uint64_t>(bias + random.pick(-spread, spread)) << format.mantissa_bits | mantissa;
}

uint64_t integer_bits(int bits, Kind kind, Random& random) {
  const uint64_t raw = random.bits();
  if (kind == Kind::kOrdinary) return raw % 100;
  if (kind != Kind::kSpecials || !random.one_in(4)) return raw;
  const uint64_t top = uint64_t{1} << (bits - 1);
  return random.any<uint64_t>({0, 1, top - 1, top, top + 1, ~uint64_t{0}, uint64_t{1} << 53, (uint64_t{1} << 53) + 1});
}

tesela_string random_string(Random& random) {
  static constexpr char kText[] = "tesela: \xc3\xa1rea de 40 caracteres, m\xc3\xa1s o menos";
  const auto begin = static_cast<uint64_t>(random.pick(0, 20));
  return {kText + begin, static_cast<uint64_t>(random.pick(0, 20))};
}

}  // namespace

std::vector<std::byte> make_elements(DataType type, int64_t count, Random& random) {
  const DataTypeTraits& row = traits(type);
  const size_t bytes = row.bits < 8 ? 1 : static_cast<size_t>(row.bits) / 8;
  std::vector<std::byte> elements(static_cast<size_t>(count) * bytes);
  const Kind kind = random.any({Kind::kOrdinary, Kind::kOrdinary, Kind::kWide, Kind::kSpecials, Kind::kRaw});
  const bool floats =
      row.compute != ComputeType::kNone && (row.kind == DataKind::kFloating || row.kind == DataKind::kComplex);
  const size_t part = row.kind == DataKind::kComplex ? bytes / 2 : bytes;
  for (size_t at = 0; at < elements.size();) {
    if (row.kind == DataKind::kText) {
      const tesela_string text = random_string(random);
      std::memcpy(elements.data() + at, &text, sizeof(text));
      at += bytes;
      continue;
    }
    uint64_t bits =
        floats ? float_bits(format_of(type), kind, random) : integer_bits(static_cast<int>(bytes) * 8, kind, random);
    if (row.kind == DataKind::kBoolean && kind != Kind::kRaw) bits &= 1;
    if (row.bits < 8) bits &= (uint64_t{1} << row.bits) - 1;
    std::memcpy(elements.data() + at, &bits, part);  // little-endian
    at += part;
  }
  return elements;
}

template <class T>
Values values_of(DataType type, const std::vector<T>& list) {
  Values values = {type, {static_cast<int64_t>(list.size())}, std::vector<std::byte>(list.size() * sizeof(T))};
  if (!list.empty()) std::memcpy(values.bytes.data(), list.data(), values.bytes.size());
  return values;
}

template Values values_of(DataType, const std::vector<int64_t>&);
template Values values_of(DataType, const std::vector<int32_t>&);
template Values values_of(DataType, const std::vector<float>&);
template Values values_of(DataType, const std::vector<double>&);
template Values values_of(DataType, const std::vector<uint16_t>&);

}  // namespace tesela::digests
