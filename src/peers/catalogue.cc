// SPDX-License-Identifier: Apache-2.0
// The list of peers, and which of their rows apply to a node.
#include "peers/catalogue.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "types/json.h"
#include "types/suggestion.h"

namespace tesela::peers {

namespace {

// A short link, because a whole URL makes a table wider than a page: an issue or a pull request of GitHub is "repository#number",
// a file its name.
std::string source_markdown(std::string_view source) {
  if (!source.starts_with("https://")) return std::string(source);
  std::string_view path = source.substr(0, source.find('#'));
  const auto take_last = [&path] {
    const size_t slash = path.rfind('/');
    const std::string_view last = path.substr(slash + 1);
    path = path.substr(0, slash);
    return last;
  };
  const std::string_view last = take_last();
  const std::string_view folder = take_last();
  if (folder != "issues" && folder != "pull") return fmt::format("[{}]({})", last, source);
  return fmt::format("[{}#{}]({})", take_last(), last, source);
}

}  // namespace

std::string_view kind_text(Kind kind) {
  switch (kind) {
    case Kind::kRefused: return "refused";
    case Kind::kFallback: return "fallback";
    case Kind::kCrash: return "crash";
    case Kind::kOtherRule: return "other rule";
    case Kind::kIgnored: return "ignored";
    case Kind::kMistake: return "exporter";
    case Kind::kAccepted: return "accepted";
  }
  return "";
}

std::span<const Peer> all_peers() {
  static const std::array peers = {onnxruntime(),
                                   openvino(),
                                   onnx_reference(),
                                   pytorch(),
                                   exporters(),
                                   onnxruntime_cuda(),
                                   onnxruntime_webgpu(),
                                   onnxruntime_coreml(),
                                   onnxruntime_qnn(),
                                   onnxruntime_directml(),
                                   onnxruntime_webnn(),
                                   tensorrt(),
                                   tvm(),
                                   ncnn(),
                                   mnn(),
                                   migraphx(),
                                   opencv_dnn(),
                                   tract()};
  return peers;
}

// Made when the library is loaded: after a fork during another thread's first use they would be half made.
[[maybe_unused]] static const std::span<const Peer> made_early = all_peers();

Result<const Peer*> find_peer(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Peer& peer : all_peers()) {
    if (peer.name == name) return &peer;
    names.push_back(peer.name);
  }
  return value_error("runtime {} is unknown{}; expected {}", in_quotes(name), suggestion(name, names),
                     fmt::join(names, ", "));
}

const Row* find_row(std::string_view rule) {
  for (const Peer& peer : all_peers())
    for (const Row& row : peer.rows)
      if (rule.size() == peer.name.size() + 1 + row.id.size() && rule.starts_with(peer.name) &&
          rule[peer.name.size()] == '/' && rule.ends_with(row.id))
        return &row;
  return nullptr;
}

bool stops(const Row& row) {
  return row.kind == Kind::kRefused || row.kind == Kind::kCrash || row.kind == Kind::kFallback;
}

std::vector<Hit> find_differences(const NodeView& node, std::span<const Peer* const> peers) {
  std::vector<Hit> hits;
  for (const Peer* peer : peers) {
    if (!peer->reads_openvino && !is_onnx_domain(node.op().schema->domain)) continue;
    std::vector<Hit> found;
    bool runs = true;
    for (const Row& row : peer->rows) {
      if (row.match == nullptr) continue;  // about invalid nodes
      if (!runs && !stops(row)) continue;  // what a refused node would compute does not matter
      Match match = row.match(node);
      if (!match) continue;
      if (stops(row) && runs) found.clear();
      found.push_back({peer, &row, std::move(*match)});
      runs = runs && !stops(row);
    }
    std::move(found.begin(), found.end(), std::back_inserter(hits));
  }
  return hits;
}

std::vector<Hit> find_acceptances(const FaultyNode& node, std::span<const Peer* const> peers) {
  std::vector<Hit> hits;
  for (const Peer* peer : peers) {
    if (!is_onnx_domain(node.op.schema->domain)) continue;
    for (const Row& row : peer->rows)
      if (row.accepts != nullptr && row.accepts(node)) hits.push_back({peer, &row, ""});
  }
  return hits;
}

std::string catalogue_json() {
  Json peers = Json::array();
  for (const Peer& peer : all_peers()) {
    Json rows = Json::array();
    for (const Row& row : peer.rows)
      rows.push_back({{"id", row.id},
                      {"kind", kind_text(row.kind)},
                      {"condition", row.condition},
                      {"effect", row.effect},
                      {"cure", row.cure},
                      {"source", row.source}});
    Json json = {{"name", peer.name}, {"title", peer.title}, {"versions", peer.versions}};
    json["rows"] = std::move(rows);
    peers.push_back(std::move(json));
  }
  return peers.text() + "\n";
}

std::string catalogue_markdown() {
  std::string text;
  for (const Peer& peer : all_peers()) {
    text += fmt::format("## {} ({})\n\n`{}`\n\n", peer.title, peer.versions, peer.name);
    text += "| row | kind | where | what it does | cure | source |\n|---|---|---|---|---|---|\n";
    for (const Row& row : peer.rows)
      text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", row.id, kind_text(row.kind), row.condition, row.effect,
                          row.cure, source_markdown(row.source));
    text += "\n";
  }
  return text;
}

}  // namespace tesela::peers
