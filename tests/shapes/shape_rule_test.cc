// Inference by the rules of other operators.
#include "shapes/shape_rule.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "graph/model_builder.h"

namespace tesela {
namespace {

using namespace tesela::test;

KnownValue shaped(const test::Dims& dims, DataType type = DataType::kFloat) {
  KnownValue value;
  value.type = type;
  value.dims.emplace();
  for (const Dim& dim : dims) value.dims->push_back(dim);
  return value;
}

// An int64 list of numbers, symbols and unknowns.
KnownValue listed(const test::Dims& entries) {
  KnownValue value;
  Entries list;
  for (const Dim& entry : entries) list.push_back({entry.known(), entry.known() ? entry.value : 0, 0, entry.symbol});
  set_entries(value, DataType::kInt64, {Dim{static_cast<int64_t>(entries.size()), ""}}, list);
  return value;
}

KnownValue numbers(const std::vector<int64_t>& values) {
  Entries list;
  for (const int64_t value : values) list.push_back({true, value});
  KnownValue known;
  set_entries(known, DataType::kInt64, {Dim{static_cast<int64_t>(values.size()), ""}}, list);
  return known;
}

KnownValue scalar(int64_t value) {
  KnownValue known;
  set_entries(known, DataType::kInt64, {}, {{true, value}});
  return known;
}

std::vector<KnownValue> outputs(std::string_view type, const std::vector<KnownValue>& inputs,
                                std::vector<Attribute> attributes = {}, int64_t opset = 19, size_t count = 1) {
  std::vector<const KnownValue*> given;
  for (const KnownValue& input : inputs) given.push_back(&input);
  const Node made = node(std::string(type), {}, {}, std::move(attributes));
  std::vector<KnownValue> out(count);
  const ShapeRule* rule = find_shape_rule(type, opset);
  EXPECT_NE(rule, nullptr) << type;
  if (rule) rule->rule(RuleNode(made, given), out);
  return out;
}

template <class... More>
std::string dims_of(std::string_view type, const std::vector<KnownValue>& inputs, More... more) {
  return dims_text(outputs(type, inputs, more...)[0].dims);
}

template <class... More>
std::string entries_of_output(std::string_view type, const std::vector<KnownValue>& inputs, More... more) {
  const auto entries = entries_of(outputs(type, inputs, more...)[0]);
  if (!entries) return "unknown";
  std::string text;
  for (const Entry& entry : *entries)
    text += (text.empty() ? "" : " ") + (!entry.symbol.empty() ? entry.symbol
                                         : entry.known         ? std::to_string(entry.integer)
                                                               : "?");
  return text;
}

TEST(ShapeRules, EachOperatorAndVersionHasOneRow) {
  std::set<std::pair<std::string_view, int64_t>> rows;
  for (const auto rules : all_shape_rules())
    for (const ShapeRule& rule : rules) {
      EXPECT_TRUE(rows.emplace(rule.type, rule.since).second) << rule.type << "-" << rule.since;
      EXPECT_FALSE(is_known_operator("", rule.type)) << rule.type;
    }
  EXPECT_EQ(find_shape_rule("Squeeze", 12)->since, 1);
  EXPECT_EQ(find_shape_rule("Squeeze", 25)->since, 13);
  EXPECT_EQ(find_shape_rule("Range", 10), nullptr);
  EXPECT_EQ(find_shape_rule("Frobnicate", 19), nullptr);
}

TEST(ShapeRules, BroadcastingKeepsKnownDims) {
  EXPECT_EQ(dims_of("Add", {shaped({"N", 1, 4}), shaped({3, 1})}), "Nx3x4");
  EXPECT_EQ(dims_of("Add", {shaped({"N"}), shaped({"N"})}), "N");
  EXPECT_EQ(dims_of("Add", {shaped({"N"}), shaped({"M"})}), "?");
  EXPECT_EQ(dims_of("Add", {shaped({"N"}), shaped({5})}), "5");  // the other is 1 or 5
  EXPECT_EQ(dims_of("Add", {shaped({2}), shaped({3})}), "?");    // which is invalid
  EXPECT_EQ(dims_of("Add", {shaped({2, 3}), shaped({3})}, std::vector<Attribute>{}, 6), "2x3");
}

TEST(ShapeRules, EntriesOfShapes) {
  const KnownValue shape = listed({"N", 3, "H", "?"});
  EXPECT_EQ(entries_of_output("Gather", {shape, numbers({2, -4})}), "H N");
  EXPECT_EQ(entries_of_output("Gather", {shape, scalar(1)}), "3");
  EXPECT_EQ(dims_of("Gather", {shape, scalar(1)}), "scalar");
  EXPECT_EQ(entries_of_output("Gather", {shape, numbers({4})}), "?");  // out of range: unknown
  EXPECT_EQ(entries_of_output("Slice", {shape, numbers({1}), numbers({INT64_MAX})}), "3 H ?");
  EXPECT_EQ(entries_of_output("Slice", {shape, numbers({-1}), numbers({INT64_MIN}), numbers({0}), numbers({-2})}),
            "? 3");
  EXPECT_EQ(entries_of_output("Concat", {listed({"N"}), numbers({7})}, std::vector{attribute("axis", int64_t{0})}),
            "N 7");
  EXPECT_EQ(entries_of_output("Mul", {listed({"N", 3, 4}), numbers({1, 2, 0})}), "N 6 0");
  EXPECT_EQ(entries_of_output("Mul", {listed({"N", 3}), scalar(2)}), "? 6");
  EXPECT_EQ(entries_of_output("Range", {scalar(2), scalar(9), scalar(3)}), "2 5 8");
  EXPECT_EQ(dims_of("Range", {scalar(0), listed({"N"}), scalar(1)}), "N");
  EXPECT_EQ(dims_of("Range", {scalar(0), scalar(INT64_MAX), scalar(1)}), std::to_string(INT64_MAX));
  EXPECT_EQ(dims_of("Range", {scalar(5), scalar(0), scalar(1)}), "0");
  EXPECT_EQ(dims_of("Range", {scalar(5), scalar(0), scalar(0)}), "?");
}

TEST(ShapeRules, SlicesOfTensors) {
  const KnownValue x = shaped({"N", 10, "H"});
  EXPECT_EQ(dims_of("Slice", {x, numbers({0}), numbers({INT64_MAX}), numbers({0})}), "Nx10xH");
  EXPECT_EQ(dims_of("Slice", {x, numbers({1, 2}), numbers({INT64_MAX, 5}), numbers({-1, 1})}), "Nx3x?");
  EXPECT_EQ(dims_of("Slice", {x, numbers({-3}), numbers({-9}), numbers({1}), numbers({-2})}), "Nx3xH");
  EXPECT_EQ(dims_of("Slice", {x, numbers({9}), numbers({0}), numbers({1}), numbers({INT64_MIN})}), "Nx1xH");
  EXPECT_EQ(dims_of("Slice", {x, numbers({5}), numbers({2}), numbers({1})}), "Nx0xH");
  EXPECT_EQ(dims_of("Slice", {x, listed({"?"}), numbers({2}), numbers({1})}), "Nx?xH");
  EXPECT_EQ(dims_of("Slice", {x, numbers({0}), numbers({2}), numbers({7})}), "?x?x?");
  const std::vector<Attribute> old = {attribute("starts", std::vector<int64_t>{1}),
                                      attribute("ends", std::vector<int64_t>{3}),
                                      attribute("axes", std::vector<int64_t>{1})};
  EXPECT_EQ(dims_of("Slice", {x}, old, 9), "Nx2xH");
}

TEST(ShapeRules, ReshapeDividesSymbolsAway) {
  const KnownValue x = shaped({"N", 3, "H", 4});
  EXPECT_EQ(dims_of("Reshape", {x, numbers({0, -1, 0, 0})}), "Nx3xHx4");
  EXPECT_EQ(dims_of("Reshape", {x, listed({"N", 12, "H"})}), "Nx12xH");
  EXPECT_EQ(dims_of("Reshape", {shaped({"N", 3, "H", 4}), numbers({0, 12, -1})}), "Nx12xH");
  EXPECT_EQ(dims_of("Reshape", {shaped({"?", 6}), numbers({0, 2, -1})}), "?x2x3");
  EXPECT_EQ(dims_of("Reshape", {shaped({5, 6}), numbers({-1})}), "30");
  EXPECT_EQ(dims_of("Reshape", {shaped({5, 6}), numbers({-1, 7})}), "?x7");
  EXPECT_EQ(dims_of("Reshape", {shaped({int64_t{1} << 62, 8}), numbers({-1})}), "?");
  EXPECT_EQ(dims_of("Reshape",
                    {
                        x,
                        numbers({-1, 0}),
                    },
                    std::vector{attribute("allowzero", int64_t{1})}),
            "?x0");
}

TEST(ShapeRules, WindowsThatKeepAnExtentKeepItsSymbol) {
  const auto ints = [](const char* name, std::vector<int64_t> values) { return attribute(name, std::move(values)); };
  const KnownValue weights = shaped({8, 3, 3, 3});
  EXPECT_EQ(dims_of("Conv", {shaped({"N", 3, "H", 10}), weights}, std::vector{ints("pads", {1, 1, 1, 1})}), "Nx8xHx10");
  EXPECT_EQ(dims_of("Conv", {shaped({"N", 3, "H", 10}), weights},
                    std::vector{ints("pads", {1, 1, 1, 1}), ints("strides", {2, 2})}),
            "Nx8x?x5");
  EXPECT_EQ(dims_of("Conv", {shaped({1, 3, 2, 10}), weights}),
            "1x8x?x8");  // smaller than a window: unknown
  EXPECT_EQ(dims_of("Conv", {shaped({1, 3, 9, 10}), weights},
                    std::vector{attribute("auto_pad", "SAME_UPPER"), ints("strides", {2, 2})}),
            "1x8x5x5");
  EXPECT_EQ(dims_of("ConvTranspose", {shaped({1, 8, 5, "W"}), weights}, std::vector{ints("strides", {2, 2})}),
            "1x3x11x?");
  EXPECT_EQ(
      dims_of("MaxPool", {shaped({1, 3, 8, 9})}, std::vector{ints("kernel_shape", {2, 2}), ints("strides", {2, 2})}),
      "1x3x4x4");
  EXPECT_EQ(dims_of("GlobalAveragePool", {shaped({"N", 3, "H", "W"})}), "Nx3x1x1");
}

TEST(ShapeRules, MatricesAndReductions) {
  EXPECT_EQ(dims_of("MatMul", {shaped({"N", 2, 3}), shaped({3, "K"})}), "Nx2xK");
  EXPECT_EQ(dims_of("MatMul", {shaped({3}), shaped({"N", 3, 4})}), "Nx4");
  EXPECT_EQ(dims_of("MatMul", {shaped({3}), shaped({3})}), "scalar");
  EXPECT_EQ(dims_of("Gemm", {shaped({"N", 3}), shaped({5, 3})}, std::vector{attribute("transB", int64_t{1})}), "Nx5");
  EXPECT_EQ(dims_of("ReduceMean", {shaped({"N", 3, 4}), numbers({-1})}), "Nx3x1");
  EXPECT_EQ(dims_of("ReduceMean", {shaped({"N", 3, 4})}, std::vector{attribute("keepdims", int64_t{0})}), "scalar");
  EXPECT_EQ(dims_of("ReduceMean", {shaped({"N", 3}), shaped({1}, DataType::kInt64)}), "unknown");
  EXPECT_EQ(dims_of("ArgMax", {shaped({"N", 3})}, std::vector{attribute("axis", int64_t{1})}), "Nx1");
}

TEST(ShapeRules, SplitsNameEachPart) {
  const auto even = outputs("Split", {shaped({7, "N"})}, {}, 18, 3);
  EXPECT_EQ(dims_text(even[0].dims) + " " + dims_text(even[2].dims), "3xN 1xN");
  const auto given = outputs("Split", {shaped({7, "N"}), numbers({2, 5})}, {}, 18, 2);
  EXPECT_EQ(dims_text(given[0].dims) + " " + dims_text(given[1].dims), "2xN 5xN");
}

// Invalid nodes: any number of inputs and outputs, of any shapes and values, with attributes of wrong kinds.
class Hostile {
 public:
  explicit Hostile(unsigned seed) : random_(seed) {}

  int64_t pick(std::initializer_list<int64_t> values) { return values.begin()[random_() % values.size()]; }
  int64_t number() {
    return pick({0, 1, -1, 2, 3, -2, 64, INT32_MAX, INT64_MAX, INT64_MIN, int64_t{1} << 40, -(int64_t{1} << 62)});
  }

  KnownValue value() {
    KnownValue value;
    value.type = static_cast<DataType>(pick({0, 1, 6, 7, 7, 7, 8, 9, 10, 11}));
    const int64_t kind = pick({0, 1, 2, 3});
    if (kind == 0) return value;
    if (kind == 1 && has_entries(value.type)) return with_entries(value.type);
    value.dims.emplace();
    for (int64_t d = pick({0, 1, 2, 3, 4, 5, 64}); d > 0; --d)
      value.dims->push_back(pick({0, 1}) ? Dim{std::max<int64_t>(number(), -1), ""} : Dim{-1, pick({0, 1}) ? "N" : ""});
    return value;
  }

  std::vector<Attribute> attributes() {
    std::vector<Attribute> made;
    for (const char* name :
         {"axis",           "axes",      "perm",  "to",    "kernel_shape", "strides",   "dilations", "pads",
          "starts",         "ends",      "split", "shape", "keepdims",     "blocksize", "group",     "output_shape",
          "output_padding", "ceil_mode", "start", "end",   "auto_pad",     "paddings"}) {
      const int64_t kind = pick({0, 1, 2, 3});
      if (kind == 0) made.push_back(attribute(name, number()));
      if (kind == 1) made.push_back(attribute(name, list()));
      if (kind == 2) made.push_back(attribute(name, pick({0, 1}) ? "SAME_LOWER" : "zz"));
    }
    return made;
  }

 private:
  std::vector<int64_t> list() {
    std::vector<int64_t> values;
    for (int64_t k = pick({0, 1, 2, 3, 4, 8, 200}); k > 0; --k) values.push_back(number());
    return values;
  }

  KnownValue with_entries(DataType type) {
    Entries entries;
    for (int64_t k = pick({0, 1, 2, 3, 4}); k > 0; --k)
      entries.push_back(pick({0, 1, 2}) ? Entry{true, number(), static_cast<double>(number())} : Entry{});
    KnownValue value;
    const bool is_scalar = entries.size() == 1 && pick({0, 1});
    const Dim length = {static_cast<int64_t>(entries.size()), ""};
    set_entries(value, type, is_scalar ? tesela::Dims() : tesela::Dims{length}, std::move(entries));
    return value;
  }

  std::mt19937 random_;
};

TEST(ShapeRules, SurviveHostileNodes) {
  Hostile hostile(1);
  for (const auto rules : all_shape_rules())
    for (const ShapeRule& rule : rules)
      for (int trial = 0; trial < 100; ++trial) {
        std::vector<KnownValue> inputs;
        for (int64_t k = hostile.pick({0, 1, 2, 3, 5}); k > 0; --k) inputs.push_back(hostile.value());
        std::vector<const KnownValue*> given;
        for (const KnownValue& input : inputs) given.push_back(hostile.pick({0, 1, 1}) ? &input : nullptr);
        const Node made = node(std::string(rule.type), {}, {}, hostile.attributes());
        std::vector<KnownValue> out(static_cast<size_t>(hostile.pick({1, 1, 2, 3})));
        rule.rule(RuleNode(made, given), out);
        for (const KnownValue& value : out) {
          for (size_t d = 0; value.dims && d < value.dims->size(); ++d)
            EXPECT_GE((*value.dims)[d].value, -1) << rule.type;
          const auto entries = entries_of(value);
          EXPECT_LE(entries ? entries->size() : 0, kMaxEntries) << rule.type;
        }
      }
}

}  // namespace
}  // namespace tesela
