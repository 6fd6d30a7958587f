// SPDX-License-Identifier: Apache-2.0
// All that is done with a model without running it.
#pragma once

#include <array>
#include <cstdlib>
#include <string>

#include "fix/fix.h"
#include "graph/check.h"
#include "graph/inspect.h"
#include "graph/lint.h"
#include "graph/plan_node.h"
#include "plan/explain.h"

namespace tesela::testing {

inline void explain_node(const Model& model, const std::string& node, const Limits& limits) {
  const Result<Plan> plan = plan_node(model, node, {}, limits);
  if (!plan.ok()) return;
  ExplainRequest request;
  request.most_outputs = 512;
  request.most_taps = 8192;
  const Result<Explanation> explanation = explain(*plan, request);
  if (!explanation.ok()) return;
  explanation_plain(*explanation, {node, 40});
  explanation_json(*explanation, {node, 80});
  explanation_svg(*explanation, {node, 80});
}

/// Fixes it for one meaning, and for an upgrade.
inline void fix(const Model& model, const Limits& limits) {
  const FixOptions pytorch = {"pytorch", 0};
  const FixOptions newest = {"", kNewestOpset};
  for (const FixOptions& options : {pytorch, newest}) {
    const Result<Fixed> fixed = fix_model(model, limits, options);
    if (!fixed.ok()) {
      if (fixed.status().code() == TESELA_ERROR_INTERNAL) std::abort();
      continue;
    }
    fix_plain(fixed->report);
    fix_json(fixed->report);
  }
}

inline void analyse(const Model& model, const Limits& limits) {
  check_model(model, limits);
  inspect_plain(model, limits);
  inspect_json(model, limits);
  const std::array<std::string_view, 1> every = {"all"};
  const LintReport report = lint_model(model, limits, *make_scope(every));
  lint_plain(report);
  lint_json(report);
  lint_sarif(report, "model.onnx");
  fix(model, limits);
  for (const char* node : {"#1", "#2", "#3"}) explain_node(model, node, limits);
}

}  // namespace tesela::testing
