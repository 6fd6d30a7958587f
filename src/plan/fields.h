// Plan fields: how another library computes, where that is not the arithmetic of Tesela. For presets, never a default.
//
//   coordinates   float32, float64: positions from in / out, rounded to that type; reciprocal64: from 1 / (out / in);
//                 rounded64: as float64, then rounded to float32
//   weights       fixed8, fixed22: multiples of 2^-8, 2^-22; int16: the finest that fit 16 bits. For uint8: sums are exact,
//                 and rounded halves up
//   intermediate  uint8: each pass is rounded, not only the last; with weights
//   position_scales  comma-separated numbers, one for each listed axis: positions and filters follow these scales, as
//                 doubles, and extents the sizes; a scale's extent lies within half a unit below and one above the size
//   extents       of scales: standard (the product in double, rounded down); host, openvino: as ONNX Runtime and OpenVINO
//                 have them, see schema/extent_rule.h. For Upsample too; Interpolate's are always OpenVINO's. Alone among the
//                 fields it changes no element: those that both rules have are the same
//   rules         onnxruntime: its extents, scales and positions, for Upsample too; see plan/onnxruntime_rules.h
//   order         first_axis_first, last_axis_first: the order of the passes
//   precision     exact; fast: fewer than one in a hundred int8 and uint8 elements may be off by one, see plan/arithmetic.h
//
// The C interface takes them as attributes of Resize whose names begin with "tesela."; models cannot have them.
#pragma once

#include <string_view>
#include <vector>

#include "plan/params.h"
#include "types/status.h"

namespace tesela {

/// Their names.
std::vector<std::string_view> field_names();

/// Errors: attribute (no such field or value).
Status set_field(PlanFields& fields, std::string_view name, std::string_view value);

/// Errors: attribute (fields that do not go together, or with the coordinate mode), type (weights of other than uint8).
Status apply_fields(const PlanFields& fields, ResizeParams& params);

}  // namespace tesela
