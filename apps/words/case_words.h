// SPDX-License-Identifier: Apache-2.0
// One operator call in the grammar of tests/cases.txt: "linear antialias float 1x3x480x640 -> 1x3x224x224".
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
  std::vector<std::string> words;    // of the text, before the type
  std::vector<std::string> numbers;  // the NAME=VALUE after the shapes
  std::string domain;                // of the operator; empty for ONNX's
  std::string type = "Resize";
  int64_t since_version = 0;
  std::vector<CaseAttribute> attributes;
  tesela_dtype dtype = 0;
  std::vector<int64_t> source;  // empty for ConstantOfShape
  std::vector<int64_t> target;
  double value = 0;        // for ConstantOfShape
  std::vector<float> roi;  // of a crop: where it starts along each axis, then where it ends; empty: none
  int64_t gap = 0;         // elements between two neighbours of the output
  // The axes as memory has them, outermost first; empty: as the shape has them.
  std::vector<int64_t> input_order;
  std::vector<int64_t> output_order;
};

/// What blanks and line ends separate.
std::vector<std::string> split_words(std::string_view text);

/// Errors: usage (names the wrong word and may suggest another), unsupported (the version).
CaseWords parse_case(std::string_view line);

/// The cases of a file, one on each line; empty lines and comments after # are ignored. Errors: io, and those of
/// parse_case with the line number.
std::vector<CaseWords> read_cases(const std::string& path);

/// A description of the grammar with all words, for help.
std::string case_grammar();

}  // namespace tesela::cli
