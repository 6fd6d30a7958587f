// SPDX-License-Identifier: Apache-2.0
// Modes and their names in operators. A schema row can only allow a name that is listed here with its meaning.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tesela {

template <class Enum>
struct Named {
  std::string_view name;
  Enum value;
};

/// All names of an enumeration's values, the usual name of a value first.
template <class Enum>
inline constexpr std::array<Named<Enum>, 0> kNames = {};

enum class Filter : uint8_t { kNearest, kLinear, kCubic };
template <>
inline constexpr auto kNames<Filter> = std::to_array<Named<Filter>>({
    {"nearest", Filter::kNearest},
    {"linear", Filter::kLinear},
    {"bilinear", Filter::kLinear},  // Upsample-1
    {"cubic", Filter::kCubic},
});

enum class CoordinateMode : uint8_t {
  kHalfPixel,
  kPytorchHalfPixel,
  kAlignCorners,
  kAsymmetric,
  kTfHalfPixelForNn,
  kTfCropAndResize,
  kHalfPixelSymmetric,
};
template <>
inline constexpr auto kNames<CoordinateMode> = std::to_array<Named<CoordinateMode>>({
    {"half_pixel", CoordinateMode::kHalfPixel},
    {"pytorch_half_pixel", CoordinateMode::kPytorchHalfPixel},
    {"align_corners", CoordinateMode::kAlignCorners},
    {"asymmetric", CoordinateMode::kAsymmetric},
    {"tf_half_pixel_for_nn", CoordinateMode::kTfHalfPixelForNn},
    {"tf_crop_and_resize", CoordinateMode::kTfCropAndResize},
    {"half_pixel_symmetric", CoordinateMode::kHalfPixelSymmetric},
});

enum class NearestMode : uint8_t {
  kRoundPreferFloor,
  kRoundPreferCeil,
  kFloor,
  kCeil,
  kSimple,  // Resize-10, Upsample, OpenVINO: up if the axis shrinks, else down
};
template <>
inline constexpr auto kNames<NearestMode> = std::to_array<Named<NearestMode>>({
    {"round_prefer_floor", NearestMode::kRoundPreferFloor},
    {"round_prefer_ceil", NearestMode::kRoundPreferCeil},
    {"floor", NearestMode::kFloor},
    {"ceil", NearestMode::kCeil},
    {"simple", NearestMode::kSimple},
});

enum class AspectPolicy : uint8_t { kStretch, kNotLarger, kNotSmaller };
template <>
inline constexpr auto kNames<AspectPolicy> = std::to_array<Named<AspectPolicy>>({
    {"stretch", AspectPolicy::kStretch},
    {"not_larger", AspectPolicy::kNotLarger},
    {"not_smaller", AspectPolicy::kNotSmaller},
});

/// The modes of OpenVINO's Interpolate. Its "linear" differs from ONNX's.
enum class InterpolateMode : uint8_t { kNearest, kLinear, kLinearOnnx, kCubic, kArea, kBilinearPillow, kBicubicPillow };
template <>
inline constexpr auto kNames<InterpolateMode> = std::to_array<Named<InterpolateMode>>({
    {"nearest", InterpolateMode::kNearest},
    {"linear", InterpolateMode::kLinear},
    {"linear_onnx", InterpolateMode::kLinearOnnx},
    {"cubic", InterpolateMode::kCubic},
    {"area", InterpolateMode::kArea},  // rejected by validation
    {"bilinear_pillow", InterpolateMode::kBilinearPillow},
    {"bicubic_pillow", InterpolateMode::kBicubicPillow},
});

/// Whether OpenVINO's Interpolate computes extents from sizes or scales.
enum class ShapeCalculation : uint8_t { kSizes, kScales };
template <>
inline constexpr auto kNames<ShapeCalculation> = std::to_array<Named<ShapeCalculation>>({
    {"sizes", ShapeCalculation::kSizes},
    {"scales", ShapeCalculation::kScales},
});

/// The value with this name; empty if it is not in the table.
template <class Enum>
constexpr std::optional<Enum> find_meaning(std::string_view name) {
  for (const Named<Enum>& row : kNames<Enum>)
    if (row.name == name) return row.value;
  return std::nullopt;
}

/// The usual name of a value.
template <class Enum>
constexpr std::string_view name_of(Enum value) {
  for (const Named<Enum>& row : kNames<Enum>)
    if (row.value == value) return row.name;
  return "unnamed";
}

/// Not constexpr, so that a call in a constant expression does not compile.
void this_name_has_no_meaning();

/// A name in the table; other names do not compile.
template <class Enum>
class NameOf {
 public:
  consteval NameOf(const char* name) : name_(name) {
    if (!find_meaning<Enum>(name_)) this_name_has_no_meaning();
  }
  constexpr operator std::string_view() const { return name_; }

 private:
  std::string_view name_;
};

template <class Enum>
using Names = std::vector<NameOf<Enum>>;

}  // namespace tesela
