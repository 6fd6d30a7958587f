// Attributes of ONNX Runtime's nodes.
#pragma once

#include "runtime.h"

namespace tesela::ort {

/// Gives a node's attributes to an operator. Failure: a kind of attribute that no operator of Tesela's has.
void copy_attributes(const Runtime& runtime, const OrtNode* node, tesela_op* op);

/// The text of an attribute; empty where the node has none of that name.
std::string read_text(const Runtime& runtime, const OrtNode* node, const char* name);

}  // namespace tesela::ort
