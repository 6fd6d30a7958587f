// SPDX-License-Identifier: Apache-2.0
// Gets the attributes, their kinds and their allowed strings from the library.
#include "case_vocabulary.h"

#include <algorithm>
#include <iterator>

#include "tesela/tesela.hpp"

namespace tesela::cli {
namespace {

// Operators whose other inputs follow from the shapes of a case; the first is the default.
constexpr CaseOperator kOperators[] = {
    {"Resize", "", "Resize"},
    {"tile", "", "Tile"},
    {"Tile", "", "Tile"},
    {"openvino.Tile", "openvino", "Tile"},
    {"fill", "", "ConstantOfShape"},
    {"ConstantOfShape", "", "ConstantOfShape"},
};

void add_strings(const Op& op, const std::string& attribute, CaseVocabulary& vocabulary) {
  for (const std::string& value : op.allowed(attribute)) vocabulary.words.push_back({value, {attribute, value}});
}

}  // namespace

const CaseAttribute* CaseVocabulary::find(std::string_view word) const {
  const auto found = std::find_if(words.begin(), words.end(), [&](const Word& each) { return each.word == word; });
  return found == words.end() ? nullptr : &found->meaning;
}

CaseVocabulary make_vocabulary(const CaseOperator& operation, int64_t version) {
  const Op op(std::string(operation.type), version, {.domain = std::string(operation.domain)});
  CaseVocabulary vocabulary;
  vocabulary.operation = operation;
  vocabulary.since_version = op.since_version();
  for (const std::string& name : op.attributes()) {
    const tesela_attribute_kind kind = op.attribute_kind(name);
    if (kind == TESELA_ATTRIBUTE_STRING) add_strings(op, name, vocabulary);
    if (kind == TESELA_ATTRIBUTE_INT) vocabulary.words.push_back({name, {name, int64_t{1}}});
    if (kind == TESELA_ATTRIBUTE_FLOAT || kind == TESELA_ATTRIBUTE_TENSOR) vocabulary.numbers.push_back(name);
    if (kind == TESELA_ATTRIBUTE_TENSOR) vocabulary.tensor = name;
  }
  vocabulary.has_roi = std::ranges::count(op.inputs(), "roi") > 0;
  if (operation.type == default_operator().type) vocabulary.fields = field_names();
  return vocabulary;
}

const CaseOperator* find_operator(std::string_view word) {
  const auto found = std::ranges::find(kOperators, word, &CaseOperator::word);
  return found == std::end(kOperators) ? nullptr : found;
}

const CaseOperator& default_operator() {
  return kOperators[0];
}

std::vector<std::string> operator_words() {
  std::vector<std::string> words;
  for (const CaseOperator& row : kOperators) words.emplace_back(row.word);
  return words;
}

}  // namespace tesela::cli
