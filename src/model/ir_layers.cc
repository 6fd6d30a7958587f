// Layers, their ports, and the edges between them.
#include "model/ir_layers.h"

#include <set>
#include <unordered_map>

#include "model/ir_shape.h"
#include "model/ir_types.h"

namespace tesela {
namespace {

// "a,b\,c" are the names a and b,c.
std::vector<std::string> split_names(std::string_view text) {
  std::vector<std::string> names;
  if (text.empty()) return names;
  names.emplace_back();
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ',') {
      names.emplace_back();
      continue;
    }
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == ',') ++i;
    names.back() += text[i];
  }
  return names;
}

class LayerReader {
 public:
  LayerReader(const XmlFile& file, const Limits& limits) : file_(file), limits_(limits) {}

  Result<std::vector<IrLayer>> run() {
    for (const pugi::xml_node xml : file_.root().child("layers").children("layer")) {
      if (std::cmp_greater_equal(layers_.size(), limits_.max_nodes))
        return limit_error("the model has more than {} layers", limits_.max_nodes);
      layers_.emplace_back();
      TESELA_RETURN_IF_ERROR(read_layer(xml, layers_.back()));
      if (!by_id_.emplace(layers_.back().id, layers_.size() - 1).second)
        return parse_error("{}a second layer has the id {}", file_.where(xml), layers_.back().id);
    }
    name_values();
    for (const pugi::xml_node xml : file_.root().child("edges").children("edge"))
      TESELA_RETURN_IF_ERROR(read_edge(xml));
    TESELA_RETURN_IF_ERROR(check_inputs());
    return std::move(layers_);
  }

 private:
  Result<int64_t> read_id(pugi::xml_node xml, const char* attribute) const {
    const std::optional<int64_t> id = decimal_number(attribute_text(xml, attribute));
    if (id) return *id;
    return parse_error("{}attribute '{}' of <{}> is {}; expected a number from 0 to {}", file_.where(xml), attribute,
                       xml.name(), quoted(attribute_text(xml, attribute)), INT64_MAX);
  }

  Status read_layer(pugi::xml_node xml, IrLayer& layer) const {
    layer.xml = xml;
    layer.name = attribute_text(xml, "name");
    layer.type = attribute_text(xml, "type");
    layer.version = attribute_text(xml, "version");
    TESELA_ASSIGN_OR_RETURN(layer.id, read_id(xml, "id"));
    for (const char* attribute : {"type", "version"})
      if (attribute_text(xml, attribute).empty())
        return parse_error("{}layer {} has no '{}'", file_.where(xml), layer.id, attribute);
    TESELA_RETURN_IF_ERROR(read_ports(layer, "input", layer.inputs));
    return read_ports(layer, "output", layer.outputs);
  }

  Status read_ports(const IrLayer& layer, const char* group, std::vector<IrPort>& ports) const {
    for (const pugi::xml_node xml : layer.xml.child(group).children("port")) {
      IrPort& port = ports.emplace_back();
      TESELA_ASSIGN_OR_RETURN(port.id, read_id(xml, "id"));
      for (const std::vector<IrPort>* known : {&layer.inputs, &layer.outputs})
        for (const IrPort& other : *known)
          if (&other != &port && other.id == port.id)
            return parse_error("{}{}a second port has the id {}", file_.where(xml), layer_text(layer), port.id);
      port.names = split_names(attribute_text(xml, "names"));
      if (const IrType* type = find_ir_precision(attribute_text(xml, "precision"))) port.info.type = type->type;
      TESELA_RETURN_IF_ERROR(read_dims(xml, port.info));
    }
    return {};
  }

  Status read_dims(pugi::xml_node xml, TensorInfo& info) const {
    std::string text;
    for (const pugi::xml_node dim : xml.children("dim")) {
      const std::string_view value = dim.child_value();
      Result<IrShape> shape = parse_ir_shape(value, 1);
      if (shape.ok() && (!shape->dims || shape->dims->size() != 1))
        shape = parse_error("{} is no extent", quoted(value));
      if (!shape.ok()) return shape.status().with_prefix(file_.where(dim));
      if (!info.dims) info.dims.emplace();
      if (std::cmp_greater_equal(info.dims->size(), limits_.max_rank))
        return limit_error("{}the port has more than {} dims, which is the limit", file_.where(xml), limits_.max_rank);
      info.dims->push_back(shape->dims->front());
    }
    return {};
  }

  // Tensors' names first; what has none is called after its layer, unless somebody else has that name.
  void name_values() {
    std::set<std::string, std::less<>> taken;
    for (IrLayer& layer : layers_)
      for (IrPort& port : layer.outputs)
        if (!port.names.empty()) taken.insert(port.value = port.names.front());
    for (IrLayer& layer : layers_)
      for (IrPort& port : layer.outputs) {
        if (!port.value.empty()) continue;
        port.value = layer.name.empty() ? fmt::format("layer {}", layer.id) : layer.name;
        if (layer.outputs.size() > 1) port.value += fmt::format(".{}", port.id);
        if (!taken.insert(port.value).second) port.value += fmt::format(" (layer {} port {})", layer.id, port.id);
        taken.insert(port.value);
      }
  }

  Result<IrPort*> find_port(pugi::xml_node edge, const char* layer_attribute, const char* port_attribute,
                            std::vector<IrPort> IrLayer::*ports) {
    TESELA_ASSIGN_OR_RETURN(const int64_t id, read_id(edge, layer_attribute));
    TESELA_ASSIGN_OR_RETURN(const int64_t port_id, read_id(edge, port_attribute));
    const auto layer = by_id_.find(id);
    if (layer == by_id_.end()) return parse_error("{}the edge leads to no layer {}", file_.where(edge), id);
    for (IrPort& port : layers_[layer->second].*ports)
      if (port.id == port_id) return &port;
    return parse_error("{}the edge's '{}' is {}, which {} has not", file_.where(edge), port_attribute, port_id,
                       layer_text(layers_[layer->second]));
  }

  Status read_edge(pugi::xml_node xml) {
    TESELA_ASSIGN_OR_RETURN(IrPort * from, find_port(xml, "from-layer", "from-port", &IrLayer::outputs));
    TESELA_ASSIGN_OR_RETURN(IrPort * to, find_port(xml, "to-layer", "to-port", &IrLayer::inputs));
    if (!to->value.empty())
      return parse_error("{}a second edge leads to port {} of layer {}", file_.where(xml), to->id,
                         attribute_text(xml, "to-layer"));
    to->value = from->value;
    return {};
  }

  Status check_inputs() const {
    for (const IrLayer& layer : layers_)
      for (const IrPort& port : layer.inputs)
        if (port.value.empty()) return parse_error("{}no edge leads to its port {}", layer.where(file_), port.id);
    return {};
  }

  static std::string layer_text(const IrLayer& layer) {
    return fmt::format("{} layer {}", quoted(layer.type), quoted(layer.name));
  }

  const XmlFile& file_;
  const Limits& limits_;
  std::vector<IrLayer> layers_;
  std::unordered_map<int64_t, size_t> by_id_;
};

}  // namespace

std::string IrLayer::where(const XmlFile& file) const {
  return fmt::format("{}{} layer {}: ", file.where(xml), type, quoted(name));
}

Result<std::vector<IrLayer>> read_ir_layers(const XmlFile& file, const Limits& limits) {
  return LayerReader(file, limits).run();
}

}  // namespace tesela
