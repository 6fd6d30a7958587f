// SPDX-License-Identifier: Apache-2.0
// Describes a model: one JSON document, which is printed or formatted as lines.
#include "graph/inspect.h"

#include <algorithm>

#include "graph/check.h"
#include "graph/inspect_text.h"
#include "graph/json_value.h"
#include "graph/origins.h"
#include "graph/walk.h"
#include "schema/notes.h"
#include "types/text.h"

namespace tesela {
namespace {

// A damaged file can have a million, too many to read.
constexpr size_t kMaxNodes = 10'000;
constexpr size_t kMaxNames = 1'000;
constexpr size_t kMaxPerNode = 256;               // attributes, inputs or outputs
constexpr int64_t kMaxBytes = int64_t{16} << 20;  // of the document, approximately

Json value_json(std::string_view name, const TensorInfo* info) {
  if (info == nullptr) info = &kUnknownValue;
  Json json = {{"name", shortened(name)}, {"type", type_json(info->type)}, {"dims", dims_json(info->dims)}};
  // Large constants are weights; only their shape is shown.
  if (info->constant)
    if (Json value = elements_json(*info->constant); !value.is_null()) json["value"] = std::move(value);
  return json;
}

// The approximate size of a value as text.
int64_t text_bytes(const Json& json) {
  constexpr int64_t kAround = 16;  // indentation, quotes, commas
  if (json.is_string()) return kAround + static_cast<int64_t>(json.string().size());
  int64_t bytes = kAround;
  if (json.is_array())
    for (const Json& entry : json.entries()) bytes += text_bytes(entry);
  if (json.is_object())
    for (const Json::Member& member : json.members()) bytes += text_bytes(member.value);
  return bytes;
}

class Inspector {
 public:
  Inspector(const Model& model, const Limits& limits) : model_(model), limits_(limits) {}

  Json run() {
    document_ = {{"file", model_.file},
                 {"format", model_.format == ModelFormat::kOnnx ? "onnx" : "openvino"},
                 {"producer", model_.producer},
                 {"ir_version", model_.ir_version}};
    document_["opsets"] = beginning_of(model_.opsets);
    const Status walked = walk_graphs(model_, limits_, [this](const GraphVisit& visit) { add_graph(visit); });
    document_["nodes"] = std::move(nodes_);
    if (left_out_ > 0) document_["nodes_left_out"] = left_out_;
    if (!unknown_.empty()) document_["unknown_shapes"] = std::move(unknown_);
    document_["foreign"] = beginning_of(foreign_);
    if (foreign_.size() > kMaxNames) document_["foreign_left_out"] = foreign_.size() - kMaxNames;
    const Status obstacle = walked.ok() ? check_runnable(model_, check_model(model_, limits_)) : walked;
    document_["runnable"] = obstacle.ok();
    if (!obstacle.ok()) document_["obstacle"] = obstacle.message();
    return std::move(document_);
  }

 private:
  void add_graph(const GraphVisit& visit) {
    if (&visit.graph == &model_.graph) add_model_ports(visit.facts);
    for (size_t n = 0; n < visit.graph.nodes.size(); ++n) {
      const NodeKind kind = visit.facts.nodes[n].kind;
      if (kind == NodeKind::kForeign) count_foreign(visit.graph.nodes[n]);
      if (kind != NodeKind::kOperator) continue;
      count_origins(visit, n);
      if (nodes_.size() < kMaxNodes && remaining_bytes_ > 0)
        add(node_json(visit, n), nodes_);
      else
        ++left_out_;
    }
  }

  void add(Json entry, Json& list) {
    remaining_bytes_ -= text_bytes(entry);
    list.push_back(std::move(entry));
  }

  bool is_full(const Json& list) const { return list.size() >= kMaxNodes || remaining_bytes_ <= 0; }

  // The origins of unknown extents in a node's output.
  void count_origins(const GraphVisit& visit, size_t n) {
    for (const ValueId value : origins_of_output(visit.facts, n)) {
      OriginText text = origin_text(visit.facts, value);
      const auto [place, is_new] = origins_.emplace(visit.path + text.what, unknown_.size());
      if (!is_new) {
        Json& nodes = unknown_[place->second]["nodes"];
        nodes = nodes.integer() + 1;
      } else if (unknown_.size() < kMaxNames) {
        unknown_.push_back({{"from", place->first}, {"why", std::move(text.why)}, {"nodes", 1}});
      } else {
        origins_.erase(place);
      }
    }
  }

  // The model's inputs and outputs.
  void add_model_ports(const GraphFacts& facts) {
    const auto known = [&](const Name& name) -> const TensorInfo* {
      const ValueId value = facts.index.find(name);
      return value == kNoValue ? nullptr : facts.values[static_cast<size_t>(value)].get();
    };
    Json inputs = Json::array();
    for (const ValueDeclaration& input : model_.graph.inputs) {
      if (is_full(inputs)) break;
      Json json = value_json(input.name, known(input.name));
      const ValueId value = facts.index.find(input.name);
      if (value != kNoValue && facts.index.initializer(value)) json["has_default"] = true;
      if (!input.is_tensor) json["is_tensor"] = false;
      add(std::move(json), inputs);
    }
    set_port_list("inputs", std::move(inputs), model_.graph.inputs.size());
    Json outputs = Json::array();
    for (const ValueDeclaration& output : model_.graph.outputs) {
      if (is_full(outputs)) break;
      add(value_json(output.name, known(output.name)), outputs);
    }
    set_port_list("outputs", std::move(outputs), model_.graph.outputs.size());
  }

  void set_port_list(const std::string& side, Json ports, size_t count) {
    const size_t left_out = count - ports.size();
    document_[side] = std::move(ports);
    if (left_out > 0) document_[side + "_left_out"] = left_out;
  }

  void count_foreign(const Node& node) {
    ++foreign_[is_onnx_domain(node.domain) ? node.type : node.domain + "." + node.type];
  }

  static Json beginning_of(const std::map<std::string, int64_t>& numbers) {
    Json object = Json::object();
    for (auto number = numbers.begin(); number != numbers.end() && object.size() < kMaxNames; ++number)
      object[number->first.empty() ? "ai.onnx" : number->first] = number->second;
    return object;
  }

  static Json node_json(const GraphVisit& visit, size_t n) {
    const Node& node = visit.graph.nodes[n];
    const NodeFacts& facts = visit.facts.nodes[n];
    Json json = {{"path", visit.path}, {"name", shortened(node.name)}, {"operator", node.type}};
    const OpSchema* schema = facts.op ? facts.op->schema : nullptr;
    json["since_version"] = schema ? Json(schema->since_version) : Json(nullptr);
    json["attributes"] = attributes_json(node, schema);
    json["inputs"] = ports_json(visit.facts, visit.facts.index.inputs(n), schema ? &schema->inputs : nullptr);
    json["outputs"] = ports_json(visit.facts, visit.facts.index.outputs(n), schema ? &schema->outputs : nullptr);
    for (const Status& fault : facts.faults) json["faults"].push_back(fault.message());
    if (facts.is_valid)
      for (const Status& departure : departures(*facts.op)) json["faults"].push_back(departure.message());
    return json;
  }

  static Json attributes_json(const Node& node, const OpSchema* schema) {
    Json list = Json::array();
    for (const Attribute& attribute : node.attributes) {
      if (list.size() >= kMaxPerNode) break;
      list.push_back({{"name", shortened(attribute.name)}, {"value", attribute_json(attribute)}, {"given", true}});
    }
    if (schema == nullptr) return list;
    for (const AttributeSpec& spec : schema->attributes) {
      const bool is_given = std::any_of(node.attributes.begin(), node.attributes.end(),
                                        [&](const Attribute& attribute) { return attribute.name == spec.name; });
      const std::optional<Json> value = is_given ? std::nullopt : default_json(spec);
      if (value) list.push_back({{"name", spec.name}, {"value", *value}, {"given", false}});
    }
    return list;
  }

  static Json ports_json(const GraphFacts& facts, std::span<const ValueId> values, const std::vector<Port>* ports) {
    Json list = Json::array();
    for (size_t k = 0; k < std::min(values.size(), kMaxPerNode); ++k) {
      if (values[k] == kNoValue) continue;
      Json json = {{"port", ports && k < ports->size() ? Json((*ports)[k].name) : Json(nullptr)}};
      json.update(value_json(facts.index.name(values[k]), facts.values[static_cast<size_t>(values[k])].get()));
      list.push_back(std::move(json));
    }
    return list;
  }

  const Model& model_;
  const Limits& limits_;
  Json document_;
  Json nodes_ = Json::array();
  size_t left_out_ = 0;
  int64_t remaining_bytes_ = kMaxBytes;
  std::map<std::string, int64_t> foreign_;  // number of nodes by operator
  Json unknown_ = Json::array();
  std::map<std::string, size_t> origins_;  // indices in unknown_
};

}  // namespace

std::string inspect_json(const Model& model, const Limits& limits) {
  return Inspector(model, limits).run().text() + "\n";
}

std::string inspect_plain(const Model& model, const Limits& limits) {
  return inspection_text(Inspector(model, limits).run());
}

}  // namespace tesela
