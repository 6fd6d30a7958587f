// SPDX-License-Identifier: Apache-2.0
// Parses the grammar of cases.
#include "case_words.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <sstream>
#include <system_error>

#include "case_vocabulary.h"
#include "failure.h"
#include "numbers.h"

namespace tesela::cli {
namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr const char* kRoi = "roi";
constexpr const char* kGap = "gap";
constexpr const char* kInputOrder = "input_order";
constexpr const char* kOutputOrder = "output_order";

std::string_view trimmed(std::string_view text) {
  const size_t first = std::min(text.find_first_not_of(kBlanks), text.size());
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& known) {
  const std::string near = nearest_name(word, known);
  return near.empty() ? "; see tesela bench --help" : "; did you mean " + in_quotes(near) + "?";
}

std::vector<int64_t> parse_shape(const std::string& text) {
  std::vector<int64_t> extents;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('x', begin), text.size());
    extents.push_back(parse_integer(in_quotes(text) + " is not a shape like 1x3x480x640",
                                    text.substr(begin, end - begin), 0, INT64_MAX));
    begin = end + 1;
  }
  return extents;
}

tesela_dtype parse_dtype(const std::string& text) {
  if (const tesela_dtype dtype = dtype_from_name(text)) return dtype;
  std::vector<std::string> names;
  for (tesela_dtype code = 1; tesela_dtype_name(code) != nullptr; ++code) names.emplace_back(dtype_name(code));
  usage(in_quotes(text) + " is not an element type" + did_you_mean(text, names));
}

// Removes the word for the operator, such as "Resize-13" or "tile", from the list; Resize if there is none.
CaseVocabulary take_operator(std::vector<std::string>& words) {
  const auto named = [](const std::string& word) { return find_operator(word.substr(0, word.find('-'))); };
  const auto found = std::ranges::find_if(words, [&](const std::string& word) { return named(word) != nullptr; });
  if (found == words.end()) return make_vocabulary(default_operator(), 0);
  const std::string word = *found;
  words.erase(found);
  const size_t hyphen = word.find('-');
  if (hyphen == std::string::npos) return make_vocabulary(*named(word), 0);
  return make_vocabulary(*named(word),
                         parse_integer("a version like Resize-13", word.substr(hyphen + 1), 1, INT64_MAX));
}

std::string name_of(const CaseVocabulary& vocabulary) {
  return std::string(vocabulary.operation.type) + "-" + std::to_string(vocabulary.since_version);
}

void add_attribute(CaseAttribute attribute, const std::string& word, CaseWords& result) {
  for (const CaseAttribute& given : result.attributes)
    if (given.name == attribute.name) usage(in_quotes(word) + ": " + attribute.name + " is given twice");
  result.attributes.push_back(std::move(attribute));
}

void read_word(const std::string& word, const CaseVocabulary& vocabulary, CaseWords& result) {
  if (const CaseAttribute* meaning = vocabulary.find(word)) {
    // A copy of the variant that finds no memory has no defined end in libstdc++ 12; an assignment has.
    CaseAttribute attribute = {meaning->name, {}};
    std::visit([&](const auto& value) { attribute.value = value; }, meaning->value);
    return add_attribute(std::move(attribute), word, result);
  }
  std::vector<std::string> known = operator_words();
  for (const CaseVocabulary::Word& each : vocabulary.words) known.push_back(each.word);
  usage(name_of(vocabulary) + ": the word " + in_quotes(word) + " is unknown" + did_you_mean(word, known));
}

void read_number(const std::string& text, const CaseVocabulary& vocabulary, CaseWords& result) {
  const size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  const std::string number = equals == std::string::npos ? "" : text.substr(equals + 1);
  if (name == kGap) {
    result.gap = parse_integer(name, number, 0, 1024);
  } else if (name == kInputOrder || name == kOutputOrder) {
    (name == kInputOrder ? result.input_order : result.output_order) = parse_integers(name, number, 0, INT64_MAX);
  } else if (name == kRoi && vocabulary.has_roi) {
    result.roi = parse_floats(name, number);
  } else if (std::ranges::count(vocabulary.fields, "tesela." + name) > 0) {
    add_attribute({"tesela." + name, number}, text, result);
  } else if (std::ranges::count(vocabulary.numbers, name) == 0) {
    std::vector<std::string> known = vocabulary.numbers;
    known.insert(known.end(), {kGap, kInputOrder, kOutputOrder});
    if (vocabulary.has_roi) known.push_back(kRoi);
    usage(name_of(vocabulary) + ": the number " + in_quotes(name) + " is unknown" + did_you_mean(name, known));
  } else if (name == vocabulary.tensor) {
    result.value = static_cast<double>(parse_float(name, number));
  } else {
    add_attribute({name, parse_float(name, number)}, text, result);
  }
}

// name: input_order or output_order.
void check_order(const char* name, std::vector<int64_t> order, size_t rank) {
  if (order.empty()) return;
  std::ranges::sort(order);
  for (size_t axis = 0; axis < order.size(); ++axis)
    if (order.size() != rank || order[axis] != static_cast<int64_t>(axis))
      usage(std::string(name) + ": expected each of the " + std::to_string(rank) + " axes once");
}

void check_layouts(const CaseWords& words) {
  const bool is_packed = tesela_dtype_bits(words.dtype) < 8;
  const std::string type(dtype_name(words.dtype));
  if (words.gap > 0 && is_packed) usage(std::string(kGap) + ": elements of " + type + " are packed without gaps");
  if (is_packed && !(words.input_order.empty() && words.output_order.empty()))
    usage("elements of " + type + " are packed in the order of the shape");
  check_order(kInputOrder, words.input_order, words.source.size());
  check_order(kOutputOrder, words.output_order, words.target.size());
}

void check_shapes(const CaseWords& words) {
  if (words.type == "ConstantOfShape") {
    if (!words.source.empty()) usage("ConstantOfShape has no shape before '->'");
    return;
  }
  if (words.source.size() != words.target.size()) usage("the shapes have different numbers of axes");
  for (size_t axis = 0; axis < words.source.size(); ++axis)
    if (words.type == "Tile" && (words.source[axis] == 0 || words.target[axis] % words.source[axis] != 0))
      usage("Tile repeats whole extents; expected multiples of the input's extents");
}

void check_roi(const CaseWords& words) {
  if (!words.roi.empty() && words.roi.size() != 2 * words.source.size())
    usage(std::string(kRoi) + ": " + std::to_string(words.roi.size()) + " numbers; expected " +
          std::to_string(2 * words.source.size()) + ": where the crop starts along each axis, then where it ends");
}

// WORDS TYPE IN
void read_front(std::vector<std::string> words, CaseWords& result) {
  if (words.empty()) usage("expected WORDS TYPE IN -> OUT");
  if (words.back()[0] >= '0' && words.back()[0] <= '9') {
    result.source = parse_shape(words.back());
    words.pop_back();
  }
  result.dtype = parse_dtype(words.empty() ? "" : words.back());
  words.pop_back();
  result.words = std::move(words);
}

void read_text(CaseWords& result) {
  const size_t arrow = result.text.find("->");
  if (arrow == std::string::npos) usage("expected WORDS TYPE IN -> OUT");
  read_front(split_words(std::string_view(result.text).substr(0, arrow)), result);
  std::vector<std::string> words = result.words;
  const CaseVocabulary vocabulary = take_operator(words);
  result.domain = vocabulary.operation.domain;
  result.type = vocabulary.operation.type;
  result.since_version = vocabulary.since_version;
  for (const std::string& word : words) read_word(word, vocabulary, result);

  std::vector<std::string> after = split_words(std::string_view(result.text).substr(arrow + 2));
  if (after.empty()) usage("there is no shape after '->'");
  result.target = parse_shape(after[0]);
  result.numbers.assign(after.begin() + 1, after.end());
  for (const std::string& number : result.numbers) read_number(number, vocabulary, result);
  check_shapes(result);
  check_roi(result);
  check_layouts(result);
}

// where: the line of a file, for messages; empty for a case that is not from a file.
CaseWords parse_case_at(std::string_view line, const std::string& where) {
  CaseWords result;
  const size_t colon = line.find(':');
  if (colon != std::string_view::npos) result.name = trimmed(line.substr(0, colon));
  result.text = trimmed(colon == std::string_view::npos ? line : line.substr(colon + 1));
  try {
    read_text(result);
  } catch (const Error& error) {
    throw Error(error.code(), (where.empty() ? "case " + in_quotes(result.text) : where) + ": " + error.what());
  }
  return result;
}

}  // namespace

std::vector<std::string> split_words(std::string_view text) {
  std::istringstream stream{std::string(text)};
  stream.exceptions(std::ios::badbit);  // otherwise missing memory ends the words
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(std::move(word));
  return words;
}

CaseWords parse_case(std::string_view line) {
  return parse_case_at(line, "");
}

std::vector<CaseWords> read_cases(const std::string& path) {
  const auto cannot_read = [&](int error_number) {
    fail(TESELA_ERROR_IO, "cannot read " + in_quotes(path) + ": " + std::generic_category().message(error_number));
  };
  std::ifstream file;
  do {
    file.clear();
    file.open(path);
  } while (!file.is_open() && errno == EINTR);
  if (!file) cannot_read(errno);
  file.exceptions(std::ios::badbit);  // otherwise missing memory ends the file
  std::vector<CaseWords> cases;
  int64_t number = 0;
  try {
    for (std::string line; std::getline(file, line);) {
      ++number;
      line.resize(std::min(line.find('#'), line.size()));
      if (!trimmed(line).empty())
        cases.push_back(parse_case_at(line, in_quotes(path) + ", line " + std::to_string(number)));
    }
  } catch (const std::ios::failure&) {
    cannot_read(errno);
  }
  return cases;
}

}  // namespace tesela::cli
