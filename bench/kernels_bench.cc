// SPDX-License-Identifier: Apache-2.0
// Measures each kernel: every row of kernels.def on its sample, for each instruction set of this machine, and for each
// element type on the best one; compared with the machine's limit for the same bytes and products. A row that does not
// run is an error.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <iterator>
#include <numeric>
#include <optional>

#include "backend/accumulate.h"
#include "backend/cpu/instruction_sets.h"
#include "backend/cpu/sample_plan.h"
#include "machine_limits.h"
#include "plan/axis_table.h"

namespace tesela {
namespace {

// The output bytes that samples are enlarged to: enough to hide the cost of a call, but within a level-2 cache.
constexpr int64_t kOutputBytes = 256 << 10;

cli::CaseWords read_sample(const cpu::KernelRow& row, DataType type) {
  cli::CaseWords sample = cli::parse_case(row.sample);
  if (type != DataType::kUndefined) sample.dtype = static_cast<tesela_dtype>(type);
  std::vector<int64_t>& in = sample.source;
  std::vector<int64_t>& out = sample.target;
  // Longer rows, so that their ends do not affect the result.
  if (std::string_view(row.name).starts_with("vertical_") && in.back() == out.back()) in.back() = out.back() *= 16;
  // The outermost axis is enlarged if it is not resized.
  if (!in.empty() && (in.size() == 1 || in[0] != out[0])) return sample;
  const int64_t bits = tesela_dtype_bits(sample.dtype);
  const int64_t factor = std::max<int64_t>(kOutputBytes * 8 / (product(out) * bits), 1);
  out[0] *= factor;
  if (!in.empty()) in[0] = out[0];
  return sample;
}

// The number of products of all passes, in their order.
double products_of(const Plan& plan) {
  const auto* resize = std::get_if<ResizePlan>(&plan.work);
  if (resize == nullptr || resize->compute == ComputeType::kNone) return 0;
  Extents extents = plan.in;
  double products = 0;
  for (const Pass& pass : resize->passes) {
    const int64_t outputs = plan.out[pass.axis];
    const AxisTable table = make_axis_table(pass.map, {0, outputs}, resize->compute);
    extents[pass.axis] = outputs;
    const double taps = std::accumulate(table.count.begin(), table.count.end(), 0.0);
    products += static_cast<double>(product(extents)) / static_cast<double>(outputs) * taps;
  }
  return products;
}

double products_a_nanosecond(bool in_doubles) {
  static const auto best = [](int kind) {
    double most = 0;
    for (int i = 0; i < 30; ++i) most = std::max(most, tesela_limits_multiply(kind, 1));
    return most;
  };
  static const double rates[] = {best(0), best(1)};
  return rates[in_doubles];
}

struct Run {
  Plan plan;
  Tensor input, output;
  Tensor sums;  // of the plan's only pass, for partial kernels
  BoxRun box;
  ProgramPtr program;
  const Executor executor;

  Run(Plan made, int64_t gap, bool is_partial) : plan(std::move(made)), program(bind(plan)) {
    Extents stored = plan.out;
    if (gap > 0) stored[stored.size() - 1] *= gap + 1;
    output = *Tensor::allocate(plan.type, stored);
    std::memset(output.mutable_data(), 1, static_cast<size_t>(output.bytes()));
    if (plan.has_input()) {
      input = *Tensor::allocate(plan.type, plan.in);
      // Bytes of 0x3c are a small number in every type.
      std::memset(input.mutable_data(), 0x3c, static_cast<size_t>(input.bytes()));
      box.input = input.view();
    }
    box.output = output.mutable_view();
    if (gap > 0) {
      box.output.strides_bytes = dense_strides(plan.type, stored);
      box.output.strides_bytes[stored.size() - 1] *= gap + 1;
      box.output.extents = plan.out;
    }
    box.input_lo = Extents(plan.in.size(), 0);
    box.output_lo = Extents(plan.out.size(), 0);
    if (is_partial) sums = *Tensor::allocate(tensors_of(plan, 0).sums, plan.out);
  }

  Status once() {
    if (!sums.defined()) return run_plan(plan, *program, box, executor, {});
    const PassRun run = {0, box.input, box.input_lo, sums.mutable_view(), box.output_lo};
    TESELA_RETURN_IF_ERROR(begin_sums(plan, 0, run.sums));
    TESELA_RETURN_IF_ERROR(add_to_sums(plan, *program, run, executor, {}));
    return finish_sums(plan, {0, sums.view(), box.output, box.output_lo, nullptr}, executor, {});
  }

  int64_t bytes() const { return (input.defined() ? input.bytes() : 0) + output.bytes(); }

  /// Nanoseconds that the machine needs for the same bytes and products.
  double limit() {
    const size_t read = input.defined() ? static_cast<size_t>(input.bytes()) : 0;
    double moved = std::numeric_limits<double>::infinity();
    for (int store = 0; store < 3; ++store)
      moved = std::min(moved, tesela_limits_move(box.input.data, read, output.mutable_data(),
                                                 static_cast<size_t>(output.bytes()), 0x3c, store, 1, 50));
    const auto* resize = std::get_if<ResizePlan>(&plan.work);
    const bool in_doubles = resize != nullptr && resize->compute == ComputeType::kDouble;
    return std::max(moved, products_of(plan) / products_a_nanosecond(in_doubles));
  }
};

std::string kernels_since(const std::array<uint64_t, static_cast<size_t>(cpu::Kernel::kCount)>& before) {
  std::string names;
  for (size_t i = 0; i < before.size(); ++i)
    if (cpu::kernel_tasks[i] != before[i]) names += (names.empty() ? "" : "+") + std::string(cpu::kKernelRows[i].name);
  return names;
}

bool failed = false;

void fail(benchmark::State& state, std::string_view why) {
  failed = true;
  state.SkipWithError(std::string(why).c_str());
}

constexpr int64_t kBest = 0;  // in place of a target: the machine's best one

/// must_run: the name of a row of kernels.def; null if other kernels may run.
void bench_sample(benchmark::State& state, const cli::CaseWords& sample, int64_t target, const char* must_run,
                  bool is_partial) {
  std::optional<testing::OnlyInstructionSet> only;
  if (target != kBest) only.emplace(target);
  Run run(testing::plan_of(sample), sample.gap, is_partial);
  std::array<uint64_t, static_cast<size_t>(cpu::Kernel::kCount)> before;
  std::copy(std::begin(cpu::kernel_tasks), std::end(cpu::kernel_tasks), before.begin());
  const Status status = run.once();
  const std::string ran = kernels_since(before);
  if (!status.ok()) fail(state, status.message());
  if (must_run != nullptr && ran.find(must_run) == std::string::npos)
    fail(state, "not " + std::string(must_run) + " but " + ran + " ran");
  const auto start = std::chrono::steady_clock::now();
  for (auto _ : state) benchmark::DoNotOptimize(run.once().ok());
  const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - start;
  only.reset();
  state.SetLabel(ran);
  state.SetBytesProcessed(state.iterations() * run.bytes());
  state.counters["of_limit"] = run.limit() * static_cast<double>(state.iterations()) / spent.count();
}

// Some operators do not support every type.
bool has_type(const cli::CaseWords& sample) {
  try {
    testing::plan_of(sample);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

void add_row(const cpu::KernelRow& row, const std::vector<int64_t>& targets) {
  for (const int64_t target : targets) {
    const char* must_run = testing::has_kernel(row, target) ? row.name : nullptr;
    const std::string title = std::string(row.name) + "/" + hwy::TargetName(target);
    benchmark::RegisterBenchmark(title.c_str(), bench_sample, read_sample(row, {}), target, must_run, row.is_partial);
  }
  const bool moves = std::string_view(row.name).starts_with("move_");
  const std::initializer_list<DataType> moved = {DataType::kUint8, DataType::kFloat16,    DataType::kFloat,
                                                 DataType::kInt64, DataType::kComplex128, DataType::kInt4};
  const std::initializer_list<DataType> computed = {DataType::kUint8,    DataType::kInt16, DataType::kFloat16,
                                                    DataType::kBfloat16, DataType::kFloat, DataType::kInt32,
                                                    DataType::kDouble};
  for (const DataType type : moves ? moved : computed) {
    const cli::CaseWords sample = read_sample(row, type);
    if (!has_type(sample) || (sample.gap > 0 && is_packed(type))) continue;  // packed tensors are dense
    const std::string title = std::string(row.name) + "/" + std::string(name(type));
    benchmark::RegisterBenchmark(title.c_str(), bench_sample, sample, kBest, static_cast<const char*>(nullptr),
                                 row.is_partial);
  }
}

}  // namespace
}  // namespace tesela

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  const std::vector<int64_t> targets = tesela::testing::instruction_sets();
  for (const tesela::cpu::KernelRow& row : tesela::cpu::kKernelRows) tesela::add_row(row, targets);
  benchmark::RunSpecifiedBenchmarks();
  return tesela::failed ? 1 : 0;
}
