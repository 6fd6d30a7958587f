// SPDX-License-Identifier: Apache-2.0
// Converts OpenVINO's partial shapes for Tesela's shape inference.
#pragma once

#include <openvino/core/node_output.hpp>
#include <openvino/core/partial_shape.hpp>
#include <openvino/runtime/tensor.hpp>
#include <optional>
#include <vector>

#include "tesela/tesela.hpp"

namespace tesela::openvino {

/// Converts partial shapes to Tesela's lists and back. Unknown extents get names, so that their bounds and OpenVINO's
/// symbols are kept in the output shape.
class Extents {
 public:
  /// None if the rank is unknown.
  std::optional<std::vector<Dim>> dims_of(const ov::PartialShape& shape);
  ov::PartialShape shape_of(const TensorInfo& info) const;

 private:
  std::vector<ov::Dimension> named_;
};

/// What OpenVINO knows about the entries of a list of integers, for example from Shape -> Slice -> Concat. Has dynamic
/// rank if nothing is known.
ov::PartialShape entries_of(const ov::Output<ov::Node>& list);

/// The value of a list of floats computed from constants and known extents. Empty if OpenVINO does not know it.
ov::Tensor value_of(const ov::Output<ov::Node>& list);

}  // namespace tesela::openvino
