// SPDX-License-Identifier: Apache-2.0
// Backends: each row of the list gives the same bits, and a backend that is not in the list can run, too.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "backend/backend.h"

namespace tesela {
namespace {

// A backend for tests that delegates to another and counts its calls.
class CountingProgram : public Program {
 public:
  explicit CountingProgram(ProgramPtr inner) : inner_(std::move(inner)) {}

  void run_box(const Plan& plan, const BoxRun& run, const BoxContext& context) const override {
    ++boxes;
    size_t most = most_scratch;
    while (most < context.scratch.size() && !most_scratch.compare_exchange_weak(most, context.scratch.size())) {
    }
    inner_->run_box(plan, run, context);
  }
  int64_t scratch_bytes(const Plan& plan, const Box& output) const override {
    ++questions;
    return inner_->scratch_bytes(plan, output);
  }
  void add_taps(const TapSums& sums) const override { inner_->add_taps(sums); }

  mutable std::atomic<int> boxes = 0;
  mutable std::atomic<int> questions = 0;
  mutable std::atomic<size_t> most_scratch = 0;

 private:
  ProgramPtr inner_;
};

Plan linear(const Extents& in, const Extents& out, DataType type = DataType::kFloat) {
  ResizeParams params;
  params.type = type;
  params.in = in;
  params.sampling.filter = Filter::kLinear;
  for (size_t d = 0; d < in.size(); ++d) params.axes.push_back({d, in[d], out[d], true, out[d], in[d]});
  return *make_resize_plan(params, Limits::none());
}

Tensor ramp(const Extents& extents) {
  Tensor tensor = *Tensor::allocate(DataType::kFloat, extents);
  auto* values = reinterpret_cast<float*>(tensor.mutable_data());
  for (int64_t i = 0; i < tensor.count(); ++i) values[i] = static_cast<float>(i % 1013) / 7;
  return tensor;
}

Tensor run(const Plan& plan, const Program& program, const Tensor& x, const Executor& executor,
           const RunOptions& options = {}) {
  Tensor y = *Tensor::allocate(plan.type, plan.out);
  const BoxRun box = {x.view(), Extents(plan.in.size(), 0), y.mutable_view(), Extents(plan.out.size(), 0)};
  EXPECT_TRUE(run_plan(plan, program, box, executor, options).ok());
  return y;
}

bool same_bytes(const Tensor& a, const Tensor& b) {
  return a.bytes() == b.bytes() && std::memcmp(a.data(), b.data(), static_cast<size_t>(a.bytes())) == 0;
}

TEST(Program, BackendsAreBitIdentical) {
  const Plan plan = linear({90, 70}, {111, 200});
  const Tensor x = ramp(plan.in);
  const Tensor expected = run(plan, *bind(plan, Backend::reference), x, Executor());
  int backends = 0;
  for (; is_backend(backends); ++backends) {
    const ProgramPtr program = bind(plan, static_cast<Backend>(backends));
    EXPECT_TRUE(same_bytes(run(plan, *program, x, Executor::on_threads(2)), expected)) << backends;
  }
  EXPECT_GE(backends, 2);
  EXPECT_FALSE(is_backend(-1));
}

TEST(Program, CustomProgramRunsEachTask) {
  const Plan plan = linear({300, 200}, {600, 500});
  const Tensor x = ramp(plan.in);
  const CountingProgram counting(bind(plan));
  const Tensor expected = run(plan, *bind(plan, Backend::reference), x, Executor());
  EXPECT_TRUE(same_bytes(run(plan, counting, x, Executor()), expected));
  EXPECT_EQ(counting.boxes, 1);
  EXPECT_EQ(counting.questions, 1);
  EXPECT_TRUE(same_bytes(run(plan, counting, x, Executor::on_threads(4)), expected));
  EXPECT_GE(counting.boxes, 1 + 4);
}

TEST(Program, TinyRunUsesOneBoxAndCallersScratch) {
  const Plan plan = linear({4, 5}, {8, 10});
  const CountingProgram counting(bind(plan));
  alignas(64) std::byte scratch[4096];
  RunOptions options;
  options.scratch = scratch;
  run(plan, counting, ramp(plan.in), Executor::on_threads(4), options);
  EXPECT_EQ(counting.boxes, 1);
  EXPECT_EQ(counting.questions, 0);
  EXPECT_EQ(counting.most_scratch, sizeof scratch);
}

// Its boxes are best whole rows, each of whose outputs takes a mebibyte of scratch memory.
class HungryProgram final : public CountingProgram {
 public:
  using CountingProgram::CountingProgram;
  int64_t scratch_bytes(const Plan&, const Box& output) const override { return output.n[1] << 20; }
  Division division(const Plan& plan, const BoxRun&) const override { return {{1, plan.out[1]}, {}}; }
  void run_box(const Plan& plan, const BoxRun& run, const BoxContext& context) const override {
    int64_t most = longest_row;
    while (most < run.output.extents[1] && !longest_row.compare_exchange_weak(most, run.output.extents[1])) {
    }
    CountingProgram::run_box(plan, run, context);
  }

  mutable std::atomic<int64_t> longest_row = 0;
};

TEST(Program, StripsAreDividedIfTheyNeedTooMuchScratchMemory) {
  for (const int64_t width : {200, 2000}) {
    const Plan plan = linear({30, 100}, {60, width});
    const Tensor x = ramp(plan.in);
    const HungryProgram hungry(bind(plan));
    const Tensor expected = run(plan, *bind(plan, Backend::reference), x, Executor());
    EXPECT_TRUE(same_bytes(run(plan, hungry, x, Executor::on_threads(4)), expected));
    EXPECT_LE(hungry.longest_row, 256);
    EXPECT_EQ(hungry.longest_row == width, width == 200);
  }
}

}  // namespace
}  // namespace tesela
