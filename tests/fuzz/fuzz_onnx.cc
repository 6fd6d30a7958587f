// SPDX-License-Identifier: Apache-2.0
// An ONNX model: reading, check, inspect, lint, fix and explain, with the default limits.
#include "fuzz/analyse.h"
#include "fuzz/budget.h"
#include "model/model_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tesela;
  const testing::Budget budget;
  const OnnxReadOptions options;
  const auto bytes = std::as_bytes(std::span(data, size));
  const Result<Model> model = read_model(bytes, nullptr, options);
  if (!model.ok()) return 0;
  testing::analyse(*model, options.limits);
  return 0;
}
