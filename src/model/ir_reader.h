// Reads OpenVINO's IR: a graph in XML and the bytes of its constants in a .bin file beside it.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "model/graph.h"
#include "types/limits.h"

namespace tesela {

/// path: of the XML; its constants are looked for in the file of that name with the extension .bin, which is opened
/// only where there are any. Empty for a model from memory, whose constants have no file.
/// A constant that cannot be read is the fault of its initializer, an attribute the fault of its node.
/// Errors: parse, value, type, shape (each with line and column), unsupported (IR versions other than 10 and 11), limit.
Result<Model> read_ir(std::span<const std::byte> xml, const std::string& path, const Limits& limits);

}  // namespace tesela
