// SPDX-License-Identifier: Apache-2.0
// A tensor's file: .npy, .npz, .pb, PNG or JPEG, with the default limits. The first byte selects the format, or
// detection by the rest.
#include "fuzz/budget.h"
#include "tensor_io/tensor_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tesela;
  if (size == 0) return 0;
  const testing::Budget budget;
  TensorFileOptions options;
  options.format = static_cast<FileFormat>(data[0] % 6);
  static_cast<void>(read_tensor(std::as_bytes(std::span(data + 1, size - 1)), options));
  return 0;
}
