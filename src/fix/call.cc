// SPDX-License-Identifier: Apache-2.0
// Changes calls, and says what was changed.
#include "fix/call.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "schema/tensor_values.h"
#include "types/text.h"

namespace tesela::fix {
namespace {

template <class T>
Tensor numbers(DataType type, std::span<const T> values) {
  Result<Tensor> tensor = Tensor::allocate(type, {static_cast<int64_t>(values.size())});
  if (!tensor.ok()) throw std::bad_alloc();
  if (!values.empty()) std::memcpy(tensor->mutable_data(), values.data(), values.size_bytes());
  return std::move(*tensor);
}

TensorInfo info_of(const Tensor& constant) {
  TensorInfo info;
  info.type = constant.type();
  info.dims.emplace();
  for (const int64_t extent : constant.extents()) info.dims->push_back({extent, ""});
  info.constant = constant;
  return info;
}

bool is_same_value(const AttributeValue& a, const AttributeValue& b) {
  if (a.index() != b.index()) return false;
  if (const auto* number = std::get_if<float>(&a)) return *number == std::get<float>(b);
  if (const auto* number = std::get_if<int64_t>(&a)) return *number == std::get<int64_t>(b);
  if (const auto* text = std::get_if<std::string>(&a)) return *text == std::get<std::string>(b);
  if (const auto* list = std::get_if<std::vector<float>>(&a)) return *list == std::get<std::vector<float>>(b);
  if (const auto* list = std::get_if<std::vector<int64_t>>(&a)) return *list == std::get<std::vector<int64_t>>(b);
  if (const auto* tensor = std::get_if<Tensor>(&a)) return tensor->data() == std::get<Tensor>(b).data();
  return false;
}

constexpr size_t kMostText = 60;

std::string value_text(const AttributeValue& value) {
  if (const auto* number = std::get_if<float>(&value)) return fmt::format("{}", *number);
  if (const auto* number = std::get_if<int64_t>(&value)) return fmt::format("{}", *number);
  if (const auto* text = std::get_if<std::string>(&value)) return in_quotes(*text);
  if (const auto* list = std::get_if<std::vector<float>>(&value))
    return shortened(fmt::format("{}", fmt::join(*list, ", ")), kMostText);
  if (const auto* list = std::get_if<std::vector<int64_t>>(&value))
    return shortened(fmt::format("{}", fmt::join(*list, ", ")), kMostText);
  return "other";
}

// A float's default as it is written in a row.
std::string default_text(const OpSchema& row, std::string_view name) {
  const AttributeSpec* spec = find_attribute(row, name);
  if (spec == nullptr || !spec->has_default) return "";
  if (spec->kind == AttributeKind::kFloat) return fmt::format("{}", spec->default_float);
  if (spec->kind == AttributeKind::kInt) return fmt::format("{}", spec->default_int);
  return in_quotes(spec->default_string);
}

void add_part(std::string& text, const std::string& part) {
  text += (text.empty() ? "" : "; ") + part;
}

void add_attributes(const Call& before, const Call& after, std::string& text) {
  for (const Attribute& attribute : after.op.attributes) {
    if (find_same(before.op, attribute) != nullptr) continue;
    const Attribute* old = before.op.find(attribute.name);
    const std::string was = old ? value_text(old->value) : default_text(*before.op.schema, attribute.name);
    const std::string is = value_text(attribute.value);
    add_part(text, was.empty() ? fmt::format("{} {}", attribute.name, is)
                               : fmt::format("{} {} instead of {}", attribute.name, is, was));
  }
}

void add_inputs(const Call& before, const Call& after, std::string& text) {
  for (size_t k = 0; k < after.inputs.size(); ++k) {
    const std::string_view port = after.op.schema->inputs[k].name;
    const CallInput& input = after.inputs[k];
    if (!input.constant || input.constant->count() == 0) continue;
    const CallInput was = before.input(port);
    if (was.constant && was.constant->data() == input.constant->data()) continue;
    const std::string values = input.constant->type() == DataType::kFloat
                                   ? fmt::format("{}", fmt::join(input.constant->as<float>(), ", "))
                                   : fmt::format("{}", fmt::join(input.constant->as<int64_t>(), ", "));
    const bool replaces_scales = port == "sizes" && !before.input("scales").is_omitted();
    add_part(text,
             fmt::format("{} {}{}", port, shortened(values, kMostText), replaces_scales ? " instead of scales" : ""));
  }
}

}  // namespace

std::optional<size_t> Call::position(std::string_view input) const {
  for (size_t k = 0; k < op.schema->inputs.size(); ++k)
    if (op.schema->inputs[k].name == input) return k;
  return std::nullopt;
}

CallInput Call::input(std::string_view name) const {
  const auto k = position(name);
  return k && *k < inputs.size() ? inputs[*k] : CallInput();
}

Call unchanged(const OpDesc& op, Inputs inputs) {
  Call call{op, {}};
  for (size_t k = 0; k < inputs.size(); ++k)
    call.inputs.push_back(inputs[k] == nullptr ? CallInput() : CallInput{k, {}});
  return call;
}

CallInfos::CallInfos(const Call& call, Inputs old) {
  constants_.reserve(call.inputs.size());  // pointers to its elements stay valid
  for (const CallInput& input : call.inputs) {
    if (input.constant) constants_.push_back(info_of(*input.constant));
    pointers_.push_back(input.constant ? &constants_.back() : input.old ? old[*input.old] : nullptr);
  }
}

void set_attribute(OpDesc& op, Attribute attribute) {
  const auto given = std::ranges::find(op.attributes, attribute.name, &Attribute::name);
  if (given != op.attributes.end())
    *given = std::move(attribute);
  else
    op.attributes.push_back(std::move(attribute));
}

void remove_attribute(OpDesc& op, std::string_view name) {
  std::erase_if(op.attributes, [name](const Attribute& attribute) { return attribute.name == name; });
}

const Attribute* find_same(const OpDesc& op, const Attribute& attribute) {
  const Attribute* found = op.find(attribute.name);
  return found != nullptr && is_same_value(found->value, attribute.value) ? found : nullptr;
}

Tensor floats(std::span<const float> values) {
  return numbers(DataType::kFloat, values);
}

Tensor int64s(std::span<const int64_t> values) {
  return numbers(DataType::kInt64, values);
}

std::string change_text(const Call& before, const Call& after) {
  std::string text;
  const OpSchema& from = *before.op.schema;
  const OpSchema& to = *after.op.schema;
  if (&from != &to)
    add_part(text, fmt::format("{}-{} becomes {}-{}", from.type, from.since_version, to.type, to.since_version));
  add_attributes(before, after, text);
  add_inputs(before, after, text);
  return text;
}

}  // namespace tesela::fix
