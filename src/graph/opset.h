// SPDX-License-Identifier: Apache-2.0
// Opset imports: which opset applies to the nodes of a domain.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "types/status.h"

namespace tesela {

/// Opset imports by domain, as a model or a function has them.
using OpsetImports = std::map<std::string, int64_t>;

/// The newest version of the file format that the reader supports.
inline constexpr int64_t kNewestIrVersion = 14;

/// The opset of ONNX's domain; 0 if it is not imported.
/// Errors: unsupported (an opset below 1 or above the newest known), parse (two imports that differ).
Result<int64_t> onnx_opset(const OpsetImports& imports);

bool is_imported(const OpsetImports& imports, const std::string& domain);

/// "ai.onnx" for both names of ONNX's domain.
std::string domain_text(const std::string& domain);

}  // namespace tesela
