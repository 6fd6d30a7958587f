// One node of a model as Tesela sees it: its operator with attributes, and what is known of its inputs
// beforehand.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime.h"
#include "tensors.h"

namespace tesela::ort {

struct NodeInput {
  std::string name;  // of the value; empty where the input is omitted
  tesela_dtype dtype = 0;
  std::vector<int64_t> extents;      // -1 where one is not known; none where the rank is not, or is 0
  std::optional<Constant> constant;  // its value, for an input that plans read

  bool omitted() const { return name.empty(); }
};

struct Node {
  Op op;
  std::string label;          // "Resize-18 node 'up'"
  bool moves_input = true;    // false for ConstantOfShape, which has no input but the shape that plans read
  bool resizes = false;       // Resize, Upsample
  bool computes = false;      // false where elements are only moved: nearest, Tile, ConstantOfShape
  bool needs_shapes = false;  // left to others unless its plan can be made beforehand
  bool cuts = false;          // computed as floats where no plan can be made of integers; see stock_rules.h
  std::vector<NodeInput> inputs = {};
  tesela_dtype output_dtype = 0;

  /// Whether plans read the value of input i.
  bool reads(size_t i) const { return i > 0 || !moves_input; }
};

/// A node without attributes and inputs; none: the operator is not Tesela's. extents: the plan field of that name, of
/// Resize and Upsample.
std::optional<Node> begin_node(const char* domain, const char* type, int64_t version, const char* name,
                               const char* extents);

/// Type and extents. Failure: not a tensor, or of a type that Tesela does not know.
void read_type(const Runtime& runtime, const OrtTensorTypeAndShapeInfo* info, NodeInput& input);

/// Sets what follows from the attributes and inputs of a node that has them. mode: its attribute, or empty.
/// Failure: what the rules refuse.
void finish_node(Node& node, const std::string& mode);

/// none: the operator is not Tesela's. Failure: it is, but this node cannot be run.
std::optional<Node> read_node(const Runtime& runtime, const OrtNode* node, const char* extents);

/// Those of an operator, null for an omitted one.
using Inputs = std::span<const tesela_tensor* const>;

/// cache: null, or where the plan is kept. Failure: what the rules refuse.
Plan make_plan(const Node& node, Inputs inputs, PlanCache* cache);

/// The plan of an earlier run; none where there is none.
std::optional<Plan> find_plan(const Node& node, Inputs inputs, PlanCache& cache);

/// The plan of a node whose inputs are all known beforehand; none where some are not. Failure: what the rules refuse.
std::optional<Plan> make_static_plan(const Node& node);

}  // namespace tesela::ort
