// A model as a description: versions, inputs, outputs, and each node of ours with what is known about it.
#pragma once

#include <string>

#include "model/graph.h"
#include "types/limits.h"

namespace tesela {

/// Aligned lines for people.
std::string inspect_plain(const Model& model, const Limits& limits);

/// One object: file, producer, ir_version, opsets {domain: opset}, inputs, outputs, nodes (ours, those in
/// subgraphs and functions too), inputs_left_out, outputs_left_out and nodes_left_out (of very long lists: a document
/// has about 16 MiB at most, and names in it 1,000 bytes), unknown_shapes [{from, why,
/// nodes}] (where it begins that outputs of ours are not wholly known; only where some are not), foreign {operator:
/// count}, runnable, obstacle. A value is {name, type, dims}: type null where unknown, dims null where not even the rank is
/// known, an entry of it a number, a symbol, or null.
std::string inspect_json(const Model& model, const Limits& limits);

}  // namespace tesela
