// SPDX-License-Identifier: Apache-2.0
// Layers, their ports, and the edges between them.
#include "model/ir_layers.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "model/ir_shape.h"
#include "model/ir_types.h"
#include "types/text.h"

namespace tesela {
namespace {

// "a\,b,c" holds the names a,b and c.
std::string first_name(std::string_view text) {
  std::string name;
  for (size_t i = 0; i < text.size() && text[i] != ','; ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == ',') ++i;
    name += text[i];
  }
  return name;
}

/// All input or all output ports, to find the ends of edges: sorted by the index of their layer, then by id.
class PortIndex {
 public:
  PortIndex(std::vector<IrLayer>& layers, std::vector<IrPort> IrLayer::*side) {
    for (size_t n = 0; n < layers.size(); ++n)
      for (IrPort& port : layers[n].*side) places_.push_back({n, port.id, &port});
    std::sort(places_.begin(), places_.end(), is_before);
  }

  /// Null if there is none.
  IrPort* find(size_t layer, int64_t id) const {
    const auto found = std::lower_bound(places_.begin(), places_.end(), Place{layer, id, nullptr}, is_before);
    return found != places_.end() && found->layer == layer && found->id == id ? found->port : nullptr;
  }

 private:
  struct Place {
    size_t layer;
    int64_t id;
    IrPort* port;
  };
  static bool is_before(const Place& a, const Place& b) { return a.layer != b.layer ? a.layer < b.layer : a.id < b.id; }
  std::vector<Place> places_;
};

class LayerReader {
 public:
  LayerReader(const XmlFile& file, const Limits& limits, BuildBudget& budget)
      : file_(file), limits_(limits), budget_(budget) {}

  Result<std::vector<IrLayer>> run() {
    for (const pugi::xml_node xml : file_.root().child("layers").children("layer")) {
      if (std::cmp_greater_equal(layers_.size(), limits_.max_nodes))
        return limit_error("the model has more than {} layers", limits_.max_nodes);
      TESELA_RETURN_IF_ERROR(budget_.charge(sizeof(IrLayer) + sizeof(Node)));
      layers_.emplace_back();
      TESELA_RETURN_IF_ERROR(read_layer(xml, layers_.back()));
      if (!by_id_.emplace(layers_.back().id, layers_.size() - 1).second)
        return parse_error("{}a second layer has the id {}", file_.where(xml), layers_.back().id);
    }
    TESELA_RETURN_IF_ERROR(name_values());
    const PortIndex outputs(layers_, &IrLayer::outputs);
    const PortIndex inputs(layers_, &IrLayer::inputs);
    for (const pugi::xml_node xml : file_.root().child("edges").children("edge"))
      TESELA_RETURN_IF_ERROR(read_edge(xml, outputs, inputs));
    TESELA_RETURN_IF_ERROR(check_inputs());
    return std::move(layers_);
  }

 private:
  Result<int64_t> read_id(pugi::xml_node xml, const char* attribute) const {
    const std::optional<int64_t> id = decimal_number(attribute_text(xml, attribute));
    if (id) return *id;
    return parse_error("{}attribute '{}' of <{}> is {}; expected a number from 0 to {}", file_.where(xml), attribute,
                       xml.name(), in_quotes(attribute_text(xml, attribute)), INT64_MAX);
  }

  Status read_layer(pugi::xml_node xml, IrLayer& layer) {
    layer.xml = xml;
    layer.name = attribute_text(xml, "name");
    layer.type = attribute_text(xml, "type");
    layer.version = attribute_text(xml, "version");
    TESELA_ASSIGN_OR_RETURN(layer.id, read_id(xml, "id"));
    for (const char* attribute : {"type", "version"})
      if (attribute_text(xml, attribute).empty())
        return parse_error("{}layer {} has no '{}'", file_.where(xml), layer.id, attribute);
    port_ids_.clear();
    TESELA_RETURN_IF_ERROR(read_ports(layer, "input", layer.inputs));
    return read_ports(layer, "output", layer.outputs);
  }

  Status read_ports(const IrLayer& layer, const char* group, std::vector<IrPort>& ports) {
    for (const pugi::xml_node xml : layer.xml.child(group).children("port")) {
      TESELA_RETURN_IF_ERROR(budget_.charge(sizeof(IrPort) + sizeof(ValueDeclaration)));
      IrPort& port = ports.emplace_back();
      TESELA_ASSIGN_OR_RETURN(port.id, read_id(xml, "id"));
      if (!port_ids_.insert(port.id).second)
        return parse_error("{}{}: a second port has the id {}", file_.where(xml), layer_text(layer), port.id);
      if (&ports == &layer.outputs) TESELA_RETURN_IF_ERROR(read_name(xml, port));
      if (const IrType* type = find_ir_precision(attribute_text(xml, "precision"))) port.info.type = type->type;
      TESELA_RETURN_IF_ERROR(read_dims(xml, port.info));
    }
    return {};
  }

  // A tensor may have many names; the first one is used.
  Status read_name(pugi::xml_node xml, IrPort& port) {
    const std::string_view names = attribute_text(xml, "names");
    TESELA_RETURN_IF_ERROR(budget_.charge(names.size()));
    port.value = first_name(names);
    return {};
  }

  Status read_dims(pugi::xml_node xml, TensorInfo& info) const {
    for (const pugi::xml_node dim : xml.children("dim")) {
      const std::string_view value = dim.child_value();
      Result<IrShape> shape = parse_ir_shape(value, 1);
      if (shape.ok() && (!shape->dims || shape->dims->size() != 1))
        shape = parse_error("{} is not an extent", in_quotes(value));
      if (!shape.ok()) return shape.status().with_prefix(file_.where(dim));
      if (!info.dims) info.dims.emplace();
      if (std::cmp_greater_equal(info.dims->size(), limits_.max_rank))
        return limit_error("{}the port has more than {} dims, which is the limit", file_.where(xml), limits_.max_rank);
      info.dims->push_back(shape->dims->front());
    }
    return {};
  }

  // Names of tensors come first; a value without one gets the name of its layer, made unique if it is taken.
  Status name_values() {
    std::unordered_set<Name, NameHash> taken;
    for (const IrLayer& layer : layers_)
      for (const IrPort& port : layer.outputs)
        if (!port.value.empty()) taken.insert(port.value);
    for (IrLayer& layer : layers_)
      for (IrPort& port : layer.outputs) {
        if (!port.value.empty()) continue;
        port.value = name_of(layer, port, "");
        if (!taken.insert(port.value).second)
          port.value = name_of(layer, port, fmt::format(" (layer {} port {})", layer.id, port.id));
        TESELA_RETURN_IF_ERROR(budget_.charge(port.value.text().size()));
        taken.insert(port.value);
      }
    return {};
  }

  // With several ports, each has a copy of the layer's name.
  static std::string name_of(const IrLayer& layer, const IrPort& port, std::string_view end) {
    const std::string name = layer.name.empty() ? fmt::format("layer {}", layer.id) : std::string(layer.name);
    if (layer.outputs.size() == 1) return fmt::format("{}{}", name, end);
    return fmt::format("{}.{}{}", shortened(name), port.id, end);
  }

  Result<IrPort*> find_port(pugi::xml_node edge, const char* layer_attribute, const char* port_attribute,
                            const PortIndex& ports) const {
    TESELA_ASSIGN_OR_RETURN(const int64_t id, read_id(edge, layer_attribute));
    TESELA_ASSIGN_OR_RETURN(const int64_t port_id, read_id(edge, port_attribute));
    const auto layer = by_id_.find(id);
    if (layer == by_id_.end())
      return parse_error("{}the edge names layer {}, which does not exist", file_.where(edge), id);
    if (IrPort* port = ports.find(layer->second, port_id)) return port;
    return parse_error("{}the edge's '{}' is {}, but {} has no such port", file_.where(edge), port_attribute, port_id,
                       layer_text(layers_[layer->second]));
  }

  Status read_edge(pugi::xml_node xml, const PortIndex& outputs, const PortIndex& inputs) const {
    TESELA_ASSIGN_OR_RETURN(const IrPort* from, find_port(xml, "from-layer", "from-port", outputs));
    TESELA_ASSIGN_OR_RETURN(IrPort * to, find_port(xml, "to-layer", "to-port", inputs));
    if (!to->value.empty())
      return parse_error("{}port {} of layer {} has a second edge", file_.where(xml), to->id,
                         attribute_text(xml, "to-layer"));
    to->value = from->value;
    return {};
  }

  Status check_inputs() const {
    for (const IrLayer& layer : layers_)
      for (const IrPort& port : layer.inputs)
        if (port.value.empty()) return parse_error("{}its port {} has no edge", layer.where(file_), port.id);
    return {};
  }

  static std::string layer_text(const IrLayer& layer) {
    return fmt::format("{} layer {}", in_quotes(layer.type), in_quotes(layer.name));
  }

  const XmlFile& file_;
  const Limits& limits_;
  BuildBudget& budget_;
  std::vector<IrLayer> layers_;
  std::unordered_set<int64_t> port_ids_;  // of the layer being read
  std::unordered_map<int64_t, size_t> by_id_;
};

}  // namespace

std::string IrLayer::where(const XmlFile& file) const {
  return fmt::format("{}{} layer {}: ", file.where(xml), type, in_quotes(name));
}

Result<std::vector<IrLayer>> read_ir_layers(const XmlFile& file, const Limits& limits, BuildBudget& budget) {
  return LayerReader(file, limits, budget).run();
}

}  // namespace tesela
