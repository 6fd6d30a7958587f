// SPDX-License-Identifier: Apache-2.0
// The pass that replaces OpenVINO's nodes, used from C++, and the threads that Tesela's nodes run on.
#include <gtest/gtest.h>
#include <tesela/openvino.hpp>

#include <filesystem>
#include <fstream>
#include <map>
#include <openvino/op/ops.hpp>
#include <openvino/openvino.hpp>
#include <openvino/pass/manager.hpp>
#include <openvino/runtime/properties.hpp>
#include <thread>

namespace {

using ov::op::v0::Constant;
using ov::op::v0::Parameter;

std::shared_ptr<ov::Model> model_of(const std::shared_ptr<ov::Node>& node, const ov::ParameterVector& parameters) {
  return std::make_shared<ov::Model>(ov::OutputVector{node->output(0)}, parameters);
}

size_t replace(const std::shared_ptr<ov::Model>& model) {
  ov::pass::Manager manager;
  const auto replacement = manager.register_pass<tesela::openvino::Replacement>();
  manager.run_passes(model);
  return replacement->count();
}

ov::Tensor run(const std::shared_ptr<ov::Model>& model, const ov::TensorVector& inputs) {
  ov::Core core;
  auto request =
      core.compile_model(model, "CPU", ov::hint::inference_precision(ov::element::f32)).create_infer_request();
  for (size_t i = 0; i < inputs.size(); ++i) request.set_input_tensor(i, inputs[i]);
  request.infer();
  return request.get_output_tensor(0);
}

template <class T>
std::vector<T> elements(const ov::Tensor& tensor) {
  return {tensor.data<const T>(), tensor.data<const T>() + tensor.get_size()};
}

template <class T>
ov::Tensor tensor(const ov::Shape& shape, const std::vector<T>& values) {
  ov::Tensor made(ov::element::from<T>(), shape);
  std::copy(values.begin(), values.end(), made.data<T>());
  return made;
}

// Nanoseconds of work by thread.
std::map<std::string, int64_t> work_of_threads() {
  std::map<std::string, int64_t> work;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task"))
    std::ifstream(task.path() / "schedstat") >> work[task.path().filename()];
  return work;
}

TEST(Replacement, WideIntegersStayWhole) {
  const auto x = std::make_shared<Parameter>(ov::element::i64, ov::PartialShape{2});
  const auto repeats = std::make_shared<Parameter>(ov::element::i64, ov::PartialShape{1});
  const auto model = model_of(std::make_shared<ov::op::v0::Tile>(x, repeats), {x, repeats});
  const int64_t big = (int64_t{1} << 40) + 7;
  const ov::TensorVector inputs = {tensor<int64_t>({2}, {big, -big}), tensor<int64_t>({1}, {2})};
  const std::vector<int64_t> expected = {big, -big, big, -big};
  EXPECT_NE(elements<int64_t>(run(model, inputs)), expected);
  EXPECT_EQ(replace(model), 1U);
  EXPECT_EQ(elements<int64_t>(run(model, inputs)), expected);
}

TEST(Replacement, InterpolateOfEveryVersion) {
  using Attributes = ov::op::util::InterpolateBase::InterpolateAttrs;
  const auto x = std::make_shared<Parameter>(ov::element::f32, ov::PartialShape{1, 1, 2, 2});
  const auto sizes = Constant::create(ov::element::i64, {2}, {4, 4});
  const auto scales = Constant::create(ov::element::f32, {2}, {2, 2});
  const auto axes = Constant::create(ov::element::i64, {2}, {2, 3});
  Attributes attributes;
  attributes.mode = ov::op::util::InterpolateBase::InterpolateMode::NEAREST;
  attributes.shape_calculation_mode = ov::op::util::InterpolateBase::ShapeCalcMode::SIZES;
  ov::op::v0::Interpolate::Attributes first;
  first.mode = "nearest";
  first.axes = {2, 3};
  first.align_corners = false;
  const ov::NodeVector nodes = {std::make_shared<ov::op::v0::Interpolate>(x, sizes, first),
                                std::make_shared<ov::op::v4::Interpolate>(x, sizes, scales, axes, attributes),
                                std::make_shared<ov::op::v11::Interpolate>(x, sizes, axes, attributes)};
  const std::vector<float> expected = {1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4};
  for (const auto& node : nodes) {
    const auto model = model_of(node, {x});
    EXPECT_EQ(replace(model), 1U) << node->get_type_info();
    EXPECT_EQ(elements<float>(run(model, {tensor<float>({1, 1, 2, 2}, {1, 2, 3, 4})})), expected)
        << node->get_type_info();
  }
}

TEST(Replacement, FillsOfFourBits) {
  const auto shape = std::make_shared<Parameter>(ov::element::i64, ov::PartialShape{1});
  const auto value = Constant::create(ov::element::f4e2m1, {}, {4.0f});
  const auto model = model_of(std::make_shared<ov::op::v3::Broadcast>(value, shape), {shape});
  EXPECT_EQ(replace(model), 1U);
  const ov::Tensor filled = run(model, {tensor<int64_t>({1}, {3})});
  const auto* const bytes = static_cast<const unsigned char*>(filled.data());
  EXPECT_EQ(std::vector<unsigned char>(bytes, bytes + 2), (std::vector<unsigned char>{0x66, 0x06}));
}

TEST(Replacement, ThrowsWhatTeselaRefuses) {
  const auto x = std::make_shared<Parameter>(ov::element::f32, ov::PartialShape{2});
  const auto repeats = Constant::create(ov::element::i64, {1}, {-1});
  const auto tile = std::make_shared<ov::op::v0::Tile>(x, repeats);
  tile->set_friendly_name("tiles");
  const auto model = model_of(tile, {x});
  try {
    replace(model);
    FAIL() << "was not refused";
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("Tile-1 node 'tiles'"), std::string::npos) << error.what();
  }
}

ov::InferRequest cubic_request(ov::Core& core, int threads, const ov::Tensor& input) {
  const auto x = std::make_shared<Parameter>(ov::element::f32, ov::PartialShape{1, 1, -1, -1});
  ov::op::util::InterpolateBase::InterpolateAttrs attributes;
  attributes.mode = ov::op::util::InterpolateBase::InterpolateMode::CUBIC;
  attributes.shape_calculation_mode = ov::op::util::InterpolateBase::ShapeCalcMode::SCALES;
  const auto model =
      model_of(std::make_shared<ov::op::v11::Interpolate>(x, Constant::create(ov::element::f32, {2}, {2, 2}),
                                                          Constant::create(ov::element::i64, {2}, {2, 3}), attributes),
               {x});
  EXPECT_EQ(replace(model), 1U);
  auto compiled = core.compile_model(model, "CPU", ov::inference_num_threads(threads), ov::num_streams(1));
  auto request = compiled.create_infer_request();
  request.set_input_tensor(input);
  return request;
}

TEST(Operator, RunsOnTheThreadsOfOpenVino) {
  const ov::Shape shape = {1, 1, 400, 400};
  std::vector<float> values(ov::shape_size(shape));
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 251);
  const ov::Tensor input = tensor(shape, values);
  ov::Core core;

  auto alone = cubic_request(core, 1, input);
  const auto before = work_of_threads();
  for (int i = 0; i < 20; ++i) alone.infer();
  const auto after = work_of_threads();
  EXPECT_EQ(after.size(), before.size()) << "a run started threads";

  auto together = cubic_request(core, 2, input);
  const size_t expected = std::min(2U, std::thread::hardware_concurrency());
  size_t workers = 0;
  for (int i = 0; i < 1000 && workers < expected; ++i) {
    const auto start = work_of_threads();
    together.infer();
    workers = 0;
    for (const auto& [thread, work] : work_of_threads())
      if (start.contains(thread) && work - start.at(thread) > 100'000) ++workers;
  }
  EXPECT_GE(workers, expected) << "the second thread of OpenVINO did nothing";
  EXPECT_EQ(elements<float>(together.get_output_tensor()), elements<float>(alone.get_output_tensor()));
}

}  // namespace
