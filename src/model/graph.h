// SPDX-License-Identifier: Apache-2.0
// A model as it is in its file: graphs of nodes and named tensors, with any operators.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "schema/infer.h"
#include "types/name.h"

namespace tesela {

class MappedFile;

/// The bounds of an axis of unknown extent, both inclusive.
struct ExtentBounds {
  size_t axis = 0;
  int64_t least = 0;
  int64_t most = INT64_MAX;
};

/// A declared input, output or intermediate of a graph. `is_tensor` is false for sequences, maps and the like.
struct ValueDeclaration {
  Name name;
  bool is_tensor = true;
  TensorInfo info;  // type and dims as declared
  std::vector<ExtentBounds> bounds = {};
};

struct Graph;

/// A graph in an attribute of a node (If, Loop, Scan).
struct Subgraph {
  std::string attribute;
  std::unique_ptr<Graph> graph;
};

struct Node {
  std::string domain;
  std::string type;
  std::string name;
  std::vector<Name> inputs;  // "" for an omitted one
  std::vector<Name> outputs;
  std::vector<Attribute> attributes;  // graphs are in `subgraphs`; their attributes have no value
  std::vector<Subgraph> subgraphs;
  Status fault;                   // why one of the attributes could not be read; that attribute has no value
  int64_t opset = 0;              // of its domain, in formats where each node has one; 0: the model's import
  std::string_view message = {};  // its bytes in Model::bytes; empty in formats other than ONNX
};

/// A tensor stored in the graph. `fault` says why it could not be read; the rest of the model can still be inspected.
struct Initializer {
  Name name;
  Tensor value;
  Status fault;
};

struct Graph {
  std::string name;
  std::vector<ValueDeclaration> inputs;  // initializers may be listed here, too, as defaults
  std::vector<ValueDeclaration> outputs;
  std::vector<ValueDeclaration> values;  // value_info
  std::vector<Initializer> initializers;
  std::vector<Node> nodes;  // in the file's order
};

/// A function defined in the model.
struct LocalFunction {
  std::string domain;
  std::string name;
  Graph body;  // inputs and outputs have only names
  std::map<std::string, int64_t> opsets;
};

enum class ModelFormat : uint8_t { kOnnx, kOpenvino };

struct Model {
  ModelFormat format = ModelFormat::kOnnx;
  std::string file;      // as given; empty for models from memory
  std::string producer;  // "pytorch 2.1"
  int64_t ir_version = 0;
  std::map<std::string, int64_t> opsets;  // by domain; ONNX's is ""; for OpenVINO's, the newest of all layers
  Graph graph;
  std::vector<LocalFunction> functions;
  std::string_view bytes = {};                            // of the file; empty in formats other than ONNX
  std::string folder = {};                                // of external data; empty for models from memory without one
  std::vector<std::string> locations = {};                // of external data in it, also where it could not be read
  ExtentRule extents = ExtentRule::kStandard;             // for its nodes, from the options of loading
  std::shared_ptr<const void> storage;                    // owner of the bytes, of the tensors, too
  std::vector<std::shared_ptr<const MappedFile>> mapped;  // the files of those that are mapped
};

}  // namespace tesela
