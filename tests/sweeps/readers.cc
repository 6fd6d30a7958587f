// SPDX-License-Identifier: Apache-2.0
#include "sweeps/readers.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>

#include "graph/check.h"
#include "graph/inspect.h"
#include "model/model_file.h"
#include "tensor_io/tensor_file.h"

namespace tesela::testing {
namespace {

void write_whole(const std::string& path, std::span<const std::byte> bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (file.flush()) return;
  std::perror(path.c_str());
  std::abort();
}

// In memory: a disk would be the slowest part.
class Folder {
 public:
  Folder() {
    if (::mkdtemp(path_.data()) != nullptr) return;
    std::perror(path_.c_str());
    std::abort();
  }
  Folder(const Folder&) = delete;
  ~Folder() {
    for (const char* name : {"/m.xml", "/m.bin", ""}) std::remove((path_ + name).c_str());
  }
  std::string file(const char* extension) const { return path_ + "/m." + extension; }

 private:
  std::string path_ = "/dev/shm/tesela_sweep.XXXXXX";
};

Status use_model(const Result<Model>& model, const Limits& limits) {
  if (!model.ok()) return model.status();
  const CheckReport report = check_model(*model, limits);
  static_cast<void>(check_json(report));
  static_cast<void>(inspect_plain(*model, limits));
  static_cast<void>(inspect_json(*model, limits));
  return report.faults == 0 ? Status() : parse_error("{}", report.findings.front().text);
}

Reader onnx_reader(const std::string& path, const Limits& limits) {
  OnnxReadOptions options;
  options.limits = limits;
  options.base_directory = path.substr(0, path.rfind('/') + 1);
  return [options](std::span<const std::byte> bytes) {
    return use_model(read_model(bytes, nullptr, options), options.limits);
  };
}

// The files are written for every input, because the constants of an IR are read by its path.
Reader ir_reader(const std::string& path, const char* swept, const char* other, const Limits& limits) {
  const auto folder = std::make_shared<const Folder>();
  const std::string beside = read_whole(path.substr(0, path.rfind('.') + 1) + other);
  write_whole(folder->file(other), std::as_bytes(std::span(beside)));
  return [folder, swept, limits](std::span<const std::byte> bytes) {
    write_whole(folder->file(swept), bytes);
    OnnxReadOptions options;
    options.limits = limits;
    return use_model(read_model(folder->file("xml"), options), options.limits);
  };
}

Reader tensor_reader(FileFormat format, const Limits& limits) {
  return [format, limits](std::span<const std::byte> bytes) {
    TensorFileOptions options;
    options.limits = limits;
    options.format = format;
    return read_tensor(bytes, options).status();
  };
}

// The only array, or one of several by its name.
Reader npz_reader(const Limits& limits) {
  return [limits](std::span<const std::byte> bytes) {
    TensorFileOptions options;
    options.limits = limits;
    options.format = FileFormat::kNpz;
    const Status only = read_tensor(bytes, options).status();
    options.entry = "x";
    const Status named = read_tensor(bytes, options).status();
    return only.ok() ? only : named;
  };
}

}  // namespace

std::string read_whole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::perror(path.c_str());
    std::exit(EXIT_FAILURE);
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

Reader reader_for(const std::string& path, const Limits& limits) {
  const std::string extension = path.substr(path.rfind('.') + 1);
  if (extension == "onnx") return onnx_reader(path, limits);
  if (extension == "xml") return ir_reader(path, "xml", "bin", limits);
  if (extension == "bin") return ir_reader(path, "bin", "xml", limits);
  if (extension == "npz") return npz_reader(limits);
  static const std::map<std::string, FileFormat> formats = {
      {"npy", FileFormat::kNpy}, {"pb", FileFormat::kPb}, {"png", FileFormat::kPng}, {"jpg", FileFormat::kJpeg}};
  const auto found = formats.find(extension);
  return found == formats.end() ? Reader() : tensor_reader(found->second, limits);
}

}  // namespace tesela::testing
