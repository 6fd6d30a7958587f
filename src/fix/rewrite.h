// SPDX-License-Identifier: Apache-2.0
// The bytes of changed nodes, and of opset imports.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "fix/call.h"
#include "model/graph.h"

namespace tesela::fix {

/// A node of the changed operator, as fields of the graph or function that has the old one: new constants, as Constant
/// nodes, and the node itself. What does not change is copied: its outputs, its name, fields of newer versions of ONNX.
/// field: the number of the field of nodes. new_name: makes an unused name of a value of this purpose ("sizes").
std::string changed_node(const Node& node, const Call& before, const Call& after, uint32_t field,
                         const std::function<std::string(std::string_view purpose)>& new_name);

/// An OperatorSetIdProto with another version.
std::string with_version(std::string_view import, int64_t version);

}  // namespace tesela::fix
