// Shapes of OpenVINO's, as Tesela infers with them.
#pragma once

#include <openvino/core/node_output.hpp>
#include <openvino/core/partial_shape.hpp>
#include <openvino/runtime/tensor.hpp>
#include <optional>
#include <vector>

#include "tesela/tesela.hpp"

namespace tesela::openvino {

/// Partial shapes as lists of Tesela's, and back: what is unknown goes by a name, so that its bounds and
/// OpenVINO's symbol are kept where it becomes an extent of the output.
class Extents {
 public:
  /// None: not even the rank.
  std::optional<std::vector<Dim>> dims_of(const ov::PartialShape& shape);
  ov::PartialShape shape_of(const TensorInfo& info) const;

 private:
  std::vector<ov::Dimension> named_;
};

/// What OpenVINO knows about the entries of a list of integers: Shape -> Slice -> Concat, say. Of dynamic
/// rank where that is nothing.
ov::PartialShape entries_of(const ov::Output<ov::Node>& list);

/// The value of a list of floats that is computed of constants and known extents. Empty where OpenVINO does
/// not know it.
ov::Tensor value_of(const ov::Output<ov::Node>& list);

}  // namespace tesela::openvino
