// SPDX-License-Identifier: Apache-2.0
// Opset imports.
#include "graph/opset.h"

#include "schema/schema.h"

namespace tesela {

Result<int64_t> onnx_opset(const OpsetImports& imports) {
  const auto short_name = imports.find("");
  const auto long_name = imports.find("ai.onnx");
  if (short_name == imports.end() && long_name == imports.end()) return int64_t{0};
  const int64_t opset = short_name != imports.end() ? short_name->second : long_name->second;
  if (long_name != imports.end() && long_name->second != opset)
    return parse_error("ONNX's domain is imported twice: opset {} as '' and opset {} as 'ai.onnx'", opset,
                       long_name->second);
  if (opset < 1 || opset > kNewestOpset)
    return unsupported_error("opset {} of ONNX's domain is not supported; expected 1 to {}, the newest known one",
                             opset, kNewestOpset);
  return opset;
}

bool is_imported(const OpsetImports& imports, const std::string& domain) {
  if (is_onnx_domain(domain)) return imports.contains("") || imports.contains("ai.onnx");
  return imports.contains(domain);
}

std::string domain_text(const std::string& domain) {
  return is_onnx_domain(domain) ? "ai.onnx" : domain;
}

}  // namespace tesela
