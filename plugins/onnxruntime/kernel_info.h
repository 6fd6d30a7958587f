// SPDX-License-Identifier: Apache-2.0
// Reads a node from the information that custom operators get: it lacks the version, and attributes can only be looked
// up by name.
#pragma once

#include <span>

#include "node.h"

namespace tesela::ort {

/// An operator that custom operators override.
struct Overridden {
  const char* name;
  size_t required_inputs;  // in every version
  size_t max_inputs;
  bool omits_inputs;  // an input before a given one can be omitted
};

/// Tile, ConstantOfShape, Resize and Upsample.
std::span<const Overridden> overridden_operators();

/// A node without attributes and inputs, of the newest version that allows this number of inputs; all such versions
/// give the same results. extents: as in begin_node.
Node begin_overridden(const Overridden& op, size_t inputs, const char* name, const char* extents);

/// Failure: the node is invalid.
Node read_node(const Runtime& runtime, const OrtKernelInfo* info, const Overridden& op, const char* extents);

}  // namespace tesela::ort
