#include "session/session.h"

#include <gmock/gmock.h>

#include <ctime>

#include "session/model_builder.h"

namespace tesela {
namespace {

using namespace tesela::test;
using testing::ElementsAre;
using testing::HasSubstr;

// A tensor with the name that it is bound to.
struct Given {
  std::string name;
  Tensor tensor;
};

class Runner {
 public:
  explicit Runner(Model model, const Limits& limits = Limits()) : executor_(make_inline_executor()) {
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
    SessionRun run = {views, std::move(outputs), options, [this](const NodeEvent& event) {
                        events_.push_back(fmt::format("{}-{} {} {} {}", event.op.schema->type,
                                                      event.op.schema->since_version, event.op.node,
                                                      name(event.type), event.shapes));
                      }};
    return session_->run(run, *executor_);
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
  std::unique_ptr<Executor> executor_;
  std::unique_ptr<Session> session_;
  std::vector<std::string> events_;
};

Status refusal(Model model, const Limits& limits = Limits()) {
  return Session::create(shared(std::move(model)), limits).status();
}

template <class T>
std::vector<T> values(const Tensor& tensor) {
  return {tensor.as<T>().begin(), tensor.as<T>().end()};
}

Tensor image(int64_t height, int64_t width, float first = 0) {
  std::vector<float> pixels;
  for (int64_t i = 0; i < height * width; ++i) pixels.push_back(first + static_cast<float>(i));
  return tensor_of(DataType::kFloat, {1, 1, height, width}, pixels);
}

// x, r -> Tile -> y
Model tile_model(DataType type = DataType::kFloat) {
  Model model =
      model_of(19, {declared("x", type, {"N"}), declared("r", DataType::kInt64, {1})}, {undeclared("y")});
  model.graph.nodes.push_back(node("Tile", {"x", "r"}, {"y"}, {}, "t"));
  return model;
}

TEST(Session, RunsAResize) {
  Runner runner(resize_model());
  const Tensor y = runner.output({{"x", image(1, 2)}});
  EXPECT_EQ(y.extents(), (Extents{1, 1, 2, 4}));
  EXPECT_THAT(values<float>(y), ElementsAre(0, 0, 1, 1, 0, 0, 1, 1));
  EXPECT_THAT(runner.events(), ElementsAre("Resize-19 up float 1x1x1x2 -> 1x1x2x4"));
}

TEST(Session, EveryVersionOfResizeAndUpsampleRuns) {
  for (const int64_t opset : {9, 10, 13, 18, 19, 28}) {
    Runner runner(resize_model(opset));
    EXPECT_THAT(values<float>(runner.output({{"x", image(1, 2)}})), ElementsAre(0, 0, 1, 1, 0, 0, 1, 1))
        << opset;
  }
}

TEST(Session, RunsAgainWithOtherShapes) {
  Runner runner(resize_model());
  EXPECT_EQ(runner.output({{"x", image(2, 2)}}).extents(), (Extents{1, 1, 4, 4}));
  EXPECT_EQ(runner.output({{"x", image(3, 1)}}).extents(), (Extents{1, 1, 6, 2}));
  EXPECT_EQ(runner.output({{"x", image(0, 1)}}).extents(), (Extents{1, 1, 0, 2}));
  EXPECT_EQ(runner.output({{"x", image(2, 2)}}).extents(), (Extents{1, 1, 4, 4}));
}

TEST(Session, PlansAreKeptUntilSomethingChanges) {
  Runner runner(tile_model());
  const auto plans = [&](const Tensor& x, std::vector<int64_t> repeats) {
    EXPECT_TRUE(runner.run({{"x", x}, {"r", int64s(std::move(repeats))}}).ok());
    return runner.session().plans_made();
  };
  EXPECT_EQ(plans(floats({1, 2}), {2}), 1);
  EXPECT_EQ(plans(floats({3, 4}), {2}), 0);
  EXPECT_EQ(plans(floats({3, 4}), {3}), 1);
  EXPECT_EQ(plans(floats({3, 4, 5}), {3}), 1);
  EXPECT_EQ(plans(floats({3, 4, 5}), {3}), 0);
}

TEST(Session, AnErrorForgetsThePlanAndTheNextRunIsGood) {
  Runner runner(tile_model());
  EXPECT_TRUE(runner.run({{"x", floats({1})}, {"r", int64s({2})}}).ok());
  EXPECT_FALSE(runner.run({{"x", floats({1})}, {"r", int64s({-2})}}).ok());
  EXPECT_THAT(values<float>(runner.output({{"x", floats({1})}, {"r", int64s({2})}})), ElementsAre(1, 1));
}

TEST(Session, AnEmptyGraphGivesNothing) {
  Runner runner(model_of(19, {}, {}));
  const Result<std::vector<Tensor>> outputs = runner.run({});
  ASSERT_TRUE(outputs.ok());
  EXPECT_TRUE(outputs->empty());
}

TEST(Session, OutputsThatAreInputsOrConstantsAreCopied) {
  Model model = model_of(19, {declared("x", DataType::kFloat, {2})},
                         {undeclared("x"), undeclared("w"), undeclared("c")}, {{"w", floats({5}), {}}});
  model.graph.nodes.push_back(constant("k", floats({7})));
  model.graph.nodes.push_back(node("Identity", {"k"}, {"c"}));
  const Tensor weight = model.graph.initializers[0].value;
  Runner runner(std::move(model));
  const Tensor x = floats({1, 2});
  const Result<std::vector<Tensor>> outputs = runner.run({{"x", x}});
  ASSERT_TRUE(outputs.ok()) << outputs.status().message();
  EXPECT_THAT(values<float>((*outputs)[0]), ElementsAre(1, 2));
  EXPECT_THAT(values<float>((*outputs)[1]), ElementsAre(5));
  EXPECT_THAT(values<float>((*outputs)[2]), ElementsAre(7));
  EXPECT_NE((*outputs)[0].data(), x.data());
  EXPECT_NE((*outputs)[1].data(), weight.data());
}

TEST(Session, OneValueUnderTwoNamesMakesTwoTensors) {
  Model model = resize_model();
  model.graph.nodes.push_back(node("Identity", {"y"}, {"z"}));
  model.graph.outputs.push_back(undeclared("z"));
  Runner runner(std::move(model));
  const Result<std::vector<Tensor>> outputs = runner.run({{"x", image(1, 1, 4)}});
  ASSERT_TRUE(outputs.ok());
  EXPECT_THAT(values<float>((*outputs)[0]), ElementsAre(4, 4, 4, 4));
  EXPECT_THAT(values<float>((*outputs)[1]), ElementsAre(4, 4, 4, 4));
  EXPECT_NE((*outputs)[0].data(), (*outputs)[1].data());
}

TEST(Session, TheSameOutputMayBeAskedForTwice) {
  Runner runner(resize_model());
  const Result<std::vector<Tensor>> outputs = runner.run({{"x", image(1, 1, 4)}}, {{"y", "y"}});
  ASSERT_TRUE(outputs.ok());
  EXPECT_EQ(values<float>((*outputs)[0]), values<float>((*outputs)[1]));
}

TEST(Session, OutputsOfAnEarlierRunAreUntouchedByTheNext) {
  Runner runner(resize_model());
  const Tensor first = runner.output({{"x", image(1, 1, 4)}});
  const Tensor second = runner.output({{"x", image(1, 1, 9)}});
  EXPECT_THAT(values<float>(first), ElementsAre(4, 4, 4, 4));
  EXPECT_THAT(values<float>(second), ElementsAre(9, 9, 9, 9));
}

TEST(Session, UnusedNodesAreValidatedAndNotRun) {
  Model model = resize_model();
  model.graph.nodes.push_back(node("Tile", {"x", "r"}, {"dead"}, {}, "dead"));
  model.graph.initializers.push_back({"r", int64s({1, 1, 1, 1}), {}});
  Model bad = resize_model();
  bad.graph.nodes.push_back(node("Tile", {"x", "r"}, {"dead"}, {}, "dead"));
  bad.graph.initializers.push_back({"r", int64s({1}), {}});
  Runner runner(std::move(model));
  ASSERT_TRUE(runner.run({{"x", image(1, 1)}}).ok());
  EXPECT_EQ(runner.events().size(), 1u);
  EXPECT_THAT(refusal(std::move(bad)).message(), HasSubstr("Tile-13 node 'dead'"));
}

TEST(Session, OnlyWhatTheWantedOutputsNeedIsRun) {
  Model model = resize_model();
  model.graph.nodes.push_back(node("Resize", {"y", "", "s"}, {"z"}, {}, "again"));
  model.graph.outputs.push_back(undeclared("z"));
  Runner runner(std::move(model));
  ASSERT_TRUE(runner.run({{"x", image(1, 1)}}, {{"y"}}).ok());
  EXPECT_EQ(runner.events().size(), 1u);
  ASSERT_TRUE(runner.run({{"x", image(1, 1)}}).ok());
  EXPECT_EQ(runner.events().size(), 2u);
  ASSERT_TRUE(runner.run({{"x", image(1, 1)}}, std::vector<std::string_view>()).ok());
  EXPECT_EQ(runner.events().size(), 0u);
}

TEST(Session, DefaultsStandInAndMayBeOverridden) {
  Model model = tile_model();
  model.graph.initializers = {{"r", int64s({2}), {}}};
  Runner runner(std::move(model));
  EXPECT_EQ(runner.output({{"x", floats({1})}}).count(), 2);
  EXPECT_EQ(runner.output({{"x", floats({1})}, {"r", int64s({3})}}).count(), 3);
  EXPECT_EQ(runner.output({{"x", floats({1})}}).count(), 2);
}

TEST(Session, InitializersThatAreNoInputsCannotBeOverridden) {
  Runner runner(resize_model());
  const Status status = runner.run({{"x", image(1, 1)}, {"s", floats({1, 1, 3, 3})}}).status();
  EXPECT_EQ(status.code(), TESELA_ERROR_VALUE);
  EXPECT_EQ(status.message(), "'s' is not an input of the model; its inputs: 'x'");
}

TEST(Session, SizesThatAreComputedInTheGraphAreRead) {
  Model model = model_of(19, {declared("n", DataType::kInt64, {"K"})}, {undeclared("y")});
  model.graph.nodes.push_back(node("ConstantOfShape", {"n"}, {"shape"}, {attribute("value", int64s({3}))}));
  model.graph.nodes.push_back(node("ConstantOfShape", {"shape"}, {"y"}));
  Runner runner(std::move(model));
  EXPECT_EQ(runner.output({{"n", int64s({2})}}).extents(), (Extents{3, 3}));
  EXPECT_EQ(runner.output({{"n", int64s({3})}}).extents(), (Extents{3, 3, 3}));
  EXPECT_EQ(runner.output({{"n", int64s({0})}}).extents(), Extents());
}

TEST(Session, AScalarIsTiledByNoRepeats) {
  Model model = model_of(19, {declared("x", DataType::kFloat, {}), declared("r", DataType::kInt64, {"R"})},
                         {undeclared("y")});
  model.graph.nodes.push_back(node("Tile", {"x", "r"}, {"y"}));
  Runner runner(std::move(model));
  const Tensor y = runner.output({{"x", tensor_of<float>(DataType::kFloat, {}, {7})}, {"r", int64s({})}});
  EXPECT_EQ(y.extents(), Extents());
  EXPECT_THAT(values<float>(y), ElementsAre(7));
}

TEST(Session, BothBackendsAndAnyThreadsGiveTheSameBytes) {
  Model model = resize_model();
  model.graph.nodes[0].attributes.push_back(attribute("mode", "linear"));
  Result<std::unique_ptr<Session>> session = Session::create(shared(std::move(model)), Limits());
  ASSERT_TRUE(session.ok());
  const Tensor x = image(100, 123, 0.1f);
  const NamedView given = {"x", x.view()};
  std::vector<std::vector<float>> results;
  for (const Backend backend : {Backend::kReference, Backend::kCpu})
    for (const int threads : {1, 3}) {
      RunOptions options;
      options.backend = backend;
      const Result<std::vector<Tensor>> outputs =
          (*session)->run({{&given, 1}, {}, options, {}}, *make_thread_executor(threads));
      ASSERT_TRUE(outputs.ok()) << outputs.status().message();
      results.push_back(values<float>(outputs->front()));
    }
  for (const auto& result : results) EXPECT_EQ(result, results.front());
}

// ---- Binding

struct BindRow {
  std::string name;
  std::vector<Given> inputs;
  tesela_status code;
  std::string text;
};

class SessionBinding : public testing::TestWithParam<BindRow> {};

TEST_P(SessionBinding, IsRefused) {
  Model model =
      model_of(19, {declared("a", DataType::kFloat, {"N", 3}), declared("b", DataType::kFloat, {2, "N"})},
               {undeclared("a"), undeclared("b")});
  Runner runner(std::move(model));
  const Status status = runner.run(GetParam().inputs).status();
  EXPECT_EQ(status.code(), GetParam().code);
  EXPECT_EQ(status.message(), GetParam().text);
}

Tensor zeros(DataType type, Extents extents) {
  Result<Tensor> tensor = Tensor::allocate(type, std::move(extents));
  std::memset(tensor->mutable_data(), 0, static_cast<size_t>(tensor->bytes()));
  return *tensor;
}

const BindRow kBindRows[] = {
    {"UnknownName",
     {{"q", zeros(DataType::kFloat, {1})}},
     TESELA_ERROR_VALUE,
     "'q' is not an input of the model; its inputs: 'a', 'b'"},
    {"GivenTwice",
     {{"a", zeros(DataType::kFloat, {2, 3})}, {"a", zeros(DataType::kFloat, {2, 3})}},
     TESELA_ERROR_VALUE,
     "input 'a' is given twice"},
    {"Missing",
     {{"a", zeros(DataType::kFloat, {2, 3})}},
     TESELA_ERROR_COUNT,
     "input 'b' (float 2xN) is missing"},
    {"Type",
     {{"a", zeros(DataType::kInt8, {2, 3})}, {"b", zeros(DataType::kFloat, {2, 2})}},
     TESELA_ERROR_TYPE,
     "input 'a' is int8 2x3; the model declares float Nx3"},
    {"Rank",
     {{"a", zeros(DataType::kFloat, {3})}, {"b", zeros(DataType::kFloat, {2, 2})}},
     TESELA_ERROR_RANK,
     "input 'a' is float 3; the model declares float Nx3"},
    {"Extent",
     {{"a", zeros(DataType::kFloat, {2, 4})}, {"b", zeros(DataType::kFloat, {2, 2})}},
     TESELA_ERROR_SHAPE,
     "input 'a' is float 2x4; the model declares float Nx3"},
    {"Symbol",
     {{"a", zeros(DataType::kFloat, {5, 3})}, {"b", zeros(DataType::kFloat, {2, 4})}},
     TESELA_ERROR_SHAPE,
     "input 'b': dimension 1 is 4, which is declared as 'N'; dimension 0 of input 'a' made it 5"},
};

INSTANTIATE_TEST_SUITE_P(Rows, SessionBinding, testing::ValuesIn(kBindRows),
                         [](const testing::TestParamInfo<BindRow>& row) { return row.param.name; });

TEST(SessionBinding, UnknownOutputsAreRefused) {
  Runner runner(resize_model());
  const Status status = runner.run({{"x", image(1, 1)}}, {{"q"}}).status();
  EXPECT_EQ(status.code(), TESELA_ERROR_VALUE);
  EXPECT_EQ(status.message(), "'q' is not an output of the model");
  EXPECT_EQ(runner.run({{"x", image(1, 1)}}, {{"s"}}).status().code(), TESELA_ERROR_VALUE);
}

TEST(Session, OutputsThatAreNotAsDeclaredAreRefusedWithBothShapes) {
  Model model = resize_model();
  model.graph.outputs[0] = declared("y", DataType::kFloat, {1, 1, 4, "?"});
  Runner runner(std::move(model));
  EXPECT_TRUE(runner.run({{"x", image(2, 2)}}).ok());
  const Status status = runner.run({{"x", image(3, 2)}}).status();
  EXPECT_EQ(status.code(), TESELA_ERROR_SHAPE);
  EXPECT_EQ(status.message(),
            "Resize-19 node 'up': output 'y' is float 1x1x6x4; the model declares float 1x1x4x?");
}

// ---- Views

TEST(Session, InputsMayBeStridedViews) {
  Runner runner(resize_model());
  const Tensor pixels = image(2, 2);
  TensorView transposed = pixels.view();
  transposed.strides_bytes = {16, 16, 4, 8};
  const Result<std::vector<Tensor>> outputs = runner.run_views({{"x", transposed}});
  ASSERT_TRUE(outputs.ok()) << outputs.status().message();
  EXPECT_THAT(values<float>((*outputs)[0]), ElementsAre(0, 0, 2, 2, 0, 0, 2, 2, 1, 1, 3, 3, 1, 1, 3, 3));
}

TEST(Session, SmallInputsMayBeStridedViewsToo) {
  Model model = model_of(19, {declared("n", DataType::kInt64, {2})}, {undeclared("y")});
  model.graph.nodes.push_back(node("ConstantOfShape", {"n"}, {"y"}));
  Runner runner(std::move(model));
  const Tensor numbers = int64s({2, 99, 3});
  TensorView backwards = numbers.view();
  backwards.data += 16;
  backwards.extents = {2};
  backwards.strides_bytes = {-16};
  for (int again = 0; again < 2; ++again) {
    const Result<std::vector<Tensor>> outputs = runner.run_views({{"n", backwards}});
    ASSERT_TRUE(outputs.ok()) << outputs.status().message();
    EXPECT_EQ((*outputs)[0].extents(), (Extents{3, 2}));
    EXPECT_EQ(runner.session().plans_made(), again == 0 ? 1 : 0);
  }
}

TEST(Session, StridedInputsAsOutputsComeDense) {
  Runner runner(model_of(19, {undeclared("x")}, {undeclared("x")}));
  const Tensor numbers = int64s({1, 2, 3});
  TensorView backwards = numbers.view();
  backwards.data += 16;
  backwards.strides_bytes = {-8};
  const Result<std::vector<Tensor>> outputs = runner.run_views({{"x", backwards}});
  ASSERT_TRUE(outputs.ok());
  EXPECT_THAT(values<int64_t>((*outputs)[0]), ElementsAre(3, 2, 1));
}

// ---- Strings

std::vector<std::string> texts(const Tensor& tensor) {
  std::vector<std::string> out;
  for (const StringRef& text : tensor.as<StringRef>()) out.emplace_back(text.view());
  return out;
}

Tensor strings(const std::vector<std::string_view>& values) {
  return *Tensor::from_strings({static_cast<int64_t>(values.size())}, values);
}

TEST(Session, StringsOwnTheirBytesAtTheEnd) {
  Model model = tile_model(DataType::kString);
  model.graph.nodes.push_back(node("Tile", {"y", "r"}, {"z"}));
  model.graph.outputs.push_back(undeclared("z"));
  Runner runner(std::move(model));
  std::vector<Tensor> kept;
  {
    const Tensor x = strings({"ab", ""});
    Result<std::vector<Tensor>> outputs = runner.run({{"x", x}, {"r", int64s({2})}});
    ASSERT_TRUE(outputs.ok()) << outputs.status().message();
    kept = std::move(*outputs);
  }
  EXPECT_THAT(texts(kept[0]), ElementsAre("ab", "", "ab", ""));
  EXPECT_EQ(kept[1].count(), 8);
  EXPECT_THAT(texts(kept[1]), testing::Contains("ab").Times(4));
}

TEST(Session, StringsCountWithTheirBytes) {
  Limits limits;
  limits.max_output_bytes = 1000;
  Runner runner(tile_model(DataType::kString), limits);
  const std::string text(100, 'a');
  EXPECT_TRUE(runner.run({{"x", strings({text})}, {"r", int64s({8})}}).ok());
  const Status status = runner.run({{"x", strings({text})}, {"r", int64s({9})}}).status();
  EXPECT_EQ(status.code(), TESELA_ERROR_LIMIT);
  EXPECT_THAT(status.message(), HasSubstr("output 'y': the output string 9 with its bytes"));
}

// ---- Limits, types, cancelling

TEST(Session, NothingIsAllocatedOverTheLimit) {
  Runner runner(tile_model());
  const Status status = runner.run({{"x", floats({1, 2})}, {"r", int64s({int64_t{1} << 40})}}).status();
  EXPECT_EQ(status.code(), TESELA_ERROR_LIMIT);
  EXPECT_THAT(status.message(), HasSubstr("Tile-13 node 't': the output float 2199023255552 takes"));
}

TEST(Session, AGiantShapeIsOverTheLimitOfRanks) {
  Model model = model_of(19, {undeclared("n")}, {undeclared("y")});
  model.graph.nodes.push_back(node("ConstantOfShape", {"n"}, {"y"}, {}, "c"));
  Runner runner(std::move(model));
  const Status status = runner.run({{"n", zeros(DataType::kInt64, {1 << 20})}}).status();
  EXPECT_EQ(status.code(), TESELA_ERROR_LIMIT);
  EXPECT_EQ(status.message(),
            "ConstantOfShape-9 node 'c': input 'input' has 1048576 entries; the limit of a rank is 64");
}

TEST(Session, TypesThatTheModelLeavesOpenAreCheckedWhenKnown) {
  Model model = model_of(19, {undeclared("x"), undeclared("r")}, {undeclared("y")});
  model.graph.nodes.push_back(node("Tile", {"x", "r"}, {"y"}, {}, "t"));
  Runner runner(std::move(model));
  const Status status = runner.run({{"x", floats({1})}, {"r", strings({"2"})}}).status();
  EXPECT_EQ(status.code(), TESELA_ERROR_TYPE);
  EXPECT_EQ(runner.run({{"x", zeros(DataType::kFloat8e5m2, {1})}, {"r", int64s({1})}}).status().code(),
            TESELA_ERROR_TYPE);
}

TEST(Session, PackedConstantsMoveThroughReusedMemoryWithZeroPadding) {
  Model model = model_of(21, {declared("n", DataType::kInt64, {1})}, {undeclared("y")});
  const Tensor seven = tensor_of<uint8_t>(DataType::kInt4, {1}, {0x07});
  model.graph.nodes.push_back(node("ConstantOfShape", {"n"}, {"y"}, {attribute("value", seven)}));
  Runner runner(std::move(model));
  const Tensor y = runner.output({{"n", int64s({3})}});
  EXPECT_EQ(y.bytes(), 2);
  EXPECT_EQ(static_cast<uint8_t>(y.data()[0]), 0x77);
  EXPECT_EQ(static_cast<uint8_t>(y.data()[1]), 0x07);
}

TEST(Session, ACancelledRunStops) {
  Runner runner(resize_model());
  const int32_t cancel = 1;
  runner.options.cancel = &cancel;
  EXPECT_EQ(runner.run({{"x", image(1, 1)}}).status().code(), TESELA_ERROR_CANCELLED);
  EXPECT_TRUE(runner.events().empty());
}

TEST(Session, ProgressGoesFromNodeToNode) {
  Model model = resize_model();
  model.graph.nodes.push_back(node("Resize", {"y", "", "s"}, {"z"}));
  model.graph.outputs = {undeclared("z")};
  Runner runner(std::move(model));
  std::vector<double> seen;
  runner.options.on_progress = [&](double fraction) { seen.push_back(fraction); };
  ASSERT_TRUE(runner.run({{"x", image(1, 1)}}).ok());
  EXPECT_THAT(seen, ElementsAre(0.5, 1.0));
}

// ---- What cannot be made a session

TEST(SessionCreate, NamesEveryForeignNode) {
  Model model = resize_model();
  model.graph.nodes.push_back(node("Relu", {"y"}, {"z"}, {}, "act"));
  model.graph.nodes.push_back(node("Shape", {"y"}, {"w"}, {}, "dims"));
  const Status status = refusal(std::move(model));
  EXPECT_EQ(status.code(), TESELA_ERROR_UNSUPPORTED);
  EXPECT_EQ(status.message(),
            "Relu node 'act', Shape node 'dims'; Tesela runs Resize, Upsample, Tile, ConstantOfShape, "
            "Constant and Identity");
}

TEST(SessionCreate, FailsWithTheFaultsOfCheck) {
  Model model = resize_model();
  model.graph.nodes[0].inputs[0] = "y";
  EXPECT_EQ(refusal(std::move(model)).code(), TESELA_ERROR_PARSE);
}

TEST(SessionCreate, AnOpsetOfTwoToTheFortyIsRefusedAtOnce) {
  const std::clock_t begin = std::clock();
  EXPECT_EQ(refusal(resize_model(int64_t{1} << 40)).code(), TESELA_ERROR_UNSUPPORTED);
  EXPECT_LT(std::clock() - begin, CLOCKS_PER_SEC / 10);
}

// ---- Memory

Model resize_chain(int nodes) {
  Model model = model_of(19, {declared("v0", DataType::kFloat, {1, 1, "H", "W"})},
                         {undeclared("v" + std::to_string(nodes))},
                         {{"s", floats({1, 1, 1, 2}), {}}, {"t", floats({1, 1, 1, 0.5f}), {}}});
  for (int n = 0; n < nodes; ++n)
    model.graph.nodes.push_back(
        node("Resize", {"v" + std::to_string(n), "", n % 2 == 0 ? "s" : "t"}, {"v" + std::to_string(n + 1)}));
  return model;
}

TEST(SessionMemory, AChainTakesTwoBuffers) {
  Runner runner(resize_chain(20));
  const Tensor y = runner.output({{"v0", image(4, 8)}});
  EXPECT_EQ(values<float>(y), values<float>(image(4, 8)));
  // 1x1x4x16 and 1x1x4x8 in turn; the last one is the output's own.
  EXPECT_EQ(runner.session().peak_bytes(), 4 * 4 * 16 + 4 * 4 * 8);
}

TEST(SessionMemory, BuffersStayForTheNextRunAndShrinkWithIt) {
  Runner runner(resize_chain(6));
  ASSERT_TRUE(runner.run({{"v0", image(64, 64)}}).ok());
  const int64_t large = runner.session().peak_bytes();
  ASSERT_TRUE(runner.run({{"v0", image(64, 64)}}).ok());
  EXPECT_EQ(runner.session().peak_bytes(), large);
  for (int n = 0; n < 3; ++n) {
    const Tensor y = runner.output({{"v0", image(2, 2)}});
    EXPECT_EQ(values<float>(y), values<float>(image(2, 2)));
  }
}

TEST(SessionMemory, AValueLivesUntilItsLastReader) {
  // y = x twice; a long chain from x; then y again at the very end.
  Model model = resize_chain(8);
  model.graph.nodes.insert(model.graph.nodes.begin(), node("Resize", {"v0", "", "s"}, {"early"}));
  model.graph.nodes.push_back(node("Resize", {"early", "", "t"}, {"late"}));
  model.graph.outputs.push_back(undeclared("late"));
  Runner runner(std::move(model));
  const Result<std::vector<Tensor>> outputs = runner.run({{"v0", image(3, 4, 100)}});
  ASSERT_TRUE(outputs.ok());
  EXPECT_EQ(values<float>((*outputs)[1]), values<float>(image(3, 4, 100)));
}

TEST(SessionMemory, ANodeMayReadOneValueTwice) {
  Model model = model_of(19, {declared("n", DataType::kInt64, {1})}, {undeclared("y")});
  model.graph.nodes.push_back(node("ConstantOfShape", {"n"}, {"a"}, {attribute("value", int64s({2}))}));
  model.graph.nodes.push_back(node("Tile", {"a", "a"}, {"b"}));
  model.graph.nodes.push_back(node("Identity", {"b"}, {"c"}));
  model.graph.nodes.push_back(node("ConstantOfShape", {"c"}, {"y"}));
  Runner runner(std::move(model));
  EXPECT_EQ(runner.output({{"n", int64s({1})}}).extents(), (Extents{2, 2}));
}

// ---- Size of the graph

TEST(SessionSize, ChainsAndStarsOfAHundredThousandNodesTakeLinearTime) {
  constexpr int kNodes = 100'000;
  Model chain = model_of(19, {declared("v0", DataType::kFloat, {1, 1, "H", "W"})},
                         {undeclared("v" + std::to_string(kNodes))});
  Model star = model_of(19, {declared("x", DataType::kFloat, {2})}, {}, {{"r", int64s({2}), {}}});
  for (int n = 0; n < kNodes; ++n) {
    const std::string to = "v" + std::to_string(n + 1);
    chain.graph.nodes.push_back(node("Identity", {"v" + std::to_string(n)}, {to}));
    star.graph.nodes.push_back(node("Tile", {"x", "r"}, {to}));
    star.graph.outputs.push_back(undeclared(to));
  }
  const std::clock_t begin = std::clock();
  Runner runner(std::move(chain));
  EXPECT_EQ(values<float>(runner.output({{"v0", image(1, 2)}})), values<float>(image(1, 2)));
  Runner wide(std::move(star));
  const Result<std::vector<Tensor>> outputs = wide.run({{"x", floats({1, 2})}});
  ASSERT_TRUE(outputs.ok()) << outputs.status().message();
  EXPECT_THAT(values<float>(outputs->back()), ElementsAre(1, 2, 1, 2));
  // Of this process's time on a core; the bound is that of a quadratic walk under sanitizers.
  EXPECT_LT(std::clock() - begin, 40 * CLOCKS_PER_SEC);
}

}  // namespace
}  // namespace tesela
