// SPDX-License-Identifier: Apache-2.0
// Where the onnx reference evaluator samples its input: the catalogue of differences asks, too.
#pragma once

#include <cstddef>
#include <cstdint>

#include "plan/params.h"
#include "types/data_type.h"

namespace tesela {

/// One listed axis. scale: given, or out / in.
struct OnnxReferenceAxis {
  size_t axis = 0;
  int64_t in = 0;
  int64_t out = 0;
  double scale = 1;
  double roi_start = 0;
  double roi_end = 1;
};

/// In input samples, with its rounding errors. roi_type: the type of the input roi.
double onnx_reference_position(const OnnxReferenceAxis& axis, const SamplingParams& sampling, DataType roi_type,
                               int64_t output);

}  // namespace tesela
