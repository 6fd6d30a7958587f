// SPDX-License-Identifier: Apache-2.0
// The entry point that ov::Core looks up in this library.
#include <cstdlib>
#include <string>

#include "onnx_nodes.h"
#include "opset_nodes.h"

namespace {

using namespace tesela::openvino;

template <class... Nodes>
std::vector<ov::Extension::Ptr> extensions_for() {
  return {std::make_shared<ov::OpExtension<Nodes>>()...};
}

// How scales give extents. The default is OpenVINO's rule, for which the rest of a model is sized. An environment
// variable, because ov::Core passes no options to extensions.
Attributes fields_of_environment() {
  const char* const given = std::getenv("TESELA_OPENVINO_EXTENTS");
  const std::string extents = given != nullptr && *given != '\0' ? given : "host";
  if (extents == "host") return {{"tesela.extents", "openvino"}};
  if (extents == "standard") return {};
  throw tesela::Error(TESELA_ERROR_VALUE,
                      "Tesela: TESELA_OPENVINO_EXTENTS: extents is '" + extents + "'; expected 'host' or 'standard'");
}

// Tesela's nodes in saved models, Tile and Interpolate of IRs, and the operators of ONNX models.
std::vector<ov::Extension::Ptr> all_extensions() {
  std::vector<ov::Extension::Ptr> all = extensions_for<ConstantOfShape, Interpolate, Resize, Tile, Upsample>();
  for (const auto& extensions : {ir_extensions(), onnx_extensions(fields_of_environment())})
    all.insert(all.end(), extensions.begin(), extensions.end());
  return all;
}

}  // namespace

OPENVINO_CREATE_EXTENSIONS(all_extensions())
