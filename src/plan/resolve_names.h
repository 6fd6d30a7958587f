// Names of modes that ONNX and OpenVINO share, and what they stand for. Only the resolving .cc files include this.
#pragma once

#include <cstddef>
#include <string_view>

#include "plan/params.h"

namespace tesela {

template <class Enum>
struct Named {
  std::string_view name;
  Enum value;
};

template <class Enum, size_t n>
Enum find_named(const Named<Enum> (&table)[n], std::string_view name) {
  for (const auto& row : table)
    if (row.name == name) return row.value;
  return table[0].value;  // validation has seen the name
}

inline constexpr Named<CoordinateMode> kCoordinates[] = {
    {"half_pixel", CoordinateMode::kHalfPixel},
    {"pytorch_half_pixel", CoordinateMode::kPytorchHalfPixel},
    {"align_corners", CoordinateMode::kAlignCorners},
    {"asymmetric", CoordinateMode::kAsymmetric},
    {"tf_half_pixel_for_nn", CoordinateMode::kTfHalfPixelForNn},
    {"tf_crop_and_resize", CoordinateMode::kTfCropAndResize},
    {"half_pixel_symmetric", CoordinateMode::kHalfPixelSymmetric},
};
inline constexpr Named<NearestMode> kNearestModes[] = {
    {"round_prefer_floor", NearestMode::kRoundPreferFloor},
    {"round_prefer_ceil", NearestMode::kRoundPreferCeil},
    {"floor", NearestMode::kFloor},
    {"ceil", NearestMode::kCeil},
    {"simple", NearestMode::kSimple},  // OpenVINO
};

}  // namespace tesela
