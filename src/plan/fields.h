// SPDX-License-Identifier: Apache-2.0
// Plan fields: compatibility options for the arithmetic of other libraries. For presets; none is a default.
//
//   coordinates   float32, float64: positions from in / out rounded to that type; reciprocal64: from 1 / (out / in);
//                 rounded64: as float64, then rounded to float32
//   weights       fixed8, fixed22: multiples of 2^-8, 2^-22; int16: the finest that fit 16 bits. For uint8: sums are
//                 exact, and rounded halves up
//   intermediate  uint8: every pass rounds, not only the last; requires weights
//   position_scales  comma-separated numbers, one for each listed axis: positions and filters use these scales, as
//                 doubles, and extents the sizes; extent * scale may be half a unit below to one unit above the size
//   extents       how scales give extents: standard (the product in double, rounded down); host, openvino: as in ONNX
//                 Runtime and OpenVINO, see schema/extent_rule.h; also for Upsample. Interpolate always uses openvino.
//                 The only field that changes no element: outputs present under both rules are equal
//   rules         onnxruntime, onnx_reference, openvino, pytorch: the results of ONNX Runtime's CPU kernels, of the onnx
//                 reference evaluator, of OpenVINO's CPU plugin and of PyTorch's interpolate on the CPU, see
//                 plan/emulation/; onnxruntime_positions: extents, scales and positions of ONNX Runtime with Tesela's
//                 sums, see plan/onnxruntime_rules.h. Also for Upsample
//   order         first_axis_first, last_axis_first: the order of the passes
//
// The C interface takes them as attributes of Resize with names that begin with "tesela."; models cannot contain them.
#pragma once

#include <string_view>
#include <vector>

#include "plan/params.h"
#include "types/status.h"

namespace tesela {

/// The prefix of fields that are set like attributes.
inline constexpr std::string_view kFieldPrefix = "tesela.";

/// The name of a field with its prefix, as a literal; null past the last one. Takes no memory.
const char* full_field_name(size_t index);
/// What a field may be, as literals; null past the last one, for position_scales and for a name that no field has. Takes no
/// memory.
const char* field_value(std::string_view name, size_t index);

/// The names of all fields, and what one may be.
std::vector<std::string_view> field_names();
std::vector<std::string_view> field_values(std::string_view name);

/// Errors: attribute (unknown field or value).
Status set_field(PlanFields& fields, std::string_view name, std::string_view value);

/// Errors: attribute (fields that conflict with each other or the coordinate mode), type (weights for types but uint8).
Status apply_fields(const PlanFields& fields, ResizeParams& params);

}  // namespace tesela
