// An ONNX model: reading, check and inspect, with the default limits.
#include "fuzz/budget.h"
#include "graph/check.h"
#include "graph/inspect.h"
#include "model/model_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tesela;
  const testing::Budget budget;
  const OnnxReadOptions options;
  const auto bytes = std::as_bytes(std::span(data, size));
  const Result<Model> model = read_model(bytes, nullptr, options);
  if (!model.ok()) return 0;
  check_model(*model, options.limits);
  inspect_plain(*model, options.limits);
  inspect_json(*model, options.limits);
  return 0;
}
