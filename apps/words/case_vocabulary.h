// The words that a version of an operator has, as the library knows them: the list of them lives there.
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
  std::vector<Word> words;           // allowed strings, and the names of switches
  std::vector<std::string> numbers;  // attributes that are given as NAME=VALUE
  std::string tensor;                // the one of them that is a tensor of one element; or empty

  const CaseAttribute* find(std::string_view word) const;
};

/// version: 0 for the newest. Errors: unsupported (the version).
CaseVocabulary make_vocabulary(const CaseOperator& operation, int64_t version);

/// The operator that a word names: "Tile", "tile"; null where it names none.
const CaseOperator* find_operator(std::string_view word);
/// The operator of cases that name none.
const CaseOperator& default_operator();
/// All words for operators.
std::vector<std::string> operator_words();

}  // namespace tesela::cli
