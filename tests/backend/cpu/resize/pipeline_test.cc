// SPDX-License-Identifier: Apache-2.0
// Whole resizes equal the reference in every bit, with every instruction set.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <thread>
#include <vector>

#include "backend/backend.h"
#include "backend/boxes.h"
#include "backend/cpu/each_instruction_set.h"
#include "backend/cpu/kernels.h"
#include "backend/cpu/resize/resize_cases.h"
#include "backend/cpu/sample_plan.h"
#include "backend/reference/reference.h"
#include "heap.h"

namespace tesela::testing {
namespace {

TEST(ResizePipeline, EqualsTheReferenceOnRandomPlansOfEveryInstructionSet) {
  const uint64_t cases = random_cases(400);
  for_each_instruction_set([&](int64_t) {
    for (uint64_t seed = 0; seed < cases; ++seed) {
      Random random(seed);
      const ResizeParams params = random_params(random);
      const Result<Plan> plan = make_resize_plan(params, Limits::none());
      ASSERT_TRUE(plan.ok()) << plan.status().message();
      SCOPED_TRACE(fmt::format("seed {}: {}", seed, description(params)));
      EXPECT_TRUE(equals_the_reference(*plan, random, 0x5a, seed % 2 == 0));
      if (::testing::Test::HasFailure()) return;
    }
  });
}

// Sums beyond the type, beyond int32, infinite or NaN, in each kernel that stores elements: rows of the vertical pass, one to four
// vectors at a time, and of the horizontal one.
TEST(ResizePipeline, EqualsTheReferenceWhereSumsOverflow) {
  for_each_instruction_set([&](int64_t) {
    for (const char* type : {"uint8", "int8", "uint16", "int16", "float16", "bfloat16"})
      for (const char* a : {"-3", "1e4", "1e8", "1e30", "3e38"})
        for (const char* shape : {"9x150 -> 20x333", "9x150 -> 20x150", "150 -> 333", "20x150 -> 9x70"}) {
          const std::string sample = fmt::format("cubic {} {} cubic_coeff_a={}", type, shape, a);
          SCOPED_TRACE(sample);
          Random random(3);
          EXPECT_TRUE(equals_the_reference(sample_plan(sample), random, 0x3c, false));
        }
  });
}

// Inputs larger than a cache, which are prefetched.
TEST(ResizePipeline, EqualsTheReferenceOnLargeInputs) {
  for_each_instruction_set([&](int64_t) {
    for (const char* sample : {"linear antialias float 600x530 -> 100x90", "linear float 700x450 -> 60x40",
                               "linear uint8 1100x1000 -> 120x100", "cubic antialias float 300x1024 -> 150x512"}) {
      SCOPED_TRACE(sample);
      Random random(7);
      EXPECT_TRUE(equals_the_reference(sample_plan(sample), random, 0x3c, true));
    }
  });
}

// 0 if inputs of some MiB, beyond a last-level cache of 1 MiB, are summed in overlapping windows and equal the reference.
int run_from_memory() {
  uint64_t overlapped = 0;
  for_each_instruction_set([&](int64_t target) {
    const auto& tasks = cpu::kernel_tasks[static_cast<size_t>(cpu::Kernel::vertical_overlapping)];
    const uint64_t before = tasks;
    for (const char* sample : {"linear antialias float 700x530 -> 350x265", "linear antialias float 700x530 -> 120x100",
                               "cubic antialias float 700x530 -> 350x265", "linear antialias double 700x530 -> 350x265",
                               "cubic antialias uint8 1400x1000 -> 700x500"}) {
      SCOPED_TRACE(sample);
      Random random(7);
      EXPECT_TRUE(equals_the_reference(sample_plan(sample), random, 0x3c, true));
    }
    overlapped += tasks - before;
    EXPECT_GE(tasks - before, target == HWY_SCALAR ? 0u : 5u);
  });
  return ::testing::Test::HasFailure() || overlapped == 0 ? 1 : 0;
}

// In a process of its own, since the size of the cache is read once.
TEST(ResizeFromMemory, EqualsTheReference) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  ASSERT_EQ(setenv("TESELA_CACHE_BYTES", "1048576", 1), 0);
  EXPECT_EXIT(std::exit(run_from_memory()), ::testing::ExitedWithCode(0), "");
  ASSERT_EQ(unsetenv("TESELA_CACHE_BYTES"), 0);
}

// One axis of every length up to several vectors, at any alignment of a row.
TEST(ResizePipeline, EqualsTheReferenceAtEveryShortLength) {
  for_each_instruction_set([&](int64_t) {
    for (int64_t n = 1; n <= 70; ++n)
      for (const Filter filter : {Filter::kLinear, Filter::kCubic}) {
        Random random(static_cast<uint64_t>(n));
        ResizeParams params;
        params.type = kComputedTypes[static_cast<size_t>(n) % std::size(kComputedTypes)];
        params.sampling.filter = filter;
        params.in = {3, n};
        for (size_t d = 0; d < 2; ++d) {
          const int64_t out = d == 0 ? 5 : n + n / 3 + 1;
          params.axes.push_back({d, params.in[d], out, true, out, params.in[d]});
        }
        SCOPED_TRACE(description(params));
        EXPECT_TRUE(
            equals_the_reference(*make_resize_plan(params, Limits::none()), random, n % 2 ? 0xff : 0x00, n % 3 == 0));
        if (::testing::Test::HasFailure()) return;
      }
  });
}

const char* const kLongAxes[] = {
    "linear float 2x9000 -> 3x40000",       "linear uint8 30000x3 -> 16385x3",
    "cubic float16 1x2x20000 -> 1x2x33000", "linear antialias float 100000 -> 20001",
    "linear float 3x200000 -> 2x17000",     "cubic antialias double 40000x2 -> 17001x2",
    "linear bfloat16 17000x70 -> 20000x70", "linear align_corners float 2x16384x3 -> 2x32768x3",
    "linear complex64 5000 -> 50001",
};

// Horizontal passes in strips, whose tables are kept, and vertical ones.
TEST(ResizePipeline, EqualsTheReferenceOnLongAxes) {
  for_each_instruction_set([&](int64_t) {
    for (const char* sample : kLongAxes) {
      SCOPED_TRACE(sample);
      Random random(3);
      EXPECT_TRUE(equals_the_reference(sample_plan(sample), random, 0x5a, true));
    }
  });
}

// Boxes that begin and end inside strips, before and after the strips' tables are made.
TEST(ResizePipeline, BoxesOfLongAxesEqualTheReference) {
  for_each_instruction_set([&](int64_t) {
    for (const char* sample : kLongAxes) {
      SCOPED_TRACE(sample);
      const Plan plan = sample_plan(sample);
      const auto bytes = [&](const Extents& n) { return product(n) * element_bits(plan.type) / 8; };
      Random random(5);
      GuardedBytes input(bytes(plan.in));
      fill_random(random, plan.type, input);
      std::vector<std::byte> expected(static_cast<size_t>(bytes(plan.out)));
      BoxRun whole;
      whole.input = {input.data(), plan.type, plan.in, {}, 0};
      whole.output = {expected.data(), plan.type, plan.out, {}, 0};
      whole.input_lo = whole.output_lo = Extents(plan.in.size(), 0);
      reference::run_box(plan, whole);
      const auto axis = static_cast<size_t>(std::ranges::max_element(plan.out) - plan.out.begin());
      const auto program = cpu::bind(plan);
      std::vector<std::byte> actual(expected.size());
      whole.output.data = actual.data();
      for (int round = 0; round < 2; ++round) {
        std::ranges::fill(actual, std::byte(0x5a));
        int64_t lo = 0;
        for (const int64_t hi :
             {int64_t{1}, int64_t{100}, int64_t{16384}, std::min<int64_t>(16391, plan.out[axis]), plan.out[axis]}) {
          Box box = {whole.output_lo, plan.out};
          box.lo[axis] = lo;
          box.n[axis] = hi - lo;
          if (hi == lo) continue;
          program->run_box(plan, part_of(plan, whole, box), {});
          lo = hi;
        }
        EXPECT_TRUE(same(plan.type, expected.data(), actual.data(), std::ssize(actual)));
      }
    }
  });
}

// Threads that make the same tables at the same time.
TEST(ResizePipeline, LongAxesOnSeveralThreads) {
  for (const char* sample : kLongAxes) {
    SCOPED_TRACE(sample);
    const Plan plan = sample_plan(sample);
    const ProgramPtr program = bind(plan);
    Tensor input = *Tensor::allocate(plan.type, plan.in);
    for (int64_t k = 0; k < input.bytes(); ++k)  // finite numbers
      input.mutable_view().data[k] = static_cast<std::byte>(0x30 + k * k % 16);
    const auto run = [&](const ProgramPtr& with, int threads) {
      Tensor output = *Tensor::allocate(plan.type, plan.out);
      const Extents zero(plan.in.size(), 0);
      const BoxRun box = {input.view(), zero, output.mutable_view(), zero};
      EXPECT_TRUE(run_plan(plan, *with, box, Executor::on_threads(threads), {}).ok());
      return output;
    };
    const Tensor expected = run(bind(plan, Backend::reference), 1);
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t)
      threads.emplace_back([&] {
        const Tensor actual = run(program, 2);
        EXPECT_EQ(std::memcmp(actual.data(), expected.data(), static_cast<size_t>(expected.bytes())), 0);
      });
    for (std::thread& thread : threads) thread.join();
  }
}

TEST(ResizePipeline, KeepsTablesOfLongAxes) {
  const Plan plan = sample_plan("linear float 40000 -> 50000");
  const auto program = cpu::bind(plan);
  std::vector<float> in(40000);
  std::vector<float> out(50000);
  BoxRun run;
  run.input = {reinterpret_cast<const std::byte*>(in.data()), plan.type, plan.in, {}, 0};
  run.output = {reinterpret_cast<std::byte*>(out.data()), plan.type, plan.out, {}, 0};
  run.input_lo = run.output_lo = {0};
  const auto allocations_of_a_run = [&] {
    const int64_t before = allocations();
    program->run_box(plan, run, {});
    return allocations() - before;
  };
  const int64_t first = allocations_of_a_run();
  EXPECT_GT(first, 4 * 4);  // at least four vectors of each of four strips
  EXPECT_LT(allocations_of_a_run(), 4);
}

// Strides of the extents with their axes in another order in memory, some in reverse, with gaps; `lowest` is the offset of
// the lowest byte.
Extents shuffled_strides(Random& random, DataType type, const Extents& n, int64_t& lowest, int64_t& bytes) {
  std::vector<size_t> order(n.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::shuffle(order, random);
  Extents strides(n.size(), 0);
  int64_t stride = element_bits(type) / 8 * pick(random, 1, 2);
  lowest = 0;
  for (const size_t d : order) {
    strides[d] = pick(random, 0, 3) == 0 ? -stride : stride;
    if (strides[d] < 0) lowest += strides[d] * (n[d] - 1);
    stride = stride * n[d] + (pick(random, 0, 1) ? 0 : element_bits(type) / 8);
  }
  bytes = stride;
  return strides;
}

// Either side or both are views; their rows are copied.
TEST(ResizePipeline, ViewsEqualTheReference) {
  const uint64_t cases = random_cases(300);
  for_each_instruction_set([&](int64_t) {
    for (uint64_t seed = 0; seed < cases; ++seed) {
      Random random(seed);
      const ResizeParams params = random_params(random);
      const Plan plan = *make_resize_plan(params, Limits::none());
      if (product(plan.out) == 0 || std::get<ResizePlan>(plan.work).compute == ComputeType::kNone) continue;
      SCOPED_TRACE(fmt::format("seed {}: {}", seed, description(params)));
      BoxRun run;
      run.input_lo = run.output_lo = Extents(plan.in.size(), 0);
      int64_t in_lowest = 0;
      int64_t in_bytes = product(plan.in) * element_bits(plan.type) / 8;
      int64_t out_lowest = 0;
      int64_t out_bytes = product(plan.out) * element_bits(plan.type) / 8;
      Extents in_strides;
      Extents out_strides;
      if (seed % 3 != 0) in_strides = shuffled_strides(random, plan.type, plan.in, in_lowest, in_bytes);
      if (seed % 3 != 1) out_strides = shuffled_strides(random, plan.type, plan.out, out_lowest, out_bytes);
      GuardedBytes input(in_bytes);
      fill_random(random, plan.type, input);
      GuardedBytes expected(out_bytes);
      GuardedBytes actual(out_bytes, 0, false);
      std::memset(expected.data(), 0x5a, static_cast<size_t>(out_bytes));
      std::memset(actual.data(), 0x5a, static_cast<size_t>(out_bytes));
      run.input = {input.data() - in_lowest, plan.type, plan.in, in_strides, 0};
      run.output = {expected.data() - out_lowest, plan.type, plan.out, out_strides, 0};
      reference::run_box(plan, run);
      run.output.data = actual.data() - out_lowest;
      cpu::bind(plan)->run_box(plan, run, {});
      ASSERT_TRUE(same(plan.type, expected.data(), actual.data(), out_bytes));
    }
  });
}

// Kernels may read beyond a row where more rows follow in memory. In reverse order none follow the first one.
TEST(ResizePipeline, ReadsRowsInReverseOrderWithinTheirMemory) {
  const ResizeParams params = {
      DataType::kFloat, {3, 5, 5}, {.filter = Filter::kLinear}, {{0, 3, 8, true, 8, 3}, {2, 5, 4, true, 4, 5}}};
  const Plan plan = *make_resize_plan(params, Limits::none());
  Random random(1);
  GuardedBytes input(3 * 5 * 5 * 4);
  fill_random(random, plan.type, input);
  std::vector<std::byte> expected(8 * 5 * 4 * 4);
  std::vector<std::byte> actual(expected.size());
  const Extents zero = {0, 0, 0};
  BoxRun run;
  run.input = {input.data() + 2 * 100, plan.type, plan.in, {-100, 20, 4}, 0};
  run.output = {expected.data(), plan.type, plan.out, {}, 0};
  run.input_lo = run.output_lo = zero;
  reference::run_box(plan, run);
  run.output.data = actual.data();
  for_each_instruction_set([&](int64_t) {
    cpu::bind(plan)->run_box(plan, run, {});
    EXPECT_TRUE(same(plan.type, expected.data(), actual.data(), std::ssize(actual)));
  });
}

}  // namespace
}  // namespace tesela::testing
