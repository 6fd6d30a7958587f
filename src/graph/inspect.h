// SPDX-License-Identifier: Apache-2.0
// A description of a model: versions, inputs, outputs, and the known properties of each supported node.
#pragma once

#include <string>

#include "model/graph.h"
#include "types/limits.h"

namespace tesela {

/// Aligned lines for people to read.
std::string inspect_plain(const Model& model, const Limits& limits);

/// One object: file, producer, ir_version, opsets {domain: opset}, inputs, outputs, nodes (those that Tesela supports,
/// also in subgraphs and functions), inputs_left_out, outputs_left_out and nodes_left_out (of very long lists: a
/// document has at most about 16 MiB, and names in it 1,000 bytes), unknown_shapes [{from, why, nodes}] (the origins of
/// unknown extents in outputs of those nodes; only if there are any), foreign {operator: count}, runnable, obstacle. A
/// value is {name, type, dims}: type is null if unknown, dims is null if the rank is unknown, and an entry of it is a
/// number, a symbol, or null.
std::string inspect_json(const Model& model, const Limits& limits);

}  // namespace tesela
