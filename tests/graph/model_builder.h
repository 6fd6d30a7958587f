// SPDX-License-Identifier: Apache-2.0
// Builds models for tests without a file.
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "model/graph.h"

namespace tesela::test {

/// 3, "N" or "?": a number, a symbol, or unknown.
struct DimSpec : Dim {
  DimSpec(int number) : Dim{number, ""} {}                                      // NOLINT
  DimSpec(int64_t number) : Dim{number, ""} {}                                  // NOLINT
  DimSpec(const char* text) : Dim{-1, std::string(text) == "?" ? "" : text} {}  // NOLINT
};
using Dims = std::vector<DimSpec>;

template <class T>
Tensor tensor_of(DataType type, Extents extents, const std::vector<T>& values) {
  Result<Tensor> tensor = Tensor::allocate(type, std::move(extents));
  if (!values.empty()) std::memcpy(tensor->mutable_data(), values.data(), values.size() * sizeof(T));
  return *tensor;
}

inline Tensor int64s(const std::vector<int64_t>& values) {
  return tensor_of(DataType::kInt64, {static_cast<int64_t>(values.size())}, values);
}

inline Tensor floats(const std::vector<float>& values) {
  return tensor_of(DataType::kFloat, {static_cast<int64_t>(values.size())}, values);
}

inline ValueDeclaration declared(std::string name, DataType type, const Dims& dims) {
  ValueDeclaration declaration;
  declaration.name = std::move(name);
  declaration.info.type = type;
  declaration.info.dims.emplace();
  for (const Dim& dim : dims) declaration.info.dims->push_back(dim);
  return declaration;
}

/// Without type and rank.
inline ValueDeclaration undeclared(std::string name) {
  ValueDeclaration declaration;
  declaration.name = std::move(name);
  return declaration;
}

inline Attribute attribute(std::string name, const char* value) {
  return {std::move(name), AttributeKind::kString, std::string(value)};
}
inline Attribute attribute(std::string name, int64_t value) {
  return {std::move(name), AttributeKind::kInt, value};
}
inline Attribute attribute(std::string name, float value) {
  return {std::move(name), AttributeKind::kFloat, value};
}
inline Attribute attribute(std::string name, std::vector<int64_t> values) {
  return {std::move(name), AttributeKind::kInts, std::move(values)};
}
inline Attribute attribute(std::string name, Tensor value) {
  return {std::move(name), AttributeKind::kTensor, std::move(value)};
}

inline Node node(std::string type, std::vector<Name> inputs, std::vector<Name> outputs,
                 std::vector<Attribute> attributes = {}, std::string name = {}) {
  Node made;
  made.type = std::move(type);
  made.name = std::move(name);
  made.inputs = std::move(inputs);
  made.outputs = std::move(outputs);
  made.attributes = std::move(attributes);
  return made;
}

inline Node constant(std::string output, Tensor value) {
  return node("Constant", {}, {std::move(output)}, {attribute("value", std::move(value))});
}

/// A model with one graph.
inline Model model_of(int64_t opset, std::vector<ValueDeclaration> inputs, std::vector<ValueDeclaration> outputs,
                      std::vector<Initializer> initializers = {}) {
  Model model;
  model.producer = "test";
  model.ir_version = 10;
  model.opsets[""] = opset;
  model.graph.inputs = std::move(inputs);
  model.graph.outputs = std::move(outputs);
  model.graph.initializers = std::move(initializers);
  return model;
}

inline std::shared_ptr<const Model> shared(Model model) {
  return std::make_shared<const Model>(std::move(model));
}

/// x: float [1, 1, 2, 2] -> Resize by scales 1, 1, 2, 2 -> y.
inline Model resize_model(int64_t opset = 19) {
  Model model = model_of(opset, {declared("x", DataType::kFloat, {1, 1, "H", "W"})}, {undeclared("y")},
                         {{"s", floats({1, 1, 2, 2}), {}}});
  std::vector<Name> inputs = {"x", "", "s"};
  if (opset < 11) inputs = {"x", "s"};
  model.graph.nodes.push_back(node(opset < 10 ? "Upsample" : "Resize", inputs, {"y"}, {}, "up"));
  return model;
}

/// x: float [2, 3], tiled by a constant.
inline Graph tile_graph(std::vector<int64_t> repeats) {
  Graph graph;
  graph.inputs = {declared("x", DataType::kFloat, {2, 3})};
  graph.outputs = {undeclared("y")};
  graph.initializers = {{"r", int64s(std::move(repeats)), {}}};
  graph.nodes.push_back(node("Tile", {"x", "r"}, {"y"}, {}, "t"));
  return graph;
}

inline Model constant_tile_model(std::vector<int64_t> repeats = {2, 1}, int64_t opset = 19) {
  Model model = model_of(opset, {}, {});
  model.graph = tile_graph(std::move(repeats));
  return model;
}

}  // namespace tesela::test
