// SPDX-License-Identifier: Apache-2.0
// Finds the ranges of elements and formats them.
#include "report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include "elements.h"

namespace tesela::cli {
namespace {

/// Labels and values about a tensor besides type and shape, for both output formats.
using Properties = std::vector<std::pair<std::string, std::string>>;

struct Range {
  double low = INFINITY;
  double high = -INFINITY;
  int64_t nans = 0;
  int64_t numbers = 0;

  void take(double number) {
    ++(std::isnan(number) ? nans : numbers);
    low = std::fmin(low, number);
    high = std::fmax(high, number);
  }
  void append_to(tesela_dtype dtype, const std::string& part, Properties& properties) const {
    if (numbers > 0) {
      properties.emplace_back(part + "minimum", number_text(dtype, low));
      properties.emplace_back(part + "maximum", number_text(dtype, high));
    }
    if (nans > 0) properties.emplace_back(part + "NaN", std::to_string(nans));
  }
};

// Doubles would round 64-bit integers.
template <class Integer>
Properties integer_properties(const tesela_tensor& tensor) {
  const auto elements = elements_of<Integer>(tensor);
  const auto [low, high] = std::minmax_element(elements.begin(), elements.end());
  return {{"minimum", std::to_string(*low)}, {"maximum", std::to_string(*high)}};
}

Properties string_properties(const tesela_tensor& tensor) {
  const auto elements = elements_of<tesela_string>(tensor);
  const auto shorter = [](const tesela_string& a, const tesela_string& b) { return a.length < b.length; };
  const auto [shortest, longest] = std::minmax_element(elements.begin(), elements.end(), shorter);
  return {{"shortest", std::to_string(shortest->length)}, {"longest", std::to_string(longest->length)}};
}

Properties number_properties(const tesela_tensor& tensor) {
  Properties properties;
  Range parts[2];
  const size_t step = is_complex(tensor.dtype) ? 2 : 1;
  visit_numbers(tensor, [&](int64_t, std::span<const double> numbers) {
    for (size_t i = 0; i < numbers.size(); ++i) parts[i % step].take(numbers[i]);
  });
  parts[0].append_to(tensor.dtype, step == 2 ? "real " : "", properties);
  if (step == 2) parts[1].append_to(tensor.dtype, "imaginary ", properties);
  return properties;
}

Properties properties_of(const tesela_tensor& tensor) {
  if (element_count(tensor) == 0) return {};
  if (tensor.dtype == TESELA_STRING) return string_properties(tensor);
  if (tensor.dtype == TESELA_INT64) return integer_properties<int64_t>(tensor);
  if (tensor.dtype == TESELA_UINT64) return integer_properties<uint64_t>(tensor);
  return number_properties(tensor);
}

// JSON has no infinity, and readers may round long integers, but our text of any finite number is valid JSON.
Json number_json(const std::string& text) {
  const bool finite = text.find_first_of("in") == std::string::npos;
  return finite ? Json::parse(text) : Json(text);
}

}  // namespace

std::string describe(const tesela_tensor& dense) {
  std::string text = type_and_shape(dense);
  if (element_count(dense) == 0) return text + ", empty";
  for (const auto& [label, value] : properties_of(dense))
    text += ", " + (label.ends_with("NaN") ? value + " " + label : label + " " + value);
  return text;
}

Json describe_json(const tesela_tensor& dense) {
  Json json = {{"type", tesela_dtype_name(dense.dtype)}, {"shape", Json::array()}};
  for (int32_t axis = 0; axis < dense.rank; ++axis) json["shape"].push_back(dense.extents[axis]);
  for (auto& [label, value] : properties_of(dense)) {
    std::string key = label;
    std::replace(key.begin(), key.end(), ' ', '_');
    json[key] = number_json(value);
  }
  return json;
}

std::string describe(const tesela_node_event& event) {
  char milliseconds[32];
  std::snprintf(milliseconds, sizeof milliseconds, "%.*f", event.milliseconds < 10 ? 3 : 1, event.milliseconds);
  std::string text = std::string(event.type) + "-" + std::to_string(event.since_version);
  if (*event.node != '\0') text += std::string(" ") + event.node;
  text += std::string(": ") + event.shapes + " ";
  const std::string input = event.input_dtype == nullptr ? "" : event.input_dtype;
  if (!input.empty() && input != event.dtype) text += input + " -> ";
  return text + event.dtype + ", " + milliseconds + " ms";
}

Json describe_json(const tesela_node_event& event) {
  return {{"node", event.node},     {"operator", event.type}, {"since_version", event.since_version},
          {"shapes", event.shapes}, {"type", event.dtype},    {"milliseconds", event.milliseconds}};
}

std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tesela::cli
