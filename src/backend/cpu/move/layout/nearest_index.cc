// Nearest inputs for a range of outputs, without a division per output.
#include "backend/cpu/move/layout/nearest_index.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace tesela::cpu::moves {
namespace {

// Position (num0 + i * step) / den; all its numbers are below 2^60 for all outputs of the axis.
struct Positions {
  int64_t num0 = 0;
  int64_t step = 0;
  int64_t den = 1;
};

std::optional<Positions> rational_positions(const AxisMap& map) {
  constexpr Int128 most = Int128{1} << 58;
  if (map.den > most || map.step > most || absolute(map.num0) > most) return std::nullopt;
  if (absolute(map.num0 + map.step * map.out) > most) return std::nullopt;
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

// Adjusts positions so that the floor of (num0 + i * step) / den is the nearest mode's index.
Positions rounded(const AxisMap& map, Positions x) {
  const auto rounds_to = [&x](int64_t num, int64_t den) { return Positions{2 * x.num0 + num, 2 * x.step, den}; };
  switch (map.sampling.nearest) {
    case NearestMode::kRoundPreferFloor: return rounds_to(x.den - 1, 2 * x.den);
    case NearestMode::kRoundPreferCeil: return rounds_to(x.den, 2 * x.den);
    case NearestMode::kCeil: break;
    case NearestMode::kFloor: return x;
    case NearestMode::kSimple:
      if (!simple_rounds_up(map)) return x;
      break;
  }
  return {x.num0 + x.den - 1, x.step, x.den};
}

}  // namespace

void find_indices(const AxisMap& map, IndexRange range, int64_t* index) {
  const auto exact = find_positions(map);
  if (!exact) {
    for (int64_t i = 0; i < range.n; ++i)
      index[i] = is_extrapolated(map, range.lo + i) ? kOutside : nearest_index(map, range.lo + i);
    return;
  }
  const Positions x = rounded(map, *exact);
  const int64_t first = x.num0 + range.lo * x.step;
  int64_t whole = first / x.den;
  int64_t rest = first % x.den;
  if (rest < 0) {
    rest += x.den;
    --whole;
  }
  const int64_t step_whole = x.step / x.den;
  const int64_t step_rest = x.step % x.den;
  const int64_t last = map.in - 1;
  for (int64_t i = 0; i < range.n; ++i) {
    index[i] = std::clamp<int64_t>(whole, 0, last);
    // Without a branch, which would be unpredictable: all ones if there is no carry.
    const int64_t beyond = rest + step_rest - x.den;
    const int64_t stays = beyond >> 63;
    rest = beyond + (x.den & stays);
    whole += step_whole + 1 + stays;
  }
}

}  // namespace tesela::cpu::moves
