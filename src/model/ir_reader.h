// SPDX-License-Identifier: Apache-2.0
// Reads OpenVINO's IR: a graph in XML, and the bytes of its constants in a .bin file beside it.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "model/graph.h"
#include "types/limits.h"

namespace tesela {

/// path: of the XML; constants are in the file with the same name and the extension .bin, which is opened only if there
/// are any. Empty for a model from memory, which cannot have constants.
/// If a constant cannot be read, that is a fault of its initializer; for an attribute, of its node.
/// Errors: parse, value, type, shape (each with line and column), unsupported (IR versions other than 10 and 11),
/// limit.
Result<Model> read_ir(std::span<const std::byte> xml, const std::string& path, const Limits& limits);

}  // namespace tesela
