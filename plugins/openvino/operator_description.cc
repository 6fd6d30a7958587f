// SPDX-License-Identifier: Apache-2.0
// Converts attributes between text and Tesela's operators.
#include "operator_description.h"

#include <charconv>

namespace tesela::openvino {
namespace {

[[noreturn]] void fail_attribute(const std::string& name, std::string_view text, const char* expected) {
  throw Error(TESELA_ERROR_ATTRIBUTE, "attribute '" + name + "' is '" + std::string(text) + "'; expected " + expected);
}

template <class T>
T number_from(const std::string& name, std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  T number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) fail_attribute(name, text, "a number");
  return number;
}

int64_t flag_from(const std::string& name, const std::string& text) {
  if (text == "true") return 1;
  if (text == "false") return 0;
  return number_from<int64_t>(name, text);
}

template <class T>
std::vector<T> list_from(const std::string& name, std::string_view text) {
  std::vector<T> list;
  for (size_t begin = 0; !text.empty() && begin <= text.size();) {
    const size_t comma = std::min(text.find(',', begin), text.size());
    list.push_back(number_from<T>(name, text.substr(begin, comma - begin)));
    begin = comma + 1;
  }
  return list;
}

// Plan fields and unknown attributes are set as text; planning reports unknown ones.
void set_attribute(Op& op, const std::string& name, const std::string& text) {
  switch (op.attribute_kind(name)) {
    case TESELA_ATTRIBUTE_INT: op.set(name, flag_from(name, text)); return;
    case TESELA_ATTRIBUTE_FLOAT: op.set(name, number_from<float>(name, text)); return;
    case TESELA_ATTRIBUTE_INTS: op.set(name, list_from<int64_t>(name, text)); return;
    case TESELA_ATTRIBUTE_FLOATS: op.set(name, list_from<float>(name, text)); return;
    default: op.set(name, std::string_view(text));
  }
}

template <class T>
std::string characters_of(T number) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, number);
  return error == std::errc() ? std::string(buffer, end) : "";
}

}  // namespace

std::string text_of(int64_t number) {
  return characters_of(number);
}
std::string text_of(float number) {
  return characters_of(number);
}

void OperatorDescription::check(size_t inputs) const {
  if (inputs == 0 || ports.size() != inputs || (fills() && inputs != 2))
    throw Error(TESELA_ERROR_COUNT, type + ": the node has " + std::to_string(inputs) + " inputs, and " +
                                        std::to_string(ports.size()) + " ports are named");
  const auto port_limit = static_cast<int64_t>(Op(type, opset, {.domain = domain}).inputs().size());
  for (const int64_t port : ports)
    if (port < 0 || port >= port_limit)
      throw Error(TESELA_ERROR_VALUE, type + ": port " + std::to_string(port) + " does not exist");
}

Op OperatorDescription::make_op(const std::string& node) const {
  Op op(type, opset, {node, domain});
  for (const auto& [name, text] : attributes) set_attribute(op, name, text);
  return op;
}

std::string OperatorDescription::attributes_text() const {
  std::string all;
  for (const auto& [name, text] : attributes) all += (all.empty() ? "" : ";") + name + "=" + text;
  return all;
}

void OperatorDescription::set_attributes(const std::string& all) {
  attributes.clear();
  for (size_t begin = 0; begin < all.size();) {
    const size_t end = std::min(all.find(';', begin), all.size());
    const std::string entry = all.substr(begin, end - begin);
    const size_t equals = std::min(entry.find('='), entry.size());
    attributes.emplace_back(entry.substr(0, equals), equals < entry.size() ? entry.substr(equals + 1) : "");
    begin = end + 1;
  }
}

}  // namespace tesela::openvino
