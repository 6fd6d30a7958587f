// SPDX-License-Identifier: Apache-2.0
// Binding the inputs of a run.
#include "session/bind_inputs.h"

#include "graph/value_text.h"

namespace tesela {
namespace {

struct Bound {
  int64_t value;
  std::string_view input;
  size_t axis;
};

// The values of symbols, in the order of the graph's inputs.
class Symbols {
 public:
  Status bind(const ValueDeclaration& declared, const Extents& extents) {
    for (size_t d = 0; declared.info.dims && d < extents.size(); ++d) {
      const std::string_view symbol = (*declared.info.dims)[d].symbol;
      if ((*declared.info.dims)[d].known() || symbol.empty()) continue;
      const auto [bound, is_new] = values_.try_emplace(symbol, Bound{extents[d], declared.name, d});
      if (!is_new && bound->second.value != extents[d])
        return shape_error("input {}: axis {}, declared as {}, has extent {}; expected {}, as on axis {} of input {}",
                           in_quotes(declared.name), d, in_quotes(symbol), extents[d], bound->second.value,
                           bound->second.axis, in_quotes(bound->second.input));
    }
    return {};
  }

 private:
  std::unordered_map<std::string_view, Bound> values_;
};

std::string input_names(const Graph& graph) {
  constexpr size_t kShown = 5;
  std::string text;
  for (size_t i = 0; i < std::min(graph.inputs.size(), kShown); ++i)
    text += (i == 0 ? "" : ", ") + in_quotes(graph.inputs[i].name);
  if (graph.inputs.size() > kShown) text += fmt::format(" and {} more", graph.inputs.size() - kShown);
  return text.empty() ? "none" : text;
}

std::string shape_of(DataType type, const Extents& extents) {
  return fmt::format("{} {}", type_text(type), shape_text(extents));
}

}  // namespace

Status check_declared(const ValueDeclaration& declared, DataType type, const Extents& extents) {
  const TensorInfo& info = declared.info;
  const auto text = [&] {
    return fmt::format("is {}; the model declares {}", shape_of(type, extents), info_text(info));
  };
  if (info.type != DataType::kUndefined && info.type != type) return Status(TESELA_ERROR_TYPE, text());
  if (!info.dims) return {};
  if (info.dims->size() != extents.size()) return Status(TESELA_ERROR_RANK, text());
  for (size_t d = 0; d < extents.size(); ++d)
    if ((*info.dims)[d].known() && (*info.dims)[d].value != extents[d]) return Status(TESELA_ERROR_SHAPE, text());
  for (const ExtentBounds& bounds : declared.bounds)
    if (extents[bounds.axis] < bounds.least || extents[bounds.axis] > bounds.most)
      return shape_error("is {}; the model declares {} to {} for axis {}", shape_of(type, extents), bounds.least,
                         bounds.most, bounds.axis);
  return {};
}

Result<std::vector<std::optional<TensorView>>> bind_inputs(const GraphIndex& index, std::span<const NamedView> given) {
  const Graph& graph = index.graph();
  std::vector<std::optional<TensorView>> bound(graph.inputs.size());
  for (const NamedView& input : given) {
    const ValueId value = index.find(input.name);
    const ValueDeclaration* declared = value == kNoValue ? nullptr : index.input(value);
    if (declared == nullptr)
      return value_error("{} is not an input of the model; its inputs: {}", in_quotes(input.name), input_names(graph));
    std::optional<TensorView>& place = bound[static_cast<size_t>(declared - graph.inputs.data())];
    if (place) return value_error("input {} is given twice", in_quotes(input.name));
    place = input.view;
  }
  Symbols symbols;
  for (size_t i = 0; i < bound.size(); ++i) {
    const ValueDeclaration& declared = graph.inputs[i];
    if (!bound[i]) {
      if (index.initializer(index.find(declared.name))) continue;
      return count_error("input {} ({}) is missing", in_quotes(declared.name), info_text(declared.info));
    }
    const Status fits = check_declared(declared, bound[i]->type, bound[i]->extents);
    if (!fits.ok()) return fits.with_prefix(fmt::format("input {} ", in_quotes(declared.name)));
    TESELA_RETURN_IF_ERROR(symbols.bind(declared, bound[i]->extents));
  }
  return bound;
}

}  // namespace tesela
