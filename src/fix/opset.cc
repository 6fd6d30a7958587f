// SPDX-License-Identifier: Apache-2.0
// Finds and checks imports.
#include "fix/opset.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "fix/rewrite.h"
#include "graph/value_text.h"
#include "graph/walk.h"
#include "model/onnx_graph.h"

namespace tesela::fix {
namespace {

struct Versions {
  std::string_view operator_type;
  std::string_view list;  // "1 6 =13": since version 1; 6 changed it; 13 allows every node of 6 with the same meaning
};

constexpr Versions kVersions[] = {
#define TESELA_OPERATOR_VERSIONS(type, list) {type, list},
#include "fix/operator_versions.def"
#undef TESELA_OPERATOR_VERSIONS
};
static_assert(std::ranges::is_sorted(kVersions, {}, &Versions::operator_type));

struct Import {
  std::string_view message;
  uint32_t field = 8;  // of the message that has it
  int64_t version = 0;
};

// An import of ONNX's domain; empty for other domains.
std::optional<Import> read_import(std::string_view message, uint32_t field, PbPosition& position) {
  Import import{message, field, 0};
  bool is_onnx = true;
  PbFields in(message, position);
  while (in.next()) {
    switch (in.key()) {
      case pb_bytes(1): is_onnx = normal_domain(in.view()).empty(); break;
      case pb_varint(2): import.version = in.int64(); break;
      default: in.skip();
    }
  }
  return is_onnx ? std::optional(import) : std::nullopt;
}

struct Imports {
  std::vector<Import> model;      // at most one
  std::vector<Import> functions;  // in the file's order
  bool has_training = false;
};

Imports find_imports(const Model& model) {
  Imports found;
  PbPosition position = nullptr;
  const auto add = [&position](std::vector<Import>& list, std::string_view message, uint32_t field) {
    if (const auto import = read_import(message, field, position)) list.push_back(*import);
  };
  PbFields in(model.bytes, position);
  while (in.next()) {
    switch (in.key()) {
      case pb_bytes(8): add(found.model, in.view(), 8); break;
      case pb_bytes(20):
        found.has_training = true;
        in.skip();
        break;
      case pb_bytes(25): {
        PbFields function(in.view(), position);
        while (function.next()) {
          if (function.key() == pb_bytes(9))
            add(found.functions, function.view(), 9);
          else
            function.skip();
        }
        break;
      }
      default: in.skip();
    }
  }
  return found;
}

// The node whose operator changes first, and when.
struct Obstacle {
  std::string node;
  int64_t change = 0;
};

Result<std::optional<Obstacle>> find_obstacle(const Model& model, const Limits& limits, int64_t opset) {
  const FunctionNames functions = function_names(model);
  std::optional<Obstacle> first;
  Status unknown;
  const auto visit = [&](const GraphVisit& graph) {
    const Result<int64_t> from = onnx_opset(graph.imports);
    if (!from.ok()) unknown = from.status();
    for (size_t n = 0; n < graph.graph.nodes.size() && unknown.ok(); ++n) {
      const Node& node = graph.graph.nodes[n];
      if (graph.facts.nodes[n].kind == NodeKind::kOperator || !is_onnx_domain(node.domain)) continue;
      if (functions.contains({node.domain, node.type})) continue;
      const Result<int64_t> change = first_change(node.type, *from, opset);
      if (!change.ok()) unknown = change.status().with_prefix(graph.path);
      if (change.ok() && *change != 0 && (!first || *change < first->change))
        first = Obstacle{graph.path + node_text(node), *change};
    }
  };
  TESELA_RETURN_IF_ERROR(walk_graphs(model, limits, visit));
  TESELA_RETURN_IF_ERROR(unknown);
  return first;
}

}  // namespace

Result<int64_t> first_change(std::string_view type, int64_t from, int64_t to) {
  const auto* found = std::ranges::lower_bound(kVersions, type, {}, &Versions::operator_type);
  if (found == std::end(kVersions) || found->operator_type != type)
    return unsupported_error("{} is not an operator of ONNX whose versions are known", in_quotes(type));
  std::string_view rest = found->list;
  while (!rest.empty()) {
    const bool is_same = rest.front() == '=';
    if (is_same) rest.remove_prefix(1);
    int64_t version = 0;
    const auto parsed = std::from_chars(rest.data(), rest.data() + rest.size(), version);
    rest.remove_prefix(static_cast<size_t>(parsed.ptr - rest.data()));
    if (!rest.empty()) rest.remove_prefix(1);
    if (!is_same && version > from && version <= to) return version;
  }
  return 0;
}

Result<int64_t> imported_opset(const Model& model) {
  const Imports imports = find_imports(model);
  const int64_t imported = imports.model.empty() ? 0 : imports.model.front().version;
  const auto read = model.opsets.find("");
  if (!imports.model.empty() && (read == model.opsets.end() || read->second != imported))
    return unsupported_error("the model was read by another opset than {}, which its file imports", imported);
  return imported;
}

Result<std::vector<Edit>> raise_opset(const Model& model, const Limits& limits, int64_t opset) {
  if (opset > kNewestOpset)
    return unsupported_error("opset {} is not supported; expected at most {}", opset, kNewestOpset);
  const Imports imports = find_imports(model);
  if (imports.model.empty()) return unsupported_error("the model imports no opset of ONNX's domain");
  if (imports.has_training)
    return unsupported_error("the model has graphs of training, which are not read; its opset cannot be raised");
  std::vector<Edit> edits;
  for (const auto* list : {&imports.model, &imports.functions}) {
    for (const Import& import : *list) {
      if (import.version > opset)
        return value_error("opset {} is given, and the model imports {}; fix only raises opsets", opset,
                           import.version);
      if (import.version == opset) continue;
      std::string field;
      add_bytes(field, import.field, with_version(import.message, opset));
      edits.push_back({import.message, std::move(field)});
    }
  }
  TESELA_ASSIGN_OR_RETURN(const std::optional<Obstacle> obstacle, find_obstacle(model, limits, opset));
  if (obstacle)
    return unsupported_error(
        "opset {} changes {}, which Tesela does not upgrade; the newest opset that leaves other nodes as they are is "
        "{}",
        obstacle->change, obstacle->node, obstacle->change - 1);
  return edits;
}

}  // namespace tesela::fix
