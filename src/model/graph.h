// A model as its file tells it: graphs of nodes and named tensors, whatever their operators are.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/name.h"
#include "schema/infer.h"

namespace tesela {

class MappedFile;

/// What an axis of unknown extent may be, both included.
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

/// A graph in a node's attribute (If, Loop, Scan).
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
  std::vector<Attribute> attributes;  // graphs among them carry no value here
  std::vector<Subgraph> subgraphs;
  Status fault;       // why one of the attributes could not be read; it has no value
  int64_t opset = 0;  // of its domain, where each node has its own; 0: the one that the model imports
};

/// A tensor stored in the graph. `fault` says why it could not be read; the rest of the model may still be looked at.
struct Initializer {
  Name name;
  Tensor value;
  Status fault;
};

struct Graph {
  std::string name;
  std::vector<ValueDeclaration> inputs;  // initializers may stand here too, as defaults
  std::vector<ValueDeclaration> outputs;
  std::vector<ValueDeclaration> values;  // value_info
  std::vector<Initializer> initializers;
  std::vector<Node> nodes;  // in the file's order
};

/// A function that the model brings with it.
struct LocalFunction {
  std::string domain;
  std::string name;
  Graph body;  // inputs and outputs by name only
  std::map<std::string, int64_t> opsets;
};

enum class ModelFormat : uint8_t { kOnnx, kOpenvino };

struct Model {
  ModelFormat format = ModelFormat::kOnnx;
  std::string file;      // as given; empty for models from memory
  std::string producer;  // "pytorch 2.1"
  int64_t ir_version = 0;
  std::map<std::string, int64_t> opsets;  // by domain; ONNX's own is ""; of OpenVINO's, the newest that a layer has
  Graph graph;
  std::vector<LocalFunction> functions;
  ExtentRule extents = ExtentRule::kStandard;             // of its nodes, as whoever loads it has chosen
  std::shared_ptr<const void> storage;                    // what the tensors' bytes live in
  std::vector<std::shared_ptr<const MappedFile>> mapped;  // the files among that which are mapped
};

}  // namespace tesela
