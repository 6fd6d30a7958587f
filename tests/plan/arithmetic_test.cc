// Which plans compute in fixed point, their bits, and the error of precision=fast.
#include "plan/arithmetic.h"

#include <gtest/gtest.h>

#include <random>

#include "backend/reference/reference.h"
#include "plan/axis_table.h"
#include "plan/describe.h"
#include "plan/plan.h"

namespace tesela {
namespace {

struct Sampled {
  DataType type = DataType::kUint8;
  Filter filter = Filter::kLinear;
  bool antialias = false;
};

ResizeParams fast_params(Sampled sampled, const Extents& in, const Extents& out) {
  ResizeParams params{sampled.type, in, {}, {}};
  params.sampling.filter = sampled.filter;
  params.sampling.antialias = sampled.antialias;
  params.fast = true;
  for (size_t d = 0; d < in.size(); ++d)
    if (in[d] != out[d]) params.axes.push_back({d, in[d], out[d], true, out[d], in[d]});
  return params;
}

Plan planned(const ResizeParams& params) {
  const Result<Plan> plan = make_resize_plan(params, Limits::none());
  EXPECT_TRUE(plan.ok());
  return *plan;
}

const ResizePlan& work_of(const Plan& plan) {
  return std::get<ResizePlan>(plan.work);
}

TEST(FastArithmetic, KeepsSevenBitsBetweenPassesAndNoneAtTheEnd) {
  const Plan plan = planned(fast_params({}, {150, 200}, {337, 451}));
  const ResizePlan& work = work_of(plan);
  ASSERT_TRUE(work.fixed_point);
  ASSERT_EQ(work.passes.size(), 2u);
  EXPECT_EQ(work.passes[0].fraction_bits, 7);
  EXPECT_EQ(work.passes[1].fraction_bits, 0);
  // An output at an input has the weight 1, which does not fit 16 bits in units of 2^-15.
  for (const Pass& pass : work.passes) EXPECT_EQ(pass.map.weight_bits, 14);
  EXPECT_EQ(
      describe_plain(plan),
      "resize linear uint8 150x200 -> 337x451, computed in fixed point\n"
      "  axis 1: 200 -> 451, x(i) = (-251 + 400 i) / 902, window 2, weights of 14 bits, which add up to one, rounded "
      "half up to 7 fraction bits\n"
      "  axis 0: 150 -> 337, x(i) = (-187 + 300 i) / 674, window 2, weights of 14 bits, which add up to one, rounded "
      "half up to elements\n");
}

// Weights fit 16 bits, and every sum fits 32 bits for any elements.
TEST(FastArithmetic, WeightsAddUpToOneAndSumsFit) {
  for (const bool antialias : {false, true})
    for (const Filter filter : {Filter::kLinear, Filter::kCubic})
      for (const auto& [in, out] : {std::pair<int64_t, int64_t>{150, 337}, {400, 133}, {500, 220}, {61, 40}}) {
        const Plan plan = planned(fast_params({DataType::kUint8, filter, antialias}, {in, in}, {out, out}));
        if (!work_of(plan).fixed_point) continue;
        double most = 128;  // the largest distance of an element from the middle
        for (const Pass& pass : work_of(plan).passes) {
          const AxisTable table = make_axis_table(pass.map, {0, out}, ComputeType::kDouble);
          double gain = 0;
          for (int64_t i = 0; i < out; ++i) {
            double sum = 0;
            double size = 0;
            for (int32_t k = 0; k < table.count[static_cast<size_t>(i)]; ++k) {
              const double whole = std::ldexp(table.row(i)[k], pass.map.weight_bits);
              EXPECT_EQ(whole, std::floor(whole));
              EXPECT_LT(std::abs(whole), 32768);
              sum += table.row(i)[k];
              size += std::abs(whole);
            }
            EXPECT_EQ(sum, 1);
            gain = std::max(gain, size);
          }
          EXPECT_LT(most * gain, 0x1p31);
          most = std::ceil(std::ldexp(most * gain, pass.fraction_bits - pass.map.weight_bits));
          EXPECT_LT(most, 32768);
        }
      }
}

TEST(FastArithmetic, AppliesToBytesWithSmallErrors) {
  const auto is_fixed = [](Sampled sampled, int64_t in, int64_t out) {
    return work_of(planned(fast_params(sampled, {in, in}, {out, out}))).fixed_point;
  };
  EXPECT_TRUE(is_fixed({DataType::kInt8}, 100, 77));
  EXPECT_FALSE(is_fixed({DataType::kUint16}, 100, 77));
  EXPECT_FALSE(is_fixed({DataType::kUint8, Filter::kNearest}, 100, 77));
  EXPECT_FALSE(is_fixed({}, 100, 200));  // quarters give exact halves, which round to even
  EXPECT_FALSE(is_fixed({DataType::kUint8, Filter::kLinear, true}, 1000, 77));  // windows of 26 taps
  EXPECT_FALSE(is_fixed({}, 7, 1 << 17));
}

// A pass with weights near (1, 0) keeps all of the error so far, and adds that of two weights and its rounding.
TEST(FastArithmetic, ErrorOfManyPassesIsBounded) {
  const auto is_fixed = [](size_t passes) {
    ResizeParams params = fast_params({}, Extents(passes, 3), Extents(passes, 3));
    params.sampling.coordinates = CoordinateMode::kAsymmetric;
    for (size_t d = 0; d < passes; ++d) params.axes.push_back({d, 3, 3, false, 1, 1, 1.001});
    return work_of(planned(params)).fixed_point;
  };
  // Units of 2^-14 in weights: 2 * 2 * (74 / 128)^2 = 1.34 a pass, and 1 after every pass but the last.
  EXPECT_TRUE(is_fixed(7));   // 15.4
  EXPECT_FALSE(is_fixed(8));  // 17.7; the bound is 16
}

TEST(FastArithmetic, WeightsThatGrowTooMuchStayExact) {
  // Midway between inputs magnitudes grow by 1 + |a| / 2; the bound is 1.98.
  for (const double a : {-0.75, -1.9, -2.0, -3.0, -100.0, -1e30}) {
    ResizeParams params = fast_params({DataType::kUint8, Filter::kCubic}, {150}, {337});
    params.sampling.cubic_a = a;
    EXPECT_EQ(work_of(planned(params)).fixed_point, a > -1.96) << a;
  }
}

// Absorbing the others' errors can raise the largest weight to 2^15, although it rounds to less.
TEST(FastArithmetic, AdjustedWeightsFitSixteenBits) {
  int raised = 0;
  for (int k = 0; k < 400; ++k) {
    ResizeParams params{DataType::kUint8, {8}, {}, {}};
    params.sampling.filter = Filter::kCubic;
    params.fast = true;
    params.axes.push_back({0, 8, 1, false, 1, 1, 0.5 / (2.503 + k * 1e-6)});  // the output is at 2.003 and beyond
    const Plan plan = planned(params);
    ASSERT_TRUE(work_of(plan).fixed_point);
    AxisMap map = work_of(plan).passes[0].map;
    EXPECT_LT(std::ldexp(weigh(map, {0, 1}, ComputeType::kDouble).largest, map.weight_bits), 0x1p15);
    map.weight_bits = -1;
    const double largest = weigh(map, {0, 1}, ComputeType::kDouble).largest;
    raised += std::round(std::ldexp(largest, work_of(plan).passes[0].map.weight_bits + 1)) < 0x1p15;
  }
  EXPECT_GT(raised, 0);
}

std::vector<uint8_t> run(const Plan& plan, const std::vector<uint8_t>& input) {
  std::vector<uint8_t> output(static_cast<size_t>(product(plan.out)));
  reference::run_box(plan, {{reinterpret_cast<const std::byte*>(input.data()), plan.type, plan.in, {}, 0},
                            Extents(plan.in.size(), 0),
                            {reinterpret_cast<std::byte*>(output.data()), plan.type, plan.out, {}, 0},
                            Extents(plan.out.size(), 0)});
  return output;
}

// docs/semantics.md, Resize: precision.
TEST(FastArithmetic, DiffersByOneInLessThanOnePercent) {
  const struct {
    Sampled sampled;
    Extents in, out;
  } cases[] = {{{}, {2, 150, 200}, {2, 337, 451}},
               {{DataType::kUint8, Filter::kCubic}, {2, 150, 200}, {2, 337, 451}},
               {{DataType::kUint8, Filter::kCubic}, {2, 400, 500}, {2, 220, 300}},
               {{DataType::kUint8, Filter::kLinear, true}, {2, 400, 500}, {2, 224, 280}},
               {{DataType::kInt8, Filter::kLinear, true}, {2, 400, 500}, {2, 133, 280}},
               {{DataType::kUint8, Filter::kCubic, true}, {2, 400, 500}, {2, 224, 260}},
               {{DataType::kUint8, Filter::kCubic, true}, {2, 400, 500}, {2, 111, 130}},
               {{DataType::kInt8}, {15, 40, 60}, {25, 77, 111}}};
  for (const auto& each : cases) {
    ResizeParams params = fast_params(each.sampled, each.in, each.out);
    const Plan fast = planned(params);
    SCOPED_TRACE(describe_plain(fast));
    EXPECT_TRUE(work_of(fast).fixed_point);
    params.fast = false;
    std::vector<uint8_t> input(static_cast<size_t>(product(each.in)));
    std::mt19937_64 random(3);
    for (uint8_t& byte : input) byte = static_cast<uint8_t>(random());
    const std::vector<uint8_t> exact = run(planned(params), input);
    const std::vector<uint8_t> near = run(fast, input);
    size_t apart = 0;
    for (size_t i = 0; i < near.size(); ++i) {
      const auto difference = static_cast<int8_t>(static_cast<uint8_t>(near[i] - exact[i]));
      ASSERT_LE(std::abs(int{difference}), 1) << i;
      apart += difference != 0;
    }
    EXPECT_GT(apart, 0u);
    EXPECT_LT(apart * 100, near.size()) << apart << " of " << near.size();
  }
}

}  // namespace
}  // namespace tesela
