// One operator call in the words of tests/cases.txt: "linear antialias float 1x3x480x640 -> 1x3x224x224".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tesela/tesela.hpp"

namespace tesela::cli {

struct CaseAttribute {
  std::string name;
  std::string text;  // of a string
  float number = 0;  // of a float
  enum { kString, kInteger, kFloat } kind = kString;
};

struct CaseWords {
  std::string name;   // before a colon; may be empty
  std::string words;  // the rest of the line
  std::string type = "Resize";
  int64_t opset = 0;  // 0: the newest
  std::vector<CaseAttribute> attributes;
  tesela_dtype dtype = 0;
  std::vector<int64_t> source;  // empty for ConstantOfShape
  std::vector<int64_t> target;
  double value = 0;  // of ConstantOfShape
};

/// Errors: usage (the word that is wrong).
CaseWords parse_case(std::string_view line);

/// The operator of the case with its attributes.
Op make_op(const CaseWords& words);
/// Its plan. Errors: what the operator refuses.
Plan make_plan(const CaseWords& words, const Op& op);
/// A tensor for its input: numbers like those of an image, strings that are null. None for ConstantOfShape.
std::optional<Value> make_input(const CaseWords& words);
/// A tensor for its output, touched once.
Value make_output(const Plan& plan);

/// Bytes of all elements.
uint64_t bytes_of(const tesela_tensor& tensor);

}  // namespace tesela::cli
