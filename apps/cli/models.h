// SPDX-License-Identifier: Apache-2.0
// Models from files or the standard input.
#pragma once

#include <optional>
#include <string>

#include "tesela/tesela.hpp"

namespace tesela::cli {

struct ModelSource {
  std::string path;  // "-": the standard input
  int64_t assume_opset = 0;
  std::string extents = {};  // empty: the default
};

class LoadedModel {
 public:
  LoadedModel(const ModelSource& source, const Limits& limits);
  LoadedModel(const LoadedModel&) = delete;
  LoadedModel& operator=(const LoadedModel&) = delete;

  const Model& operator*() const { return model_; }
  const Model* operator->() const { return &model_; }

 private:
  std::optional<std::string> bytes_;  // of a stream; the model refers to them
  Model model_;
};

}  // namespace tesela::cli
