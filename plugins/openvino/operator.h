// Tesela's operators as nodes of OpenVINO's models.
#pragma once

#include <memory>
#include <openvino/op/constant.hpp>
#include <openvino/op/op.hpp>
#include <optional>

#include "recipe.h"

namespace tesela::openvino {

/// Inputs: those of the operator that are given, in their order; of ConstantOfShape the shape and the value.
class Operator : public ov::op::Op {
 public:
  OPENVINO_OP("TeselaOperator", "tesela")
  Operator() = default;
  /// For a node that was just made.
  void begin(const ov::OutputVector& inputs, Recipe recipe);

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
  void narrow_for_others();
  size_t typed_input() const { return recipe_.fills() ? 1 : 0; }        // the one whose type the output has
  bool is_moved(size_t i) const { return i == 0 && !recipe_.fills(); }  // only its type and shape matter to a plan
  bool is_value(size_t i) const { return i == 1 && recipe_.fills(); }
  bool is_narrow_list(size_t i, const ov::element::Type& type) const;
  tesela_dtype dtype_at(size_t i, const ov::element::Type& type) const;  // as Tesela takes it
  size_t port_count() const;
  ov::PartialShape infer_shape() const;
  std::optional<std::vector<View>> known_inputs() const;
  tesela::Op make_op(const View& value) const;
  std::vector<View> views_of(const ov::TensorVector& inputs, std::vector<std::vector<int64_t>>& wide) const;
  void run(ov::Tensor& output, const ov::TensorVector& inputs) const;
  Plan find_plan(const std::vector<View>& inputs) const;

  Recipe recipe_;
  // What the node was made with: the CPU plugin makes 64-bit types, and packed ones, other types around it.
  ov::element::TypeVector types_;
  std::vector<std::shared_ptr<ov::op::v0::Constant>> constants_;  // null where an input is none
  ov::element::Type narrow_;              // of the output, for neighbours that were made narrow; dynamic: none was
  std::shared_ptr<const tesela::Op> op_;  // to find plans by
  std::shared_ptr<PlanCache> plans_ = std::make_shared<PlanCache>();  // of clones, too
};

// The CPU plugin takes a node of any opset for its own whose type has the name of one of its own.
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

/// The node of recipe.type. name: what the model calls it, "" where nothing says.
std::shared_ptr<Operator> make_node(const ov::OutputVector& inputs, Recipe recipe, const std::string& name);

}  // namespace tesela::openvino
