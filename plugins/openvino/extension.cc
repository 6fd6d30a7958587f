// What ov::Core finds in this library.
#include "onnx_nodes.h"
#include "opset_nodes.h"

namespace {

using namespace tesela::openvino;

template <class... Nodes>
std::vector<ov::Extension::Ptr> extensions_for() {
  return {std::make_shared<ov::OpExtension<Nodes>>()...};
}

// Nodes of ours in models that were saved, Tile and Interpolate of IRs, the operators of ONNX models.
std::vector<ov::Extension::Ptr> all_extensions() {
  std::vector<ov::Extension::Ptr> all =
      extensions_for<ConstantOfShape, Interpolate, Resize, Tile, Upsample>();
  for (const auto& extensions : {ir_extensions(), onnx_extensions()})
    all.insert(all.end(), extensions.begin(), extensions.end());
  return all;
}

}  // namespace

OPENVINO_CREATE_EXTENSIONS(all_extensions())
