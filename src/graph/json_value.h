// SPDX-License-Identifier: Apache-2.0
// Attributes, tensors and shapes as JSON.
#pragma once

#include "schema/infer.h"
#include "types/json.h"

namespace tesela {

/// Numbers, symbols and nulls; null if the rank is unknown.
Json dims_json(const std::optional<Dims>& dims);

/// ONNX's name; null if unknown.
Json type_json(DataType type);

/// The elements of a small tensor as a flat list; null if there are more than 16.
Json elements_json(const Tensor& tensor);

/// An attribute's value; a tensor is {type, dims, value}, a list of more than 1,000 entries null. Long strings are cut.
Json attribute_json(const Attribute& attribute);

/// The value that applies if the attribute is not given; empty if there is none.
std::optional<Json> default_json(const AttributeSpec& spec);

}  // namespace tesela
