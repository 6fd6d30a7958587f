// Sums in 16 bits where weights are powers of two: the same bits.
#include <gtest/gtest.h>

#include "backend/cpu/instruction_sets.h"
#include "backend/cpu/kernels.h"
#include "backend/cpu/resize/resize_cases.h"

namespace tesela::testing {
namespace {

uint64_t tasks(cpu::Kernel kernel) {
  return cpu::kernel_tasks[static_cast<size_t>(kernel)];
}

// A plan of 8-bit elements whose axes grow by powers of two, or shrink so under antialias.
ResizeParams random_dyadic_params(Random& random) {
  ResizeParams params;
  params.type = pick(random, 0, 1) ? DataType::kUint8 : DataType::kInt8;
  params.sampling.filter = Filter::kLinear;
  params.sampling.antialias = pick(random, 0, 1);
  params.sampling.coordinates = pick(random, 0, 2) ? CoordinateMode::kHalfPixel : CoordinateMode::kAsymmetric;
  const size_t rank = static_cast<size_t>(pick(random, 1, 4));
  int64_t room = 4000;
  int64_t bits = 0;
  for (size_t d = 0; d < rank; ++d) {
    int64_t in = pick(random, 1, std::clamp<int64_t>(room, 1, d + 1 == rank ? 300 : 20));
    int64_t out = in;
    if (bits < 6 && pick(random, 0, 3) > 0) {
      const bool shrinks = params.sampling.antialias && params.sampling.coordinates == CoordinateMode::kHalfPixel &&
                           bits < 4 && pick(random, 0, 1);
      const int64_t factor = !shrinks && bits < 4 && pick(random, 0, 2) == 0 ? 4 : 2;
      out = shrinks ? in : in * factor;
      in = shrinks ? in * factor : in;
      bits += shrinks || factor == 4 ? 3 : 2;
    }
    if (d + 1 == rank && std::min(in, out) < 32) out *= 32, in *= 32;
    params.in.push_back(in);
    room /= std::max(in, out);
    if (out == in) continue;
    const bool exact = pick(random, 0, 1);
    params.axes.push_back({d, in, out, exact, out, in, static_cast<double>(out) / static_cast<double>(in)});
  }
  return params;
}

TEST(Arithmetic, DyadicSumsEqualTheReference) {
  const uint64_t cases = random_cases(300);
  for_each_instruction_set([&](int64_t target) {
    const uint64_t before = tasks(cpu::Kernel::sum_power_of_two);
    for (uint64_t seed = 0; seed < cases; ++seed) {
      Random random(seed);
      const ResizeParams params = random_dyadic_params(random);
      const Result<Plan> plan = make_resize_plan(params, Limits::none());
      ASSERT_TRUE(plan.ok()) << plan.status().message();
      SCOPED_TRACE(fmt::format("seed {}: {}", seed, description(params)));
      EXPECT_TRUE(equals_the_reference(*plan, random, 0x5a, seed % 2 == 0));
      if (::testing::Test::HasFailure()) return;
    }
    // Plans without a pass, or over the sixteen bits, do not count.
    EXPECT_GT(tasks(cpu::Kernel::sum_power_of_two) - before, cases / 2) << hwy::TargetName(target);
  });
}

TEST(Arithmetic, DyadicSumsEqualTheReferenceAtEveryShortLength) {
  for_each_instruction_set([](int64_t) {
    for (int64_t n = 30; n <= 140; ++n)
      for (const DataType type : {DataType::kUint8, DataType::kInt8}) {
        Random random(static_cast<uint64_t>(n));
        ResizeParams params;
        params.type = type;
        params.sampling.filter = Filter::kLinear;
        params.in = {5, n};
        for (size_t d = 0; d < 2; ++d)
          params.axes.push_back({d, params.in[d], 2 * params.in[d], true, 2 * params.in[d], params.in[d]});
        SCOPED_TRACE(description(params));
        const uint64_t before = tasks(cpu::Kernel::sum_power_of_two);
        EXPECT_TRUE(
            equals_the_reference(*make_resize_plan(params, Limits::none()), random, n % 2 ? 0xff : 0x00, n % 3 == 0));
        EXPECT_EQ(tasks(cpu::Kernel::sum_power_of_two), before + (n >= 32));  // shorter rows fill no vector
        if (::testing::Test::HasFailure()) return;
      }
  });
}

}  // namespace
}  // namespace tesela::testing
