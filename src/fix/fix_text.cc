// SPDX-License-Identifier: Apache-2.0
// Formats what was changed.
#include "fix/fix.h"
#include "types/json.h"
#include "types/text.h"

namespace tesela {
namespace {

// "equal in all 3,072 outputs of random inputs", "up to 0.05 apart".
std::string proof_text(const FixChange& change) {
  const fix::Comparison& proof = change.proof;
  const std::string_view drawn = proof.is_drawn ? " (shapes are drawn)" : "";
  if (proof.has_other_extents) return fmt::format("numbers change: other extents{}", drawn);
  if (proof.is_equal())
    return fmt::format("numbers stay: {} outputs of random inputs are equal{}", proof.outputs, drawn);
  return fmt::format("numbers change: {} of {} outputs of random inputs, by up to {:.2g}{}", proof.different,
                     proof.outputs, proof.difference, drawn);
}

Json change_json(const FixChange& change) {
  const fix::Comparison& proof = change.proof;
  Json json = {{"node", change.node}, {"where", change.where}, {"rule", change.rule}, {"change", change.text}};
  json["keeps_numbers"] = change.keeps_numbers;
  json["calls"] = proof.calls;
  json["outputs"] = proof.outputs;
  json["different"] = proof.different;
  json["difference"] = proof.has_other_extents ? Json(nullptr) : Json(proof.difference);
  json["drawn"] = proof.is_drawn;
  return json;
}

}  // namespace

std::string fix_plain(const FixReport& report) {
  std::string text;
  for (const FixChange& change : report.changes)
    text += fmt::format("changed: {} [{}]\n  {}\n  {}\n", printable(change.where), change.rule, printable(change.text),
                        proof_text(change));
  for (const FixLeft& left : report.left)
    text += fmt::format("left: {} [{}]\n  {}\n", printable(left.where), left.rule, printable(left.why));
  if (report.opset_before != report.opset_after)
    text += fmt::format("opset {} becomes {}\n", report.opset_before, report.opset_after);
  return text + fmt::format("{} {} changed, {} {} left\n", report.nodes, report.nodes == 1 ? "node" : "nodes",
                            report.left.size(), report.left.size() == 1 ? "finding" : "findings");
}

std::string fix_json(const FixReport& report) {
  Json changes = Json::array();
  for (const FixChange& change : report.changes) changes.push_back(change_json(change));
  Json left = Json::array();
  for (const FixLeft& each : report.left)
    left.push_back({{"node", each.node}, {"where", each.where}, {"rule", each.rule}, {"why", each.why}});
  Json opset = {{"before", report.opset_before}, {"after", report.opset_after}};
  Json json = {{"nodes", report.nodes}};
  json["opset"] = std::move(opset);
  json["changes"] = std::move(changes);
  json["left"] = std::move(left);
  return json.text() + "\n";
}

}  // namespace tesela
