// Words to operators. tests/conformance/workload.py reads the same lines.
#include "case_words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <sstream>

#include "failure.h"
#include "numbers.h"

namespace tesela::cli {
namespace {

struct Meaning {
  std::string_view word;
  std::string_view attribute;
};
// Attribute values of Resize that say by themselves whose they are, and `fast`.
constexpr std::array kValues = {
    Meaning{"nearest", "mode"},
    Meaning{"linear", "mode"},
    Meaning{"cubic", "mode"},
    Meaning{"half_pixel", "coordinate_transformation_mode"},
    Meaning{"half_pixel_symmetric", "coordinate_transformation_mode"},
    Meaning{"pytorch_half_pixel", "coordinate_transformation_mode"},
    Meaning{"align_corners", "coordinate_transformation_mode"},
    Meaning{"asymmetric", "coordinate_transformation_mode"},
    Meaning{"round_prefer_floor", "nearest_mode"},
    Meaning{"round_prefer_ceil", "nearest_mode"},
    Meaning{"floor", "nearest_mode"},
    Meaning{"ceil", "nearest_mode"},
    Meaning{"fast", "tesela.precision"},
};
constexpr std::array<std::string_view, 2> kFlags = {"antialias", "exclude_outside"};
constexpr std::array<std::string_view, 2> kNumbers = {"cubic_coeff_a", "extrapolation_value"};
constexpr std::array kOperators = {
    Meaning{"Resize", "Resize"},
    Meaning{"tile", "Tile"},
    Meaning{"Tile", "Tile"},
    Meaning{"fill", "ConstantOfShape"},
    Meaning{"ConstantOfShape", "ConstantOfShape"},
};

constexpr int64_t kPatternElements = 4096;

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string> split_words(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(std::move(word));
  return words;
}

template <class List>
bool contains(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

template <class List>
const Meaning* find_word(const List& list, std::string_view word) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const Meaning& m) { return m.word == word; });
  return found == list.end() ? nullptr : &*found;
}

std::vector<int64_t> parse_shape(const std::string& text) {
  std::vector<int64_t> extents;
  std::istringstream stream(text);
  for (std::string extent; std::getline(stream, extent, 'x');)
    extents.push_back(parse_integer("a shape like 1x3x480x640", extent, 0, INT64_MAX));
  return extents;
}

void read_word(const std::string& word, CaseWords& result) {
  const size_t hyphen = std::min(word.find('-'), word.size());
  if (const Meaning* operation = find_word(kOperators, std::string_view(word).substr(0, hyphen))) {
    result.type = operation->attribute;
    if (hyphen < word.size())
      result.opset = parse_integer("a version like Resize-13", word.substr(hyphen + 1), 1, INT64_MAX);
  } else if (const Meaning* value = find_word(kValues, word)) {
    result.attributes.push_back({std::string(value->attribute), word, 0, CaseAttribute::kString});
  } else if (contains(kFlags, word)) {
    result.attributes.push_back({word, "", 1, CaseAttribute::kInteger});
  } else {
    usage("case " + in_quotes(result.words) + ": the word " + in_quotes(word) + " is unknown");
  }
}

void read_number(const std::string& text, CaseWords& result) {
  const size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  const std::string number = equals == std::string::npos ? "" : text.substr(equals + 1);
  if (name == "value") {
    result.value = static_cast<double>(parse_float("value", number));
  } else if (contains(kNumbers, name)) {
    result.attributes.push_back({name, "", parse_float(name, number), CaseAttribute::kFloat});
  } else {
    usage("case " + in_quotes(result.words) + ": " + in_quotes(name) +
          " is unknown; expected value, cubic_coeff_a or extrapolation_value");
  }
}

void check_shapes(const CaseWords& words) {
  if (words.type == "ConstantOfShape") return;
  if (words.source.size() != words.target.size())
    usage("case " + in_quotes(words.words) + ": the shapes have not as many axes");
  for (size_t axis = 0; axis < words.source.size(); ++axis)
    if (words.type == "Tile" && (words.source[axis] == 0 || words.target[axis] % words.source[axis] != 0))
      usage("case " + in_quotes(words.words) + ": Tile repeats whole extents");
}

void set_attribute(Op& op, const CaseAttribute& attribute) {
  if (attribute.kind == CaseAttribute::kString)
    op.set(attribute.name, attribute.text);
  else if (attribute.kind == CaseAttribute::kInteger)
    op.set(attribute.name, static_cast<int64_t>(attribute.number));
  else
    op.set(attribute.name, attribute.number);
}

bool is_complex(tesela_dtype dtype) {
  return dtype == TESELA_COMPLEX64 || dtype == TESELA_COMPLEX128;
}

bool is_float(tesela_dtype dtype) {
  return dtype == TESELA_FLOAT || dtype == TESELA_DOUBLE || dtype == TESELA_FLOAT16 || dtype == TESELA_BFLOAT16 ||
         is_complex(dtype);
}

// The same few thousand numbers again and again: no denormals, and a byte's worth of values for integers.
void fill_with_pattern(const tesela_tensor& tensor) {
  Value pattern(tensor.dtype, {kPatternElements});
  const tesela_tensor part = pattern.c();
  std::vector<double> numbers(static_cast<size_t>(kPatternElements * (is_complex(tensor.dtype) ? 2 : 1)));
  for (size_t i = 0; i < numbers.size(); ++i) {
    const double unit = static_cast<double>(i * 2654435761u % 65536) / 65536;
    numbers[i] = is_float(tensor.dtype) ? unit : std::floor(unit * 127);
  }
  from_doubles(numbers, pattern.view());
  const uint64_t bytes = bytes_of(tensor), step = bytes_of(part);
  for (uint64_t begin = 0; begin < bytes; begin += step)
    std::memcpy(static_cast<char*>(tensor.data) + begin, part.data, std::min(step, bytes - begin));
}

}  // namespace

CaseWords parse_case(std::string_view line) {
  CaseWords result;
  const size_t colon = line.find(':');
  if (colon != std::string_view::npos) result.name = trimmed(line.substr(0, colon));
  result.words = trimmed(colon == std::string_view::npos ? line : line.substr(colon + 1));
  const size_t arrow = result.words.find("->");
  std::vector<std::string> before = split_words(std::string_view(result.words).substr(0, arrow));
  if (arrow == std::string::npos || before.empty())
    usage("case " + in_quotes(result.words) + ": expected WORDS TYPE IN -> OUT");
  if (before.back()[0] >= '0' && before.back()[0] <= '9') {
    result.source = parse_shape(before.back());
    before.pop_back();
  }
  const std::string type = before.empty() ? "" : before.back();
  result.dtype = tesela_dtype_from_name(type.c_str());
  if (result.dtype == 0)
    usage("case " + in_quotes(result.words) + ": " + in_quotes(type) +
          " is no element type; expected float, uint8, ...");
  before.pop_back();
  for (const std::string& word : before) read_word(word, result);

  const std::vector<std::string> after = split_words(std::string_view(result.words).substr(arrow + 2));
  if (after.empty()) usage("case " + in_quotes(result.words) + ": there is no shape after '->'");
  result.target = parse_shape(after[0]);
  for (size_t i = 1; i < after.size(); ++i) read_number(after[i], result);
  check_shapes(result);
  return result;
}

Op make_op(const CaseWords& words) {
  Op op(words.type, words.opset);
  for (const CaseAttribute& attribute : words.attributes) set_attribute(op, attribute);
  if (words.type != "ConstantOfShape") return op;
  Value value(words.dtype, {1});
  const double parts[2] = {words.value, 0};
  from_doubles(std::span(parts).first(is_complex(words.dtype) ? 2 : 1), value.view());
  op.set_tensor("value", value.view());
  return op;
}

Plan make_plan(const CaseWords& words, const Op& op) {
  if (words.type == "ConstantOfShape") return op.plan({words.target});
  // Of the first input a plan reads the type and the extents alone.
  const View x(nullptr, words.dtype, Shape(words.source));
  std::vector<int64_t> numbers = words.target;
  if (words.type != "Tile") return op.plan_named(x, {{"sizes", numbers}});
  for (size_t axis = 0; axis < numbers.size(); ++axis) numbers[axis] /= words.source[axis];
  return op.plan_named(x, {{"repeats", numbers}});
}

std::optional<Value> make_input(const CaseWords& words) {
  if (words.type == "ConstantOfShape") return std::nullopt;
  Value value(words.dtype, Shape(words.source));
  if (words.dtype != TESELA_STRING) fill_with_pattern(value.c());
  return value;
}

Value make_output(const Plan& plan) {
  Value value(plan.dtype(), Shape(plan.output_extents()));
  const tesela_tensor view = value.c();
  if (view.dtype != TESELA_STRING) std::memset(view.data, 1, bytes_of(view));
  return value;
}

uint64_t bytes_of(const tesela_tensor& tensor) {
  uint64_t elements = 1;
  for (int32_t axis = 0; axis < tensor.rank; ++axis) elements *= static_cast<uint64_t>(tensor.extents[axis]);
  return (elements * static_cast<uint64_t>(tesela_dtype_bits(tensor.dtype)) + 7) / 8;
}

}  // namespace tesela::cli
