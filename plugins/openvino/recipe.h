// What a node of ours computes: an operator of Tesela's with its attributes, all of them as text, which is
// how OpenVINO keeps them in files.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tesela/tesela.hpp"

namespace tesela::openvino {

constexpr const char* kOnnx = "ai.onnx";
constexpr const char* kOpenvino = "openvino";

/// Names and texts. Names that begin with "tesela." are fields of the plan.
using Attributes = std::vector<std::pair<std::string, std::string>>;

struct Recipe {
  std::string domain;
  std::string type;  // "Resize"
  int64_t opset = 0;
  std::vector<int64_t> ports;  // of each input of the node, which of the operator's it is; the others are omitted
  Attributes attributes;

  bool fills() const { return type == "ConstantOfShape"; }

  /// What a file of models may have broken. Errors: count, value.
  void check(size_t inputs) const;

  /// node: a name for messages. Errors: unsupported, attribute (a text that is no number).
  Op make_op(const std::string& node) const;

  /// The attributes in one text, and back.
  std::string attributes_text() const;
  void set_attributes(const std::string& text);
};

/// Numbers as text, without loss.
std::string text_of(int64_t number);
std::string text_of(float number);
template <class T>
std::string text_of(const std::vector<T>& numbers) {
  std::string text;
  for (const T& number : numbers) text += (text.empty() ? "" : ",") + text_of(number);
  return text;
}

}  // namespace tesela::openvino
