// SPDX-License-Identifier: Apache-2.0
// Formats the findings of a check.
#include "graph/check.h"
#include "graph/value_text.h"
#include "types/json.h"
#include "types/text.h"

namespace tesela {
namespace {

std::string_view severity_text(const Finding& finding) {
  return finding.severity == Finding::Severity::kFault ? "fault" : "note";
}

}  // namespace

std::string check_plain(const CheckReport& report) {
  std::string text;
  for (const Finding& finding : report.findings)
    text += fmt::format("{}: {}\n", severity_text(finding), printable(finding.text));
  const size_t hidden = report.faults + report.notes - report.findings.size();
  if (hidden > 0) text += fmt::format("... and {} more\n", hidden);
  return text + counted(report.faults, "fault") + ", " + counted(report.notes, "note") + "\n";
}

std::string check_json(const CheckReport& report) {
  Json findings = Json::array();
  for (const Finding& finding : report.findings) {
    const std::string_view code = finding.code == TESELA_OK ? "" : status_text(finding.code);
    findings.push_back(
        {{"severity", severity_text(finding)}, {"code", code}, {"node", finding.node}, {"text", finding.text}});
  }
  Json json = {{"faults", report.faults}, {"notes", report.notes}};
  json["findings"] = std::move(findings);  // entries of a list in braces are copied
  return json.text() + "\n";
}

}  // namespace tesela
