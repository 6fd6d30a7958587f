// SPDX-License-Identifier: Apache-2.0
// An operator's parameters without versions and names: enums and numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "schema/extent_rule.h"
#include "schema/modes.h"
#include "types/shape.h"

namespace tesela {

/// One axis to resize. The scale is the exact num / den if sizes were given, else the double.
struct AxisRequest {
  size_t axis = 0;
  int64_t in = 0;
  int64_t out = 0;
  bool exact = false;
  int64_t scale_num = 1;
  int64_t scale_den = 1;
  double scale = 1;
  double roi_start = 0;  // of the input, for kTfCropAndResize
  double roi_end = 1;
  bool length_is_out = false;  // the coordinate formulas use `out` as the length, not in * scale
  bool rounds_scale = false;   // arithmetics that round in / out round 1 / scale instead
};

using AxisRequests = SmallVector<AxisRequest, 6>;

/// How positions are computed.
enum class PositionArithmetic : uint8_t {
  kContract,
  kFloat32,       // in float, from the rounded in / out
  kFloat64,       // in double, from the rounded in / out
  kReciprocal64,  // in double, from the rounded 1 / (out / in)
  kRounded64,     // as kFloat64, then rounded to float
  kOnnxRuntime,   // every operation in float, from the scale; see plan/onnxruntime_rules.h
};

/// The unit that weights are rounded to multiples of, halves away from zero.
enum class WeightGrid : uint8_t {
  kFree,
  kFixed8,   // 2^-8
  kFixed22,  // 2^-22
  kInt16,    // the finest unit, 2^-22 or coarser, with which the axis's largest weight fits 16 bits
};

/// kShrinkingFirst is the contract's order.
enum class PassOrder : uint8_t { kShrinkingFirst, kFirstAxisFirst, kLastAxisFirst };

/// Whose rules a plan follows, the plan field `rules`. Those of other libraries but kOnnxRuntimePositions are emulations,
/// see plan/emulation/.
enum class Rules : uint8_t {
  kStandard,
  kOnnxRuntimePositions,  // with Tesela's sums; see plan/onnxruntime_rules.h
  kOnnxRuntime,
  kOnnxReference,
  kOpenvino,
  kPytorch,
};

/// Departures from the contract that give presets the results of other libraries; see plan/fields.h.
struct PlanFields {
  PositionArithmetic arithmetic = PositionArithmetic::kContract;
  WeightGrid grid = WeightGrid::kFree;
  bool rounds_passes = false;
  PassOrder order = PassOrder::kShrinkingFirst;
  Rules rules = Rules::kStandard;
  std::vector<double> position_scales;         // one per listed axis, or none
  ExtentRule extents = ExtentRule::kStandard;  // also in the description, where inference reads it

  /// Whether a field that affects how elements are computed is set.
  bool any_arithmetic() const {
    return arithmetic != PositionArithmetic::kContract || grid != WeightGrid::kFree || rounds_passes ||
           order != PassOrder::kShrinkingFirst || !position_scales.empty();
  }
  bool any() const { return any_arithmetic() || rules != Rules::kStandard || extents != ExtentRule::kStandard; }
};

/// How every resized axis is sampled.
struct SamplingParams {
  Filter filter = Filter::kNearest;
  CoordinateMode coordinates = CoordinateMode::kHalfPixel;
  NearestMode nearest = NearestMode::kRoundPreferFloor;
  double cubic_a = -0.75;
  bool antialias = false;
  bool exclude_outside = false;
  float extrapolation_value = 0;
  PositionArithmetic arithmetic = PositionArithmetic::kContract;
  WeightGrid grid = WeightGrid::kFree;

  friend bool operator==(const SamplingParams&, const SamplingParams&) = default;
};

struct ResizeParams {
  DataType type = DataType::kUndefined;
  Extents in;
  SamplingParams sampling;
  AxisRequests axes;           // those that the caller lists, including identities
  bool rounds_passes = false;  // each pass rounds to the element type
  PassOrder order = PassOrder::kShrinkingFirst;
};

struct TileParams {
  DataType type = DataType::kUndefined;
  Extents in;
  Extents out;  // multiples of the input's
};

struct FillParams {
  DataType type = DataType::kUndefined;
  Extents out;
  std::array<std::byte, 16> value = {};  // one element; packed types in the low bits of the first byte
};

}  // namespace tesela
