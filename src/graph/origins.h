// SPDX-License-Identifier: Apache-2.0
// The origins of unknown properties: the values where they are unknown first.
#pragma once

#include <string>

#include "graph/propagate.h"

namespace tesela {

/// Sets the origins of values that no node computes. Those values must be seeded.
void trace_seeds(GraphFacts& facts);

/// Sets the origins of a node's outputs, after inference of the node. Linear in its ports.
void trace_outputs(GraphFacts& facts, size_t node);

/// Why the value of an origin is unknown: what ("NonZero node 'n'", "input 'x'") and why.
struct OriginText {
  std::string what;
  std::string why;
};
OriginText origin_text(const GraphFacts& facts, ValueId value);

/// The origins of unknown properties of a supported node's output, without duplicates; none if all are known.
std::vector<ValueId> origins_of_output(const GraphFacts& facts, size_t node);

}  // namespace tesela
