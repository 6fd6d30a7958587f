// SPDX-License-Identifier: Apache-2.0
// Makes options from the table of operators: it has their names, types, allowed values and defaults.
#include "resize_attributes.h"

#include <algorithm>
#include <vector>

#include "numbers.h"
#include "report.h"

namespace tesela::cli {
namespace {

struct Attribute {
  std::string name;
  std::string type;  // "INT", "FLOAT", "STRING", "INTS"
  std::string fallback;
  std::vector<std::string> allowed;  // the union of all versions
};

// Versions are in ascending order; the newest determines the type and default.
std::vector<Attribute> resize_attributes() {
  std::vector<Attribute> attributes;
  const Json table = Json::parse(tesela::ops(TESELA_TEXT_JSON).view());
  for (const Json& row : table.at("operators")) {
    if (row.at("operator") != "Resize") continue;
    for (const Json& entry : row.at("attributes")) {
      const std::string name = entry.at("name");
      auto found = std::find_if(attributes.begin(), attributes.end(), [&](const auto& a) { return a.name == name; });
      if (found == attributes.end()) found = attributes.insert(found, Attribute{name, "", "", {}});
      found->type = entry.at("type");
      const Json fallback = entry.value("default", Json());
      found->fallback = fallback.is_string() ? fallback.get<std::string>() : fallback.is_null() ? "" : fallback.dump();
      for (const std::string value : entry.value("allowed", Json::array()))
        if (std::find(found->allowed.begin(), found->allowed.end(), value) == found->allowed.end())
          found->allowed.push_back(value);
    }
  }
  return attributes;
}

std::string meaning(const std::string& name) {
  static const std::map<std::string, std::string> meanings = {
      {"antialias", "Widen the filter where the output is smaller"},
      {"axes", "The axes of --sizes, --scales and --roi (default: all; for images 0,1)"},
      {"coordinate_transformation_mode", "How positions in the output become positions in the input"},
      {"cubic_coeff_a", "The coefficient of the cubic filter"},
      {"exclude_outside", "Give no weight to positions outside the input"},
      {"extrapolation_value", "The value outside the input, for tf_crop_and_resize"},
      {"keep_aspect_ratio_policy", "How --sizes are met where they would change the aspect ratio"},
      {"mode", "How elements are interpolated"},
      {"nearest_mode", "Which neighbour mode nearest takes"}};
  const auto found = meanings.find(name);
  return found == meanings.end() ? "Attribute " + name : found->second;
}

std::string help(const Attribute& attribute) {
  std::string text = meaning(attribute.name);
  if (!attribute.allowed.empty()) {
    text += ":";
    for (const std::string& value : attribute.allowed) text += (&value == &attribute.allowed[0] ? " " : ", ") + value;
  }
  return attribute.fallback.empty() ? text : text + " (default " + attribute.fallback + ")";
}

AttributeValue parse(const std::string& option, const Attribute& attribute, const std::string& text) {
  if (attribute.type == "STRING") return text;
  if (attribute.type == "FLOAT") return parse_float(option, text);
  if (attribute.type == "INT") return int64_t{parse_flag(option, text)};  // all integers of Resize are flags
  return parse_integers(option, text, INT64_MIN, INT64_MAX);
}

std::string metavariable(const std::string& type) {
  return type == "STRING" ? "NAME" : type == "FLOAT" ? "X" : type == "INT" ? "0|1" : "N,N,...";
}

}  // namespace

void add_resize_attributes(CLI::App& verb, AttributeValues& values) {
  for (const Attribute& attribute : resize_attributes()) {
    std::string option = "--" + attribute.name;
    std::replace(option.begin(), option.end(), '_', '-');
    add_text(verb, option, metavariable(attribute.type), help(attribute),
             [&values, option, attribute](const std::string& text) {
               values[attribute.name] = parse(option, attribute, text);
             })
        ->group("Attributes");
  }
}

}  // namespace tesela::cli
