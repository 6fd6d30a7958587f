// Where it begins that something of a value is unknown.
#pragma once

#include <string>

#include "graph/propagate.h"

namespace tesela {

/// The origins of what no node of the graph makes. Values must be seeded.
void trace_seeds(GraphFacts& facts);

/// The origins of a node's outputs, once they are known as far as they will be: linear in its ports.
void trace_outputs(GraphFacts& facts, size_t node);

/// Why a value at which it begins is not known: what ("NonZero node 'n'", "input 'x'") and why.
struct OriginText {
  std::string what;
  std::string why;
};
OriginText origin_text(const GraphFacts& facts, ValueId value);

/// The origins of what is unknown of the output of a node of ours, each once; none where all of it is known.
std::vector<ValueId> origins_of_output(const GraphFacts& facts, size_t node);

}  // namespace tesela
