// SPDX-License-Identifier: Apache-2.0
// Loads models.
#include "models.h"

#include "streams.h"

namespace tesela::cli {
namespace {

// The largest possible protobuf message.
constexpr uint64_t kMaxStream = uint64_t{2} << 30;

Model load(const ModelSource& source, const std::optional<std::string>& bytes, const Limits& limits) {
  const LoadOptions options = {.limits = limits, .assume_opset = source.assume_opset, .extents = source.extents};
  return bytes ? Model(std::as_bytes(std::span(*bytes)), options) : Model(source.path, options);
}

}  // namespace

LoadedModel::LoadedModel(const ModelSource& source, const Limits& limits)
    : bytes_(read_stream(source.path, kMaxStream)), model_(load(source, bytes_, limits)) {}

}  // namespace tesela::cli
