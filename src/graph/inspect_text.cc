// SPDX-License-Identifier: Apache-2.0
// Formats the document of an inspection as aligned lines.
#include "graph/inspect_text.h"

#include <algorithm>

#include "graph/value_text.h"
#include "types/text.h"

namespace tesela {
namespace {

std::string scalar_text(const Json& value) {
  if (value.is_string()) return printable(value.string());
  if (value.is_null()) return "?";
  // 2.0 is "2.0" in JSON, but "2" here.
  return value.is_double() ? fmt::format("{}", value.number()) : value.text();
}

std::string joined(const Json& list, std::string_view separator) {
  std::string text;
  for (const Json& entry : list.entries()) {
    if (!text.empty()) text += separator;
    text += entry.is_array() ? "(" + joined(entry, ", ") + ")" : scalar_text(entry);
  }
  return text;
}

std::string dims_column(const Json& dims) {
  if (dims.is_null()) return "unknown";
  if (dims.empty()) return "scalar";
  // Without separators, symbols of several letters could not be told apart.
  const bool has_words = std::any_of(dims.entries().begin(), dims.entries().end(),
                                     [](const Json& dim) { return dim.is_string() && dim.string().size() > 1; });
  return joined(dims, has_words ? " x " : "x");
}

std::string value_text(const Json& value) {
  if (value.is_array()) return "[" + joined(value, ", ") + "]";
  if (!value.is_object()) return scalar_text(value);
  return fmt::format("{} {} {}", scalar_text(value["type"]), dims_column(value["dims"]), value_text(value["value"]));
}

/// Rows of cells; each column is as wide as its widest cell, except very wide ones.
class Table {
 public:
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  std::string text(std::string_view indent) const {
    std::vector<size_t> widths;
    for (const auto& row : rows_) {
      widths.resize(std::max(widths.size(), row.size()));
      for (size_t c = 0; c < row.size(); ++c)
        if (row[c].size() <= kMax) widths[c] = std::max(widths[c], row[c].size());
    }
    std::string text;
    for (const auto& row : rows_) {
      std::string line(indent);
      for (size_t c = 0; c < row.size(); ++c) line += fmt::format("{:<{}}  ", row[c], widths[c]);
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + "\n";
    }
    return text;
  }

 private:
  static constexpr size_t kMax = 120;
  std::vector<std::vector<std::string>> rows_;
};

std::vector<std::string> value_cells(const Json& value) {
  std::vector<std::string> cells = {scalar_text(value["name"]), scalar_text(value["type"]), dims_column(value["dims"])};
  if (value.contains("value")) cells.push_back(value_text(value["value"]));
  if (value.contains("has_default")) cells.push_back("(default)");
  if (value.contains("is_tensor")) cells.push_back("(no tensor)");
  return cells;
}

std::string values_text(std::string_view title, const Json& values) {
  Table table;
  for (const Json& value : values.entries()) table.add(value_cells(value));
  return fmt::format("{}\n{}", title, values.empty() ? "  none\n" : table.text("  "));
}

std::string attributes_text(const Json& attributes, bool given) {
  std::string text;
  for (const Json& attribute : attributes.entries()) {
    if (attribute["given"].boolean() != given) continue;
    if (!text.empty()) text += ", ";
    text += fmt::format("{} = {}", scalar_text(attribute["name"]), value_text(attribute["value"]));
  }
  return text;
}

std::string node_lines(const Json& node) {
  std::string text = "  " + printable(node["path"].string()) + scalar_text(node["operator"]);
  if (!node["since_version"].is_null()) text += "-" + scalar_text(node["since_version"]);
  if (!node["name"].string().empty()) text += " " + tesela::in_quotes(node["name"].string());
  text += "\n";
  Table table;
  for (const char* side : {"inputs", "outputs"})
    for (const Json& value : node[side].entries()) {
      std::vector<std::string> cells = value_cells(value);
      cells.insert(cells.begin(), scalar_text(value["port"]));
      table.add(std::move(cells));
    }
  text += table.text("    ");
  if (const std::string given = attributes_text(node["attributes"], true); !given.empty())
    text += "    " + given + "\n";
  if (const std::string rest = attributes_text(node["attributes"], false); !rest.empty())
    text += "    default: " + rest + "\n";
  if (node.contains("faults"))
    for (const Json& fault : node["faults"].entries()) text += "    fault: " + scalar_text(fault) + "\n";
  return text;
}

}  // namespace

std::string inspection_text(const Json& document) {
  Table head;
  for (const char* key : {"file", "producer"})
    if (!document[key].string().empty()) head.add({key, scalar_text(document[key])});
  head.add({"ir_version", scalar_text(document["ir_version"])});
  std::string opsets;
  for (const auto& [domain, opset] : document["opsets"].members())
    opsets += fmt::format("{}{} {}", opsets.empty() ? "" : ", ", printable(domain), scalar_text(opset));
  head.add({"opsets", opsets.empty() ? "none" : opsets});
  head.add({"runnable", document["runnable"].boolean() ? "yes" : "no: " + scalar_text(document["obstacle"])});
  std::string text = head.text("");
  for (const char* side : {"inputs", "outputs"}) {
    text += values_text(side, document[side]);
    if (const std::string left_out = std::string(side) + "_left_out"; document.contains(left_out))
      text += fmt::format("  ... and {} more\n", scalar_text(document[left_out]));
  }
  text += "nodes\n";
  for (const Json& node : document["nodes"].entries()) text += node_lines(node);
  if (document["nodes"].empty()) text += "  none of Tesela's operators\n";
  if (document.contains("nodes_left_out"))
    text += fmt::format("  ... and {} more\n", scalar_text(document["nodes_left_out"]));
  if (document.contains("unknown_shapes")) {
    Table unknown;
    for (const Json& origin : document["unknown_shapes"].entries())
      unknown.add({scalar_text(origin["from"]), scalar_text(origin["why"]),
                   fmt::format("{} node{}", origin["nodes"].integer(), origin["nodes"].integer() == 1 ? "" : "s")});
    text += "unknown shapes come from\n" + unknown.text("  ");
  }
  if (document["foreign"].empty()) return text;
  Table foreign;
  for (const auto& [name, count] : document["foreign"].members()) foreign.add({printable(name), scalar_text(count)});
  if (document.contains("foreign_left_out"))
    foreign.add({fmt::format("... and {} more operators", scalar_text(document["foreign_left_out"]))});
  return text + "other operators\n" + foreign.text("  ");
}

}  // namespace tesela
