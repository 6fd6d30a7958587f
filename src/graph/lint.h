// SPDX-License-Identifier: Apache-2.0
// What each node of a model risks on other runtimes, without running it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/graph.h"
#include "peers/catalogue.h"
#include "types/limits.h"

namespace tesela {

struct LintFinding {
  enum class Severity : uint8_t { kError, kWarning };
  Severity severity = Severity::kWarning;
  std::string rule;     // "onnxruntime/axes", or "standard/shape" for a fault of the file
  std::string kind;     // "refused", "other rule" ...; "fault"
  std::string runtime;  // its title; "the standard"
  std::string node;     // its name; "" if it has none
  std::string where;    // "Resize-18 node 'up1'"
  std::string condition;
  std::string effect;
  std::string numbers;  // the effect on this node, "" if it is not known
  std::string cure;
  std::string source;
};

struct LintReport {
  std::vector<LintFinding> findings;  // in the file's order; only the first ones of a very long list
  size_t errors = 0;
  size_t warnings = 0;
  bool is_complete = true;  // false: the model has so many nodes that effects of the later ones were not compared
};

struct LintScope {
  std::vector<const peers::Peer*> runtimes;
  bool are_named = false;  // what they refuse is an error
};

/// The usual runtimes for no names, every one for the name "all", which both are not named; else those named.
/// Errors: value (an unknown name).
Result<LintScope> make_scope(std::span<const std::string_view> names);

/// Faults of the file are errors.
LintReport lint_model(const Model& model, const Limits& limits, const LintScope& scope);

std::string lint_plain(const LintReport& report);
std::string lint_json(const LintReport& report);
/// SARIF 2.1.0. path: of the model; may be empty.
std::string lint_sarif(const LintReport& report, std::string_view path);

}  // namespace tesela
