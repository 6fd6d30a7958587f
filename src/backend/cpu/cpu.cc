// SPDX-License-Identifier: Apache-2.0
// The CPU backend: a plan bound to vector kernels, and the tensors that are copied for them.
#include <algorithm>
#include <array>
#include <atomic>

#include "backend/axis_order.h"
#include "backend/boxes.h"
#include "backend/cpu/caches.h"
#include "backend/cpu/move/move.h"
#include "backend/cpu/resize/accumulate.h"
#include "backend/cpu/resize/program.h"
#include "backend/cpu/resize/strips.h"
#include "backend/cpu/scratch.h"
#include "backend/cpu/tuning.h"
#include "backend/program.h"
#include "types/elements.h"
#include "types/keep_first.h"

namespace tesela::cpu {
namespace {

// Whether the axes from `axis` on are contiguous.
bool is_dense(DataType type, const Extents& extents, const Extents& strides, size_t axis) {
  int64_t dense = element_bits(type) / 8;
  for (size_t d = extents.size(); d-- > axis;) {
    if (extents[d] != 1 && strides[d] != dense) return false;
    dense *= extents[d];
  }
  return true;
}

// Whether rows are contiguous, and elements aligned to their size.
template <class View>
bool has_dense_rows(const Layout& layout, DataType type, const View& view) {
  const auto& strides = view.strides_bytes;
  const int64_t align = element_bits(type) / 8 / parts_of(type);
  if (reinterpret_cast<uintptr_t>(view.data) % static_cast<uintptr_t>(align) != 0) return false;
  if (strides.empty()) return true;
  for (size_t d = 0; d < layout.row_axis; ++d)
    if (strides[d] % align != 0) return false;
  return is_dense(type, view.extents, strides, layout.row_axis);
}

template <class View>
int64_t dense_bytes(const View& view) {
  return product(view.extents) * element_bits(view.type) / 8;
}

// Space for a dense copy of the view.
template <class View>
MutableTensorView dense_space(const View& view, Scratch& scratch) {
  return {scratch.take<std::byte>(dense_bytes(view)), view.type, view.extents, {}, 0};
}

// Which tensors of a run are copied, because their rows are strided or unaligned.
struct Copies {
  Copies(const Layout& layout, DataType type, const BoxRun& run)
      : input(!has_dense_rows(layout, type, run.input)), output(!has_dense_rows(layout, type, run.output)) {}
  int64_t bytes(const BoxRun& run) const {
    return (input ? dense_bytes(run.input) : 0) + (output ? dense_bytes(run.output) : 0);
  }

  bool input;
  bool output;
};

class CpuProgram final : public Program {
 public:
  explicit CpuProgram(const Plan& plan);
  CpuProgram(const CpuProgram&) = delete;
  CpuProgram& operator=(const CpuProgram&) = delete;
  ~CpuProgram() override {
    for (const auto& reordered : reordered_) delete reordered.load();
  }

  void run_box(const Plan& plan, const BoxRun& run, const BoxContext& context) const override;
  int64_t scratch_bytes(const Plan& plan, const Box& output) const override {
    const ResizePlan* work = plan.interpolation();
    return work == nullptr ? 0 : resize_scratch_bytes(plan, *work, resize_, output);
  }
  void add_taps(const TapSums& sums) const override { cpu::add_taps(sums); }
  Division division(const Plan& plan, const BoxRun& run) const override;
  const Reordered* find_reordered(const Plan& plan, const BoxRun& run) const override;

 private:
  void run_by_parts(const Plan& plan, const BoxRun& run, bool stream, std::span<std::byte> scratch,
                    int64_t copied) const;
  void run_part(const Plan& plan, const BoxRun& run, bool stream, std::span<std::byte> scratch) const;

  ResizeProgram resize_;                                                 // for plans that interpolate
  MoveProgram move_;                                                     // for all others
  mutable std::array<std::atomic<const Reordered*>, 4> reordered_ = {};  // for more orders, tensors are copied
};

CpuProgram::CpuProgram(const Plan& plan) {
  const ResizePlan* work = plan.interpolation();
  if (product(plan.out) == 0) return;
  if (work == nullptr)
    bind_move(plan, move_);
  else
    bind_resize(plan, *work, resize_);
}

void CpuProgram::run_box(const Plan& plan, const BoxRun& run, const BoxContext& context) const {
  const ResizePlan* work = plan.interpolation();
  // Reading the caches' sizes takes longer than a small run.
  const bool stream = context.run_output_bytes > 0 &&
                      bypasses_caches(context.run_output_bytes, context.run_input_bytes, work == nullptr);
  const int64_t thread_bytes =
      context.threads == 1 ? context.run_output_bytes : context.run_output_bytes / context.threads;
  if (work == nullptr) return move_box(plan, move_, run, stream, thread_bytes);
  const int64_t copied = Copies(resize_.layout, plan.type, run).bytes(run);
  if (copied == 0) return resize_box(plan, resize_, run, stream, context.scratch);
  run_by_parts(plan, run, stream, context.scratch, copied);
}

// A part at a time, so that the thread can keep the memory of the copies. Not inline: its large frame would be set up by
// tiny runs too.
[[gnu::noinline]] void CpuProgram::run_by_parts(const Plan& plan, const BoxRun& run, bool stream,
                                                std::span<std::byte> scratch, int64_t copied) const {
  const Box whole = {run.output_lo, run.output.extents};
  const int64_t elements = product(whole.n) / (copied / kMaxCopiedBytes + 1);
  const BoxCutter cutter(whole, std::max<int64_t>(elements, 1), plan.type, division(plan, run));
  for (int64_t i = 0; i < cutter.count(); ++i) run_part(plan, part_of(plan, run, cutter.box(i)), stream, scratch);
}

void CpuProgram::run_part(const Plan& plan, const BoxRun& run, bool stream, std::span<std::byte> scratch) const {
  const Copies copies(resize_.layout, plan.type, run);
  BoxRun dense = run;
  Scratch memory;
  if (copies.input) {
    const MutableTensorView input = dense_space(run.input, memory);
    copy_view(run.input, input);
    dense.input = input.as_const();
  }
  if (copies.output) dense.output = dense_space(run.output, memory);
  resize_box(plan, resize_, dense, stream && !copies.output, scratch);
  if (copies.output) copy_view(dense.output.as_const(), run.output);
}

// A repeated axis is divided after the next one, if that is long, so that a task writes a part of the input to all its places: one
// after the other, each would be read again, and several streams of stores are faster than one.
void divide_repeats_last(const Plan& plan, const Extents& output, Extents& order) {
  if (!plan.has_input() || is_packed(plan.type)) return;
  for (size_t place = 0; place + 1 < order.size(); ++place) {
    const auto axis = static_cast<size_t>(order[place]);
    const auto next = static_cast<size_t>(order[place + 1]);
    const bool is_repeated = plan.in[axis] == 1 && output[axis] > 1;
    if (!is_repeated || output[axis] > moves::kMaxRepeatsOfTask || output[next] < moves::kMinDividedRows ||
        plan.in[next] == 1)
      continue;
    std::swap(order[place], order[place + 1]);
    ++place;
  }
}

Division CpuProgram::division(const Plan& plan, const BoxRun& run) const {
  const ResizePlan* work = plan.interpolation();
  // Boxes of a view are contiguous in the order of its axes in memory.
  if (work == nullptr) {
    Division division = {{}, order_of(run.output)};
    divide_repeats_last(plan, run.output.extents, division.order);
    return division;
  }
  return resize_.has_joined_planes() ? Division{joined_strips(plan, *work), {}}
                                     : resize_division(plan, *work, resize_.layout);
}

// Made by the first run that needs it.
const Reordered* CpuProgram::find_reordered(const Plan& plan, const BoxRun& run) const {
  if (plan.interpolation() == nullptr) return nullptr;
  const Extents order = find_order(plan, run);
  if (order.empty()) return nullptr;
  for (std::atomic<const Reordered*>& place : reordered_) {
    const Reordered* kept = place.load(std::memory_order_acquire);
    if (kept == nullptr) {
      Plan other = in_order(plan, order);
      ProgramPtr program = cpu::bind(other);
      kept =
          keep_first(place, std::make_unique<const Reordered>(Reordered{order, std::move(other), std::move(program)}));
    }
    if (kept->order == order) return kept;
  }
  return nullptr;
}

}  // namespace

ProgramPtr bind(const Plan& plan) {
  if (std::holds_alternative<EmulatedPlan>(plan.work)) return reference::bind(plan);
  const auto* resize = std::get_if<ResizePlan>(&plan.work);
  if (resize != nullptr && !has_arithmetic(plan, *resize)) return reference::bind(plan);
  return std::make_shared<CpuProgram>(plan);
}

}  // namespace tesela::cpu
