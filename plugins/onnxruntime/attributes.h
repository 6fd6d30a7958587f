// Attributes of ONNX Runtime's nodes.
#pragma once

#include "runtime.h"

namespace tesela::ort {

/// Gives a node's attributes to an operator. Failure: a kind of attribute that no operator of Tesela's has.
void copy_attributes(const Runtime& runtime, const OrtNode* node, Op& op);

/// Gives it one attribute, whose name and kind the caller knows.
void copy_attribute(const Runtime& runtime, const OrtOpAttr* attribute, const char* name, OrtOpAttrType type, Op& op);

/// null where the node has none of that name.
const OrtOpAttr* find_attribute(const Runtime& runtime, const OrtNode* node, const char* name);

/// The text of one.
std::string read_text(const OrtApi& api, const OrtOpAttr* attribute);
/// The text of an attribute; empty where the node has none of that name.
std::string read_text(const Runtime& runtime, const OrtNode* node, const char* name);

}  // namespace tesela::ort
