// SPDX-License-Identifier: Apache-2.0
// An IR: the XML, a byte 0, and the file of constants, with the default limits. Both become files, since a model from
// memory has no constants.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "fuzz/analyse.h"
#include "fuzz/budget.h"
#include "model/model_file.h"

namespace {

void write(const std::string& path, const uint8_t* begin, const uint8_t* end) {
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(begin), end - begin);
}

struct Folder {
  std::string path = "/dev/shm/fuzz_ir.XXXXXX";
  Folder() {
    if (::mkdtemp(path.data()) == nullptr) std::abort();
  }
  ~Folder() {
    for (const char* name : {"/m.xml", "/m.bin", ""}) std::remove((path + name).c_str());
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tesela;
  static const Folder folder;
  const testing::Budget budget;
  const uint8_t* const end = data + size;
  const uint8_t* const zero = std::find(data, end, uint8_t{0});
  write(folder.path + "/m.xml", data, zero);
  write(folder.path + "/m.bin", zero == end ? end : zero + 1, end);
  const OnnxReadOptions options;
  const Result<Model> model = read_model(folder.path + "/m.xml", options);
  if (!model.ok()) return 0;
  testing::analyse(*model, options.limits);
  return 0;
}
