// SPDX-License-Identifier: Apache-2.0
// Attributes of ONNX Runtime's nodes.
#pragma once

#include "runtime.h"

namespace tesela::ort {

/// Copies a node's attributes to an operator. Failure: an unsupported kind of attribute.
void copy_attributes(const Runtime& runtime, const OrtNode* node, Op& op);

/// Copies one attribute with a known name and kind.
void copy_attribute(const Runtime& runtime, const OrtOpAttr* attribute, const char* name, OrtOpAttrType type, Op& op);

/// null if the node has no attribute of that name.
const OrtOpAttr* find_attribute(const Runtime& runtime, const OrtNode* node, const char* name);

/// The integer attribute with that name; `otherwise` if the node has none.
int64_t read_int(const Runtime& runtime, const OrtNode* node, const char* name, int64_t otherwise);

/// The text of a string attribute.
std::string read_text(const OrtApi& api, const OrtOpAttr* attribute);
/// The text of the attribute with that name; empty if the node has none.
std::string read_text(const Runtime& runtime, const OrtNode* node, const char* name);

}  // namespace tesela::ort
