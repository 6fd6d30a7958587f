// SPDX-License-Identifier: Apache-2.0
// Converts layers to a model: parameters to inputs, constants to initializers, results to outputs, others to nodes.
#include "model/ir_reader.h"

#include <algorithm>
#include <queue>
#include <unordered_map>
#include <unordered_set>

#include "files/named_file.h"
#include "model/ir_attributes.h"
#include "model/ir_layers.h"
#include "model/ir_shape.h"
#include "model/ir_types.h"
#include "model/tensor_bytes.h"
#include "types/text.h"

namespace tesela {
namespace {

/// The bytes of a model's constants.
class ConstantBytes {
 public:
  explicit ConstantBytes(const std::string& xml_path) {
    if (xml_path.empty()) return;
    const size_t name = xml_path.rfind('/') + 1;  // 0 if there is no slash
    folder_ = name == 0 ? "." : xml_path.substr(0, name);
    name_ = xml_path.substr(name);
    name_ = name_.substr(0, name_.rfind('.')) + ".bin";
  }

  /// Errors: path (a model from memory, or an error of open_named_file), io, truncated.
  Result<FileBytes> find(int64_t offset, int64_t size, int64_t alignment) {
    if (name_.empty()) return path_error("a model from memory has no file for its constants");
    if (!file_) {
      TESELA_ASSIGN_OR_RETURN(const NamedFile opened, open_named_file(folder_, name_));
      TESELA_ASSIGN_OR_RETURN(file_, read_or_map(opened.file.get(), opened.size, name_, kReadUpTo));
    }
    const auto bytes = static_cast<int64_t>(file_->bytes.size());
    if (offset > bytes || size > bytes - offset)
      return truncated_error("{} bytes at offset {} are not inside {}, which has {} bytes", size, offset,
                             in_quotes(name_), bytes);
    return part_of(*file_, offset, size, alignment);
  }
  std::shared_ptr<const void> owner() const { return file_ ? file_->owner : nullptr; }
  std::shared_ptr<const MappedFile> mapped() const { return file_ ? file_->mapped : nullptr; }

 private:
  std::string folder_;  // of the XML
  std::string name_;    // of the file in folder_; empty for a model from memory
  std::optional<FileBytes> file_;
};

class GraphMaker {
 public:
  GraphMaker(const XmlFile& file, const std::string& path, BuildBudget& budget, const Limits& limits)
      : file_(file), budget_(budget), limits_(limits), constants_(path) {}

  Result<Model> run() {
    TESELA_RETURN_IF_ERROR(read_version());
    TESELA_ASSIGN_OR_RETURN(const std::vector<IrLayer> layers, read_ir_layers(file_, limits_, budget_));
    for (const IrLayer& layer : layers) TESELA_RETURN_IF_ERROR(add_layer(layer));
    sort_nodes();
    model_.graph.name = attribute_text(file_.root(), "name");
    model_.storage = constants_.owner();
    if (constants_.mapped() != nullptr) model_.mapped.push_back(constants_.mapped());
    return std::move(model_);
  }

 private:
  Status read_version() {
    model_.format = ModelFormat::kOpenvino;
    const pugi::xml_node net = file_.root();
    if (std::string_view(net.name()) != "net")
      return parse_error("{}the root is <{}>; expected <net>", file_.where(net), net.name());
    const std::string_view version = attribute_text(net, "version");
    model_.ir_version = decimal_number(version).value_or(0);
    if (model_.ir_version != 10 && model_.ir_version != 11)
      return unsupported_error("{}IR version {} is not supported; expected 10 or 11", file_.where(net),
                               in_quotes(version));
    if (const pugi::xml_node info = net.child("rt_info").find_child_by_attribute("info", "name", "OpenVINO Runtime"))
      model_.producer = fmt::format("OpenVINO {}", info.attribute("value").value());
    return {};
  }

  Status add_layer(const IrLayer& layer) {
    for (const IrPort& port : layer.outputs) {
      const bool says_something = port.info.type != DataType::kUndefined || port.info.dims;
      if (says_something && layer.type != "Const") model_.graph.values.push_back({port.value, true, port.info, {}});
    }
    note_opset(layer);
    if (layer.type == "Parameter") return add_parameter(layer);
    if (layer.type == "Const") return add_constant(layer);
    if (layer.type == "Result") return add_result(layer);
    return add_node(layer);
  }

  // "opset4" for OpenVINO's own operators; others belong to extensions.
  static int64_t opset_of(const IrLayer& layer) {
    if (!layer.version.starts_with("opset")) return 0;
    return decimal_number(layer.version.substr(5)).value_or(0);
  }

  void note_opset(const IrLayer& layer) {
    const int64_t opset = opset_of(layer);
    const std::string domain(opset > 0 ? kOpenvinoDomain : layer.version);
    int64_t& newest = model_.opsets[domain];
    newest = std::max(newest, opset);
  }

  Status check_ports(const IrLayer& layer, size_t inputs, size_t outputs) const {
    if (layer.inputs.size() == inputs && layer.outputs.size() == outputs) return {};
    return parse_error("{}it has {} inputs and {} outputs; expected {} and {}", layer.where(file_), layer.inputs.size(),
                       layer.outputs.size(), inputs, outputs);
  }

  Result<const IrType*> read_type(const IrLayer& layer) const {
    const pugi::xml_node data = layer.xml.child("data");
    const std::string_view text = attribute_text(data, "element_type");
    if (text == "dynamic" || text == "undefined") return static_cast<const IrType*>(nullptr);
    const IrType* type = find_ir_type(text);
    if (type == nullptr)
      return type_error("{}attribute 'element_type' is {}, which is not an element type", layer.where(file_),
                        in_quotes(text));
    return type;
  }

  Result<IrShape> read_shape(const IrLayer& layer) const {
    const pugi::xml_attribute shape = layer.xml.child("data").attribute("shape");
    if (!shape) return shape_error("{}attribute 'shape' is missing", layer.where(file_));
    Result<IrShape> parsed = parse_ir_shape(shape.value(), limits_.max_rank);
    if (!parsed.ok()) return parsed.status().with_prefix(layer.where(file_) + "attribute 'shape': ");
    return parsed;
  }

  Status add_parameter(const IrLayer& layer) {
    TESELA_RETURN_IF_ERROR(check_ports(layer, 0, 1));
    ValueDeclaration input;
    input.name = layer.outputs.front().value;
    TESELA_ASSIGN_OR_RETURN(const IrType* type, read_type(layer));
    if (type != nullptr) input.info.type = type->type;
    TESELA_ASSIGN_OR_RETURN(IrShape shape, read_shape(layer));
    input.info.dims = std::move(shape.dims);
    input.bounds = std::move(shape.bounds);
    model_.graph.inputs.push_back(std::move(input));
    return {};
  }

  Status add_constant(const IrLayer& layer) {
    TESELA_RETURN_IF_ERROR(check_ports(layer, 0, 1));
    Initializer& initializer = model_.graph.initializers.emplace_back();
    initializer.name = layer.outputs.front().value;
    Result<Tensor> tensor = read_constant(layer);
    if (tensor.ok())
      initializer.value = std::move(*tensor);
    else
      initializer.fault = tensor.status();
    return {};
  }

  Result<int64_t> read_place(const IrLayer& layer, const char* attribute) const {
    const std::string_view text = attribute_text(layer.xml.child("data"), attribute);
    const std::optional<int64_t> number = decimal_number(text);
    if (number) return *number;
    return value_error("{}attribute '{}' is {}; expected a number of bytes from 0 to {}", layer.where(file_), attribute,
                       in_quotes(text), INT64_MAX);
  }

  Result<Tensor> read_constant(const IrLayer& layer) {
    const auto where = [&] { return layer.where(file_); };
    TESELA_ASSIGN_OR_RETURN(const IrType* type, read_type(layer));
    if (type == nullptr) return type_error("{}a constant has no element type", where());
    TESELA_ASSIGN_OR_RETURN(const IrShape shape, read_shape(layer));
    Extents extents;
    for (const Dim& dim : shape.dims.value_or(Dims{Dim{}})) {
      if (!dim.known()) return shape_error("{}a constant's shape is dynamic; expected numbers", where());
      extents.push_back(dim.value);
    }
    TESELA_ASSIGN_OR_RETURN(const int64_t offset, read_place(layer, "offset"));
    TESELA_ASSIGN_OR_RETURN(const int64_t size, read_place(layer, "size"));
    const Result<int64_t> bytes = byte_count(type->type, extents);
    if (!bytes.ok()) return bytes.status().with_prefix(where());
    // An unpacked constant can take eight times its size in the file.
    if (*bytes > limits_.max_output_bytes)
      return limit_error("{}the constant takes {} bytes; the limit is {}", where(), *bytes, limits_.max_output_bytes);
    if (type->storage != IrStorage::kText) {
      TESELA_ASSIGN_OR_RETURN(const int64_t stored, ir_stored_bytes(*type, extents));
      // OpenVINO stores one byte for an empty constant.
      if (size != stored && stored != 0)
        return value_error("{}attribute 'size' is {}; a constant {} {} has {}", where(), size, type->name,
                           shape_text(extents), stored);
      if (stored == 0) return Tensor::allocate(type->type, extents);
    }
    const bool is_dense = type->storage == IrStorage::kDense;
    if (type->storage == IrStorage::kText) TESELA_RETURN_IF_ERROR(budget_.charge(static_cast<size_t>(size)));
    const auto found = constants_.find(offset, size, is_dense ? borrowed_alignment(type->type, extents) : 0);
    if (!found.ok()) return found.status().with_prefix(where());
    Result<Tensor> tensor = read_ir_tensor(*type, std::move(extents), found->bytes, found->owner);
    if (!tensor.ok()) return tensor.status().with_prefix(where());
    return tensor;
  }

  // A second result of the same value gets its own name, as the output of an additional node.
  Status add_result(const IrLayer& layer) {
    if (layer.inputs.size() != 1) return check_ports(layer, 1, 0);
    const IrPort& source = layer.inputs.front();
    Name name = source.value;
    if (!results_.insert(name).second) {
      name = fmt::format("{} (layer {})", shortened(layer.name), layer.id);
      Node& node = model_.graph.nodes.emplace_back();
      node.domain = kOpenvinoDomain;
      node.type = layer.type;
      node.name = layer.name;
      node.inputs = {source.value};
      node.outputs = {name};
    }
    model_.graph.outputs.push_back({std::move(name), true, source.info, {}});
    return {};
  }

  Status add_node(const IrLayer& layer) {
    TESELA_RETURN_IF_ERROR(budget_.charge((layer.inputs.size() + layer.outputs.size()) * sizeof(Name)));
    Node& node = model_.graph.nodes.emplace_back();
    node.opset = opset_of(layer);
    node.domain = node.opset > 0 ? kOpenvinoDomain : layer.version;
    node.type = layer.type;
    node.name = layer.name;
    for (const IrPort& port : layer.inputs) node.inputs.push_back(port.value);
    for (const IrPort& port : layer.outputs) node.outputs.push_back(port.value);
    if (is_known_operator(node.domain, node.type)) return read_ir_attributes(layer, file_, budget_, node);
    return {};
  }

  // Layers can be in any order. Nodes in cycles come last, in the file's order; check reports them.
  void sort_nodes() {
    std::vector<Node>& nodes = model_.graph.nodes;
    std::unordered_map<Name, size_t, NameHash> producers;
    for (size_t n = 0; n < nodes.size(); ++n)
      for (const Name& output : nodes[n].outputs) producers.emplace(output, n);
    std::vector<size_t> pending_inputs(nodes.size());
    std::vector<std::vector<size_t>> readers(nodes.size());
    for (size_t n = 0; n < nodes.size(); ++n)
      for (const Name& input : nodes[n].inputs) {
        const auto producer = producers.find(input);
        if (producer == producers.end()) continue;
        ++pending_inputs[n];
        readers[producer->second].push_back(n);
      }
    std::priority_queue<size_t, std::vector<size_t>, std::greater<>> ready;
    for (size_t n = 0; n < nodes.size(); ++n)
      if (pending_inputs[n] == 0) ready.push(n);
    std::vector<size_t> order;
    while (!ready.empty()) {
      order.push_back(ready.top());
      ready.pop();
      for (const size_t reader : readers[order.back()])
        if (--pending_inputs[reader] == 0) ready.push(reader);
    }
    for (size_t n = 0; n < nodes.size(); ++n)
      if (pending_inputs[n] > 0) order.push_back(n);
    std::vector<Node> sorted;
    for (const size_t n : order) sorted.push_back(std::move(nodes[n]));
    nodes = std::move(sorted);
  }

  const XmlFile& file_;
  BuildBudget& budget_;
  const Limits& limits_;
  ConstantBytes constants_;
  std::unordered_set<Name, NameHash> results_;  // values that are outputs already
  Model model_;
};

}  // namespace

Result<Model> read_ir(std::span<const std::byte> xml, const std::string& path, const Limits& limits) {
  XmlFile file;
  TESELA_RETURN_IF_ERROR(file.parse(xml, limits));
  BuildBudget budget(xml.size(), limits);
  return GraphMaker(file, path, budget, limits).run();
}

}  // namespace tesela
