// SPDX-License-Identifier: Apache-2.0
// The operator that one of Tesela's nodes computes, with its attributes as text, as OpenVINO stores them in files.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tesela/tesela.hpp"

namespace tesela::openvino {

constexpr const char* kOnnx = "ai.onnx";
constexpr const char* kOpenvino = "openvino";

/// Names and values. Names that begin with "tesela." are plan fields.
using Attributes = std::vector<std::pair<std::string, std::string>>;

struct OperatorDescription {
  std::string domain;
  std::string type;  // "Resize"
  int64_t opset = 0;
  std::vector<int64_t> ports;  // the operator's input for each input of the node; the others are omitted
  Attributes attributes;

  bool fills() const { return type == "ConstantOfShape"; }

  /// Checks what an invalid model file can get wrong. Errors: count, value.
  void check(size_t inputs) const;

  /// node: a name for messages. Errors: unsupported, attribute (text that is not a number).
  Op make_op(const std::string& node) const;

  /// Converts the attributes to one string and back.
  std::string attributes_text() const;
  void set_attributes(const std::string& text);
};

/// Numbers as text that reads back to the same value.
std::string text_of(int64_t number);
std::string text_of(float number);
template <class T>
std::string text_of(const std::vector<T>& numbers) {
  std::string text;
  for (const T& number : numbers) text += (text.empty() ? "" : ",") + text_of(number);
  return text;
}

}  // namespace tesela::openvino
