// SPDX-License-Identifier: Apache-2.0
// The words that are valid for a version of an operator; the library has the list.
#pragma once

#include "case_words.h"

namespace tesela::cli {

struct CaseOperator {
  std::string_view word;
  std::string_view domain;
  std::string_view type;
};

struct CaseVocabulary {
  struct Word {
    std::string word;
    CaseAttribute meaning;
  };
  CaseOperator operation;
  int64_t since_version = 0;
  std::vector<Word> words;           // allowed strings, and the names of flags
  std::vector<std::string> numbers;  // attributes given as NAME=VALUE
  std::vector<std::string> fields;   // of plans, "tesela.order" say, given as order=VALUE
  std::string tensor;                // the one of them that is a tensor of one element; empty if none is
  bool has_roi = false;              // whether the operator has this input

  const CaseAttribute* find(std::string_view word) const;
};

/// version: 0 for the newest. Errors: unsupported (the version).
CaseVocabulary make_vocabulary(const CaseOperator& operation, int64_t version);

/// The operator for a word such as "Tile" or "tile"; null if there is none.
const CaseOperator* find_operator(std::string_view word);
/// The operator of cases without one.
const CaseOperator& default_operator();
/// The words for all operators.
std::vector<std::string> operator_words();

}  // namespace tesela::cli
