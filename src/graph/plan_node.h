// SPDX-License-Identifier: Apache-2.0
// The plan of one node of a model.
#pragma once

#include <string>
#include <string_view>

#include "graph/propagate.h"
#include "plan/plan.h"

namespace tesela {

/// The plan of one of Tesela's nodes, also in subgraphs and functions, from the inferred properties of its inputs.
/// node: its name, with the path of its subgraph before it if the name is not unique ("If node 'x' then_branch: up"); or
/// "#3" for the third of Tesela's nodes in the order in which inspect lists them; or "" for the only one.
/// Errors: value (no such node or value; several; an unknown value that planning reads), shape and type (unknown ones),
/// contradictions, faults of the node, and those of planning.
Result<Plan> plan_node(const Model& model, std::string_view node, const GivenValues& given, const Limits& limits);

}  // namespace tesela
