// SPDX-License-Identifier: Apache-2.0
// Describes the grammar, with the names from the library.
#include "case_vocabulary.h"

namespace tesela::cli {
namespace {

constexpr size_t kColumn = 35;

std::string table_line(const std::string& name, const std::string& text) {
  return "  " + name + std::string(name.size() < kColumn - 3 ? kColumn - 2 - name.size() : 1, ' ') + text + "\n";
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

// A line for each attribute with named values, and one for the flags.
std::string word_lines(const CaseVocabulary& vocabulary) {
  std::string text;
  std::vector<std::string> switches, values;
  for (size_t i = 0; i < vocabulary.words.size(); ++i) {
    const auto& [word, meaning] = vocabulary.words[i];
    if (word == meaning.name) {
      switches.push_back(word);
      continue;
    }
    const std::string& attribute = meaning.name;
    values.push_back(word);
    if (i + 1 < vocabulary.words.size() && vocabulary.words[i + 1].meaning.name == attribute) continue;
    text += table_line(attribute, listed(values));
    values.clear();
  }
  return text + table_line("switches", listed(switches));
}

}  // namespace

std::string case_grammar() {
  const CaseVocabulary resize = make_vocabulary(default_operator(), 0);
  return "A case is one line: [NAME:] WORDS TYPE IN -> OUT [NAME=VALUE ...]\n"
         "WORDS are Resize's attributes in any order; the defaults are ONNX's:\n" +
         word_lines(resize) + "Words for operators are " + listed(operator_words()) +
         ";\n'fill' is ConstantOfShape, which has no IN. 'Resize-13' selects a version. TYPE is ONNX's name, and IN "
         "and\n"
         "OUT list every extent, like 1x3x480x640. Numbers are " +
         listed(resize.numbers) +
         ", 'value' of\nfill, and 'gap', the elements between two neighbours of the output. "
         "roi=0,0.1,1,0.9 says where the crop\nof tf_crop_and_resize starts along each axis, then where it ends. "
         "input_order=0,2,3,1 says how the axes\nlie in memory, outermost first; output_order does so for the output. "
         "Plan fields, such as weights=fixed8,\nare " +
         listed(resize.fields) + ".\n";
}

}  // namespace tesela::cli
