// One operator call in the words of tests/cases.txt: "linear antialias float 1x3x480x640 -> 1x3x224x224".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tesela/tesela.h"

namespace tesela::cli {

struct CaseAttribute {
  std::string name;
  std::variant<std::string, int64_t, float> value;
};

struct CaseWords {
  std::string name;                  // before a colon; may be empty
  std::string text;                  // the rest of the line
  std::vector<std::string> words;    // of the text: those before the type
  std::vector<std::string> numbers;  // and the NAME=VALUE behind the shapes
  std::string domain;                // of the operator; empty for ONNX's
  std::string type = "Resize";
  int64_t since_version = 0;
  std::vector<CaseAttribute> attributes;
  tesela_dtype dtype = 0;
  std::vector<int64_t> source;  // empty for ConstantOfShape
  std::vector<int64_t> target;
  double value = 0;  // of ConstantOfShape
  int64_t gap = 0;   // elements between two neighbours of the output
};

/// Errors: usage (the word that is wrong, and what may be meant), unsupported (the version).
CaseWords parse_case(std::string_view line);

/// The cases of a file: one a line; empty lines and comments after # do not count. Errors: io, and those of parse_case
/// with the number of the line.
std::vector<CaseWords> read_cases(const std::string& path);

/// The grammar with all words, for help.
std::string case_grammar();

}  // namespace tesela::cli
