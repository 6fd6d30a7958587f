// SPDX-License-Identifier: Apache-2.0
// What other implementations do with the operators: refused, ignored, computed by another rule. Each fact is one row,
// with its condition, effect, cure and source; lint, the documents and the comparisons read them here.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "peers/faulty_node.h"
#include "peers/node_view.h"
#include "types/status.h"

namespace tesela::peers {

enum class Kind : uint8_t {
  kRefused,    // the peer reports an error
  kFallback,   // another provider of the same runtime computes the node
  kCrash,      // it ends, or returns uninitialised memory
  kOtherRule,  // it computes something else
  kIgnored,    // it ignores an attribute or input
  kMistake,    // an exporter writes what the source did not mean
  kAccepted,   // it computes a node that the standard forbids
};

/// "refused", "fallback", "crash", "other rule", "ignored", "exporter", "accepted".
std::string_view kind_text(Kind kind);

/// Whether a row applies to a node: nothing, or the effect in numbers ("" where the row says all).
using Match = std::optional<std::string>;

struct Row {
  std::string_view id;  // unique among the rows of a peer
  Kind kind;
  std::string_view condition;
  std::string_view effect;
  std::string_view cure;                              // "" if there is none but another runtime
  std::string_view source;                            // a URL, or "measured"
  Match (*match)(const NodeView& node);               // null of kAccepted
  bool (*accepts)(const FaultyNode& node) = nullptr;  // of kAccepted alone
};

struct Peer {
  std::string_view name;      // "onnxruntime"
  std::string_view title;     // "ONNX Runtime, CPU"
  std::string_view versions;  // that the rows are about
  std::span<const Row> rows;
  bool is_usual = false;        // linted if no runtime is named
  bool reads_openvino = false;  // its models, too; the others read ONNX only
};

std::span<const Peer> all_peers();

/// Errors: value, with the nearest name.
Result<const Peer*> find_peer(std::string_view name);

/// The row "pytorch/nearest"; null if there is none.
const Row* find_row(std::string_view rule);

/// A row that applies to a node.
struct Hit {
  const Peer* peer;
  const Row* row;
  std::string numbers;
};

/// Whether the peer does not compute a node to which the row applies.
bool stops(const Row& row);

/// Of the peers, each row that applies; a peer that refuses the node has no other rows.
std::vector<Hit> find_differences(const NodeView& node, std::span<const Peer* const> peers);

/// Of the peers, each row of kAccepted that applies to a node: none to a valid one.
std::vector<Hit> find_acceptances(const FaultyNode& node, std::span<const Peer* const> peers);

/// The whole catalogue.
std::string catalogue_json();
std::string catalogue_markdown();

// The peers that are measured have a file each; the others are in onnxruntime_providers.cc and importers.cc.
Peer onnxruntime();
Peer onnxruntime_cuda();
Peer onnxruntime_webgpu();
Peer onnxruntime_coreml();
Peer onnxruntime_qnn();
Peer onnxruntime_directml();
Peer onnxruntime_webnn();
Peer tensorrt();
Peer tvm();
Peer ncnn();
Peer mnn();
Peer migraphx();
Peer opencv_dnn();
Peer tract();
Peer openvino();
Peer onnx_reference();
Peer pytorch();
Peer exporters();

}  // namespace tesela::peers
