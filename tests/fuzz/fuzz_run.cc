// SPDX-License-Identifier: Apache-2.0
// Plans and runs: an operator's call is planned, and the CPU backend computes whole outputs, rows and boxes of it on
// each instruction set with one to three threads. Every byte must equal that of the reference backend.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "api/handles.h"
#include "api/op_handles.h"
#include "backend/backend.h"
#include "backend/boxes.h"
#include "backend/cpu/instruction_sets.h"
#include "backend/float_environment.h"
#include "fuzz/budget.h"
#include "fuzz/operator_call.h"
#include "fuzz/tensor_layout.h"
#include "types/packed.h"

namespace tesela::testing {
namespace {

constexpr int64_t kMaxElements = 40'000;  // of an input or output; larger ones are planned, but not run
constexpr double kMaxWork = 1e6;
constexpr int kBoxes = 3;  // the whole output, a row, any box

using OpPtr = Handle<tesela_op>;
using PlanPtr = Handle<tesela_plan>;

[[noreturn]] void report(const DrawnCall& call, const std::string& what) {
  std::fprintf(stderr, "%s\n%s\n", describe(call).c_str(), what.c_str());
  std::abort();
}

// ---- Threads --------------------------------------------------------------------------------------------------------

// A host's threads that run tasks from the last to the first.
void run_backwards(void*, int64_t count, void (*task)(void*, int64_t), void* argument) {
  while (count-- > 0) task(argument, count);
}
constexpr tesela_executor kBackwards = {sizeof(tesela_executor), run_backwards, nullptr, 3};

tesela_run_options options_of(int threads) {
  tesela_run_options options = {};
  options.struct_size = sizeof options;
  options.threads = threads;
  if (threads == 3) options.executor = &kBackwards;
  return options;
}

// ---- Runs -----------------------------------------------------------------------------------------------------------

// A box of the output: what it needs, where its tensors are, and the bytes that it must have.
struct BoxCase {
  Box output;
  Box input;
  TensorLayout x_layout;
  TensorLayout y_layout;
  TensorView x;
  std::byte canary;
  std::vector<std::byte> expected;  // all bytes that y_layout covers
};

class RunCase {
 public:
  RunCase(const DrawnCall& call, const tesela_op& op, const InputViews& inputs, const Plan& plan, Input& input)
      : call_(call), op_(op), inputs_(inputs), plan_(plan), input_(input) {}

  void check() {
    const uint8_t choices = input_.byte();
    turn_ = choices % 16;
    compute_dense();
    for (int k = 0; k < kBoxes; ++k) make_box(k);
    const bool all = every_combination() || choices >= 250 || product(plan_.out) > (1 << 14);
    static const std::vector<int64_t> targets = instruction_sets();
    for (size_t t = 0; t < targets.size(); ++t) {
      const OnlyInstructionSet only(targets[t]);
      const PlanPtr bound = bind_again();
      if (turn_ == 0) check_streamed();
      for (int k = 0; k < kBoxes; ++k) {
        const int turn = turn_ + static_cast<int>(t);
        if (!all && k != turn % kBoxes) continue;
        for (int threads = 1; threads <= 3; ++threads)
          if (all || threads == 1 + turn / kBoxes % 3) check_box(*bound, boxes_[static_cast<size_t>(k)], threads);
      }
    }
  }

 private:
  bool moves() const { return !emulates() && plan_.interpolation() == nullptr; }
  bool emulates() const { return std::holds_alternative<EmulatedPlan>(plan_.work); }

  // The same plan bound to the kernels of the current instruction set.
  PlanPtr bind_again() const {
    tesela_plan* plan = nullptr;
    const auto status =
        tesela_plan_create(&op_, inputs_.pointers.size(), inputs_.pointers.data(), nullptr, &plan, nullptr);
    if (status != TESELA_OK) report(call_, "the plan is refused the second time");
    return PlanPtr(plan);
  }

  // Fills the input, and computes the whole output with the reference backend.
  void compute_dense() {
    const int64_t bits = element_bits(plan_.type);
    x_dense_.resize(static_cast<size_t>(plan_.has_input() ? (product(plan_.in) * bits + 7) / 8 : 0));
    fill_elements(plan_.type, input_.number<uint16_t>(), x_dense_.data(), std::ssize(x_dense_));
    y_dense_.assign(static_cast<size_t>((product(plan_.out) * bits + 7) / 8), std::byte{0x5a});
    run_reference(TensorView{x_dense_.data(), plan_.type, plan_.in, {}, 0}, zeros(plan_.in), y_dense_view(),
                  zeros(plan_.out));
    if (turn_ % 4 != 0) return;
    const std::vector<std::byte> first = y_dense_;
    std::fill(y_dense_.begin(), y_dense_.end(), std::byte{0xa5});
    run_reference(TensorView{x_dense_.data(), plan_.type, plan_.in, {}, 0}, zeros(plan_.in), y_dense_view(),
                  zeros(plan_.out));
    const bool has_padding = product(plan_.out) * bits % 8 != 0;
    if (!has_padding && first != y_dense_) report(call_, "the reference leaves bytes unwritten");
  }

  MutableTensorView y_dense_view() { return {y_dense_.data(), plan_.type, plan_.out, {}, 0}; }
  static Extents zeros(const Extents& extents) { return Extents(extents.size(), 0); }

  void run_reference(const TensorView& x, const Extents& x_lo, const MutableTensorView& y, const Extents& lo) const {
    const Executor executor;
    const Status status = run_plan(plan_, *bind(plan_, Backend::reference), {x, x_lo, y, lo}, executor, {});
    if (!status.ok()) report(call_, "the reference: " + status.message());
  }

  Box box_of(int kind) {
    Box box = {zeros(plan_.out), plan_.out};
    if (kind == 0 || product(plan_.out) == 0) return box;
    for (size_t d = 0; d < box.n.size(); ++d) {
      if (kind == 1 ? d + 1 == box.n.size() : input_.chance(50)) continue;
      box.lo[d] = input_.pick(0, box.n[d] - 1);
      box.n[d] = kind == 1 ? 1 : input_.pick(0, box.n[d] - box.lo[d]);
    }
    return box;
  }

  void make_box(int kind) {
    BoxCase& box = boxes_[static_cast<size_t>(kind)];
    box.output = box_of(kind);
    box.input = {zeros(plan_.in), plan_.in};
    if (kind > 0 && input_.chance(70)) box.input = input_region(plan_, box.output);
    box.canary = input_.chance(50) ? std::byte{0x5a} : std::byte{0xa5};
    box.y_layout = draw_layout(input_, plan_.type, box.output.n, false);
    if (plan_.has_input()) place_input(box, kind);
    expect(box);
  }

  void place_input(BoxCase& box, int kind) {
    static GuardedArena arenas[kBoxes];
    box.x_layout = draw_layout(input_, plan_.type, box.input.n, true);
    const TensorView whole = {x_dense_.data(), plan_.type, plan_.in, {}, 0};
    const MutableTensorView placed = box.x_layout.place(arenas[kind], plan_.type, box.input.n);
    if (is_packed(plan_.type)) {
      // A packed input is not divided.
      box.input = {zeros(plan_.in), plan_.in};
      box.x_layout.bytes = (product(plan_.in) * element_bits(plan_.type) + box.x_layout.bit_offset + 7) / 8;
      const MutableTensorView all = box.x_layout.place(arenas[kind], plan_.type, plan_.in);
      std::fill_n(all.data, box.x_layout.bytes, std::byte{0});
      copy_packed(whole, all);
      box.x = all.as_const();
      return;
    }
    copy_elements(part_of(whole, zeros(plan_.in), box.input), placed);
    box.x = placed.as_const();
    // Where elements of the input overlap it has other values than the dense one.
    overlaps_ = !box.x_layout.strides.empty();
  }

  static void copy_packed(const TensorView& from, const MutableTensorView& to) {
    const int bits = element_bits(from.type);
    for (int64_t k = 0; k < product(from.extents); ++k)
      set_packed(to.data, to.bit_offset + k * bits, bits, get_packed(from.data, from.bit_offset + k * bits, bits));
  }

  void expect(BoxCase& box) {
    box.expected.assign(static_cast<size_t>(box.y_layout.bytes), box.canary);
    MutableTensorView y = {box.expected.data() + box.y_layout.before, plan_.type, box.output.n, box.y_layout.strides,
                           box.y_layout.bit_offset};
    if (product(box.output.n) == 0) return;
    if (overlaps_ || is_packed(plan_.type))
      run_reference(box.x, box.input.lo, y, box.output.lo);
    else
      copy_elements(part_of(y_dense_view(), zeros(plan_.out), box.output).as_const(), y);
    overlaps_ = false;
  }

  MutableTensorView fresh_output(const BoxCase& box) const {
    static GuardedArena arena;
    const MutableTensorView y = box.y_layout.place(arena, plan_.type, box.output.n);
    std::fill_n(y.data - box.y_layout.before, box.y_layout.bytes, box.canary);
    return y;
  }

  void check_box(const tesela_plan& bound, const BoxCase& box, int threads) const {
    const MutableTensorView view = fresh_output(box);
    const tesela_tensor x = c_tensor(box.x);
    const tesela_tensor y = c_tensor(view);
    tesela_run_options options = options_of(threads);
    std::vector<std::byte> scratch;
    if (turn_ == 3) add_scratch(bound, box, scratch, options);
    if (prints_calls()) std::fprintf(stderr, "%s\n", text_of(box, threads).c_str());
    tesela_error error = {};
    const bool is_whole = box.output.n == plan_.out && box.input.n == plan_.in;
    const tesela_status status =
        is_whole ? tesela_plan_run(&bound, plan_.has_input() ? &x : nullptr, &y, &options, &error)
                 : tesela_plan_run_region(&bound, plan_.has_input() ? &x : nullptr, box.input.lo.data(), &y,
                                          box.output.lo.data(), &options, &error);
    if (status != TESELA_OK) report(call_, std::string("the run: ") + error.message);
    compare(box, view, threads);
  }

  static void add_scratch(const tesela_plan& bound, const BoxCase& box, std::vector<std::byte>& scratch,
                          tesela_run_options& options) {
    uint64_t bytes = 0;
    tesela_plan_scratch_bytes(&bound, box.output.lo.data(), box.output.n.data(), &bytes, nullptr);
    if (bytes > (8 << 20)) return;
    scratch.resize(bytes + 64);
    const auto address = reinterpret_cast<uintptr_t>(scratch.data());
    options.scratch = scratch.data() + (64 - address % 64) % 64;
    options.scratch_bytes = bytes;
  }

  // As in a run larger than the caches, whose stores bypass them.
  void check_streamed() const {
    const BoxCase& box = boxes_[0];
    if (product(box.output.n) == 0) return;
    const MutableTensorView y = fresh_output(box);
    const FloatEnvironment environment;
    cpu::bind(plan_)->run_box(plan_, {box.x, box.input.lo, y, box.output.lo}, {.run_output_bytes = INT64_MAX / 2});
    compare(box, y, 0);
  }

  void compare(const BoxCase& box, const MutableTensorView& y, int threads) const {
    std::byte* const actual = y.data - box.y_layout.before;
    if (std::equal(box.expected.begin(), box.expected.end(), actual)) return;
    if (!moves() && equal_between_gaps(box, y)) return;
    const auto wrong = std::mismatch(box.expected.begin(), box.expected.end(), actual).first - box.expected.begin();
    report(call_, fmt::format("byte {} of {} differs: {}", wrong, box.expected.size(), text_of(box, threads)));
  }

  static std::string text_of(const BoxCase& box, int threads) {
    const TensorLayout& x = box.x_layout;
    const TensorLayout& y = box.y_layout;
    return fmt::format("{} with {} threads: box {} + {} from {} + {}, strides {} -> {}, bits {} -> {}, shifts {} -> {}",
                       hwy::TargetName(hwy::SupportedTargets() & -hwy::SupportedTargets()), threads,
                       list_text(box.output.lo), list_text(box.output.n), list_text(box.input.lo),
                       list_text(box.input.n), list_text(x.strides), list_text(y.strides), x.bit_offset, y.bit_offset,
                       x.shift, y.shift);
  }

  // Computed NaNs are equal, whatever their bits. The bytes between elements must not have changed.
  bool equal_between_gaps(const BoxCase& box, const MutableTensorView& y) const {
    std::vector<std::byte> copy = box.expected;
    MutableTensorView expected = y;
    expected.data = copy.data() + box.y_layout.before;
    const int64_t bytes = product(y.extents) * element_bits(plan_.type) / 8;
    std::vector<std::byte> left(static_cast<size_t>(bytes));
    std::vector<std::byte> right(static_cast<size_t>(bytes));
    copy_elements(expected.as_const(), {left.data(), plan_.type, y.extents, {}, 0});
    copy_elements(y.as_const(), {right.data(), plan_.type, y.extents, {}, 0});
    if (!equal_or_nan(plan_.type, left.data(), right.data(), bytes)) return false;
    copy_elements({right.data(), plan_.type, y.extents, {}, 0}, expected);
    return std::equal(copy.begin(), copy.end(), y.data - box.y_layout.before);
  }

  const DrawnCall& call_;
  const tesela_op& op_;
  const InputViews& inputs_;
  const Plan& plan_;
  Input& input_;
  int turn_ = 0;
  bool overlaps_ = false;
  std::vector<std::byte> x_dense_;
  std::vector<std::byte> y_dense_;
  BoxCase boxes_[kBoxes];
};

// ---- Plans ----------------------------------------------------------------------------------------------------------

// Inference from the same inputs must agree with the plan; of two errors each may find the other one first.
void check_inference(const DrawnCall& call, const tesela_op& op, const InputViews& inputs, const Plan* plan,
                     tesela_status planned) {
  std::vector<tesela_tensor_info> infos(call.inputs.size());
  std::vector<std::vector<tesela_dim>> dims(call.inputs.size());
  std::vector<const tesela_tensor_info*> pointers(call.inputs.size());
  for (size_t k = 0; k < call.inputs.size(); ++k) {
    if (!call.inputs[k]) continue;
    for (const int64_t extent : call.inputs[k]->extents) dims[k].push_back({extent, nullptr});
    infos[k] = {sizeof(tesela_tensor_info),
                static_cast<tesela_dtype>(call.inputs[k]->type),
                static_cast<int32_t>(dims[k].size()),
                dims[k].data(),
                nullptr,
                nullptr,
                0};
    if (k > 0 || call.row->op == Operator::kConstantOfShape) infos[k].constant = &inputs.tensors[k];
    pointers[k] = &infos[k];
  }
  tesela_inferred* inferred = nullptr;
  const tesela_status status = tesela_op_infer(&op, pointers.size(), pointers.data(), &inferred, nullptr);
  if (status != TESELA_OK && planned == TESELA_OK) report(call, "inference refuses what planning does not");
  if (status != TESELA_OK || plan == nullptr) return tesela_inferred_destroy(inferred);
  tesela_tensor_info info = {};
  info.struct_size = sizeof info;
  tesela_inferred_info(inferred, &info);
  bool is_equal = info.rank == static_cast<int32_t>(plan->out.size());
  for (size_t d = 0; is_equal && d < plan->out.size(); ++d) is_equal = info.dims[d].value == plan->out[d];
  // The field `rules` also changes the policies of plans, which inference does not know.
  const bool has_rules =
      std::any_of(call.fields.begin(), call.fields.end(), [](const DrawnAttribute& f) { return f.name == "rules"; });
  if (!is_equal && !has_rules) report(call, "inference and plan have different shapes");
  tesela_inferred_destroy(inferred);
}

void describe_plan(const tesela_plan& plan, Input& input) {
  tesela_blob* text = nullptr;
  if (tesela_plan_describe(&plan, input.chance(50) ? TESELA_TEXT_JSON : TESELA_TEXT_PLAIN, &text, nullptr) == TESELA_OK)
    tesela_blob_destroy(text);
  const auto axis = static_cast<int32_t>(input.pick(-1, 6));
  tesela_axis_table* table = nullptr;
  if (tesela_plan_axis_table(&plan, axis, input.pick(0, 5), input.pick(0, 20), &table, nullptr) == TESELA_OK)
    tesela_axis_table_destroy(table);
}

double work_of(const EmulatedPlan& emulated, const Plan& plan) {
  double work = 0;
  Extents extents = plan.in;
  for (const EmulatedStep& step : emulated.steps) {
    double taps = 1;
    for (const EmulatedAxis& axis : step.axes) {
      extents[axis.axis] = axis.out;
      taps *= static_cast<double>(most_taps(axis));
    }
    work += static_cast<double>(product(extents)) * taps;
  }
  return work;
}

// Products and sums of a run. The field `order` can make much of a small input and output.
double work_of(const Plan& plan) {
  if (const auto* emulated = std::get_if<EmulatedPlan>(&plan.work)) return work_of(*emulated, plan);
  const auto* resize = std::get_if<ResizePlan>(&plan.work);
  double work = 0;
  Extents extents = plan.in;
  for (size_t p = 0; resize != nullptr && p < resize->passes.size(); ++p) {
    const Pass& pass = resize->passes[p];
    extents[pass.axis] = plan.out[pass.axis];
    work += static_cast<double>(product(extents)) * static_cast<double>(pass.window);
  }
  return work;
}

void run(Input& input) {
  const uint8_t choices = input.byte();
  const DrawnCall call = draw_call(input);
  tesela_error error = {};
  const OpPtr op(make_op(call, &error));
  if (op == nullptr) return;
  if (prints_calls()) std::fprintf(stderr, "%s", describe(call).c_str());
  const InputViews inputs(call);
  tesela_limits defaults = {};
  defaults.struct_size = sizeof defaults;
  tesela_plan* made = nullptr;
  const tesela_status status = tesela_plan_create(op.get(), inputs.pointers.size(), inputs.pointers.data(),
                                                  choices % 2 == 0 ? &defaults : nullptr, &made, &error);
  const PlanPtr plan(made);
  if (status == TESELA_ERROR_INTERNAL) report(call, error.message);
  if (choices / 2 % 8 == 0) check_inference(call, *op, inputs, plan ? &plan->plan : nullptr, status);
  if (plan == nullptr) return;
  if (choices / 16 == 0) describe_plan(*plan, input);
  // No extent may be beyond the sum, which an empty axis beside it would hide.
  for (const Extents* extents : {&plan->plan.in, &plan->plan.out})
    for (const int64_t extent : *extents)
      if (extent > kMaxElements) return;
  if (product(plan->plan.in) > kMaxElements || product(plan->plan.out) > kMaxElements) return;
  if (work_of(plan->plan) > kMaxWork) return;
  RunCase(call, *op, inputs, plan->plan, input).check();
}

}  // namespace
}  // namespace tesela::testing

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  tesela::testing::Input input(data, size);
  const tesela::testing::Budget budget;
  tesela::testing::run(input);
  return 0;
}
