// SPDX-License-Identifier: Apache-2.0
// The fault of a model's first constant.
#pragma once

#include <gtest/gtest.h>

#include <string_view>

#include "files/temporary_folder.h"
#include "model/model_file.h"

namespace tesela::testing {

inline Status constant_fault(const TemporaryFolder& folder, std::string_view file) {
  const Result<Model> model = read_model(folder / file, {});
  EXPECT_TRUE(model.ok()) << model.status().message();
  return model.ok() ? model->graph.initializers.at(0).fault : model.status();
}

}  // namespace tesela::testing
