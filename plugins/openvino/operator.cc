// Nodes of ours: their types and shapes, and what they do when OpenVINO runs them.
#include "operator.h"

#include <cstring>
#include <openvino/core/parallel.hpp>
#include <openvino/op/convert.hpp>
#include <openvino/op/result.hpp>

#include "tensors.h"

namespace tesela::openvino {
namespace {

using ov::op::v0::Constant;
using ov::op::v0::Convert;

// A run's tasks on the threads that OpenVINO runs this node on.
void parallel_for(void*, int64_t count, void (*task)(void*, int64_t), void* argument) {
  ov::parallel_for(count, [&](int64_t index) { task(argument, index); });
}

std::shared_ptr<Constant> constant_at(const ov::Output<ov::Node>& output) {
  return ov::as_type_ptr<Constant>(output.get_node_shared_ptr());
}

ov::Tensor tensor_of(const Constant& constant) {
  return {constant.get_element_type(), constant.get_shape(), const_cast<void*>(constant.get_data_ptr())};
}

std::optional<std::vector<Dim>> dims_of(const ov::PartialShape& shape) {
  if (shape.rank().is_dynamic()) return std::nullopt;
  std::vector<Dim> dims;
  for (const ov::Dimension& dim : shape) dims.push_back(dim.is_static() ? Dim(dim.get_length()) : Dim());
  return dims;
}

ov::PartialShape shape_of(const TensorInfo& info) {
  if (!info.dims) return ov::PartialShape::dynamic();
  ov::PartialShape shape;
  for (const Dim& dim : *info.dims) shape.push_back(dim.known() ? ov::Dimension(dim.value) : ov::Dimension());
  return shape;
}

// A key of everything that a plan depends on. Of the data that is not its elements.
void append(plugins::Key& key, const ov::Tensor& tensor, bool with_elements) {
  key.push(static_cast<int64_t>(ov::element::Type_t(tensor.get_element_type())));
  key.push(static_cast<int64_t>(tensor.get_shape().size()));
  for (const size_t extent : tensor.get_shape()) key.push(static_cast<int64_t>(extent));
  const size_t size = with_elements ? tensor.get_byte_size() : 0;
  if (size > 0) std::memcpy(key.grow((size + 7) / 8), tensor.data(), size);
}

}  // namespace

Operator::Operator(const ov::OutputVector& inputs, Recipe recipe) : recipe_(std::move(recipe)) {
  begin(inputs);
}

void Operator::begin(const ov::OutputVector& inputs) {
  set_arguments(inputs);
  constructor_validate_and_infer_types();
}

std::shared_ptr<ov::Node> Operator::clone_with_new_inputs(const ov::OutputVector& inputs) const {
  const std::shared_ptr<Operator> made = make_empty();
  made->recipe_ = recipe_;
  made->types_ = types_;
  made->constants_ = constants_;
  made->plans_ = plans_;
  made->begin(inputs);
  return made;
}

bool Operator::visit_attributes(ov::AttributeVisitor& visitor) {
  std::string attributes = recipe_.attributes_text();
  visitor.on_attribute("domain", recipe_.domain);
  visitor.on_attribute("operator", recipe_.type);
  visitor.on_attribute("opset", recipe_.opset);
  visitor.on_attribute("ports", recipe_.ports);
  visitor.on_attribute("attributes", attributes);
  recipe_.set_attributes(attributes);
  return true;
}

// ---- Types and shapes ----------------------------------------------------------------------------------------------

// The CPU plugin puts conversions to narrow types before nodes, and narrow constants. This goes around them.
void Operator::restore_inputs() {
  types_.resize(get_input_size());
  constants_.resize(get_input_size());
  for (size_t i = 0; i < get_input_size(); ++i) {
    const ov::Output<ov::Node> source = input_value(i);
    const ov::element::Type type = source.get_element_type();
    if (types_[i].is_dynamic()) types_[i] = type;
    const std::shared_ptr<Constant> constant = constant_at(source);
    if (type == types_[i]) {
      constants_[i] = constant;
      continue;
    }
    if (type.is_dynamic()) continue;
    const ov::Node& node = *source.get_node();
    const bool same = constant != nullptr && constants_[i] != nullptr && constant->get_shape() == constants_[i]->get_shape() &&
                      constant->get_friendly_name() == constants_[i]->get_friendly_name();
    if (same)
      set_argument(i, constants_[i]);
    else if (ov::is_type<Convert>(&node) && node.get_input_element_type(0) == types_[i])
      set_argument(i, node.input_value(0));
    else
      continue;
    if (i == (recipe_.fills() ? 1 : 0)) narrow_for_others(type);
  }
}

// Neighbours that became narrow get what they expect.
void Operator::narrow_for_others(const ov::element::Type& narrow) {
  std::shared_ptr<Convert> conversion;
  for (ov::Input<ov::Node> consumer : output(0).get_target_inputs()) {
    const ov::Node* const node = consumer.get_node();
    if (ov::is_type<ov::op::v0::Result>(node) || ov::is_type<Convert>(node) || ov::is_type<Operator>(node)) continue;
    if (conversion == nullptr) conversion = std::make_shared<Convert>(output(0), narrow);
    consumer.replace_source_output(conversion);
  }
}

void Operator::validate_and_infer_types() {
  restore_inputs();
  const size_t typed = recipe_.fills() ? 1 : 0;
  std::vector<std::optional<TensorInfo>> infos(static_cast<size_t>(recipe_.ports.back()) + 1);
  ov::Tensor value;
  for (size_t i = 0; i < get_input_size(); ++i) {
    const auto constant = constant_at(input_value(i));
    if (recipe_.fills() && i == 1) {
      if (constant == nullptr) throw Error(TESELA_ERROR_VALUE, recipe_.type + ": the value is no constant");
      value = tensor_of(*constant);
      continue;
    }
    TensorInfo info(dtype_of(get_input_element_type(i)), dims_of(get_input_partial_shape(i)));
    if (constant != nullptr && (i > 0 || recipe_.fills())) info.constant = view_of(tensor_of(*constant));
    infos[static_cast<size_t>(recipe_.ports[i])] = std::move(info);
  }
  const Inferred inferred = make_op(value).infer(infos);
  set_output_type(0, get_input_element_type(typed), shape_of(inferred.info()));
}

tesela::Op Operator::make_op(const ov::Tensor& value) const {
  tesela::Op op = recipe_.make_op(get_friendly_name());
  if (value) op.set_tensor("value", View(value.data(), dtype_of(value.get_element_type()), {1}));
  return op;
}

bool Operator::constant_fold(ov::OutputVector& outputs, const ov::OutputVector& inputs) {
  if (get_output_element_type(0).bitwidth() < 8 || !Op::constant_fold(outputs, inputs)) return false;
  const auto folded = constant_at(outputs[0]);
  return folded != nullptr && survives_as_constant(*folded);
}

// ---- Runs ----------------------------------------------------------------------------------------------------------

Operator::SharedPlan Operator::make_plan(const ov::TensorVector& inputs) const {
  std::vector<View> views(static_cast<size_t>(recipe_.ports.back()) + 1);
  const size_t count = recipe_.fills() ? 1 : inputs.size();
  for (size_t i = 0; i < count; ++i) {
    View& view = views[static_cast<size_t>(recipe_.ports[i])];
    const bool moved = i == 0 && !recipe_.fills();
    view = View(moved ? nullptr : inputs[i].data(), dtype_of(inputs[i].get_element_type()), extents_of(inputs[i]));
  }
  const tesela::Op op = make_op(recipe_.fills() ? inputs[1] : ov::Tensor());
  std::vector<tesela_tensor> tensors(views.size());
  std::vector<const tesela_tensor*> given(views.size());
  for (size_t i = 0; i < views.size(); ++i) {
    tensors[i] = views[i].c();
    given[i] = views[i].omitted() ? nullptr : &tensors[i];
  }
  auto plan = detail::make<Plan::Owner>(tesela_plan_create, op.get(), given.size(), given.data(), nullptr);
  return SharedPlan(plan.release(), tesela_plan_destroy);
}

Operator::SharedPlan Operator::find_plan(const ov::TensorVector& inputs) const {
  plugins::Key key;
  for (size_t i = 0; i < inputs.size(); ++i) append(key, inputs[i], i > 0 || recipe_.fills());
  SharedPlan plan = plans_->find(key.numbers());
  if (plan == nullptr) {
    plan = make_plan(inputs);
    plans_->insert(key.numbers(), plan);
  }
  return plan;
}

bool Operator::evaluate(ov::TensorVector& outputs, const ov::TensorVector& inputs) const {
  const SharedPlan plan = find_plan(inputs);
  ov::Tensor& output = outputs[0];
  const std::span extents(tesela_plan_output_extents(plan.get()), static_cast<size_t>(tesela_plan_output_rank(plan.get())));
  output.set_shape(ov::Shape(extents.begin(), extents.end()));
  if (output.get_size() == 0) return true;
  const bool strings = output.get_element_type() == ov::element::string;
  std::vector<tesela_string> from, to;
  View x = recipe_.fills() || strings ? View() : view_of(inputs[0]);
  MutableView y;
  if (strings) {
    from = borrow_strings(inputs[0]);
    to.resize(output.get_size());
    x = View(from, extents_of(inputs[0]));
    y = MutableView(to, extents_of(output));
  } else {
    y = mutable_view_of(output);
    // The bits behind the last packed element are zero.
    static_cast<unsigned char*>(const_cast<void*>(y.data()))[output.get_byte_size() - 1] = 0;
  }
  const tesela_executor executor = {sizeof executor, parallel_for, nullptr, parallel_get_max_threads()};
  tesela_run_options options = {};
  options.struct_size = sizeof options;
  options.executor = &executor;
  const tesela_tensor in = x.c(), out = y.c();
  detail::call(tesela_plan_run, plan.get(), x.omitted() ? nullptr : &in, &out, &options);
  if (strings) copy_strings(to, output);
  return true;
}

std::shared_ptr<Operator> make_node(const ov::OutputVector& inputs, Recipe recipe) {
  if (recipe.type == "ConstantOfShape") return std::make_shared<ConstantOfShape>(inputs, std::move(recipe));
  if (recipe.type == "Interpolate") return std::make_shared<Interpolate>(inputs, std::move(recipe));
  if (recipe.type == "Resize") return std::make_shared<Resize>(inputs, std::move(recipe));
  if (recipe.type == "Upsample") return std::make_shared<Upsample>(inputs, std::move(recipe));
  return std::make_shared<Tile>(inputs, std::move(recipe));
}

}  // namespace tesela::openvino
