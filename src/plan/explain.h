// SPDX-License-Identifier: Apache-2.0
// Where the outputs of each axis land and which inputs weigh how much, from the map and the tables that backends use.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plan/plan.h"

namespace tesela {

struct ExplainRequest {
  std::vector<int64_t> axes;          // empty: every axis that changes
  std::optional<IndexRange> outputs;  // none: all outputs of a short axis, the first and last ones of a long axis
  int64_t most_outputs = 1 << 16;     // in one explanation
  int64_t most_taps = int64_t{1} << 18;
};

/// What happened to the inputs outside the tensor.
enum class Border : uint8_t {
  kNone,          // none was needed
  kClamped,       // the nearest index was outside
  kFolded,        // weights of inputs outside were added to the border's
  kDropped,       // inputs outside were dropped before the weights were normalised
  kExtrapolated,  // the position is outside: the output is the extrapolation value
};

/// One output of an axis.
struct ExplainedOutput {
  int64_t output = 0;
  double x = 0;       // its position, with input centres at whole numbers
  std::string exact;  // the same as a fraction, where positions are rational
  bool is_tie = false;
  Border border = Border::kNone;
  TapWindow below = {0, -1};    // the inputs outside with weights, before the first and
  TapWindow above = {0, -1};    // behind the last
  int64_t first = 0;            // as in the axis's table
  int64_t count = 0;            // as in the axis's table
  std::vector<double> weights;  // as in the axis's table; none if elements are moved
  std::string rule;             // what decided, in words; empty if there is nothing to say
};

struct ExplainedAxis {
  enum class Kind : uint8_t { kUnchanged, kTiled, kMoved, kWeighted };
  Kind kind = Kind::kUnchanged;
  size_t axis = 0;
  int64_t in = 0;
  int64_t out = 0;
  int64_t pass = 0;  // from 1, in the order of execution; 0: no pass
  int64_t window = 1;
  std::optional<double> scale;                             // out / in; none if no position depends on it
  std::string exact_scale;                                 // the same as a fraction, where it is one
  std::string coordinate_mode;                             // empty unless resized
  std::string formula;                                     // "x = (i + 0.5) * 7/4 - 0.5"
  std::vector<std::pair<std::string, std::string>> rules;  // (what, the rule in words)
  std::vector<IndexRange> ranges;                          // of the outputs below, ascending
  std::vector<ExplainedOutput> outputs;
};

struct Explanation {
  DataType type = DataType::kUndefined;
  Extents in;
  Extents out;
  bool has_input = true;
  std::string work;                                        // "resize linear", "tile", "fill"
  std::vector<std::pair<std::string, std::string>> rules;  // of the whole plan
  std::vector<std::string> fields;                         // plan fields that changed the computation: "weights=fixed8"
  std::vector<size_t> unchanged;                           // axes whose output i is input i
  std::vector<size_t> empty;                               // axes without outputs
  std::vector<ExplainedAxis> axes;
};

/// Errors: value (no such axis or range), limit (too many outputs or taps).
Result<Explanation> explain(const Plan& plan, const ExplainRequest& request);

/// The rules of an axis in words. resize: of the pass's plan.
void explain_rules(const ResizePlan& resize, const Pass& pass, ExplainedAxis& axis);
/// The rules of the whole plan in words, and its fields.
void explain_plan(const Plan& plan, Explanation& explanation);

struct ExplainStyle {
  std::string title;   // a line above, from the caller
  int64_t width = 80;  // columns of plain text
};
std::string explanation_plain(const Explanation& explanation, const ExplainStyle& style);
std::string explanation_json(const Explanation& explanation, const ExplainStyle& style);
std::string explanation_svg(const Explanation& explanation, const ExplainStyle& style);

/// "0 to 7", "3" for a range of one.
std::string range_text(int64_t lo, int64_t hi);
/// "folded" and so on; "none".
std::string_view name_of(Border border);
/// "-1/4 = -0.25", "2", "0.30000001192092896".
std::string position_text(const ExplainedOutput& output);

}  // namespace tesela
