// SPDX-License-Identifier: Apache-2.0
// Tesela's operators as nodes of OpenVINO models.
#pragma once

#include <memory>
#include <openvino/op/constant.hpp>
#include <openvino/op/op.hpp>
#include <optional>

#include "operator_description.h"

namespace tesela::openvino {

/// Inputs: the operator's inputs without omitted ones, in order; for ConstantOfShape the shape and the value.
class Operator : public ov::op::Op {
 public:
  OPENVINO_OP("TeselaOperator", "tesela")
  Operator() = default;
  /// Initializes an empty node.
  void begin(const ov::OutputVector& inputs, OperatorDescription description);

  void validate_and_infer_types() override;
  bool visit_attributes(ov::AttributeVisitor& visitor) override;
  std::shared_ptr<ov::Node> clone_with_new_inputs(const ov::OutputVector& inputs) const override;
  bool constant_fold(ov::OutputVector& outputs, const ov::OutputVector& inputs) override;
  bool has_evaluate() const override { return true; }
  bool evaluate(ov::TensorVector& outputs, const ov::TensorVector& inputs) const override;

 protected:
  virtual std::shared_ptr<Operator> make_empty() const { return std::make_shared<Operator>(); }

 private:
  void restore_inputs();
  void narrow_for_consumers();
  size_t typed_input() const { return description_.fills() ? 1 : 0; }        // the input that has the output's type
  bool is_moved(size_t i) const { return i == 0 && !description_.fills(); }  // plans need only its type and shape
  bool is_value(size_t i) const { return i == 1 && description_.fills(); }
  bool is_narrow_list(size_t i, const ov::element::Type& type) const;
  tesela_dtype dtype_at(size_t i, const ov::element::Type& type) const;  // as Tesela takes it
  size_t port_count() const;
  ov::PartialShape infer_shape() const;
  std::optional<std::vector<View>> known_inputs() const;
  tesela::Op make_op(const View& value) const;
  std::vector<View> views_of(const ov::TensorVector& inputs, std::vector<std::vector<int64_t>>& wide) const;
  void run(ov::Tensor& output, const ov::TensorVector& inputs) const;
  Plan find_plan(const std::vector<View>& inputs) const;

  OperatorDescription description_;
  // The original input types: the CPU plugin changes 64-bit and packed types around the node.
  ov::element::TypeVector types_;
  std::vector<std::shared_ptr<ov::op::v0::Constant>> constants_;  // null for an input that is not a constant
  ov::element::Type narrow_;  // the output type that narrowed consumers expect; dynamic if none were narrowed
  std::shared_ptr<const tesela::Op> op_;                              // key for finding plans
  std::shared_ptr<PlanCache> plans_ = std::make_shared<PlanCache>();  // shared with clones
};

// The prefix avoids the CPU plugin's own type names, which it matches in every opset.
#define TESELA_NODE(Name)                                                                      \
  class Name : public Operator {                                                               \
   public:                                                                                     \
    OPENVINO_OP("Tesela" #Name, "tesela", Operator)                                            \
                                                                                               \
   protected:                                                                                  \
    std::shared_ptr<Operator> make_empty() const override { return std::make_shared<Name>(); } \
  };
TESELA_NODE(ConstantOfShape)
TESELA_NODE(Interpolate)
TESELA_NODE(Resize)
TESELA_NODE(Tile)
TESELA_NODE(Upsample)
#undef TESELA_NODE

/// Creates the node of description.type. name: the node's name in the model, "" if unknown.
std::shared_ptr<Operator> make_node(const ov::OutputVector& inputs, OperatorDescription description,
                                    const std::string& name);

}  // namespace tesela::openvino
