// Which opset the nodes of a domain are read by.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "types/status.h"

namespace tesela {

/// Opset imports by domain, as a model or a function lists them.
using OpsetImports = std::map<std::string, int64_t>;

/// The newest version of the file format that the reader is known to be right for.
inline constexpr int64_t kNewestIrVersion = 14;

/// The opset of ONNX's domain; 0 where it is not imported.
/// Errors: unsupported (an opset below 1 or above the newest known), parse (two imports that differ).
Result<int64_t> onnx_opset(const OpsetImports& imports);

bool is_imported(const OpsetImports& imports, const std::string& domain);

/// "ai.onnx" for ONNX's domain under either of its names.
std::string domain_text(const std::string& domain);

}  // namespace tesela
