// SPDX-License-Identifier: Apache-2.0
// Tesela's nodes: types and shapes, and running them for OpenVINO.
#include "operator.h"

#include <algorithm>
#include <functional>
#include <map>
#include <openvino/core/parallel.hpp>
#include <openvino/op/convert.hpp>
#include <openvino/op/result.hpp>
#include <openvino/op/util/precision_sensitive_attribute.hpp>

#include "shapes.h"
#include "tensors.h"

namespace tesela::openvino {
namespace {

using ov::op::v0::Constant;
using ov::op::v0::Convert;

std::shared_ptr<Constant> constant_at(const ov::Output<ov::Node>& output) {
  return ov::as_type_ptr<Constant>(output.get_node_shared_ptr());
}

// A copy in int64 with the same name and values.
std::shared_ptr<Constant> widened(const Constant& list) {
  const auto wide = std::make_shared<Constant>(ov::element::i64, list.get_shape(), list.cast_vector<int64_t>());
  wide->set_friendly_name(list.get_friendly_name());
  return wide;
}

ov::PartialShape output_shape_of(const Plan& plan) {
  ov::PartialShape shape;
  for (const int64_t extent : plan.output_extents()) shape.push_back(extent);
  return shape;
}

// Runs on OpenVINO's threads.
void run_plan(const Plan& plan, const View& x, const MutableView& y) {
  const Executor executor = {
      [](int64_t count, const std::function<void(int64_t)>& task) { ov::parallel_for(count, task); },
      parallel_get_max_threads()};
  plan.run(x, y, {.executor = &executor});
}

// Adds a prefix: OpenVINO shows the message without its origin.
template <class Work>
void with_error_prefix(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    throw Error(error.code(), std::string("Tesela: ") + error.what());
  }
}

template <class Node>
std::shared_ptr<Operator> make_empty_node() {
  return std::make_shared<Node>();
}

}  // namespace

void Operator::begin(const ov::OutputVector& inputs, OperatorDescription description) {
  description_ = std::move(description);
  set_arguments(inputs);
  constructor_validate_and_infer_types();
}

std::shared_ptr<ov::Node> Operator::clone_with_new_inputs(const ov::OutputVector& inputs) const {
  const std::shared_ptr<Operator> made = make_empty();
  made->types_ = types_;
  made->constants_ = constants_;
  made->plans_ = plans_;
  made->set_friendly_name(get_friendly_name());
  made->begin(inputs, description_);
  return made;
}

bool Operator::visit_attributes(ov::AttributeVisitor& visitor) {
  std::string attributes = description_.attributes_text();
  visitor.on_attribute("domain", description_.domain);
  visitor.on_attribute("operator", description_.type);
  visitor.on_attribute("opset", description_.opset);
  visitor.on_attribute("ports", description_.ports);
  visitor.on_attribute("attributes", attributes);
  description_.set_attributes(attributes);
  return true;
}

// ---- Types and shapes -------------------------------------------------------------------------------------

// ONNX uses int64 lists. The CPU plugin computes them in int32, and its caches of compiled models store them as int32.
bool Operator::is_narrow_list(size_t i, const ov::element::Type& type) const {
  return type == ov::element::i32 && description_.domain == kOnnx && !is_moved(i) && !is_value(i);
}

tesela_dtype Operator::dtype_at(size_t i, const ov::element::Type& type) const {
  return is_narrow_list(i, type) ? TESELA_INT64 : dtype_of(type);
}

// The CPU plugin inserts conversions to narrow types before nodes and narrows constants. This bypasses them.
void Operator::restore_inputs() {
  types_.resize(get_input_size());
  constants_.resize(get_input_size());
  for (size_t i = 0; i < get_input_size(); ++i) {
    const ov::Output<ov::Node> source = input_value(i);
    const ov::element::Type type = source.get_element_type();
    if (types_[i].is_dynamic()) types_[i] = type;
    const std::shared_ptr<Constant> constant = constant_at(source);
    if (is_narrow_list(i, type) && constant != nullptr) {
      types_[i] = ov::element::i64;
      constants_[i] = widened(*constant);
      set_argument(i, constants_[i]);
      continue;
    }
    if (type == types_[i]) {
      constants_[i] = constant;
      continue;
    }
    if (type.is_dynamic()) continue;
    const ov::Node& node = *source.get_node();
    const bool same = constant != nullptr && constants_[i] != nullptr &&
                      constant->get_shape() == constants_[i]->get_shape() &&
                      constant->get_friendly_name() == constants_[i]->get_friendly_name();
    if (same)
      set_argument(i, constants_[i]);
    else if (ov::is_type<Convert>(&node) && node.get_input_element_type(0) == types_[i])
      set_argument(i, node.input_value(0));
    else
      continue;
    if (i == typed_input()) narrow_ = type;
  }
  const auto* const before = dynamic_cast<const Operator*>(get_input_node_ptr(typed_input()));
  if (before != nullptr && before->get_output_element_type(0) == types_[typed_input()]) narrow_ = before->narrow_;
  if (narrow_.is_static()) narrow_for_consumers();
}

// Converts the output for consumers that the CPU plugin made narrow.
void Operator::narrow_for_consumers() {
  std::shared_ptr<Convert> conversion;
  for (ov::Input<ov::Node> consumer : output(0).get_target_inputs()) {
    const ov::Node* const node = consumer.get_node();
    if (ov::is_type<ov::op::v0::Result>(node) || ov::is_type<Convert>(node) ||
        dynamic_cast<const Operator*>(node) != nullptr)
      continue;
    if (conversion == nullptr) conversion = std::make_shared<Convert>(output(0), narrow_);
    consumer.replace_source_output(conversion);
  }
}

// Trailing omitted inputs are left out.
size_t Operator::port_count() const {
  return static_cast<size_t>(*std::ranges::max_element(description_.ports)) + 1;
}

// The node's inputs, if everything that a plan needs is known.
std::optional<std::vector<View>> Operator::known_inputs() const {
  std::vector<View> views;
  for (size_t i = 0; i < get_input_size(); ++i) {
    const auto constant = constant_at(input_value(i));
    if (is_moved(i) && get_input_partial_shape(i).is_static() && get_input_element_type(i).is_static())
      views.emplace_back(nullptr, dtype_of(get_input_element_type(i)), extents_of(get_input_shape(i)));
    else if (!is_moved(i) && constant != nullptr)
      views.push_back(view_of(*constant));
    else
      return std::nullopt;
  }
  return views;
}

// Reports errors here where possible: in a run on one thread the CPU plugin loses them.
void Operator::validate_and_infer_types() {
  with_error_prefix([this] {
    description_.check(get_input_size());
    op_ = std::make_shared<const tesela::Op>(description_.make_op(""));
    restore_inputs();
    // Keeps scales in full precision when a model is saved with 16-bit weights, OpenVINO's default.
    for (size_t i = 0; i < get_input_size(); ++i)
      if (!is_moved(i)) ov::mark_as_precision_sensitive(input(i));
    const auto known = known_inputs();
    set_output_type(0, get_input_element_type(typed_input()),
                    known ? output_shape_of(find_plan(*known)) : infer_shape());
  });
}

ov::PartialShape Operator::infer_shape() const {
  std::vector<std::optional<TensorInfo>> infos(port_count());
  View value;
  Extents extents;
  std::vector<ov::Tensor> values;  // must outlive the views of them
  for (size_t i = 0; i < get_input_size(); ++i) {
    const auto constant = constant_at(input_value(i));
    TensorInfo info(dtype_at(i, get_input_element_type(i)), extents.dims_of(get_input_partial_shape(i)));
    if (constant != nullptr && !is_moved(i))
      info.constant = view_of(*constant);
    else if (const ov::Tensor value = is_moved(i) ? ov::Tensor() : value_of(input_value(i)))
      info.constant = view_of(values.emplace_back(value));
    else if (!is_moved(i))
      info.shape_value = extents.dims_of(entries_of(input_value(i)));
    if (is_value(i))
      value = info.constant;
    else
      infos[static_cast<size_t>(description_.ports[i])] = std::move(info);
  }
  if (description_.fills() && value.omitted())
    throw Error(TESELA_ERROR_VALUE, description_.type + ": the value is not a constant");
  return extents.shape_of(make_op(value).infer(infos).info());
}

tesela::Op Operator::make_op(const View& value) const {
  tesela::Op op = description_.make_op(get_friendly_name());
  if (!value.omitted()) op.set_tensor("value", View(value.data(), value.dtype(), {1}));
  return op;
}

bool Operator::constant_fold(ov::OutputVector& outputs, const ov::OutputVector& inputs) {
  if (get_output_element_type(0).bitwidth() < 8 || !Op::constant_fold(outputs, inputs)) return false;
  const auto folded = constant_at(outputs[0]);
  return folded != nullptr && is_kept_by_cpu_plugin(*folded);
}

// ---- Runs -------------------------------------------------------------------------------------------------

Plan Operator::find_plan(const std::vector<View>& given) const {
  std::vector<View> inputs(port_count());
  View value;
  for (size_t i = 0; i < given.size(); ++i)
    (is_value(i) ? value : inputs[static_cast<size_t>(description_.ports[i])]) = given[i];
  if (value.omitted())
    if (std::optional<Plan> known = plans_->find(*op_, inputs)) return std::move(*known);
  return plans_->plan(make_op(value), inputs);
}

bool Operator::evaluate(ov::TensorVector& outputs, const ov::TensorVector& inputs) const {
  with_error_prefix([&] { run(outputs[0], inputs); });
  return true;
}

// Views of a run's inputs, with data only where plans read it. wide: storage for narrow lists, converted to int64.
std::vector<View> Operator::views_of(const ov::TensorVector& inputs, std::vector<std::vector<int64_t>>& wide) const {
  std::vector<View> views;
  wide.resize(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    const ov::element::Type type = inputs[i].get_element_type();
    const void* data = is_moved(i) ? nullptr : inputs[i].data();
    if (is_narrow_list(i, type)) {
      const auto* const narrow = inputs[i].data<const int32_t>();
      wide[i].assign(narrow, narrow + inputs[i].get_size());
      data = wide[i].data();
    }
    views.emplace_back(data, dtype_at(i, type), extents_of(inputs[i].get_shape()));
  }
  return views;
}

void Operator::run(ov::Tensor& output, const ov::TensorVector& inputs) const {
  std::vector<std::vector<int64_t>> wide;
  const std::vector<View> views = views_of(inputs, wide);
  const Plan plan = find_plan(views);
  output.set_shape(output_shape_of(plan).to_shape());
  if (output.get_size() == 0) return;
  if (output.get_element_type() == ov::element::string) {
    const std::vector<tesela_string> from = borrow_strings(inputs[0]);
    std::vector<tesela_string> to(output.get_size());
    run_plan(plan, View(from, views[0].extents()), MutableView(to, extents_of(output.get_shape())));
    return copy_strings(to, output);
  }
  // The bits after the last packed element must be zero.
  static_cast<unsigned char*>(output.data())[output.get_byte_size() - 1] = 0;
  run_plan(plan, description_.fills() ? View() : view_of(inputs[0]), mutable_view_of(output));
}

std::shared_ptr<Operator> make_node(const ov::OutputVector& inputs, OperatorDescription description,
                                    const std::string& name) {
  static const std::map<std::string, std::shared_ptr<Operator> (*)()> makers = {
      {"ConstantOfShape", make_empty_node<ConstantOfShape>},
      {"Interpolate", make_empty_node<Interpolate>},
      {"Resize", make_empty_node<Resize>},
      {"Tile", make_empty_node<Tile>},
      {"Upsample", make_empty_node<Upsample>}};
  const std::shared_ptr<Operator> node = makers.at(description.type)();
  if (!name.empty()) node->set_friendly_name(name);
  node->begin(inputs, std::move(description));
  return node;
}

}  // namespace tesela::openvino
