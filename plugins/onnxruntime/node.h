// SPDX-License-Identifier: Apache-2.0
// One node of a model: Tesela's operator with attributes, and what is known about the inputs before a run.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime.h"
#include "tensors.h"

namespace tesela::ort {

struct NodeInput {
  std::string name;  // of the value; empty if the input is omitted
  tesela_dtype dtype = 0;
  std::vector<int64_t> extents;      // -1 for an unknown extent; empty if the rank is unknown or 0
  std::optional<Constant> constant;  // the value, if plans read it

  bool omitted() const { return name.empty(); }
};

struct Node {
  Op op;
  std::string label;          // "Resize-18 node 'up'"
  bool moves_input = true;    // false for ConstantOfShape, whose only input plans read
  bool resizes = false;       // Resize, Upsample
  bool computes = false;      // false if elements are only moved: nearest, Tile, ConstantOfShape
  bool needs_shapes = false;  // taken only if its plan can be made before a run
  bool truncates = false;     // computed as floats and truncated if integers have no plan; see onnxruntime_semantics.h
  std::vector<NodeInput> inputs = {};
  tesela_dtype output_dtype = 0;

  /// Whether plans read the value of input i.
  bool reads(size_t i) const { return i > 0 || !moves_input; }
};

/// A node without attributes and inputs; none if the operator is not Tesela's. extents: the plan field of that name,
/// for Resize and Upsample.
std::optional<Node> begin_node(const char* domain, const char* type, int64_t version, const char* name,
                               const char* extents);

/// Reads type and extents. Failure: not a tensor, or an element type that Tesela does not support.
void read_type(const Runtime& runtime, const OrtTensorTypeAndShapeInfo* info, NodeInput& input);

/// Sets the members that depend on attributes and inputs. mode: the attribute, or empty. Failure: the node is invalid.
void finish_node(Node& node, const std::string& mode);

/// none if the operator is not Tesela's. Failure: it is, but this node cannot run.
std::optional<Node> read_node(const Runtime& runtime, const OrtNode* node, const char* extents);

/// An operator's inputs, null for an omitted one.
using Inputs = std::span<const tesela_tensor* const>;

/// cache: keeps the plan; may be null. Failure: the node is invalid.
Plan make_plan(const Node& node, Inputs inputs, PlanCache* cache);

/// The plan of an earlier run, if the cache has one.
std::optional<Plan> find_plan(const Node& node, Inputs inputs, PlanCache& cache);

/// The plan of a node, if all its inputs are known before a run. Failure: the node is invalid.
std::optional<Plan> make_static_plan(const Node& node);

}  // namespace tesela::ort
