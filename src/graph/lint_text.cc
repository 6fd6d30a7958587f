// SPDX-License-Identifier: Apache-2.0
// Formats the findings of lint.
#include <map>

#include "graph/lint.h"
#include "graph/value_text.h"
#include "types/json.h"
#include "types/text.h"

namespace tesela {
namespace {

using Severity = LintFinding::Severity;

std::string_view severity_text(const LintFinding& finding) {
  return finding.severity == Severity::kError ? "error" : "warning";
}

constexpr std::string_view kIncomplete =
    "The model has so many nodes that the later ones were not compared with other rules; conditions were checked for "
    "all.";

// "ONNX Runtime, CPU: multiplies extents in float32 (axis 2: extent 39 here, 40 there)".
std::string message_of(const LintFinding& finding) {
  if (finding.kind == "fault") return finding.effect;
  std::string text = fmt::format("{} {}", finding.runtime, finding.effect);
  if (!finding.numbers.empty()) text += fmt::format(" ({})", finding.numbers);
  return text;
}

Json finding_json(const LintFinding& finding) {
  return {{"severity", severity_text(finding)},
          {"rule", finding.rule},
          {"kind", finding.kind},
          {"runtime", finding.runtime},
          {"node", finding.node},
          {"where", finding.where},
          {"condition", finding.condition},
          {"effect", finding.effect},
          {"numbers", finding.numbers},
          {"cure", finding.cure},
          {"source", finding.source}};
}

// One rule for each row that was found, with its condition and cure.
Json sarif_rules(const LintReport& report) {
  std::map<std::string, const LintFinding*> found;
  for (const LintFinding& finding : report.findings) found.emplace(finding.rule, &finding);
  Json rules = Json::array();
  for (const auto& [id, finding] : found) {
    Json rule = {{"id", id}, {"name", finding->kind}};
    const std::string description =
        finding->kind == "fault" ? std::string("The file breaks a rule of the standard.")
                                 : fmt::format("{}: {} {}", finding->condition, finding->runtime, finding->effect);
    rule["shortDescription"] = Json{{"text", description}};
    if (!finding->cure.empty()) rule["help"] = Json{{"text", finding->cure}};
    if (finding->source.starts_with("https://")) rule["helpUri"] = finding->source;
    rules.push_back(std::move(rule));
  }
  return rules;
}

Json sarif_result(const LintFinding& finding, std::string_view path) {
  Json result = {{"ruleId", finding.rule}, {"level", severity_text(finding)}};
  const std::string prefix = finding.where.empty() ? "" : finding.where + ": ";
  result["message"] = Json{{"text", prefix + message_of(finding)}};
  Json location = Json::object();
  if (!path.empty()) {
    Json artifact = Json::object();
    artifact["artifactLocation"] = Json{{"uri", path}};
    location["physicalLocation"] = std::move(artifact);
  }
  if (!finding.node.empty()) {
    Json names = Json::array();
    names.push_back(Json{{"fullyQualifiedName", finding.node}, {"kind", "element"}});
    location["logicalLocations"] = std::move(names);
  }
  if (!location.empty()) {
    Json locations = Json::array();
    locations.push_back(std::move(location));
    result["locations"] = std::move(locations);
  }
  return result;
}

}  // namespace

std::string lint_plain(const LintReport& report) {
  std::string text;
  for (const LintFinding& finding : report.findings) {
    text += fmt::format("{}: {}{}[{}]\n", severity_text(finding), printable(finding.where),
                        finding.where.empty() ? "" : " ", finding.rule);
    text += fmt::format("  {}\n", printable(message_of(finding)));
    if (!finding.cure.empty()) text += fmt::format("  cure: {}\n", finding.cure);
  }
  const size_t hidden = report.errors + report.warnings - report.findings.size();
  if (hidden > 0) text += fmt::format("... and {} more\n", hidden);
  if (!report.is_complete) text += fmt::format("{}\n", kIncomplete);
  return text + counted(report.errors, "error") + ", " + counted(report.warnings, "warning") + "\n";
}

std::string lint_json(const LintReport& report) {
  Json findings = Json::array();
  for (const LintFinding& finding : report.findings) findings.push_back(finding_json(finding));
  Json json = {{"errors", report.errors}, {"warnings", report.warnings}, {"complete", report.is_complete}};
  json["findings"] = std::move(findings);
  return json.text() + "\n";
}

std::string lint_sarif(const LintReport& report, std::string_view path) {
  Json driver = {{"name", "tesela"}, {"version", tesela_version()}};
  driver["rules"] = sarif_rules(report);
  Json results = Json::array();
  for (const LintFinding& finding : report.findings) results.push_back(sarif_result(finding, path));
  Json run = Json::object();
  run["tool"] = Json::object();
  run["tool"]["driver"] = std::move(driver);
  run["results"] = std::move(results);
  Json runs = Json::array();
  runs.push_back(std::move(run));
  Json json = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}};
  json["runs"] = std::move(runs);
  return json.text() + "\n";
}

}  // namespace tesela
