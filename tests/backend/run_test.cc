// SPDX-License-Identifier: Apache-2.0
// Runs: checks of their tensors, regions, cancellation, progress, and equal bits for every cut.
#include <gtest/gtest.h>

#include <atomic>
#include <cfenv>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include "backend/backend.h"
#include "backend/boxes.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace tesela {
namespace {

Plan resize(Extents in, Extents out, Filter filter, DataType type = DataType::kFloat, bool antialias = false) {
  ResizeParams params;
  params.type = type;
  params.in = in;
  params.sampling.filter = filter;
  params.sampling.antialias = antialias;
  for (size_t d = 0; d < in.size(); ++d) params.axes.push_back({d, in[d], out[d], true, out[d], in[d]});
  return *make_resize_plan(params, Limits::none());
}
Plan tile(const Extents& in, const Extents& repeats, DataType type = DataType::kFloat) {
  Extents out = in;
  for (size_t d = 0; d < in.size(); ++d) out[d] *= repeats[d];
  return *make_tile_plan({type, in, out}, Limits::none());
}
Plan fill(Extents out, DataType type = DataType::kFloat) {
  return *make_fill_plan({type, std::move(out), {}}, Limits::none());
}

Tensor noise(DataType type, const Extents& extents) {
  Tensor tensor = *Tensor::allocate(type, extents);
  std::mt19937 random(99);
  if (type == DataType::kFloat) {
    auto* values = reinterpret_cast<float*>(tensor.mutable_data());
    for (int64_t i = 0; i < tensor.count(); ++i) values[i] = static_cast<float>(random()) / 1e9f;
  } else {
    for (int64_t i = 0; i < tensor.bytes(); ++i) tensor.mutable_data()[i] = static_cast<std::byte>(random() & 0x7f);
  }
  return tensor;
}

BoxRun whole_run(const Plan& plan, const Tensor& x, Tensor& y) {
  return {x.view(), Extents(plan.in.size(), 0), y.mutable_view(), Extents(plan.out.size(), 0)};
}

Status run_by_reference(const Plan& plan, const BoxRun& run, const Executor& executor, const RunOptions& options = {}) {
  return run_plan(plan, *bind(plan, Backend::reference), run, executor, options);
}

Tensor computed(const Plan& plan, const Tensor& x, const Executor& executor) {
  Tensor y = *Tensor::allocate(plan.type, plan.out);
  const Status status = run_by_reference(plan, whole_run(plan, x, y), executor);
  EXPECT_TRUE(status.ok()) << status.message();
  return y;
}
Tensor computed(const Plan& plan, const Tensor& x) {
  return computed(plan, x, Executor());
}

bool same_bytes(const Tensor& a, const Tensor& b) {
  return a.bytes() == b.bytes() && std::memcmp(a.data(), b.data(), static_cast<size_t>(a.bytes())) == 0;
}

// ---- Errors -----------------------------------------------------------------------------------------------

struct Fixture {
  Plan plan = resize({4, 6}, {8, 3}, Filter::kLinear);
  Tensor x = noise(DataType::kFloat, {4, 6});
  Tensor y = *Tensor::allocate(DataType::kFloat, {8, 3});
  BoxRun run = whole_run(plan, x, y);
  tesela_status code() const { return run_by_reference(plan, run, Executor()).code(); }
};

TEST(RunPlan, RejectsOtherTypes) {
  Fixture f;
  EXPECT_EQ(f.code(), TESELA_OK);
  f.run.output.type = DataType::kDouble;
  EXPECT_EQ(f.code(), TESELA_ERROR_TYPE);
  f.run = whole_run(f.plan, f.x, f.y);
  f.run.input.type = DataType::kInt32;
  EXPECT_EQ(f.code(), TESELA_ERROR_TYPE);
}

TEST(RunPlan, RejectsBoxesOutsideTheirTensors) {
  Fixture f;
  f.run.output.extents = {8, 4};
  EXPECT_EQ(f.code(), TESELA_ERROR_SHAPE);
  f.run = whole_run(f.plan, f.x, f.y);
  f.run.output_lo = {1, 0};
  EXPECT_EQ(f.code(), TESELA_ERROR_SHAPE);
  f.run = whole_run(f.plan, f.x, f.y);
  f.run.output.extents = {8};
  EXPECT_EQ(f.code(), TESELA_ERROR_RANK);
  f.run = whole_run(f.plan, f.x, f.y);
  f.run.input_lo = {0, 1};
  EXPECT_EQ(f.code(), TESELA_ERROR_SHAPE);
  f.run = whole_run(f.plan, f.x, f.y);
  f.run.input_lo = {0, -1};
  EXPECT_EQ(f.code(), TESELA_ERROR_SHAPE);
}

TEST(RunPlan, RejectsTooSmallInputBox) {
  Fixture f;
  f.run.input.extents = {3, 6};  // without the last row
  const Status status = run_by_reference(f.plan, f.run, Executor());
  EXPECT_EQ(status.code(), TESELA_ERROR_SHAPE);
  EXPECT_EQ(status.message(), "the input box has [0, 3) on axis 0; the output box needs [0, 4)");
}

TEST(RunPlan, RejectsMissingDataAndInvalidStrides) {
  Fixture f;
  f.run.output.data = nullptr;
  EXPECT_EQ(f.code(), TESELA_ERROR_USAGE);
  f.run = whole_run(f.plan, f.x, f.y);
  f.run.input.data = nullptr;
  EXPECT_EQ(f.code(), TESELA_ERROR_USAGE);
  f.run = whole_run(f.plan, f.x, f.y);
  f.run.input.strides_bytes = {4};
  EXPECT_EQ(f.code(), TESELA_ERROR_RANK);

  const Plan packed = tile({4}, {2}, DataType::kInt4);
  const Tensor x = noise(DataType::kInt4, {4});
  Tensor y = *Tensor::allocate(DataType::kInt4, {8});
  BoxRun run = whole_run(packed, x, y);
  run.output.strides_bytes = {1};
  EXPECT_EQ(run_by_reference(packed, run, Executor()).code(), TESELA_ERROR_USAGE);
}

TEST(RunPlan, EmptyOutputsNeedNoData) {
  const Plan plan = resize({4, 6}, {0, 3}, Filter::kCubic);
  BoxRun run;
  run.output = {nullptr, DataType::kFloat, {0, 3}, {}, 0};
  run.output_lo = {0, 0};
  EXPECT_TRUE(run_by_reference(plan, run, Executor()).ok());
}

// ---- Every cut has the same bits --------------------------------------------------------------------------

TEST(RunPlan, ExecutorsAreBitIdentical) {
  for (const Plan& plan :
       {resize({60, 70, 3}, {100, 120, 3}, Filter::kCubic),
        resize({200, 210}, {150, 130}, Filter::kLinear, DataType::kFloat, true),
        resize({100, 200}, {150, 330}, Filter::kNearest), tile({13, 17}, {20, 20}), fill({200, 200})}) {
    const Tensor x = noise(DataType::kFloat, plan.in);
    const Tensor once = computed(plan, x);
    for (const int threads : {2, 3, 8}) EXPECT_TRUE(same_bytes(computed(plan, x, Executor::on_threads(threads)), once));
    // For a host with many threads the work is cut into small boxes.
    const auto many = Executor::on_host({sizeof(tesela_executor),
                                         [](void*, int64_t count, void (*task)(void*, int64_t), void* argument) {
                                           for (int64_t i = count; i-- > 0;) task(argument, i);
                                         },
                                         nullptr, 64});
    EXPECT_TRUE(same_bytes(computed(plan, x, *many), once));
  }
}

// Runs the tasks last first and counts them.
Executor counting_host(std::atomic<int64_t>& tasks) {
  return *Executor::on_host({sizeof(tesela_executor),
                             [](void* counter, int64_t count, void (*task)(void*, int64_t), void* argument) {
                               *static_cast<std::atomic<int64_t>*>(counter) += count;
                               for (int64_t i = count; i-- > 0;) task(argument, i);
                             },
                             &tasks, 64});
}

TEST(RunPlan, PackedTensorsAreDivided) {
  for (const DataType type : {DataType::kInt4, DataType::kUint2})
    for (const Plan& plan : {tile({100, 121}, {11, 13}, type), resize({300, 401}, {1201, 1003}, Filter::kNearest, type),
                             fill({5001, 999}, type)}) {
      const Tensor x = noise(type, plan.in);
      const Tensor once = computed(plan, x);
      for (const Backend backend : {Backend::reference, kDefaultBackend}) {
        std::atomic<int64_t> tasks = 0;
        Tensor y = *Tensor::allocate(type, plan.out);
        const ProgramPtr program = bind(plan, backend);
        EXPECT_TRUE(run_plan(plan, *program, whole_run(plan, x, y), counting_host(tasks), {}).ok());
        EXPECT_TRUE(same_bytes(y, once));
        EXPECT_GT(tasks, 1);
      }
    }
}

TEST(RunPlan, PackedOutputsWithinBytesAreNotDivided) {  // parts would share bytes
  const Plan plan = tile({100, 121}, {11, 13}, DataType::kInt4);
  const Tensor x = noise(DataType::kInt4, plan.in);
  const Tensor once = computed(plan, x);
  std::vector<std::byte> bytes(static_cast<size_t>(once.bytes()) + 1);
  BoxRun run = {x.view(), {0, 0}, {bytes.data(), DataType::kInt4, plan.out, {}, 4}, {0, 0}};
  std::atomic<int64_t> tasks = 0;
  ASSERT_TRUE(run_plan(plan, *bind(plan), run, counting_host(tasks), {}).ok());
  EXPECT_EQ(tasks, 1);
  for (size_t i = 0; i < static_cast<size_t>(once.bytes()); ++i) {
    const auto byte = static_cast<unsigned>(bytes[i]) >> 4 | static_cast<unsigned>(bytes[i + 1]) << 4;
    ASSERT_EQ(static_cast<std::byte>(byte), once.data()[i]) << i;
  }
}

TEST(RunPlan, AcceptsHostWithAnyNumberOfThreads) {
  const Plan plan = resize({100, 200}, {150, 330}, Filter::kLinear);
  const Tensor x = noise(DataType::kFloat, plan.in);
  const auto host = Executor::on_host({sizeof(tesela_executor),
                                       [](void*, int64_t count, void (*task)(void*, int64_t), void* argument) {
                                         for (int64_t i = 0; i < count; ++i) task(argument, i);
                                       },
                                       nullptr, INT32_MAX});
  EXPECT_TRUE(same_bytes(computed(plan, x, *host), computed(plan, x)));
}

// Computes the output box by box, each from only the input box that the plan needs for it.
void expect_regions_equal_the_whole(const Plan& plan, DataType type) {
  const Tensor x = noise(type, plan.in);
  const Tensor whole = computed(plan, x);
  const BoxCutter cutter({Extents(plan.out.size(), 0), plan.out}, 7, DataType::kInt8);
  for (int64_t b = 0; b < cutter.count(); ++b) {
    const Box box = cutter.box(b);
    const Box needed = input_region(plan, box);
    const Tensor part = *Tensor::copy_of(part_of(x.view(), Extents(plan.in.size(), 0), needed));
    Tensor y = *Tensor::allocate(type, box.n);
    ASSERT_TRUE(run_by_reference(plan, {part.view(), needed.lo, y.mutable_view(), box.lo}, Executor()).ok());
    EXPECT_TRUE(same_bytes(y, *Tensor::copy_of(part_of(whole.view(), Extents(plan.out.size(), 0), box))));
  }
}

TEST(RunPlan, RegionsAreBitIdenticalToWhole) {
  for (const Filter filter : {Filter::kNearest, Filter::kLinear, Filter::kCubic})
    for (const DataType type : {DataType::kFloat, DataType::kUint8, DataType::kInt64}) {
      expect_regions_equal_the_whole(resize({5, 6, 2}, {9, 4, 2}, filter, type, filter != Filter::kNearest), type);
      expect_regions_equal_the_whole(resize({7, 3}, {3, 8}, filter, type), type);
    }
  expect_regions_equal_the_whole(tile({3, 2}, {3, 4}, DataType::kInt16), DataType::kInt16);
}

TEST(RunPlan, StridesOfAnySignOnBothSides) {
  const Plan plan = resize({4, 5}, {6, 3}, Filter::kLinear);
  const Tensor x = noise(DataType::kFloat, {4, 5});
  const Tensor expected = computed(plan, x);
  // x transposed in memory, y reversed.
  std::vector<float> turned(20), y(18);
  for (size_t r = 0; r < 4; ++r)
    for (size_t c = 0; c < 5; ++c) turned[c * 4 + r] = x.as<float>()[r * 5 + c];
  BoxRun run;
  run.input = {reinterpret_cast<const std::byte*>(turned.data()), DataType::kFloat, {4, 5}, {4, 16}, 0};
  run.input_lo = run.output_lo = {0, 0};
  run.output = {reinterpret_cast<std::byte*>(y.data() + 17), DataType::kFloat, {6, 3}, {-12, -4}, 0};
  ASSERT_TRUE(run_by_reference(plan, run, Executor()).ok());
  for (size_t i = 0; i < 18; ++i) EXPECT_EQ(y[17 - i], expected.as<float>()[i]);
}

TEST(RunPlan, CallerFloatEnvironmentDoesNotAffectResults) {  // the arithmetic contract
  const Plan plan = resize({30, 30}, {50, 50}, Filter::kCubic);
  Tensor x = noise(DataType::kFloat, {30, 30});
  for (int64_t i = 0; i < x.count(); ++i) reinterpret_cast<float*>(x.mutable_data())[i] *= 1e-40f;  // denormal
  const Tensor expected = computed(plan, x);
  std::fesetround(FE_UPWARD);
#if defined(__x86_64__)
  const unsigned csr = _mm_getcsr();
  _mm_setcsr(csr | 0x8040);
#endif
  const Tensor y = computed(plan, x);
#if defined(__x86_64__)
  EXPECT_EQ(_mm_getcsr() & 0x8040u, 0x8040u);
  _mm_setcsr(csr);
#endif
  EXPECT_EQ(std::fegetround(), FE_UPWARD);
  std::fesetround(FE_TONEAREST);
  EXPECT_TRUE(same_bytes(y, expected));
}

// ---- Cancellation and progress ----------------------------------------------------------------------------

TEST(RunPlan, CancelledRunReturnsCancelled) {
  const Plan plan = fill({64, 1 << 16});
  Tensor y = *Tensor::allocate(DataType::kFloat, plan.out);
  const int32_t cancel = 1;
  RunOptions options;
  options.cancel = &cancel;
  const Status status = run_by_reference(plan, whole_run(plan, Tensor(), y), Executor(), options);
  EXPECT_EQ(status.code(), TESELA_ERROR_CANCELLED);
  EXPECT_NE(status.message().find("after 0 of"), std::string::npos) << status.message();
}

// Tasks are parts of the axis after the repeated one, and contain all places of what they read.
TEST(RunPlan, TasksOfTheCpuBackendContainRepeats) {
  const Plan plan = tile({1, 2, 1, 512, 512}, {1, 1, 3, 2, 2}, DataType::kUint8);
  const Tensor x = noise(DataType::kUint8, plan.in);
  Tensor y = *Tensor::allocate(plan.type, plan.out);
  const BoxRun run = whole_run(plan, x, y);
  const auto program = bind(plan, Backend::cpu);
  EXPECT_EQ(program->division(plan, run).order, (Extents{0, 1, 3, 2, 4}));
  const Tensor expected = computed(plan, x);
  for (const int threads : {1, 2, 3, 8}) {
    std::memset(y.mutable_data(), 0xff, static_cast<size_t>(y.bytes()));
    ASSERT_TRUE(run_plan(plan, *program, run, Executor::on_threads(threads), {}).ok());
    EXPECT_TRUE(same_bytes(y, expected)) << threads;
  }
  // Elements below a byte share bytes with other tasks, and a short axis has too few parts.
  const Plan packed = tile({1, 1, 512, 512}, {1, 3, 2, 2}, DataType::kInt4);
  EXPECT_EQ(bind(packed, Backend::cpu)->division(packed, {{}, {}, {nullptr, packed.type, packed.out, {}, 0}, {}}).order,
            (Extents{0, 1, 2, 3}));
  const Plan few = tile({1, 1, 3, 512}, {1, 3, 2, 2});
  EXPECT_EQ(bind(few, Backend::cpu)->division(few, {{}, {}, {nullptr, few.type, few.out, {}, 0}, {}}).order,
            (Extents{0, 1, 2, 3}));
}

TEST(RunPlan, CancelStopsBetweenTasks) {
  const Plan plan = fill({64, 1 << 16});
  Tensor y = *Tensor::allocate(DataType::kFloat, plan.out);
  int32_t cancel = 0;
  RunOptions options;
  options.cancel = &cancel;
  int calls = 0;
  options.on_progress = [&](double) { cancel = ++calls == 2; };
  EXPECT_EQ(run_by_reference(plan, whole_run(plan, Tensor(), y), Executor(), options).code(), TESELA_ERROR_CANCELLED);
  EXPECT_EQ(calls, 2);
}

TEST(RunPlan, CancelStopsInsideATask) {
  const Plan plan = resize({2048, 1024}, {2, 2}, Filter::kLinear, DataType::kFloat, true);
  const Tensor x = *Tensor::allocate(DataType::kFloat, plan.in);
  std::memset(const_cast<std::byte*>(x.data()), 0, static_cast<size_t>(x.bytes()));
  Tensor y = *Tensor::allocate(DataType::kFloat, plan.out);
  for (const Backend backend : {Backend::reference, Backend::cpu}) {
    int32_t cancel = 0;
    RunOptions options;
    options.cancel = &cancel;
    options.on_progress = [&](double fraction) {
      EXPECT_EQ(fraction, 0);
      cancel = 1;
    };
    const Status status = run_plan(plan, *bind(plan, backend), whole_run(plan, x, y), Executor(), options);
    EXPECT_EQ(status.message(), "the run was cancelled after 0 of 1 tasks");
  }
}

TEST(RunPlan, ProgressGrowsToOne) {
  const Plan plan = fill({64, 1 << 16});
  Tensor y = *Tensor::allocate(DataType::kFloat, plan.out);
  std::vector<double> fractions;
  RunOptions options;
  options.on_progress = [&](double fraction) { fractions.push_back(fraction); };
  ASSERT_TRUE(run_by_reference(plan, whole_run(plan, Tensor(), y), Executor(), options).ok());
  ASSERT_GT(fractions.size(), 1u);
  EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end()));
  EXPECT_GT(fractions.front(), 0);
  EXPECT_EQ(fractions.back(), 1);
}

TEST(RunPlan, ExceptionsOfTasksReachTheCaller) {
  const Plan plan = fill({64, 1 << 16});
  Tensor y = *Tensor::allocate(DataType::kFloat, plan.out);
  RunOptions options;
  options.on_progress = [](double) { throw std::bad_alloc(); };
  EXPECT_THROW(static_cast<void>(run_by_reference(plan, whole_run(plan, Tensor(), y), Executor(), options)),
               std::bad_alloc);
}

TEST(ScratchBytes, ZeroForFillsAndGrowWithTheBox) {
  const auto scratch_bytes = [](const Plan& plan, const Box& box) {
    return bind(plan, Backend::reference)->scratch_bytes(plan, box);
  };
  EXPECT_EQ(scratch_bytes(fill({100, 100}), {{0, 0}, {100, 100}}), 0);
  const Plan plan = resize({100, 100}, {200, 200}, Filter::kLinear);
  EXPECT_GT(scratch_bytes(plan, {{0, 0}, {200, 200}}), scratch_bytes(plan, {{0, 0}, {10, 10}}));
}

}  // namespace
}  // namespace tesela
