// A node as ONNX Runtime shows it to custom operators: without its version, and attributes only by their
// names.
#pragma once

#include <span>

#include "node.h"

namespace tesela::ort {

/// An operator as custom operators override it.
struct Overridden {
  const char* name;
  size_t required_inputs;  // by every version
  size_t most_inputs;
  bool omits_inputs;  // before others
};

/// Tile, ConstantOfShape, Resize and Upsample.
std::span<const Overridden> overridden_operators();

/// A node without attributes and inputs, of the newest version that has nodes with so many inputs: what they mean is the
/// same in all of those. extents: as in begin_node.
Node begin_overridden(const Overridden& op, size_t inputs, const char* name, const char* extents);

/// Failure: what the rules refuse.
Node read_node(const Runtime& runtime, const OrtKernelInfo* info, const Overridden& op, const char* extents);

}  // namespace tesela::ort
