// SPDX-License-Identifier: Apache-2.0
// Sessions for tests: runs a session, records its nodes, and fails the test if it cannot be created.
#pragma once

#include <gtest/gtest.h>

#include <cstring>

#include "graph/model_builder.h"
#include "session/session.h"

namespace tesela::test {

// A tensor and the input's name.
struct Given {
  std::string name;
  Tensor tensor;
};

class Runner {
 public:
  explicit Runner(Model model, const Limits& limits = Limits()) {
    Result<std::unique_ptr<Session>> made = Session::create(shared(std::move(model)), limits);
    EXPECT_TRUE(made.ok()) << made.status().message();
    if (made.ok()) session_ = std::move(*made);
  }

  Result<std::vector<Tensor>> run(const std::vector<Given>& inputs,
                                  std::optional<std::vector<std::string_view>> outputs = {}) {
    std::vector<NamedView> views;
    for (const Given& input : inputs) views.push_back({input.name, input.tensor.view()});
    return run_views(views, std::move(outputs));
  }

  Result<std::vector<Tensor>> run_views(const std::vector<NamedView>& views,
                                        std::optional<std::vector<std::string_view>> outputs = {}) {
    events_.clear();
    SessionRun run = {
        views, std::move(outputs), options, [this](const NodeEvent& event) {
          events_.push_back(fmt::format("{}-{} {} {} {}", event.op.schema->type, event.op.schema->since_version,
                                        event.op.node, name(event.type), event.shapes));
        }};
    return session_->run(run, executor_);
  }

  Tensor output(const std::vector<Given>& inputs) {
    Result<std::vector<Tensor>> outputs = run(inputs);
    EXPECT_TRUE(outputs.ok()) << outputs.status().message();
    return outputs.ok() && !outputs->empty() ? outputs->front() : Tensor();
  }

  Session& session() { return *session_; }
  const std::vector<std::string>& events() const { return events_; }
  RunOptions options;

 private:
  Executor executor_;
  std::unique_ptr<Session> session_;
  std::vector<std::string> events_;
};

inline Status refusal(Model model, const Limits& limits = Limits()) {
  return Session::create(shared(std::move(model)), limits).status();
}

template <class T>
std::vector<T> values(const Tensor& tensor) {
  return {tensor.as<T>().begin(), tensor.as<T>().end()};
}

inline Tensor image(int64_t height, int64_t width, float first = 0) {
  std::vector<float> pixels;
  for (int64_t i = 0; i < height * width; ++i) pixels.push_back(first + static_cast<float>(i));
  return tensor_of(DataType::kFloat, {1, 1, height, width}, pixels);
}

// x, r -> Tile -> y
inline Model tile_model(DataType type = DataType::kFloat) {
  Model model = model_of(19, {declared("x", type, {"N"}), declared("r", DataType::kInt64, {1})}, {undeclared("y")});
  model.graph.nodes.push_back(node("Tile", {"x", "r"}, {"y"}, {}, "t"));
  return model;
}

inline Tensor zeros(DataType type, Extents extents) {
  Result<Tensor> tensor = Tensor::allocate(type, std::move(extents));
  std::memset(tensor->mutable_data(), 0, static_cast<size_t>(tensor->bytes()));
  return *tensor;
}

inline std::vector<std::string> texts(const Tensor& tensor) {
  std::vector<std::string> out;
  for (const StringRef& text : tensor.as<StringRef>()) out.emplace_back(text.view());
  return out;
}

inline Tensor strings(const std::vector<std::string_view>& values) {
  return *Tensor::from_strings({static_cast<int64_t>(values.size())}, values);
}

}  // namespace tesela::test
