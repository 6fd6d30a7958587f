// Models from files or the standard input.
#pragma once

#include <string>
#include <vector>

#include "handles.h"

namespace tesela::cli {

struct ModelSource {
  std::string path;  // "-": the standard input
  int64_t assume_opset = 0;
  std::string extents = {};  // empty: the default
};

class Model {
 public:
  Model(const ModelSource& source, const tesela_limits& limits);
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  const tesela_model* get() const { return model_.get(); }
  std::vector<std::string> input_names() const;
  std::vector<std::string> output_names() const;

 private:
  std::string bytes_;  // of a stream; the model lives in them
  std::unique_ptr<tesela_model, Destroy<tesela_model_destroy>> model_;
};

}  // namespace tesela::cli
