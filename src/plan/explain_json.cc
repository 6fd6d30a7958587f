// SPDX-License-Identifier: Apache-2.0
// An explanation as JSON; docs/schemas/explain.json describes it.
#include "plan/explain.h"
#include "types/json.h"

namespace tesela {
namespace {

std::string_view kind_name(ExplainedAxis::Kind kind) {
  switch (kind) {
    case ExplainedAxis::Kind::kUnchanged: return "unchanged";
    case ExplainedAxis::Kind::kTiled: return "tiled";
    case ExplainedAxis::Kind::kMoved: return "moved";
    case ExplainedAxis::Kind::kWeighted: return "weighted";
  }
  return "unchanged";
}

Json text_or_null(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

Json object_of(const std::vector<std::pair<std::string, std::string>>& rules) {
  Json object = Json::object();
  for (const auto& [what, rule] : rules) object[what] = rule;
  return object;
}

Json list_of(const Extents& extents) {
  return std::vector<int64_t>(extents.begin(), extents.end());
}

// The inputs outside as [first, last], or null.
Json outside_json(const TapWindow& part) {
  return part.lo > part.hi ? Json() : Json(std::vector<int64_t>{part.lo, part.hi});
}

Json output_json(const ExplainedOutput& row, bool has_weights) {
  return {{"output", row.output},
          {"x", row.x},
          {"exact", text_or_null(row.exact)},
          {"tie", row.is_tie},
          {"border", name_of(row.border)},
          {"below", outside_json(row.below)},
          {"above", outside_json(row.above)},
          {"first", row.first},
          {"count", row.count},
          {"weights", has_weights ? Json(row.weights) : Json()},
          {"rule", row.rule}};
}

Json axis_json(const ExplainedAxis& axis) {
  Json json = {{"axis", axis.axis},
               {"kind", kind_name(axis.kind)},
               {"input_extent", axis.in},
               {"output_extent", axis.out},
               {"pass", axis.pass == 0 ? Json() : Json(axis.pass)},
               {"window", axis.window},
               {"scale", axis.scale ? Json(*axis.scale) : Json()},
               {"exact_scale", text_or_null(axis.exact_scale)},
               {"coordinate_mode", text_or_null(axis.coordinate_mode)},
               {"formula", axis.formula},
               {"rules", object_of(axis.rules)},
               {"outputs", Json::array()}};
  const bool has_weights = axis.kind == ExplainedAxis::Kind::kWeighted;
  for (const ExplainedOutput& row : axis.outputs) json["outputs"].push_back(output_json(row, has_weights));
  return json;
}

}  // namespace

std::string explanation_json(const Explanation& explanation, const ExplainStyle& style) {
  Json json = {{"title", text_or_null(style.title)},
               {"work", explanation.work},
               {"type", name(explanation.type)},
               {"input", explanation.has_input ? list_of(explanation.in) : Json()},
               {"output", list_of(explanation.out)},
               {"rules", object_of(explanation.rules)},
               {"fields", Json::array()},
               {"unchanged", Json::array()},
               {"empty", Json::array()},
               {"axes", Json::array()}};
  for (const std::string& field : explanation.fields) json["fields"].push_back(field);
  for (const size_t axis : explanation.unchanged) json["unchanged"].push_back(axis);
  for (const size_t axis : explanation.empty) json["empty"].push_back(axis);
  for (const ExplainedAxis& axis : explanation.axes) json["axes"].push_back(axis_json(axis));
  return json.text() + "\n";
}

}  // namespace tesela
