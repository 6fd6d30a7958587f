// SPDX-License-Identifier: Apache-2.0
// Explanations as JSON: every member, and null where there is nothing to say.
#include <gtest/gtest.h>

#include "plan/explain_calls.h"

namespace tesela {
namespace {

void contains(const std::string& json, std::string_view part) {
  EXPECT_NE(json.find(part), std::string::npos) << "no " << part << " in\n" << json;
}

TEST(ExplainJson, DocumentOfOneOutput) {
  const Plan plan = plan_of(by_sizes(4, 8), {.filter = Filter::kLinear, .arithmetic = PositionArithmetic::kFloat64});
  EXPECT_EQ(explanation_json(explained(plan, {0, 1}), {"a title", 80}), R"({
  "title": "a title",
  "work": "resize linear",
  "type": "float",
  "input": [
    4
  ],
  "output": [
    8
  ],
  "rules": {
    "passes": "axis 0",
    "values": "float, rounded half to even to float at the end"
  },
  "fields": [
    "coordinates=float64"
  ],
  "unchanged": [],
  "empty": [],
  "axes": [
    {
      "axis": 0,
      "kind": "weighted",
      "input_extent": 4,
      "output_extent": 8,
      "pass": 1,
      "window": 2,
      "scale": 2.0,
      "exact_scale": null,
      "coordinate_mode": "half_pixel",
      "formula": "x = 0.5 * (i + 0.5) - 0.5",
      "rules": {
        "positions": "doubles, each operation rounded, from the rounded in / out",
        "filter": "linear, support 1 on each side",
        "borders": "inputs outside are the border's: their weights are added to its weight",
        "weights": "rounded to float",
        "sums": "in ascending order, each product and sum rounded to float"
      },
      "outputs": [
        {
          "output": 0,
          "x": -0.25,
          "exact": null,
          "tie": false,
          "border": "folded",
          "below": [
            -1,
            -1
          ],
          "above": null,
          "first": 0,
          "count": 1,
          "weights": [
            1.0
          ],
          "rule": "-1 onto 0"
        }
      ]
    }
  ]
}
)");
}

TEST(ExplainJson, AxesThatDoNotChange) {
  const Plan plan = plan_of_sizes({3, 4, 5}, {3, 4, 0}, {DataType::kUint8, {}, {}, {}});
  EXPECT_EQ(explanation_json(explained(plan), {"", 80}), R"({
  "title": null,
  "work": "resize nearest",
  "type": "uint8",
  "input": [
    3,
    4,
    5
  ],
  "output": [
    3,
    4,
    0
  ],
  "rules": {
    "values": "elements are copied"
  },
  "fields": [],
  "unchanged": [
    0,
    1
  ],
  "empty": [
    2
  ],
  "axes": []
}
)");
}

TEST(ExplainJson, TilesHaveNeitherScaleNorWeights) {
  const std::string json =
      explanation_json(explained(*make_tile_plan({DataType::kFloat, {2}, {4}}, Limits::none()), {3, 1}), {});
  contains(json, R"("kind": "tiled",
      "input_extent": 2,
      "output_extent": 4,
      "pass": null,
      "window": 1,
      "scale": null,
      "exact_scale": null,
      "coordinate_mode": null,
      "formula": "output i is input i mod 2",
      "rules": {},)");
  contains(json, R"("output": 3,
          "x": 1.0,
          "exact": "1",
          "tie": false,
          "border": "none",
          "below": null,
          "above": null,
          "first": 1,
          "count": 1,
          "weights": null,
          "rule": "")");
}

TEST(ExplainJson, InputsOutsideAreRanges) {  // at 13/4
  const std::string json = explanation_json(explained(plan_of(4, 8, {.filter = Filter::kCubic}), {7, 1}), {});
  contains(json, R"("below": null,
          "above": [
            4,
            5
          ],)");
  contains(json, R"("exact_scale": "2")");
  contains(json, R"("exact": "13/4")");
}

TEST(ExplainJson, CopiesHaveNoWeights) {
  const std::string json = explanation_json(explained(plan_of(8, 4, {.filter = Filter::kNearest}), {1, 1}), {});
  contains(json, R"("kind": "moved")");
  contains(json, R"("tie": true)");
  contains(json, R"("weights": null,
          "rule": "tie, rounded down")");
}

// An output outside a crop has an empty list of weights.
TEST(ExplainJson, ExtrapolatedOutputs) {
  const Plan plan = plan_of(with_roi(by_sizes(5, 4), -0.125, 1),
                            {.filter = Filter::kLinear, .coordinates = CoordinateMode::kTfCropAndResize});
  const std::string json = explanation_json(explained(plan, {0, 1}), {});
  contains(json, R"("border": "extrapolated")");
  contains(json, R"("count": 0,
          "weights": [])");
}

TEST(ExplainJson, FillsHaveNoInput) {
  const std::string json = explanation_json(explained(*make_fill_plan({DataType::kUint8, {2}}, Limits::none())), {});
  contains(json, R"("work": "fill",
  "type": "uint8",
  "input": null,
  "output": [
    2
  ],
  "rules": {
    "value": "every output is 0"
  },)");
}

TEST(ExplainJson, AxesAddedByHand) {
  Explanation explanation;
  explanation.axes.emplace_back();
  contains(explanation_json(explanation, {}), R"("kind": "unchanged")");
}

}  // namespace
}  // namespace tesela
