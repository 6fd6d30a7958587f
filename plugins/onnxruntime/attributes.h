// Attributes of ONNX Runtime's nodes.
#pragma once

#include "runtime.h"

namespace tesela::ort {

/// Gives a node's attributes to an operator. Failure: a kind of attribute that no operator of Tesela's has.
void copy_attributes(const Runtime& runtime, const OrtNode* node, tesela_op* op);

}  // namespace tesela::ort
