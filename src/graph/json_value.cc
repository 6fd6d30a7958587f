// SPDX-License-Identifier: Apache-2.0
// Attributes, tensors and shapes as JSON.
#include "graph/json_value.h"

#include <charconv>
#include <cmath>
#include <cstring>

#include "types/elements.h"
#include "types/packed.h"
#include "types/text.h"

namespace tesela {
namespace {

constexpr int64_t kMaxElements = 16;
constexpr size_t kMaxListed = 1'000;  // entries of an attribute

// The shortest decimal that gives this float, not the one of its double. JSON has no infinities.
template <class T>
Json number_json(T value) {
  const std::string text = fmt::format("{}", value);
  if (!std::isfinite(value)) return text;
  double shortest = 0;
  std::from_chars(text.data(), text.data() + text.size(), shortest);
  return shortest;
}

Json element_json(const Tensor& tensor, int64_t i) {
  const auto at = static_cast<size_t>(i);
  switch (tensor.type()) {
    case DataType::kString: return shortened(tensor.as<StringRef>()[at].view());
    case DataType::kInt64: return tensor.as<int64_t>()[at];
    case DataType::kUint64: return tensor.as<uint64_t>()[at];
    case DataType::kFloat: return number_json(tensor.as<float>()[at]);
    case DataType::kDouble: return number_json(tensor.as<double>()[at]);
    default: break;
  }
  const int bits = element_bits(tensor.type());
  std::byte element[16] = {};
  if (bits < 8)
    element[0] = std::byte{get_packed(tensor.data(), i * bits, bits)};
  else
    std::memcpy(element, tensor.data() + i * (bits / 8), static_cast<size_t>(bits / 8));
  double values[2] = {};
  element_to_doubles(tensor.type(), element, values);
  switch (traits(tensor.type()).kind) {
    case DataKind::kBoolean: return values[0] != 0;
    case DataKind::kSigned:
    case DataKind::kUnsigned: return static_cast<int64_t>(values[0]);
    case DataKind::kComplex: return Json::array({number_json(values[0]), number_json(values[1])});
    default: return number_json(values[0]);
  }
}

struct AttributeWriter {
  Json operator()(std::monostate) const { return nullptr; }
  Json operator()(float value) const { return number_json(value); }
  Json operator()(int64_t value) const { return value; }
  Json operator()(const std::string& value) const { return shortened(value); }
  Json operator()(const Tensor& value) const {
    Json dims = Json::array();
    for (const int64_t extent : value.extents()) dims.push_back(extent);
    return {{"type", type_json(value.type())}, {"dims", std::move(dims)}, {"value", elements_json(value)}};
  }
  Json operator()(const std::vector<float>& values) const {
    return listed(values, [](float value) { return number_json(value); });
  }
  Json operator()(const std::vector<int64_t>& values) const {
    return listed(values, [](int64_t value) { return Json(value); });
  }
  Json operator()(const std::vector<std::string>& values) const {
    return listed(values, [](const std::string& value) { return Json(shortened(value)); });
  }

  template <class T, class Entry>
  static Json listed(const std::vector<T>& values, Entry entry) {
    if (values.size() > kMaxListed) return nullptr;
    Json list = Json::array();
    for (const T& value : values) list.push_back(entry(value));
    return list;
  }
};

}  // namespace

Json dims_json(const std::optional<Dims>& dims) {
  if (!dims) return nullptr;
  Json list = Json::array();
  for (const Dim& dim : *dims) {
    if (dim.known())
      list.push_back(dim.value);
    else if (dim.symbol.empty())
      list.push_back(nullptr);
    else
      list.push_back(dim.symbol.text());
  }
  return list;
}

Json type_json(DataType type) {
  if (type == DataType::kUndefined) return nullptr;
  return name(type);
}

Json elements_json(const Tensor& tensor) {
  const int64_t count = tensor.count();
  if (count > kMaxElements) return nullptr;
  Json list = Json::array();
  for (int64_t i = 0; i < count; ++i) list.push_back(element_json(tensor, i));
  return list;
}

Json attribute_json(const Attribute& attribute) {
  return std::visit(AttributeWriter(), attribute.value);
}

std::optional<Json> default_json(const AttributeSpec& spec) {
  if (!spec.has_default) return std::nullopt;
  if (spec.kind == AttributeKind::kInt) return spec.default_int;
  if (spec.kind == AttributeKind::kFloat) return number_json(spec.default_float);
  return std::string(spec.default_string);
}

}  // namespace tesela
