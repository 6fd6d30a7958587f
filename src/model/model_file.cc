// SPDX-License-Identifier: Apache-2.0
// Detects the format.
#include "model/model_file.h"

#include <algorithm>

#include "files/file_bytes.h"
#include "model/ir_reader.h"

namespace tesela {
namespace {

// ONNX's protobuf cannot begin with '<', the end of a group. UTF-16 counts as XML, whose reader reports the encoding.
bool is_xml(std::span<const std::byte> bytes) {
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), std::min<size_t>(bytes.size(), 64));
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) return true;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '<';
}

Result<Model> read_xml(std::span<const std::byte> bytes, const std::string& path, const OnnxReadOptions& options) {
  if (options.assume_opset != 0)
    return unsupported_error("an opset is assumed, and each layer of an IR has its own; expected an ONNX model");
  return read_ir(bytes, path, options.limits);
}

Result<Model> read_bytes(FileBytes file, const std::string& path, const OnnxReadOptions& options) {
  if (is_xml(file.bytes)) return read_xml(file.bytes, path, options);
  OnnxReadOptions beside = options;
  const size_t slash = path.rfind('/');
  beside.base_directory = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  return read_onnx(file.bytes, std::move(file.owner), beside);
}

}  // namespace

Result<Model> read_model(const std::string& path, const OnnxReadOptions& options) {
  TESELA_ASSIGN_OR_RETURN(FileBytes file, read_file(path, options.limits.max_session_bytes));
  Result<Model> model = read_bytes(std::move(file), path, options);
  if (!model.ok()) return model.status().with_prefix(in_quotes(path) + ": ");
  model->file = path;
  return model;
}

Result<Model> read_model(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                         const OnnxReadOptions& options) {
  if (is_xml(bytes)) return read_xml(bytes, "", options);
  return read_onnx(bytes, std::move(owner), options);
}

}  // namespace tesela
