// SPDX-License-Identifier: Apache-2.0
// Runs a model with one float input in ONNX Runtime, with Tesela's execution provider.
//
//   c++ -std=c++17 onnxruntime.cc -lonnxruntime && ./a.out libtesela_onnxruntime.so model.onnx 1 1 2 2
#include <onnxruntime_cxx_api.h>

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <numeric>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

void run(const char* plugin, const char* model, const std::vector<int64_t>& shape) {
  Ort::Env env(ORT_LOGGING_LEVEL_ERROR);
  env.RegisterExecutionProviderLibrary("tesela", plugin);
  std::vector<Ort::ConstEpDevice> devices;
  for (const Ort::ConstEpDevice device : env.GetEpDevices())
    if (std::strcmp(device.EpName(), "TeselaExecutionProvider") == 0) devices.push_back(device);

  Ort::SessionOptions options;
  const std::unordered_map<std::string, std::string> ours = {{"profile", "stderr"}};
  options.AppendExecutionProvider_V2(env, devices, ours);
  Ort::Session session(env, model, options);

  Ort::AllocatorWithDefaultOptions allocator;
  const auto input_name = session.GetInputNameAllocated(0, allocator);
  const auto output_name = session.GetOutputNameAllocated(0, allocator);
  const char* const inputs[] = {input_name.get()};
  const char* const outputs[] = {output_name.get()};
  Ort::Value input = Ort::Value::CreateTensor<float>(allocator, shape.data(), shape.size());
  const size_t count = input.GetTensorTypeAndShapeInfo().GetElementCount();
  std::iota(input.GetTensorMutableData<float>(), input.GetTensorMutableData<float>() + count, 0.0f);

  const std::vector<Ort::Value> results = session.Run(Ort::RunOptions(), inputs, &input, 1, outputs, 1);
  const auto info = results[0].GetTensorTypeAndShapeInfo();
  for (const int64_t extent : info.GetShape()) std::cout << extent << ' ';
  std::cout << '\n';
  const float* const values = results[0].GetTensorData<float>();
  for (size_t i = 0; i < info.GetElementCount(); ++i) std::cout << values[i] << ' ';
  std::cout << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: onnxruntime PLUGIN MODEL EXTENT...\n";
    return 2;
  }
  std::vector<int64_t> shape;
  for (int i = 3; i < argc; ++i) shape.push_back(std::atoll(argv[i]));
  try {
    run(argv[1], argv[2], shape);
  } catch (const Ort::Exception& fault) {
    std::cerr << fault.what() << '\n';
    return 1;
  }
}
