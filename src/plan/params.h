// What an operator asks for, without versions and names: enums and numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "types/shape.h"

namespace tesela {

enum class Filter : uint8_t { kNearest, kLinear, kCubic };

enum class CoordinateMode : uint8_t {
  kHalfPixel,
  kPytorchHalfPixel,
  kAlignCorners,
  kAsymmetric,
  kTfHalfPixelForNn,
  kTfCropAndResize,
  kHalfPixelSymmetric,
};

enum class NearestMode : uint8_t {
  kRoundPreferFloor,
  kRoundPreferCeil,
  kFloor,
  kCeil,
  kSimple,  // Resize-10 and Upsample: up when the axis shrinks, down otherwise
};

/// One axis that is to be resized. The scale is the exact num / den where sizes were given, else the double.
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
};

struct ResizeParams {
  DataType type = DataType::kUndefined;
  Extents in;
  SamplingParams sampling;
  std::vector<AxisRequest> axes;  // those that the caller lists, identities among them
};

struct TileParams {
  DataType type = DataType::kUndefined;
  Extents in;
  Extents repeats;  // one an axis
};

struct FillParams {
  DataType type = DataType::kUndefined;
  Extents out;
  std::array<std::byte, 16> value = {};  // one element; packed types in the low bits of the first byte
};

}  // namespace tesela
