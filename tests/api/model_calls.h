// SPDX-License-Identifier: Apache-2.0
// Models of one Resize for tests of the C interface.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "api/handles.h"
#include "model/onnx_bytes.h"

namespace tesela::testing {

/// A ValueInfoProto of floats. A dim of digits is a number, an empty one is unknown, others are symbols.
inline Pb floats_pb(std::string_view name, const std::vector<std::string>& dims) {
  Pb shape;
  for (const std::string& dim : dims) {
    const bool is_number = !dim.empty() && dim.find_first_not_of("0123456789") == std::string::npos;
    shape.message(1, dim.empty() ? Pb() : is_number ? Pb().number(1, std::stoll(dim)) : Pb().text(2, dim));
  }
  return Pb().text(1, name).message(2, Pb().message(1, Pb().number(1, TESELA_FLOAT).message(2, shape)));
}

/// A model of this opset: x, a float image of these dims -> Resize 'up' by `scale` along its last two axes -> y.
inline std::string resize_model(int64_t opset, const std::vector<std::string>& dims = {"1", "1", "H", "W"},
                                float scale = 2) {
  const float scales[] = {1, 1, scale, scale};
  const std::string_view raw(reinterpret_cast<const char*>(scales), sizeof scales);
  const Pb graph = Pb().message(1, node_pb("Resize", {"x", "", "s"}, {"y"}, {}, "up"))
                       .message(5, raw_tensor_pb("s", TESELA_FLOAT, {4}, raw))
                       .message(11, floats_pb("x", dims))
                       .message(11, floats_pb("s", {"4"}))  // an input with a default
                       .message(12, floats_pb("y", {"1", "", "", ""}));
  return model_pb(graph, opset).bytes;
}

/// A model that was loaded. Its bytes must outlive it, because it does not copy them.
struct Loaded {
  explicit Loaded(std::string file, const tesela_load_options* options = nullptr) : bytes(std::move(file)) {
    tesela_model* loaded = nullptr;
    status = tesela_model_load_memory(bytes.data(), bytes.size(), options, &loaded, &error);
    model.reset(loaded);
  }
  std::string bytes;
  tesela_error error = {};
  tesela_status status = TESELA_OK;
  Handle<tesela_model> model;
};

inline Handle<tesela_session> session_of(const tesela_model* model) {
  tesela_session* session = nullptr;
  tesela_error error = {};
  EXPECT_EQ(tesela_session_create(model, nullptr, &session, &error), TESELA_OK) << error.message;
  return Handle<tesela_session>(session);
}

struct Image {
  explicit Image(std::vector<float> values, int64_t height, int64_t width)
      : pixels(std::move(values)), extents{1, 1, height, width} {}
  tesela_tensor view() { return {pixels.data(), TESELA_FLOAT, 4, extents, nullptr, 0}; }
  std::vector<float> pixels;
  int64_t extents[4];
};

}  // namespace tesela::testing
