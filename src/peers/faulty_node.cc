// SPDX-License-Identifier: Apache-2.0
// What conditions of rows about invalid nodes ask.
#include "peers/faulty_node.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "schema/tensor_values.h"

namespace tesela::peers {
namespace {

constexpr int64_t kMostValues = 4096;  // there are two for each axis

template <class Values, class Holds>
bool any_of(const Values& values, Holds holds) {
  return std::any_of(values.begin(), values.end(), holds);
}

// 1 where it is unknown.
size_t rank_of(const TensorInfo* input) {
  return input == nullptr || !input->dims ? 1 : input->dims->size();
}

}  // namespace

std::string_view FaultyNode::text(std::string_view name) const {
  const Attribute* given = op.find(name);
  const auto* value = given == nullptr ? nullptr : std::get_if<std::string>(&given->value);
  return value == nullptr ? std::string_view() : *value;
}

int64_t FaultyNode::integer(std::string_view name) const {
  const Attribute* given = op.find(name);
  const auto* value = given == nullptr ? nullptr : std::get_if<int64_t>(&given->value);
  return value == nullptr ? 0 : *value;
}

bool FaultyNode::has_unknown_attribute() const {
  const auto& known = op.schema->attributes;
  return std::any_of(op.attributes.begin(), op.attributes.end(), [&known](const Attribute& given) {
    return std::none_of(known.begin(), known.end(), [&given](const auto& row) { return row.name == given.name; });
  });
}

const TensorInfo* FaultyNode::input(std::string_view name) const {
  for (size_t k = 0; k < inputs.size() && k < op.schema->inputs.size(); ++k)
    if (op.schema->inputs[k].name == name) return inputs[k];
  return nullptr;
}

bool FaultyNode::has_input(std::string_view name) const {
  const TensorInfo* given = input(name);
  return given != nullptr && is_empty(*given) == false;
}

std::vector<double> FaultyNode::floats(std::string_view name) const {
  const TensorInfo* given = input(name);
  if (given == nullptr || !given->constant || given->constant->count() > kMostValues) return {};
  return read_floats(*given->constant);
}

std::vector<int64_t> FaultyNode::integers(std::string_view name) const {
  const TensorInfo* given = input(name);
  if (given == nullptr || !given->constant || given->constant->count() > kMostValues) return {};
  Result<Extents> values = read_integers(*given->constant, name);
  if (!values.ok()) return {};
  return {values->begin(), values->end()};
}

bool has_mode_of_later_version(const FaultyNode& node, std::string_view attribute, std::string_view value,
                               int64_t version) {
  return node.is(Operator::kResize) && node.version() < version && node.text(attribute) == value;
}

bool is_cubic_without_version(const FaultyNode& node) {
  const bool lacks_cubic = node.is(Operator::kUpsample) || (node.is(Operator::kResize) && node.version() == 10);
  return lacks_cubic && node.text("mode") == "cubic";
}

bool has_nested_list(const FaultyNode& node) {
  return node.resamples() && (rank_of(node.input("sizes")) > 1 || rank_of(node.input("scales")) > 1);
}

bool has_nonfinite_roi(const FaultyNode& node) {
  return node.is(Operator::kResize) && node.text("coordinate_transformation_mode") == "tf_crop_and_resize" &&
         any_of(node.floats("roi"), [](double value) { return !std::isfinite(value); });
}

bool has_bad_scales(const FaultyNode& node) {
  const bool grows = node.is(Operator::kUpsample);  // there are no scales below 1
  return node.resamples() && any_of(node.floats("scales"), [grows](double scale) {
           return !(scale > 0) || std::isinf(scale) || (grows && scale < 1);
         });
}

bool has_negative_sizes(const FaultyNode& node) {
  return node.resamples() && any_of(node.integers("sizes"), [](int64_t size) { return size < 0; });
}

bool grows_empty_axis(const FaultyNode& node) {
  const std::vector<int64_t> sizes = node.integers("sizes");
  const TensorInfo* data = node.input("X");
  if (!node.is(Operator::kResize) || data == nullptr || !data->dims || data->dims->size() != sizes.size()) return false;
  if (node.op.find("axes") != nullptr) return false;
  for (size_t k = 0; k < sizes.size(); ++k)
    if ((*data->dims)[k].value == 0 && sizes[k] > 0) return true;
  return false;
}

bool has_bad_counts(const FaultyNode& node) {
  const TensorInfo* data = node.input("X");
  if (!node.is(Operator::kResize) || data == nullptr || !data->dims) return false;
  if (node.has_input("sizes") && node.has_input("scales")) return true;
  const auto* axes = node.op.find("axes");
  const auto* listed = axes == nullptr ? nullptr : std::get_if<std::vector<int64_t>>(&axes->value);
  const size_t expected = listed == nullptr ? data->dims->size() : listed->size();
  if (listed != nullptr && std::set<int64_t>(listed->begin(), listed->end()).size() < expected) return true;
  return node.integers("sizes").size() > expected || node.floats("scales").size() > expected;
}

bool has_policy_for_scales(const FaultyNode& node) {
  const std::string_view policy = node.text("keep_aspect_ratio_policy");
  return node.is(Operator::kResize) && node.has_input("scales") && (policy == "not_larger" || policy == "not_smaller");
}

bool has_unknown_nearest_mode(const FaultyNode& node) {
  const std::string_view mode = node.text("nearest_mode");
  return node.is(Operator::kResize) && node.version() >= 11 && !mode.empty() && mode != "round_prefer_floor" &&
         mode != "round_prefer_ceil" && mode != "floor" && mode != "ceil";
}

bool has_antialias_of_nearest(const FaultyNode& node) {
  const std::string_view mode = node.text("mode");
  return node.is(Operator::kResize) && node.integer("antialias") != 0 && (mode.empty() || mode == "nearest");
}

bool has_int32_sizes(const FaultyNode& node) {
  const TensorInfo* sizes = node.input("sizes");
  return node.is(Operator::kResize) && sizes != nullptr && sizes->type == DataType::kInt32;
}

bool has_bad_repeats(const FaultyNode& node) {
  if (!node.is(Operator::kTile) || node.version() < 6) return false;
  if (node.inputs.size() > node.op.schema->inputs.size()) return true;
  const TensorInfo* repeats = node.input("repeats");
  const TensorInfo* data = node.input("input");
  if (repeats == nullptr || data == nullptr || rank_of(repeats) != 1) return false;
  const std::vector<int64_t> values = node.integers("repeats");
  const bool has_other_count = data->dims && repeats->dims && (*repeats->dims)[0].known() &&
                               static_cast<size_t>((*repeats->dims)[0].value) != data->dims->size();
  return has_other_count || (repeats->type != DataType::kInt64 && repeats->type != DataType::kUndefined) ||
         any_of(values, [](int64_t value) { return value < 0; });
}

bool has_bad_fill(const FaultyNode& node) {
  if (!node.is(Operator::kConstantOfShape)) return false;
  const Attribute* given = node.op.find("value");
  const auto* value = given == nullptr ? nullptr : std::get_if<Tensor>(&given->value);
  return (value != nullptr && value->count() == 0) ||
         any_of(node.integers("input"), [](int64_t extent) { return extent < 0; });
}

}  // namespace tesela::peers
