// SPDX-License-Identifier: Apache-2.0
// Nearest inputs for a range of outputs, without a division per output.
#include "backend/cpu/move/layout/nearest_index.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace tesela::cpu::moves {
namespace {

using Positions = exact::ShortLine;

std::optional<Positions> rational_positions(const AxisMap& map) {
  constexpr Int128 most = Int128{1} << 58;
  if (map.den > most || map.step > most || exact::absolute(map.num0) > most) return std::nullopt;
  if (exact::absolute(exact::numerator(map.num0, map.step, map.out)) > most) return std::nullopt;
  return Positions{static_cast<int64_t>(map.num0), static_cast<int64_t>(map.step), static_cast<int64_t>(map.den)};
}

// Positions in doubles round to the same inputs as exact ones if these numbers are small: with scale P / Q exactly, a
// position before its last subtraction is t = k / 2P. Rounding changes at multiples of a half, which division returns
// exactly; any other t is at least 1 / 2P away, and its rounding error is less if t * 2P < 2^51.
constexpr double kMaxExact = 0x1p50;

bool is_small_integer(double x) {
  return x >= 1 && x < kMaxExact && x == std::floor(x);
}

std::optional<Positions> corner_positions(const AxisMap& map) {
  const double span = map.length - 1;
  if (!is_small_integer(span) || static_cast<double>(map.out) * static_cast<double>(map.in) >= kMaxExact)
    return std::nullopt;
  return Positions{0, map.in - 1, static_cast<int64_t>(span)};
}

// The positions for scale num / den.
std::optional<Positions> scaled_positions(CoordinateMode coordinates, int64_t num, int64_t den) {
  switch (coordinates) {
    case CoordinateMode::kPytorchHalfPixel:
    case CoordinateMode::kHalfPixel: return Positions{den - num, 2 * den, 2 * num};
    case CoordinateMode::kAsymmetric: return Positions{0, den, num};
    case CoordinateMode::kTfHalfPixelForNn: return Positions{den, 2 * den, 2 * num};
    default: return std::nullopt;
  }
}

std::optional<Positions> real_positions(const AxisMap& map) {
  const CoordinateMode coordinates = map.sampling.coordinates;
  if (coordinates == CoordinateMode::kAlignCorners) return corner_positions(map);
  if (coordinates == CoordinateMode::kPytorchHalfPixel && map.out <= 1) return std::nullopt;
  double num = map.scale;
  double den = 1;
  for (; num != std::floor(num) && den < 0x1p40; den *= 2) num *= 2;
  if (!is_small_integer(num) || (2 * static_cast<double>(map.out) + 1) * den >= kMaxExact) return std::nullopt;
  return scaled_positions(coordinates, static_cast<int64_t>(num), static_cast<int64_t>(den));
}

std::optional<Positions> find_positions(const AxisMap& map) {
  switch (map.positions) {
    case AxisMap::Positions::kIdentity: break;
    case AxisMap::Positions::kRational: return rational_positions(map);
    case AxisMap::Positions::kReal:
      if (map.crops() || map.sampling.arithmetic != PositionArithmetic::kContract) return std::nullopt;
      return real_positions(map);
  }
  return std::nullopt;
}

}  // namespace

void find_indices(const AxisMap& map, IndexRange range, int64_t* index) {
  const auto positions = find_positions(map);
  if (!positions) {
    for (int64_t i = 0; i < range.n; ++i)
      index[i] = is_extrapolated(map, range.lo + i) ? kOutside : nearest_index(map, range.lo + i);
    return;
  }
  const Positions x = exact::floor_line(*positions, map.sampling.nearest, simple_rounds_up(map));
  exact::Division at = exact::divide(exact::numerator(x.num0, x.step, range.lo), x.den);
  const exact::Division step = exact::divide(x.step, x.den);
  const int64_t last = map.in - 1;
  for (int64_t i = 0; i < range.n; ++i) {
    index[i] = std::clamp<int64_t>(at.whole, 0, last);
    at = exact::add_divisions(at, step, x.den);
  }
}

}  // namespace tesela::cpu::moves
